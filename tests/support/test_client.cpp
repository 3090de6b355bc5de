#include "tests/support/test_client.hpp"

#include <gtest/gtest.h>

#include "shared/contract/names.hpp"
#include "shared/support/secure_random.hpp"
#include "tests/support/process_under_test.hpp"

namespace baton::test {

namespace {

std::string unique_id(const char* prefix) {
  return prefix + std::to_string(random_u64().value());
}

SocketOptions client_options() {
  SocketOptions options;
  options.max_message_bytes = kMaxFrameBytes;
  return options;
}

}  // namespace

TestClient::TestClient(const std::string& run_dir)
    : context_(TransportContext::create().value()),
      socket_(
          DealerSocket::connect(context_, client_socket_path(run_dir), unique_id("client-"), client_options())
              .value()) {}

void TestClient::send(wire::Envelope request) {
  request.set_request(++next_request_);
  const std::string frame = encode(request).value();
  PollSet poll;
  poll.watch(socket_, 1, true);
  const Instant end = now() + kWatchdog;
  while (!socket_.send(frame).is_ok()) {
    ASSERT_LT(now(), end) << "no coordinator";
    ASSERT_TRUE(poll.wait(Milliseconds(1000)).is_ok());
  }
}

std::optional<wire::Envelope> TestClient::receive() {
  PollSet poll;
  poll.watch(socket_, 1);
  const Instant end = now() + kWatchdog;
  while (now() < end) {
    const auto frame = socket_.receive();
    if (frame.is_ok() && frame->has_value()) {
      return decode(std::string_view(**frame)).value();
    }
    EXPECT_TRUE(poll.wait(Milliseconds(1000)).is_ok());
  }
  ADD_FAILURE() << "no reply";
  return std::nullopt;
}

std::optional<wire::Envelope> TestClient::ask(wire::Envelope request) {
  send(std::move(request));
  while (auto reply = receive()) {
    if (reply->request() == next_request_) {
      return reply;
    }
  }
  return std::nullopt;
}

std::uint64_t TestClient::submit(const wire::Submit& submit) {
  wire::Envelope request;
  *request.mutable_submit() = submit;
  const auto reply = ask(std::move(request));
  if (!reply || !reply->has_accepted()) {
    ADD_FAILURE() << "not accepted: " << (reply ? reply->refused().text() + reply->busy().text() : "");
    return 0;
  }
  return reply->accepted().job();
}

std::uint64_t TestClient::submit(const std::string& key_path, const std::string& witness_path,
                                 const std::string& r1cs_path) {
  wire::Submit request;
  request.set_key(unique_id("job-"));
  request.mutable_circuit_source()->set_key_path(key_path);
  request.mutable_circuit_source()->set_r1cs_path(r1cs_path);
  request.set_witness_path(witness_path);
  return submit(request);
}

wire::JobReply TestClient::wait(std::uint64_t job) {
  wire::Envelope request;
  request.mutable_job_wait()->set_job(job);
  const auto reply = ask(std::move(request));
  if (!reply || !reply->has_job_reply()) {
    ADD_FAILURE() << "no end of job " << job;
    return {};
  }
  return reply->job_reply();
}

wire::StatusReply TestClient::status() {
  wire::Envelope request;
  request.mutable_status_request();
  const auto reply = ask(std::move(request));
  return reply ? reply->status_reply() : wire::StatusReply();
}

std::uint64_t counter(const wire::StatusReply& status, const std::string& name) {
  for (const wire::Counter& entry : status.counters()) {
    if (entry.name() == name) {
      return entry.value();
    }
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

}  // namespace baton::test
