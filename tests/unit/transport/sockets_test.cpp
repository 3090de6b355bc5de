#include <sys/stat.h>

#include <cstdlib>

#include <gtest/gtest.h>

#include "shared/support/event_fd.hpp"
#include "shared/transport/poll_set.hpp"
#include "tests/support/temporary_directory.hpp"

namespace baton {
namespace {

constexpr Milliseconds kWatchdog{20'000};

class SocketsTest : public ::testing::Test {
 protected:
  RouterSocket bind() { return RouterSocket::bind(context_, path(), 0600, SocketOptions{}).value(); }
  DealerSocket connect(const std::string& id) {
    return DealerSocket::connect(context_, path(), id, SocketOptions{}).value();
  }
  std::string path() const { return directory_.file("s"); }

  /// Waits for the connection, then sends.
  static void send_when_connected(DealerSocket& dealer, std::string_view body) {
    PollSet poll;
    poll.watch(dealer, 1, true);
    const auto events = poll.wait(kWatchdog).value();
    ASSERT_FALSE(events.empty());
    ASSERT_TRUE(events[0].writable);
    ASSERT_TRUE(dealer.send(body).is_ok());
  }

  static RoutedMessage receive(RouterSocket& router) {
    PollSet poll;
    poll.watch(router, 1);
    EXPECT_FALSE(poll.wait(kWatchdog).value().empty());
    auto message = router.receive().value();
    EXPECT_TRUE(message.has_value());
    return message.value_or(RoutedMessage{});
  }

  test::TemporaryDirectory directory_;
  TransportContext context_ = TransportContext::create().value();
};

TEST_F(SocketsTest, MessageArrivesWithItsSenderAndTheAnswerGoesBack) {
  RouterSocket router = bind();
  DealerSocket dealer = connect("synth-1");
  send_when_connected(dealer, "hello");
  const RoutedMessage message = receive(router);
  EXPECT_EQ(message.peer, "synth-1");
  EXPECT_EQ(message.body, "hello");
  ASSERT_TRUE(router.send("synth-1", "welcome").is_ok());
  PollSet poll;
  poll.watch(dealer, 1);
  ASSERT_FALSE(poll.wait(kWatchdog).value().empty());
  EXPECT_EQ(dealer.receive().value(), "welcome");
  EXPECT_EQ(dealer.receive().value(), std::nullopt);
}

TEST_F(SocketsTest, DealerStartedBeforeTheRouterConnectsByItself) {
  DealerSocket dealer = connect("early");
  RouterSocket router = bind();
  send_when_connected(dealer, "x");
  EXPECT_EQ(receive(router).peer, "early");
}

TEST_F(SocketsTest, SendingToAnUnknownPeerIsPeerGone) {
  RouterSocket router = bind();
  EXPECT_EQ(router.send("nobody", "x").code(), StatusCode::kPeerGone);
}

TEST_F(SocketsTest, SendingWithoutAConnectionIsBusyNotLost) {
  DealerSocket dealer = connect("alone");
  EXPECT_EQ(dealer.send("x").code(), StatusCode::kBusy);
}

TEST_F(SocketsTest, PeerThatDoesNotReadMakesSendingBusy) {
  SocketOptions small;
  small.high_water_mark = 2;
  RouterSocket router = RouterSocket::bind(context_, path(), 0600, small).value();
  DealerSocket dealer = DealerSocket::connect(context_, path(), "slow", small).value();
  send_when_connected(dealer, "x");
  receive(router);
  const std::string body(std::size_t{1} << 18, 'b');
  Status status;
  for (int i = 0; i < 10'000 && status.is_ok(); ++i) {
    status = router.send("slow", body);
  }
  EXPECT_EQ(status.code(), StatusCode::kBusy);
}

TEST_F(SocketsTest, SocketFileHasTheModeAskedFor) {
  const RouterSocket router = bind();
  struct stat info {};
  ASSERT_EQ(::stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST_F(SocketsTest, PathLongerThanASocketAddressIsRefused) {
  const std::string longest = directory_.file(std::string(107 - directory_.path().size() - 1, 'a'));
  EXPECT_TRUE(ipc_endpoint(longest).is_ok());
  const Status status = ipc_endpoint(longest + "a").status();
  EXPECT_EQ(status.code(), StatusCode::kLimit);
  EXPECT_EQ(DealerSocket::connect(context_, longest + "a", "id", {}).status().code(), StatusCode::kLimit);
}

TEST_F(SocketsTest, OversizedMessageIsNeverDelivered) {
  SocketOptions small;
  small.max_message_bytes = 100;
  RouterSocket router = RouterSocket::bind(context_, path(), 0600, small).value();
  DealerSocket attacker = connect("attacker");
  send_when_connected(attacker, std::string(1000, 'x'));
  DealerSocket honest = connect("honest");
  send_when_connected(honest, "fine");
  EXPECT_EQ(receive(router).peer, "honest");
}

TEST_F(SocketsTest, PollSetWakesForADescriptorAndForgetsIt) {
  EventFd event = EventFd::create().value();
  PollSet poll;
  poll.watch_fd(event.fd(), 7);
  EXPECT_TRUE(poll.wait(Milliseconds(0)).value().empty());
  event.signal();
  const auto events = poll.wait(kWatchdog).value();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].token, 7U);
  event.drain();
  EXPECT_TRUE(poll.wait(Milliseconds(0)).value().empty());
  event.signal();
  poll.unwatch(7);
  EXPECT_TRUE(poll.wait(Milliseconds(0)).value().empty());
}

}  // namespace
}  // namespace baton
