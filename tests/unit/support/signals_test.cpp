#include "shared/support/signals.hpp"

#include <pthread.h>

#include <csignal>

#include <gtest/gtest.h>

#include "shared/support/secure_random.hpp"

namespace baton {
namespace {

TEST(SignalFdTest, SignalArrivesThroughTheDescriptor) {
  SignalFd signals = SignalFd::create({SIGUSR1, SIGUSR2}).value();
  EXPECT_EQ(signals.take(), std::nullopt);
  ASSERT_EQ(::pthread_kill(::pthread_self(), SIGUSR2), 0);
  EXPECT_EQ(signals.take(), SIGUSR2);
  EXPECT_EQ(signals.take(), std::nullopt);
}

TEST(SecureRandomTest, TwoDrawsDiffer) {
  EXPECT_NE(random_u64().value(), random_u64().value());
}

}  // namespace
}  // namespace baton
