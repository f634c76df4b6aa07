// SPDX-License-Identifier: BSD-3-Clause
// Implements the public interface to exact products.
#include "kernels/exact/host_product.hpp"
#include "kernels/exec/build.hpp"
#include "kernels/exec/host_executor.hpp"

#include <fmt/format.h>

#include <complex>
#include <pivotlab/device.hpp>

namespace pivotlab {
namespace exact {

namespace {

/// Returns the fewest moduli whose proved error is at most 2^(−bits)·‖a‖‖b‖ if all numbers are inexact, both limbs of
/// them.
int moduli_for(double bits, Index k, int parts) {
  const double needed = bits + 2 + std::log2(static_cast<double>(std::max<Index>(k, 1) * parts)) / 2 + 0x1p-9;
  for (int moduli = fewest_moduli; moduli <= most_moduli; ++moduli)
    if (even_budget(moduli) >= needed) return moduli;
  throw InputError(
      fmt::format("bits: {} moduli give at most {:.0f} for k = {}; pass fewer bits, or 0 for as many as there are",
                  most_moduli, std::floor(even_budget(most_moduli) - needed + bits), k));
}

template <class T>
void require_limbs(const char* name, MatrixView<T> hi, MatrixView<T> lo) {
  if (hi.stride < hi.rows)
    throw InputError(fmt::format("{}: the stride {} is less than the {} rows", name, hi.stride, hi.rows));
  if (lo.data != nullptr && (lo.rows != hi.rows || lo.cols != hi.cols || lo.stride != hi.stride))
    throw InputError(fmt::format("{}: lo has another shape or stride than hi", name));
}

template <class T>
void require_operands(const Shape& shape, const ExactTarget<T>& C, const ExactFactor<T>& A, const ExactFactor<T>& B) {
  require_limbs("A", A.hi, A.lo), require_limbs("B", B.hi, B.lo), require_limbs("C", C.hi, C.lo);
  const auto [m, n, k, parts, gram] = shape;
  if (A.cols() != B.rows())
    throw InputError(fmt::format("A is {} × {} and B {} × {}; A must have as many columns as B has rows", A.rows(),
                                 A.cols(), B.rows(), B.cols()));
  if (A.rows() != m || A.cols() != k || B.cols() != n)
    throw InputError(fmt::format("A is {} × {} and B {} × {}; the plan is for {} × {} times {} × {}", A.rows(),
                                 A.cols(), B.rows(), B.cols(), m, k, k, n));
  if (C.hi.rows != m || C.hi.cols != n)
    throw InputError(fmt::format("C is {} × {}; A·B is {} × {}", C.hi.rows, C.hi.cols, m, n));
  if (C.start == ExactStart::minus_columns &&
      (C.U.rows != m || C.U.cols != n || C.U.stride < m || (C.sigma == nullptr && n > 0)))
    throw InputError("U: it has another shape than C, or there is no sigma");
  if (gram &&
      (A.hi.data != B.hi.data || A.lo.data != B.lo.data || A.hi.stride != B.hi.stride || A.transposed == B.transposed))
    throw InputError("gram: A and B are not one matrix and its transpose");
}

template <class T>
void run(PlannedProduct& product, const ExactTarget<T>& C, const ExactFactor<T>& A, const ExactFactor<T>& B) {
  product.run(operand_of(A, true), operand_of(B, false), update_of(C), target_of(C));
}

template <class T>
std::unique_ptr<PlannedProduct> run_on_host(const ExactTarget<T>& C, const ExactFactor<T>& A, const ExactFactor<T>& B,
                                            const ExactOptions& options) {
  Plan plan = plan_of(A.rows(), B.cols(), A.cols(), is_complex<T> ? 2 : 1, options);
  require_operands(plan.shape, C, A, B);
  constexpr Index panel = 256;  // sums of a panel stay in the cache
  if (plan.settings.panel == 0) plan.settings.panel = panel;
  auto product = make_host_product(plan);
  run(*product, C, A, B);
  return product;
}

/// Multiplies nothing, for the size of a workspace.
struct NoIntegers {
  template <class Executor>
  explicit NoIntegers(const Executor&) {}
  void multiply(const IntegerProducts&) const {}
};

}  // namespace

Plan plan_of(Index m, Index n, Index k, int parts, const ExactOptions& options) {
  const auto require = [](bool valid, const std::string& message) {
    if (!valid) throw InputError(message);
  };
  require(m >= 0 && n >= 0 && k >= 0,
          fmt::format("a product {} × {} × {}: pass dimensions that are not negative", m, k, n));
  require(options.moduli == 0 || (options.moduli >= fewest_moduli && options.moduli <= most_moduli),
          fmt::format("moduli: {} is out of range; pass {} to {}, or 0", options.moduli, fewest_moduli, most_moduli));
  require(options.bits >= 0 && std::isfinite(options.bits), "bits: pass a number that is not negative");
  require(options.panel >= 0, "panel: pass a number of columns, or 0");
  require(!options.gram || m == n, "gram: the product is not square");
  Plan plan{{m, n, k, parts, options.gram}, {.balance = options.balance, .panel = options.panel}, false};
  plan.from_operands = options.moduli == 0 && options.bits == 0;
  plan.settings.moduli = options.moduli > 0   ? options.moduli
                         : plan.from_operands ? most_moduli
                                              : moduli_for(options.bits, k, parts);
  return plan;
}

std::size_t workspace_bytes(const Plan& plan) {
  return PlannedProductOn<WithWorkspace<SizeExecutor>, NoIntegers>(plan, Arena(nullptr)).executor().used();
}

std::unique_ptr<PlannedProduct> make_host_product(const Plan& plan, void* workspace, LaneOrder order,
                                                  std::uint64_t seed) {
  using Product = PlannedProductOn<WithWorkspace<HostExecutor>, HostIntegers>;
  return std::make_unique<Product>(plan, arena_of(workspace), order, seed);
}

}  // namespace exact

template <class T>
ExactReport exact_update(const ExactTarget<T>& C, const ExactFactor<T>& A, const ExactFactor<T>& B,
                         const ExactOptions& options) {
  return exact::run_on_host(C, A, B, options)->report();
}

template <class T>
ExactProduct<T> exact_product(const ExactFactor<T>& A, const ExactFactor<T>& B, const ExactOptions& options) {
  ExactProduct<T> result{
      Matrix<T>(A.rows(), B.cols()), Matrix<T>(A.rows(), B.cols()), Matrix<double>(A.rows(), B.cols()), {}};
  const ExactTarget<T> C{.hi = result.hi, .lo = result.lo};
  const auto product = exact::run_on_host(C, A, B, options);
  result.report = product->report();
  product->bound_entries(result.bound);
  for (Index i = 0; i < result.bound.size(); ++i) {  // rounding to two limbs
    const std::complex<double> c = result.hi.data()[i];
    double& bound = result.bound.data()[i];
    bound = (bound + 0x1p-104 * (std::fabs(c.real()) + std::fabs(c.imag()))) * (1 + 0x1p-50);
  }
  return result;
}

template <class T>
struct DeviceExactProduct<T>::Parts {
  exact::Shape shape;
  std::unique_ptr<exact::PlannedProduct> product;
};

template <class T>
std::size_t DeviceExactProduct<T>::workspace_bytes(Index m, Index n, Index k, const ExactOptions& options) {
  return exact::workspace_bytes(exact::plan_of(m, n, k, is_complex<T> ? 2 : 1, options));
}

template <class T>
DeviceExactProduct<T>::DeviceExactProduct(Index m, Index n, Index k, const ExactOptions& options, void* stream,
                                          void* workspace) {
  const exact::Plan plan = exact::plan_of(m, n, k, is_complex<T> ? 2 : 1, options);
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  parts_.reset(new Parts{plan.shape, on_cuda<exact::make_cuda_product>(plan, workspace, CallerStream{stream})});
}

template <class T>
void DeviceExactProduct<T>::run(const ExactTarget<T>& C, const ExactFactor<T>& A, const ExactFactor<T>& B) {
  exact::require_operands(parts_->shape, C, A, B);
  exact::run(*parts_->product, C, A, B);
}

template <class T>
ExactReport DeviceExactProduct<T>::report() {
  return parts_->product->report();
}

template <class T>
void DeviceExactProduct<T>::bound_entries(MatrixView<double> bounds) {
  if (bounds.rows != parts_->shape.m || bounds.cols != parts_->shape.n)
    throw InputError("bounds: the matrix has another shape than C");
  parts_->product->bound_entries(bounds);
}

template class DeviceExactProduct<double>;
template class DeviceExactProduct<std::complex<double>>;
template ExactProduct<double> exact_product(const ExactFactor<double>&, const ExactFactor<double>&,
                                            const ExactOptions&);
template ExactProduct<std::complex<double>> exact_product(const ExactFactor<std::complex<double>>&,
                                                          const ExactFactor<std::complex<double>>&,
                                                          const ExactOptions&);
template ExactReport exact_update(const ExactTarget<double>&, const ExactFactor<double>&, const ExactFactor<double>&,
                                  const ExactOptions&);
template ExactReport exact_update(const ExactTarget<std::complex<double>>&, const ExactFactor<std::complex<double>>&,
                                  const ExactFactor<std::complex<double>>&, const ExactOptions&);

}  // namespace pivotlab
