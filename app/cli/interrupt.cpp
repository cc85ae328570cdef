#include "app/cli/interrupt.h"

#include <csignal>

#include <unistd.h>

namespace poplens::cli {
namespace {

constexpr int kInterruptedStatus = 130;  // 128 + SIGINT, as shells have it

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::thread([this] { wait_for_signals(); });
}

InterruptWatch::~InterruptWatch() {
  done_ = true;
  pthread_kill(waiter_.native_handle(), SIGINT);
  waiter_.join();
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void InterruptWatch::wait_for_signals() {
  const sigset_t signals = watched_signals();
  int signal = 0;
  while (sigwait(&signals, &signal) == 0 && !done_) {
    if (source_.stop_requested()) _exit(kInterruptedStatus);
    source_.request_stop();
  }
}

}  // namespace poplens::cli
