#include "gpu-worker/prove_job.hpp"

#include <unistd.h>

#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "shared/contract/codec.hpp"
#include "shared/groth16/cpu_backend.hpp"
#include "shared/segments/ledger_mapping.hpp"
#include "shared/support/event_fd.hpp"
#include "synth-worker/circuit_preparation.hpp"
#include "synth-worker/fill.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

/// The CPU backend, with a hook over each result.
class ScriptedBackend final : public ProverBackend {
 public:
  using Hook = std::function<void(int call, Result<ProofSums>& result)>;

  [[nodiscard]] std::string description() const override { return "scripted"; }
  [[nodiscard]] unsigned lanes() const noexcept override { return 1; }
  Result<std::unique_ptr<RegisteredRange>> register_range(std::span<const std::byte> range) override {
    return cpu_.register_range(range);
  }
  Status load_key(KeyId id, const ProvingKeyView& key) override {
    ++loads;
    return cpu_.load_key(id, key);
  }
  [[nodiscard]] bool has_key(KeyId id) const override { return cpu_.has_key(id); }
  void drop_key(KeyId id) override { cpu_.drop_key(id); }
  [[nodiscard]] std::vector<ResidentKey> resident_keys() const override { return cpu_.resident_keys(); }
  Result<ProofSums> prove(unsigned lane, KeyId id, const ProofInput& input,
                          const std::function<void()>& on_uploaded, ProofTimings& timings) override {
    Result<ProofSums> result = cpu_.prove(lane, id, input, on_uploaded, timings);
    if (hook) {
      hook(++calls, result);
    }
    return result;
  }

  Hook hook;
  int calls = 0;
  int loads = 0;

 private:
  CpuBackend cpu_{{1, 0}};
};

void spoil(Result<ProofSums>& result) {
  std::swap(result->a, result->b1);
}

class ProveJobTest : public ::testing::Test {
 protected:
  static constexpr SessionId kSession = 4;
  static constexpr Generation kFill = 6;

  void SetUp() override {
    wire::Circuit request;
    request.set_id(1);
    request.mutable_source()->set_key_path(data_ + "/key.zkey");
    prepared_.emplace(prepare_circuit(request, false, directory_.path()).value());
    const SlotLayout layout = compute_slot_layout(shape_of(prepared_->circuit));
    const SlotIdentity identity{kSession, 0, 1, layout.total_bytes};
    slot_.emplace(AttachedSlot{identity, create_slot_segment(shm_.path(), identity, 1).value()});
    fill(data_ + "/witness.wtns");
  }

  void fill(const std::string& witness) {
    wire::Fill request;
    to_wire(Lease{0, kFill}, request.mutable_lease());
    to_wire(Attempt{9, 1, 2}, request.mutable_attempt());
    *request.mutable_circuit() = prepared_->circuit;
    request.set_witness_path(witness);
    EventFd cancelled = EventFd::create().value();
    const auto filled = fill_slot(request, prepared_->matrix, slot_->segment.writable_bytes(),
                                  slot_->identity, now(), cancelled.fd(), {});
    ASSERT_TRUE(filled.is_ok()) << filled.status().to_string();
    to_wire(Lease{0, kFill + 1}, prove_.mutable_lease());
    to_wire(Attempt{9, 2, 3}, prove_.mutable_attempt());
    *prove_.mutable_circuit() = prepared_->circuit;
    prove_.set_fill_generation(kFill);
    prove_.set_input_digest(digest_to_wire(filled->input_digest));
    set_slot_generation(kFill + 1);
  }

  void set_slot_generation(Generation generation) {
    store_release(ledger_.writable().slots[0].word, pack({SlotState::kProving, 3, generation}));
  }

  wire::Envelope run() {
    const ProveContext context{backend_, keys_, std::nullopt, true};
    ProveOutcome outcome = prove_job(context, 0, prove_, *slot_, ledger_.view(), [this] { ++uploads_; });
    sticky_ = outcome.sticky;
    return std::move(outcome.answer);
  }
  void expect_failure(wire::ProveFailure failure, StatusCode code) {
    const wire::Envelope answer = run();
    ASSERT_TRUE(answer.has_prove_failed());
    EXPECT_EQ(answer.prove_failed().failure(), failure) << answer.prove_failed().text();
    EXPECT_EQ(answer.prove_failed().code(), static_cast<std::uint32_t>(code)) << answer.prove_failed().text();
  }

  const std::string data_ = BATON_TEST_DATA "/membership";
  test::TemporaryDirectory directory_;
  test::TemporaryDirectory shm_{"/dev/shm"};
  LedgerMapping ledger_ = LedgerMapping::create(shm_.path(), kSession, {}).value();
  std::optional<PreparedCircuit> prepared_;
  std::optional<AttachedSlot> slot_;
  wire::Prove prove_;
  ScriptedBackend backend_;
  KeyStore keys_{backend_};
  int uploads_ = 0;
  bool sticky_ = false;
};

TEST_F(ProveJobTest, SealedSlotBecomesACheckedProof) {
  const wire::Envelope answer = run();
  ASSERT_TRUE(answer.has_proved()) << answer.prove_failed().text();
  EXPECT_EQ(answer.proved().proof().size(), 256U);
  EXPECT_EQ(answer.proved().publics().size(), prepared_->circuit.n_public() * 32U);
  EXPECT_EQ(uploads_, 1);
  EXPECT_EQ(run().proved().publics(), answer.proved().publics());
  EXPECT_EQ(backend_.loads, 1) << "the key is loaded once";
}

TEST_F(ProveJobTest, DifferentSumsFromTheSameSlotAreTheDevicesFault) {
  backend_.hook = [](int call, Result<ProofSums>& result) {
    if (call == 1) {
      spoil(result);
    }
  };
  expect_failure(wire::PROVE_FAILURE_DEVICE, StatusCode::kGpuTransient);
  EXPECT_EQ(backend_.calls, 2);
  EXPECT_EQ(uploads_, 1);
}

TEST_F(ProveJobTest, EqualWrongSumsFromIntactBytesAreTheWitnesssFault) {
  backend_.hook = [](int, Result<ProofSums>& result) { spoil(result); };
  expect_failure(wire::PROVE_FAILURE_INPUT, StatusCode::kUnsatisfied);
}

TEST_F(ProveJobTest, WrongSumsFromChangedBytesAreTheSlotsFault) {
  const SlotHeader& header = slot_header(slot_->segment.bytes());
  slot_->segment.writable_bytes()[header.sections[1].offset + 64] ^= std::byte{1};
  expect_failure(wire::PROVE_FAILURE_CORRUPT, StatusCode::kCorrupt);
}

TEST_F(ProveJobTest, SlotThatWasGivenAwayIsNotJudged) {
  backend_.hook = [this](int, Result<ProofSums>& result) {
    spoil(result);
    set_slot_generation(kFill + 2);
  };
  expect_failure(wire::PROVE_FAILURE_TRANSIENT, StatusCode::kGpuTransient);
  EXPECT_EQ(backend_.calls, 1);
}

TEST_F(ProveJobTest, LostDeviceEndsTheProcess) {
  backend_.hook = [](int, Result<ProofSums>& result) { result = Status(StatusCode::kGpuSticky, "lost"); };
  expect_failure(wire::PROVE_FAILURE_STICKY, StatusCode::kGpuSticky);
  EXPECT_TRUE(sticky_);
}

TEST_F(ProveJobTest, SealOfAnotherFillIsRefusedBeforeAnythingIsRead) {
  prove_.set_fill_generation(kFill + 5);
  expect_failure(wire::PROVE_FAILURE_CORRUPT, StatusCode::kCorrupt);
  EXPECT_EQ(backend_.calls, 0);
  EXPECT_EQ(uploads_, 0);
}

TEST_F(ProveJobTest, EvictedKeyIsLoadedAgain) {
  ASSERT_TRUE(run().has_proved());
  keys_.unload(1);
  EXPECT_EQ(keys_.resident_bytes(1), 0U);
  EXPECT_TRUE(run().has_proved());
  EXPECT_EQ(backend_.loads, 2);
  EXPECT_GT(keys_.resident_bytes(1), 0U);
}

TEST_F(ProveJobTest, KeyThatChangedSinceItWasPreparedIsNotUsed) {
  prove_.mutable_circuit()->mutable_key()->set_mtime_ns(1);
  expect_failure(wire::PROVE_FAILURE_TRANSIENT, StatusCode::kVersionMismatch);
}

}  // namespace
}  // namespace baton
