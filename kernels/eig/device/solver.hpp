// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition: the sequence of kernel launches.
//
//   import A, scale and balance it;  E := I
//   sweeps until the lower part is small (iteration.hpp), perhaps the first in single precision (first_sweeps.hpp)
//   eigenvectors by back substitution (vectors.hpp)
#pragma once

#include "kernels/eig/device/device_matrix.hpp"
#include "kernels/eig/device/first_sweeps.hpp"
#include "kernels/eig/device/iteration.hpp"
#include "kernels/eig/device/point_sweep.hpp"
#include "kernels/eig/device/transfer.hpp"
#include "kernels/eig/device/vectors.hpp"
#include "kernels/numerics/elements.hpp"

#include <limits>
#include <optional>
#include <utility>

namespace pivotlab::eig_device {

template <class Executor, class Sweep>
class Solver final : public DeviceSolver {
 public:
  /// Takes its memory from the arena, if there is one.
  template <class... ExecutorArguments>
  Solver(const SolverPlan& plan, const std::optional<Arena>& arena, ExecutorArguments&&... arguments)
      : executor_(arena, std::forward<ExecutorArguments>(arguments)...),
        plan_(plan),
        order_(static_cast<int>(plan.order)),
        A_(executor_, plan.order),
        E_(plan.basis ? Matrix(executor_, plan.order) : Matrix()),
        inverse_transposed_(plan.inverse_basis ? Matrix(executor_, plan.order) : Matrix()),
        Y_(plan.vectors ? Matrix(executor_, plan.order) : Matrix()),
        V_(plan.vectors ? Matrix(executor_, plan.order) : Matrix()),
        lines_(executor_.template allocate<double>(4 * std::size_t(plan.order))),
        d_(executor_.template allocate<int>(plan.order)),
        exponent_(executor_.template allocate<int>(1)),
        positions_(executor_.template allocate<int>(std::size_t(plan.order))),
        iteration_(executor_, plan_, A_.planes(), E_.planes(), inverse_transposed_.planes()) {
    if (plan.first_in_single) first_.emplace(executor_, plan_, A_.planes(), E_.planes(), Y_.planes(), V_.planes());
  }

  /// Returns the bytes taken from the arena.
  std::size_t workspace_bytes() const { return executor_.used(); }

  void import_matrix(const double* A, std::int64_t stride, const Scaling& scaling) override {
    auto staging = executor().template allocate<double>(2 * std::size_t(plan_.n) * std::size_t(plan_.n));
    upload_matrix(executor_, MatrixView<const double>{A, 2 * plan_.n, plan_.n, 2 * stride}, staging.data());
    import_given({staging.data(), plan_.n, 2}, scaling);
    executor_.synchronize();  // staging is released here
  }

  std::vector<ColumnSize> measure(const GivenMatrix& A) override {
    executor_.template launch<MeasureColumns>(static_cast<int>(plan_.n), MeasureColumns::shared_bytes,
                                              {A, plan_.n, line(0)});
    std::vector<double> found(2 * static_cast<std::size_t>(plan_.n));
    executor_.download(found.data(), line(0), found.size());
    std::vector<ColumnSize> sizes;
    for (std::size_t j = 0; j < found.size(); j += 2) sizes.push_back({found[j], found[j + 1]});
    return sizes;
  }

  void import_given(const GivenMatrix& A, const Scaling& scaling) override {
    balance_ = scaling.balance;
    executor_.template launch<ImportColumns>(order_, 0, {A, plan_.n, scaling.exponent, A_.planes()});
    begin_bases();
  }

  IterationResult iterate() override {
    IterationResult result;
    const auto start = stopwatch_.mark();
    prepare();
    const std::optional<SweepRecord> earlier = first_ ? first_->run(result.history) : std::nullopt;
    if (first_ && !earlier) begin_bases();
    const SweepRecord* last = earlier ? &*earlier : nullptr;
    result.converged = iteration_.run(plan_.tolerance, plan_.max_sweeps, result.history, last);
    largest_upper_ = result.history.back().norms.largest_upper;
    result.compute_seconds = stopwatch_.seconds(start, stopwatch_.mark());
    executor_.download(&result.exponent, exponent_.data(), 1);
    result.d.resize(static_cast<std::size_t>(plan_.n));
    executor_.download(result.d.data(), d_.data(), result.d.size());
    return result;
  }

  double find_vectors() override {
    const auto start = stopwatch_.mark();
    executor_.fill_zero(Y_.planes().re, Y_.size());
    const double least =
        std::max(std::numeric_limits<double>::epsilon() * largest_upper_, std::numeric_limits<double>::min());
    for (std::int64_t first = plan_.order - solve_rows; first >= 0; first -= solve_rows) {
      executor_.template launch<SolveRows>(static_cast<int>((plan_.order - first) / SolveRows::columns),
                                           SolveRows::shared_bytes, {A_.planes(), Y_.planes(), first, least});
      executor_.template launch<UpdateSums>(UpdateSums::blocks(plan_.order, first), 0,
                                            {A_.planes(), Y_.planes(), first});
    }
    executor_.template launch<NormalizeColumns>(order_, NormalizeColumns::shared_bytes, {Y_.planes()});
    executor_.template launch<MultiplyBasis>(MultiplyBasis::blocks(plan_.order), 0,
                                             {E_.planes(), Y_.planes(), V_.planes()});
    const auto end = stopwatch_.mark();
    return stopwatch_.seconds(start, end);
  }

  void export_matrix(Which which, double* re, double* im) override {
    const Planes& from = matrix(which).planes();
    auto staging = executor().template allocate<double>(std::size_t(plan_.n) * std::size_t(plan_.n));
    for (const auto& [plane, to] : {std::pair(from.re, re), std::pair(from.im, im)}) {
      executor_.template launch<ExportPlane>(static_cast<int>(plan_.n), 0,
                                             {plane, plan_.order, plan_.n, staging.data()});
      executor_.download(to, staging.data(), staging.size());
    }
  }

  void export_vectors(const std::vector<int>& positions, double* to, std::int64_t stride) override {
    executor_.upload(positions_.data(), positions.data(), positions.size());
    executor_.template launch<ExportVectors>(static_cast<int>(plan_.n), ExportVectors::shared_bytes,
                                             {V_.planes(), d_.data(), positions_.data(), plan_.n, to, stride});
    executor_.synchronize();
  }

 private:
  using Memory = WithWorkspace<Executor>;
  using Matrix = DeviceMatrix<Memory>;

  /// The executor without the workspace, for memory between device and host.
  Executor& executor() { return executor_; }

  const Matrix& matrix(Which which) const {
    switch (which) {
      case Which::iterate:
        return A_;
      case Which::E:
        return E_;
      case Which::inverse_transposed:
        return inverse_transposed_;
      default:
        return V_;
    }
  }

  void begin_bases() {
    for (const Matrix* X : {&E_, &inverse_transposed_})
      if (X->planes().re != nullptr) executor_.template launch<SetIdentity<>>(order_, 0, {X->planes()});
  }

  /// Returns part i of the memory for sums and factors of rows and columns.
  double* line(int i) { return lines_.data() + std::int64_t(i) * plan_.order; }

  void prepare() {
    executor_.fill_zero(d_.data(), d_.size());
    if (balance_)
      for (int pass = 0; pass < 10; ++pass) {
        using Sums = SumLines<false>;
        executor_.template launch<Sums>(Sums::blocks(plan_.order), Sums::shared_bytes, {A_.planes(), line(0), line(1)});
        executor_.template launch<BalancingParameters>(
            (order_ + BalancingParameters::threads - 1) / BalancingParameters::threads, 0,
            {line(0), line(1), plan_.order, line(2), line(3), d_.data()});
        executor_.template launch<ScaleLines<>>(order_, 0, {A_.planes(), {}, {}, line(2), line(3)});
      }
    executor_.template launch<FindLargestParts>(order_, FindLargestParts::shared_bytes, {A_.planes(), line(0)});
    executor_.template launch<ScaleToOne>(order_, ScaleToOne::shared_bytes, {A_.planes(), line(0), exponent_.data()});
  }

  Memory executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  SolverPlan plan_;
  int order_;
  Matrix A_, E_, inverse_transposed_, Y_, V_;
  Buffer<double> lines_;
  Buffer<int> d_, exponent_;
  Buffer<int> positions_;
  Iteration<Executor, Sweep> iteration_;
  std::optional<FirstSweeps<Executor, Sweep>> first_;
  bool balance_ = true;
  double largest_upper_ = 0;
};

/// Calls work with the type of the sweep that a plan selects.
template <class Executor, class Work>
auto with_sweep(const SolverPlan& plan, const Work& work) {
  using Memory = WithWorkspace<Executor>;
  if (plan.form != Form::blocked) return work(std::type_identity<PointSweep<Memory>>());
  if (plan.block == 8) return work(std::type_identity<BlockedSweep<Memory, 8>>());
  if (plan.block == 32) return work(std::type_identity<BlockedSweep<Memory, 32>>());
  return work(std::type_identity<BlockedSweep<Memory, 16>>());
}

template <class Executor, class... ExecutorArguments>
std::unique_ptr<DeviceSolver> make_solver(const SolverPlan& plan, void* workspace, ExecutorArguments&&... arguments) {
  return with_sweep<Executor>(plan, [&]<class Sweep>(std::type_identity<Sweep>) -> std::unique_ptr<DeviceSolver> {
    return std::make_unique<Solver<Executor, Sweep>>(plan, arena_of(workspace),
                                                     std::forward<ExecutorArguments>(arguments)...);
  });
}

}  // namespace pivotlab::eig_device
