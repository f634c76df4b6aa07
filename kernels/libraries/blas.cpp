// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/libraries/blas.hpp>
#include <kernels/libraries/lapack.hpp>

#include <mutex>
#include <set>

namespace pivotlab::lapack {
namespace {

std::mutex mutex;
std::multiset<int> limits;  ///< of all scopes
int unlimited = 0;          ///< number of threads before the first of them

void set_threads(int threads) {
  static void (*const set)(int) = find("openblas_set_num_threads");
  set(threads);
}

}  // namespace

BlasThreads::BlasThreads(int threads) {
  if (threads <= 0) return;
  int (*const get)() = find("openblas_get_num_threads");
  if (get == nullptr) return;
  const std::lock_guard lock(mutex);
  if (limits.empty()) unlimited = get();
  limits.insert(limit_ = threads);
  set_threads(*limits.begin());
}

BlasThreads::~BlasThreads() {
  if (limit_ == 0) return;
  const std::lock_guard lock(mutex);
  limits.erase(limits.find(limit_));
  set_threads(limits.empty() ? unlimited : *limits.begin());
}

}  // namespace pivotlab::lapack
