// SPDX-License-Identifier: BSD-3-Clause
// Runs divide and conquer on a tridiagonal matrix, on any executor.
#pragma once

#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/gsvd/tangent/shared/machine.hpp"
#include "kernels/two_stage/divide_and_conquer.hpp"

#include <stdexcept>
#include <vector>

namespace pivotlab::test {

/// Eigenvalues, ascending, and vectors (n × n, by columns); eigenvalues as they are computed without vectors.
struct TridiagonalVectors {
  std::vector<double> lambda, X, lambda_alone;
  bool operator==(const TridiagonalVectors&) const = default;
};

/// For orders whose products are own kernels'.
struct NoLibrary {
  template <class... Arguments>
  void gemm(const Arguments&...) const {
    throw std::logic_error("no library");
  }
};

template <class Library = NoLibrary, class Executor>
TridiagonalVectors tridiagonal_vectors(Executor& executor, const std::vector<double>& d, const std::vector<double>& e) {
  using Machine = tangent::Machine<tangent::Kernels<Executor>, Library>;
  const auto n = static_cast<Index>(d.size());
  const Machine machine(tangent::Kernels<Executor>(executor), Library(), {});
  two_stage::DivideAndConquer<Machine> solver(machine, n);
  Arena counting(nullptr);
  solver.lay_out(counting, true);
  const auto bytes = executor.template allocate<std::byte>(counting.used());
  Arena arena(bytes.data());
  solver.lay_out(arena, true);
  const auto values = executor.template allocate<double>(d.size()),
             below = executor.template allocate<double>(d.size()),
             Q = executor.template allocate<double>(d.size() * d.size()),
             copy = executor.template allocate<double>(d.size() * d.size());
  executor.upload(values.data(), d.data(), d.size());
  executor.upload(below.data(), e.data(), e.size());
  const auto require_convergence = [&] {
    int failed = 0;
    executor.download(&failed, solver.failed(), 1);
    if (failed != 0) throw std::runtime_error("a leaf did not converge");
  };
  solver.run(values.data(), below.data(), {Q.data(), n, n, n}, {copy.data(), n, n, n});
  require_convergence();
  TridiagonalVectors result{d, std::vector<double>(d.size() * d.size()), d};
  std::vector<int> order(d.size());
  executor.download(result.lambda.data(), values.data(), d.size());
  executor.download(order.data(), solver.order(), d.size());
  for (std::size_t j = 0; j < d.size(); ++j)
    executor.download(result.X.data() + j * d.size(), Q.data() + static_cast<std::size_t>(order[j]) * d.size(),
                      d.size());
  executor.upload(values.data(), d.data(), d.size());
  solver.run_without_vectors(values.data(), below.data());
  require_convergence();
  executor.download(result.lambda_alone.data(), values.data(), d.size());
  return result;
}

/// The same on the first GPU.
TridiagonalVectors tridiagonal_vectors_on_cuda(const std::vector<double>& d, const std::vector<double>& e);

}  // namespace pivotlab::test
