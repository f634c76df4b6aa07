// SPDX-License-Identifier: BSD-3-Clause
// Long calls without Python's lock, which Ctrl-C ends.
#pragma once

#include <nanobind/nanobind.h>
#include <pivotlab/interrupt.hpp>

#include <mutex>
#include <utility>

namespace pivotlab::python {

/// Returns whether a call shall end: a handler of a signal has raised an exception, which is then set in this thread,
/// or Python ends. Looks at most every 50 ms. Only the main thread handles signals.
bool shall_end();

/// While it exists, this thread does without Python's lock. When Python ends, threads that still compute (those with
/// daemon=True) may not take the lock again; they wait here for the end of the process.
class WithoutLock {
 public:
  WithoutLock();
  ~WithoutLock();
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

 private:
  PyThreadState* state_;
};

/// Ends the calls of other threads; for the function that Python calls before it ends.
void end_calls();

std::mutex& file_mutex();

/// Returns what `call` returns. Other threads of Python run meanwhile.
template <class Call>
auto without_lock(Call&& call) {
  const WithoutLock without_lock;
  const InterruptScope scope(&shall_end);
  return std::forward<Call>(call)();
}

/// The same for calls that read or write files, one at a time: libhdf5 is not made for several threads.
template <class Call>
auto with_files(Call&& call) {
  return without_lock([&] {
    const std::lock_guard lock(file_mutex());
    return call();
  });
}

void bind_exact(nanobind::module_& module);
void bind_ghsvd(nanobind::module_& module);
void bind_gsvd(nanobind::module_& module);
void bind_batches(nanobind::module_& module);
void bind_by_columns(nanobind::module_& module);
void bind_device_plans(nanobind::module_& module);
void bind_ldlt(nanobind::module_& module);
void bind_eig(nanobind::module_& module);
void bind_eigh(nanobind::module_& module);
void bind_refine(nanobind::module_& module);
void bind_svd(nanobind::module_& module);
void bind_problems(nanobind::module_& module);
void bind_judges(nanobind::module_& module);

}  // namespace pivotlab::python
