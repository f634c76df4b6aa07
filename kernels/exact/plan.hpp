// SPDX-License-Identifier: BSD-3-Clause
// From the public interface to products over an executor. This header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/exact/product.hpp"
#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/workspace.hpp"

#include <memory>
#include <pivotlab/exact.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::exact {

/// Holds a shape with its settings; without a number of moduli they follow from the operands.
struct Plan {
  Shape shape;
  Settings settings;
  bool from_operands;
};

/// Throws InputError for options out of range.
Plan plan_of(Index m, Index n, Index k, int parts, const ExactOptions& options);

/// Returns the bytes of the workspace of a plan.
std::size_t workspace_bytes(const Plan& plan);

/// Returns the vectors of a factor: rows of the left one, columns of the right one.
template <class T>
Operand operand_of(const ExactFactor<T>& x, bool left) {
  constexpr int parts = is_complex<T> ? 2 : 1;
  const auto part = [&](int p) {
    const auto* hi = reinterpret_cast<const double*>(x.hi.data);
    const auto* lo = reinterpret_cast<const double*>(x.lo.data);
    return p < parts ? Part{hi + p, lo == nullptr ? nullptr : lo + p} : Part{};
  };
  const bool across = left != x.transposed;  // vectors are rows in memory
  const Index down = parts, along = parts * x.hi.stride;
  return {{part(0), part(1)},
          parts,
          across ? x.hi.rows : x.hi.cols,
          across ? x.hi.cols : x.hi.rows,
          across ? down : along,
          across ? along : down,
          x.conjugated};
}

template <class T>
Target target_of(const ExactTarget<T>& C) {
  constexpr int parts = is_complex<T> ? 2 : 1;
  Target result{{}, parts, parts * C.hi.stride};
  for (int p = 0; p < parts; ++p) {
    result.part[p].hi = reinterpret_cast<double*>(C.hi.data) + p;
    result.part[p].lo = C.lo.data == nullptr ? nullptr : reinterpret_cast<double*>(C.lo.data) + p;
  }
  return result;
}

template <class T>
Update update_of(const ExactTarget<T>& C) {
  Update update{.subtract = C.subtract, .lower = C.lower};
  const auto start_with = [&](Start::Kind kind, MatrixView<const T> hi, MatrixView<const T> lo) {
    const Operand x = operand_of<T>({hi, lo}, true);  // vectors are rows
    update.start = {kind, {x.part[0], x.part[1]}, x.vector_stride, x.inner_stride, C.sigma};
  };
  switch (C.start) {
    case ExactStart::zero:
      break;
    case ExactStart::c:
      start_with(Start::Kind::matrix, C.hi, C.lo);
      break;
    case ExactStart::minus_identity:
      update.start.kind = Start::Kind::minus_identity;
      break;
    case ExactStart::minus_columns:
      start_with(Start::Kind::minus_columns, C.U, {});
      break;
  }
  return update;
}

/// Computes products of the shape of a plan.
class PlannedProduct {
 public:
  virtual ~PlannedProduct() = default;
  /// Computes C by A·B. C may be A or B, which are split before C changes.
  virtual void run(const Operand& A, const Operand& B, const Update& update, const Target& C) = 0;
  virtual ExactReport report() = 0;
  virtual void bound_entries(MatrixView<double> bounds) = 0;
  /// Calls the observer after each step has been enqueued.
  virtual void observe(Observer observer) = 0;
};

template <class Executor, class Integers>
class PlannedProductOn final : public PlannedProduct {
 public:
  template <class... Parameters>
  explicit PlannedProductOn(const Plan& plan, Parameters&&... parameters)
      : executor_(std::forward<Parameters>(parameters)...),
        integers_(executor_),
        product_(executor_, integers_, plan.shape, plan.settings),
        plan_(plan) {}

  void run(const Operand& A, const Operand& B, const Update& update, const Target& C) override {
    product_.measure(A, B);
    auto [moduli, budgets] = plan_.from_operands
                                 ? exact_budgets(product_.needs())
                                 : std::pair(plan_.settings.moduli, even_budgets(plan_.settings.moduli));
    if (moduli == 0) moduli = most_moduli, budgets = even_budgets(most_moduli);
    product_.use_moduli(moduli);
    product_.split(budgets);
    product_.multiply(update, C);
  }
  ExactReport report() override {
    const auto [a, b] = product_.report();
    const auto whole = [](double x) { return static_cast<Index>(x); };
    return {product_.moduli(), a.largest_error,     b.largest_error,    whole(a.lost),
            whole(b.lost),     whole(a.not_finite), whole(b.not_finite)};
  }
  void bound_entries(MatrixView<double> bounds) override { product_.bound_entries(bounds); }
  void observe(Observer observer) override { product_.observe(std::move(observer)); }

  const Executor& executor() const { return executor_; }

 private:
  Executor executor_;
  Integers integers_;
  Product<Executor, Integers> product_;
  Plan plan_;
};

/// Makes the product of a GPU. Throws std::bad_alloc, NotSupported without cuBLAS.
std::unique_ptr<PlannedProduct> make_cuda_product(const Plan& plan, void* workspace, const CallerStream& stream);

}  // namespace pivotlab::exact
