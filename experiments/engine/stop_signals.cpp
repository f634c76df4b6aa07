// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/stop_signals.hpp>

namespace pivotlab::experiments {
namespace {

volatile std::sig_atomic_t stop_received = 0;
struct sigaction previous_interrupt, previous_terminate;
sigset_t previous_mask;

void on_stop(int) {
  stop_received = 1;
}

}  // namespace

StopSignals::StopSignals() {
  stop_received = 0;
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &stops, &previous_mask);
  struct sigaction action {};
  action.sa_handler = on_stop;
  ::sigaction(SIGINT, &action, &previous_interrupt);
  ::sigaction(SIGTERM, &action, &previous_terminate);
}

StopSignals::~StopSignals() {
  ::pthread_sigmask(SIG_SETMASK, &previous_mask, nullptr);  // a pending signal still sets the flag
  ::sigaction(SIGINT, &previous_interrupt, nullptr);
  ::sigaction(SIGTERM, &previous_terminate, nullptr);
}

bool StopSignals::received() {
  sigset_t pending;
  sigpending(&pending);
  return stop_received != 0 || sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

const sigset_t& StopSignals::mask_before() {
  return previous_mask;
}

}  // namespace pivotlab::experiments
