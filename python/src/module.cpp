// SPDX-License-Identifier: BSD-3-Clause
// The module pivotlab._core: the library's functions on arrays that pivotlab/*.py has checked and converted.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <pivotlab/baselines.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/threads.hpp>
#include <pivotlab/variant.hpp>

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "python/src/calls.hpp"

namespace nb = nanobind;

namespace pivotlab::python {

std::mutex& file_mutex() {
  static std::mutex mutex;
  return mutex;
}

namespace {

/// Calls that compute, and threads of them that take Python's lock again.
std::atomic<int> computing = 0, returning = 0;
/// The thread that ends Python; 0 before.
std::atomic<pid_t> finisher = 0;

bool has_ended() {
  return finisher != 0 && finisher != ::gettid();
}

}  // namespace

bool shall_end() {
  using Clock = std::chrono::steady_clock;
  constexpr auto pause = std::chrono::milliseconds(50);
  static thread_local Clock::time_point next = Clock::now() + pause;
  if (has_ended()) return true;
  if (::gettid() != ::getpid() || Clock::now() < next) return false;
  next = Clock::now() + pause;
  const nb::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

WithoutLock::WithoutLock() {
  ++computing;
  state_ = PyEval_SaveThread();
}

WithoutLock::~WithoutLock() {
  --computing;
  ++returning;
  if (has_ended()) {
    --returning;
    while (true) ::pause();
  }
  PyEval_RestoreThread(state_);
  --returning;
}

void end_calls() {
  constexpr auto step = std::chrono::milliseconds(1);
  constexpr int most_steps = 2000;  // a routine of LAPACK may take longer
  finisher = ::gettid();
  const nb::gil_scoped_release release;  // threads that wait for the lock shall get it
  for (int k = 0; returning > 0 || (computing > 0 && k < most_steps); ++k) std::this_thread::sleep_for(step);
}

/// The child of a fork has only the thread that forked, and no file half read.
void survive_forks() {
  ::pthread_atfork([] { file_mutex().lock(); }, [] { file_mutex().unlock(); },
                   [] {
                     file_mutex().unlock();
                     computing = returning = 0;
                   });
}

}  // namespace pivotlab::python

NB_MODULE(_core, module) {
  module.attr("version") = PIVOTLAB_VERSION;
  using namespace pivotlab;
  nb::exception<InputError>(module, "InputError", PyExc_ValueError).attr("__doc__") =
      "Input that cannot be used: one line that names the argument or file, the place and the remedy.";
  nb::exception<NotSupported>(module, "NotSupported", PyExc_RuntimeError).attr("__doc__") =
      "A valid request that this build or machine cannot run: a backend, a library, a kind of array.";
  nb::register_exception_translator([](const std::exception_ptr& raised, void*) {
    try {
      std::rethrow_exception(raised);
    } catch (const Interrupted& error) {
      if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
    }
  });
  python::survive_forks();
  module.attr("most_threads") = most_threads;
  module.def("all_threads", [] { return std::min(omp_get_max_threads(), most_threads); });
  module.def("end_calls", &python::end_calls);
  module.def("expand", [](const std::string& pattern) { return expand_pattern(pattern); });
  module.def("why_no_device", [] { return why_no_device(); });
  module.def("blas_version", [] { return blas_version(); });
  python::bind_gsvd(module);
  python::bind_batches(module);
  python::bind_by_columns(module);
  python::bind_device_plans(module);
  python::bind_ldlt(module);
  python::bind_eig(module);
  python::bind_eigh(module);
  python::bind_exact(module);
  python::bind_refine(module);
  python::bind_svd(module);
  python::bind_ghsvd(module);
  python::bind_problems(module);
  python::bind_judges(module);
}
