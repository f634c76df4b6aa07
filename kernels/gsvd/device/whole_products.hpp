// SPDX-License-Identifier: BSD-3-Clause
// Products of all columns of F, G and Z at once, by those of integers (kernels/exact), which are as fast as a library's
// in double precision and have the same bits in emulation.
#pragma once

#include "kernels/exact/plan.hpp"
#include "kernels/gsvd/device/planes.hpp"

#include <algorithm>
#include <initializer_list>

namespace pivotlab::device {

/// Products for matrices with `columns` columns. Executor has a make_product() beside exact::PlannedProduct.
template <class Executor, class Shape>
class WholeProducts {
 public:
  /// The products are of these matrices.
  WholeProducts(Executor& executor, std::int64_t columns, std::initializer_list<Planes> matrices)
      : executor_(executor), columns_(columns) {
    std::size_t bytes = 0;
    for (const Planes& Y : matrices)
      for (const exact::Plan& plan : {gram_plan(Y), multiplication_plan(Y), addition_plan(Y, most_bits)})
        bytes = std::max(bytes, exact::workspace_bytes(plan));
    workspace_ = executor.template allocate<unsigned char>(bytes);
    exact::make_product(executor, gram_plan(*matrices.begin()), workspace_.data());  // loads the library
  }

  /// Computes S := YᴴY on and below the diagonal, with cosines up to 2^-55.
  void gram(const Planes& Y, const Planes& S) {
    exact::Operand rows = columns_of(Y);
    rows.conjugated = Shape::complex;
    run(gram_plan(Y), rows, columns_of(Y), {.lower = true}, S);
  }

  /// Computes Y := Y·W with errors of 2^-54·Σ ‖y_i‖|w_ij| in column j.
  void multiply(const Planes& Y, const Planes& W) {
    run(multiplication_plan(Y), columns_of(Y).across(), columns_of(W), {}, Y);
  }

  /// Computes Y := Y + Y·E. Errors of Y·E are at most 2^(−bits)‖y‖‖e‖ for rows y and columns e; bits ≤ most_bits.
  void add(const Planes& Y, const Planes& E, double bits) {
    const exact::Start start{exact::Start::Kind::matrix, {{Y.re, nullptr}, {Y.im, nullptr}}, 1, Y.rows};
    run(addition_plan(Y, bits), columns_of(Y).across(), columns_of(E), {.start = start}, Y);
  }
  static constexpr double most_bits = 66;

 private:
  exact::Plan gram_plan(const Planes& Y) const {
    return exact::plan_of(columns_, columns_, Y.rows, Shape::parts, {.moduli = 14, .gram = true});
  }
  exact::Plan multiplication_plan(const Planes& Y) const {
    exact::Plan plan = exact::plan_of(Y.rows, columns_, columns_, Shape::parts, {.bits = 54, .balance = true});
    plan.settings.unit_left = true;
    return plan;
  }
  exact::Plan addition_plan(const Planes& Y, double bits) const {
    return exact::plan_of(Y.rows, columns_, columns_, Shape::parts, {.bits = std::max(bits, 1.0)});
  }
  exact::Operand columns_of(const Planes& Y) const {
    return {{{Y.re, nullptr}, {Y.im, nullptr}}, Shape::parts, columns_, Y.rows, Y.rows, 1, false};
  }
  void run(const exact::Plan& plan, const exact::Operand& A, const exact::Operand& B, const exact::Update& update,
           const Planes& C) {
    make_product(executor_, plan, workspace_.data())
        ->run(A, B, update, {{{C.re, nullptr}, {C.im, nullptr}}, 1, C.rows});
  }

  Executor& executor_;
  std::int64_t columns_;
  Buffer<unsigned char> workspace_;
};

}  // namespace pivotlab::device
