// Long calls without Python's lock, which Ctrl-C ends.
#pragma once

#include <nanobind/nanobind.h>
#include <pivotlab/interrupt.hpp>

#include <mutex>
#include <utility>

namespace pivotlab::python {

/// Returns whether a handler of a signal has raised an exception, which is then set in this thread. Looks at most every
/// 50 ms. Only Python's main thread handles signals.
bool signal_raised();

std::mutex& file_mutex();

/// Returns what `call` returns. Other threads of Python run meanwhile.
template <class Call>
auto without_lock(Call&& call) {
  const nanobind::gil_scoped_release release;
  const InterruptScope scope(&signal_raised);
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

void bind_ghsvd(nanobind::module_& module);
void bind_gsvd(nanobind::module_& module);
void bind_device_eig(nanobind::module_& module);
void bind_device_gsvd(nanobind::module_& module);
void bind_device_jacobi(nanobind::module_& module);
void bind_device_ldlt(nanobind::module_& module);
void bind_ldlt(nanobind::module_& module);
void bind_eig(nanobind::module_& module);
void bind_eigh(nanobind::module_& module);
void bind_svd(nanobind::module_& module);
void bind_problems(nanobind::module_& module);
void bind_judges(nanobind::module_& module);

}  // namespace pivotlab::python
