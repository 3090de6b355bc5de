#include "shared/contract/codec.hpp"

#include <gtest/gtest.h>

#include <random>

#include "shared/contract/version.hpp"

namespace baton {
namespace {

wire::Circuit prepared_circuit() {
  wire::Circuit circuit;
  circuit.set_id(3);
  circuit.mutable_source()->set_key_path("/keys/a.zkey");
  circuit.set_curve(1);
  circuit.set_n_vars(10);
  circuit.set_n_public(2);
  circuit.set_domain_size(16);
  circuit.set_fingerprint(std::string(16, 'f'));
  return circuit;
}

wire::Envelope fill_message() {
  wire::Envelope envelope;
  envelope.set_session(42);
  envelope.set_incarnation(1);
  to_wire(Lease{5, kMaxGeneration}, envelope.mutable_fill()->mutable_lease());
  to_wire(Attempt{9, 2, 0xffff}, envelope.mutable_fill()->mutable_attempt());
  *envelope.mutable_fill()->mutable_circuit() = prepared_circuit();
  envelope.mutable_fill()->set_witness_path("/tmp/w.wtns");
  return envelope;
}

Status refusal(wire::Envelope envelope) {
  envelope.set_protocol(kProtocolVersion);
  return decode(envelope.SerializeAsString()).status();
}

TEST(Codec, RoundTripKeepsEveryField) {
  wire::Envelope envelope = fill_message();
  const std::string frame = encode(envelope).value();
  const wire::Envelope back = decode(frame).value();
  EXPECT_EQ(back.SerializeAsString(), envelope.SerializeAsString());
  EXPECT_EQ(from_wire(back.fill().lease()), (Lease{5, kMaxGeneration}));
  EXPECT_EQ(from_wire(back.fill().attempt()), (Attempt{9, 2, 0xffff}));
}

TEST(Codec, AnotherProtocolIsNamedAsSuch) {
  wire::Envelope envelope = fill_message();
  envelope.set_protocol(kProtocolVersion + 1);
  EXPECT_EQ(decode(envelope.SerializeAsString()).status().code(), StatusCode::kVersionMismatch);
}

TEST(Codec, IdsOutOfRangeAreRefusedByName) {
  wire::Envelope envelope = fill_message();
  envelope.mutable_fill()->mutable_lease()->set_slot(kMaxSlots);
  EXPECT_NE(refusal(envelope).message().find("slot"), std::string::npos);
  envelope = fill_message();
  envelope.mutable_fill()->mutable_lease()->set_generation(kMaxGeneration + 1);
  EXPECT_NE(refusal(envelope).message().find("generation"), std::string::npos);
  envelope = fill_message();
  envelope.mutable_fill()->mutable_attempt()->set_epoch(0x10000);
  EXPECT_NE(refusal(envelope).message().find("epoch"), std::string::npos);
  envelope = fill_message();
  envelope.mutable_fill()->mutable_attempt()->set_job(kMaxJobId + 1);
  EXPECT_NE(refusal(envelope).message().find("job"), std::string::npos);
  envelope = fill_message();
  envelope.mutable_fill()->mutable_circuit()->set_domain_size(17);
  EXPECT_NE(refusal(envelope).message().find("domain_size"), std::string::npos);
}

TEST(Codec, RelativePathsAndNulBytesAreRefused) {
  wire::Envelope envelope = fill_message();
  envelope.mutable_fill()->set_witness_path("w.wtns");
  EXPECT_FALSE(refusal(envelope).is_ok());
  envelope.mutable_fill()->set_witness_path(std::string("/w\0x", 4));
  EXPECT_FALSE(refusal(envelope).is_ok());
}

TEST(Codec, AMessageLargerThanItsKindIsRefused) {
  wire::Envelope envelope;
  envelope.mutable_ack()->mutable_attempt()->set_job(1);
  std::string frame = encode(envelope).value();
  // Fields that nobody knows count too: tag 2047, 8 KiB long.
  frame += std::string("\xfa\x7f\x80\x40", 4) + std::string(8192, 'x');
  EXPECT_EQ(decode(frame).status().code(), StatusCode::kLimit);
  EXPECT_EQ(decode(std::string(kMaxFrameBytes + 1, '\0')).status().code(), StatusCode::kLimit);
}

TEST(Codec, NoBodyIsRefused) {
  wire::Envelope envelope;
  EXPECT_FALSE(encode(envelope).is_ok());
  EXPECT_FALSE(refusal(envelope).is_ok());
  EXPECT_FALSE(decode(std::string_view()).is_ok());
}

TEST(Codec, EveryKindHasANameALimitAndASender) {
  int kinds = 0;
  for (int number = 1; number < 100; ++number) {
    const auto kind = static_cast<wire::Envelope::BodyCase>(number);
    if (name_of(kind) == "none") {
      continue;
    }
    ++kinds;
    EXPECT_GT(max_encoded_bytes(kind), 0u);
    EXPECT_FALSE(is_from_worker(kind) && is_from_client(kind));
  }
  EXPECT_EQ(kinds, 43);
}

TEST(Codec, TruncatedFramesNeverDecodeToSomethingElse) {
  wire::Envelope envelope = fill_message();
  const std::string frame = encode(envelope).value();
  for (std::size_t size = 0; size < frame.size(); ++size) {
    const Result<wire::Envelope> result = decode(std::string_view(frame).substr(0, size));
    if (result.is_ok()) {
      EXPECT_TRUE(result->has_fill());
    }
  }
}

TEST(Codec, RandomAndMutatedBytesNeverPassUnchecked) {
  constexpr std::uint64_t kSeed = 20240607;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  wire::Envelope envelope = fill_message();
  const std::string good = encode(envelope).value();
  int accepted = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string frame = good;
    if (i % 2 == 0) {
      frame.resize(random() % 256);
      for (char& c : frame) {
        c = static_cast<char>(random());
      }
    } else {
      for (std::uint64_t n = random() % 4; n-- > 0;) {
        frame[random() % frame.size()] = static_cast<char>(random());
      }
    }
    Result<wire::Envelope> result = decode(frame);
    if (result.is_ok()) {
      ++accepted;
      EXPECT_TRUE(encode(*result).is_ok());
    }
  }
  EXPECT_GT(accepted, 20000);
}

TEST(Texts, AreCutAndLoseTheirNuls) {
  EXPECT_EQ(bounded_text(std::string("a\0b", 3)), "a b");
  EXPECT_EQ(bounded_text(std::string(10000, 'x')).size(), kMaxText);
}

}  // namespace
}  // namespace baton
