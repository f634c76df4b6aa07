// SPDX-License-Identifier: BSD-3-Clause
// The blocked one-sided Jacobi iteration as a sequence of kernels.
//
//   import the columns of G in their order, scaled and bordered;  V := I
//   a sweep: for every step of the outer strategy, all its pivot block pairs at once (tile_step.hpp, or nested_step.hpp
//   for blocks of 64 columns), and clear columns that consist of rounding noise;  until the driver sees convergence
//   norms, largest cosine from the Gram matrices of all pivot block pairs, export of U and V
//
// The host reads only counters and one or two numbers per column. Device memory: G, V if wanted, and O(n) more.
#pragma once

#include "kernels/exec/stopwatch.hpp"
#include "kernels/exec/workspace.hpp"
#include "kernels/gsvd/device/whole_columns.hpp"
#include "kernels/jacobi/device/nested_step.hpp"
#include "kernels/jacobi/device/tile_step.hpp"
#include "kernels/jacobi/device/whole_columns.hpp"

#include <optional>
#include <type_traits>
#include <utility>

namespace pivotlab::jacobi {

template <class Executor, class Shape>
class Solver final : public DeviceSolver {
 public:
  /// Takes its memory from the arena, if there is one.
  template <class... ExecutorArguments>
  Solver(const SolverPlan& plan, const std::optional<Arena>& arena, ExecutorArguments&&... arguments)
      : executor_(arena, std::forward<ExecutorArguments>(arguments)...),
        plan_(plan),
        G_(executor_, Shape::complex, plan.rows + plan.order - plan.n, plan.order),
        V_(executor_, Shape::complex, plan.compute_v ? plan.order : 0, plan.order),
        signs_(allocate<double>(plan.order)),
        noise_(allocate<double>(plan.order)),
        step_(executor_, plan_, {signs_.data(), noise_.data()}, multiplied()),
        outer_strategy_(uploaded(plan.outer_strategy.pairs)),
        total_(allocate<TileCounters>(1)),
        cosines_(allocate<double>(tiles())),
        numbers_(allocate<double>(plan.order)),
        cleared_(allocate<int>(plan.order)),
        order_(allocate<int>(plan.order)),
        rows_(allocate<int>(plan.order)) {}

  /// Returns the bytes taken from the arena.
  std::size_t workspace_bytes() const { return executor_.used(); }

  std::vector<double> largest_parts(const CallerMatrix& G) override {
    executor_.template launch<LargestParts>(columns(), LargestParts::shared_bytes,
                                            {G, Shape::parts, plan_.rows, numbers_.data()});
    return downloaded(numbers_);
  }

  std::vector<double> norms(const CallerMatrix& G, int exponent) override {
    executor_.template launch<ScaledNorms>(columns(), ScaledNorms::shared_bytes,
                                           {G, Shape::parts, plan_.rows, exponent, numbers_.data()});
    return downloaded(numbers_);
  }

  void import_matrix(const CallerMatrix& G, int exponent, const std::vector<int>& columns,
                     const std::vector<double>& signs, const std::vector<double>& noise) override {
    with_qr_ = true;
    upload(order_, columns);
    upload(signs_, signs);
    upload(noise_, noise);
    clear(G_.planes());
    executor_.template launch<ImportOrdered>(this->columns(), 0, {G, plan_.rows, exponent, order_.data(), G_.planes()});
    set_diagonal(G_.planes(), plan_.rows, plan_.n, plan_.order - plan_.n);
    if (!plan_.compute_v) return;
    clear(V_.planes());
    set_diagonal(V_.planes(), 0, 0, plan_.order);
  }

  /// The first sweep of a matrix, and those after one with a tile for QR, are launched kernel by kernel. Meanwhile the
  /// host records a sweep without QR, for the others.
  SweepResult sweep() override {
    const auto before = stopwatch_.mark();
    if (sweep_ && !with_qr_)
      executor_.replay(*sweep_);
    else
      launch_sweep(true);
    const auto after = stopwatch_.mark();
    if (!sweep_) sweep_.emplace(executor_.record([&] { launch_sweep(false); }));
    SweepResult result{};
    executor_.download(&result.counters, total_.data(), 1);
    std::vector<int> cleared(cleared_.size());
    executor_.download(cleared.data(), cleared_.data(), cleared.size());
    for (const int flag : cleared) result.null_columns += flag != 0;
    with_qr_ = plan_.factor == device::FactorKind::qr || result.counters.qr_tiles > 0;
    result.seconds = stopwatch_.seconds(before, after);
    return result;
  }

  std::vector<double> column_norms() override {
    executor_.template launch<ColumnNorms>(columns(), ColumnNorms::shared_bytes,
                                           {G_.planes(), numbers_.data(), nullptr, nullptr});
    return downloaded(numbers_);
  }

  std::vector<double> column_noise() override { return downloaded(noise_); }

  double largest_cosine() override {
    using Body = LargestCosine<Shape>;
    executor_.fill_zero(cosines_.data(), cosines_.size());
    auto& products = step_.products();
    for_each_step([&](std::size_t, const PivotPair* pairs) {
      products.gram(pairs);
      executor_.template launch<Body>(tiles(), Body::shared_bytes,
                                      {products.sums(), products.partition().chunks, cosines_.data()});
    });
    std::vector<double> cosines(cosines_.size());
    executor_.download(cosines.data(), cosines_.data(), cosines.size());
    double largest = 0;
    for (const double cosine : cosines) largest = larger_or_nan(largest, cosine);
    return largest;
  }

  void export_u(const std::vector<int>& order, const std::vector<double>& norms, const CallerMatrix& U) override {
    upload(order_, order);
    upload(numbers_, norms);
    executor_.template launch<ExportOrdered>(columns(), 0,
                                             {G_.planes(), order_.data(), nullptr, numbers_.data(), plan_.rows, U});
  }

  void export_v(const std::vector<int>& order, const std::vector<int>& columns, const CallerMatrix& V) override {
    upload(order_, order);
    upload(rows_, columns);
    executor_.template launch<ExportOrdered>(this->columns(), 0,
                                             {V_.planes(), order_.data(), rows_.data(), nullptr, plan_.n, V});
  }

  void synchronize() override { executor_.synchronize(); }

  CallerMatrix exchange_u() override { return exchange(exchange_u_, plan_.rows); }
  CallerMatrix exchange_v() override { return exchange(exchange_v_, plan_.n); }

  void upload(const CallerMatrix& to, const double* from, std::int64_t stride, std::int64_t rows) override {
    const std::size_t column = static_cast<std::size_t>(rows) * Shape::parts;
    if (stride == rows && to.stride == rows) {
      executor_.upload(to.data, from, column * plan_.n);
      return;
    }
    for (std::int64_t j = 0; j < plan_.n; ++j)
      executor_.upload(to.data + j * to.stride * Shape::parts, from + j * stride * Shape::parts, column);
  }

  void download(double* to, std::int64_t stride, const CallerMatrix& from, std::int64_t rows) override {
    executor_.download_columns(to, static_cast<std::size_t>(stride) * Shape::parts, from.data,
                               static_cast<std::size_t>(rows) * Shape::parts, static_cast<std::size_t>(plan_.n));
  }

 private:
  template <class T>
  Buffer<T> allocate(std::size_t count) {
    return executor_.template allocate<T>(count);
  }
  template <class T>
  Buffer<T> uploaded(const std::vector<T>& values) {
    auto buffer = allocate<T>(values.size());
    upload(buffer, values);
    return buffer;
  }
  template <class T>
  void upload(const Buffer<T>& to, const std::vector<T>& values) {
    executor_.upload(to.data(), values.data(), values.size());
  }
  std::vector<double> downloaded(const Buffer<double>& from) {
    std::vector<double> values(plan_.n);
    executor_.download(values.data(), from.data(), values.size());
    return values;
  }

  std::vector<device::Planes> multiplied() const {
    return plan_.compute_v ? std::vector{G_.planes(), V_.planes()} : std::vector{G_.planes()};
  }
  int columns() const { return static_cast<int>(plan_.n); }
  int tiles() const { return static_cast<int>(plan_.order / Shape::order); }

  void clear(const device::Planes& Y) {
    for (int part = 0; part < Shape::parts; ++part)
      executor_.fill_zero(Y.plane(part), static_cast<std::size_t>(Y.rows * plan_.order));
  }

  void set_diagonal(const device::Planes& target, std::int64_t row, std::int64_t column, std::int64_t count) {
    using device::SetDiagonal;
    const auto blocks = static_cast<int>((count + SetDiagonal::threads - 1) / SetDiagonal::threads);
    executor_.template launch<SetDiagonal>(blocks, 0, {target, row, column, count});
  }

  /// Calls work with the index of each step and its pivot block pairs, in device memory.
  template <class Work>
  void for_each_step(Work&& work) {
    const std::size_t steps = outer_strategy_.size() / tiles();
    for (std::size_t s = 0; s < steps; ++s) work(s, outer_strategy_.data() + s * tiles());
  }

  void launch_sweep(bool with_qr) {
    const auto& counters = step_.counters();
    executor_.fill_zero(counters.data(), counters.size());
    for_each_step([&](std::size_t index, const PivotPair* pairs) { step_.run(index, pairs, with_qr); });
    step_.products().finish_products();
    using Sum = device::ReduceCounters<TileCounters>;
    executor_.template launch<Sum>(1, Sum::shared_bytes,
                                   {counters.data(), static_cast<int>(counters.size()), total_.data()});
    executor_.template launch<ColumnNorms>(static_cast<int>(plan_.order), ColumnNorms::shared_bytes,
                                           {G_.planes(), nullptr, noise_.data(), cleared_.data()});
  }

  CallerMatrix exchange(Buffer<double>& buffer, std::int64_t rows) {
    if (buffer.size() == 0)
      buffer = executor_.Executor::template allocate<double>(static_cast<std::size_t>(rows * plan_.n) * Shape::parts);
    return {buffer.data(), rows};
  }

  using Memory = WithWorkspace<Executor>;
  using Step = std::conditional_t<Shape::width == 64, NestedStep<Memory>, TileStep<Memory, Shape>>;

  Memory executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  SolverPlan plan_;
  device::PlaneMatrix<Memory> G_, V_;
  Buffer<double> signs_, noise_;
  Step step_;
  Buffer<PivotPair> outer_strategy_;
  Buffer<TileCounters> total_;
  Buffer<double> cosines_, numbers_;
  Buffer<int> cleared_, order_, rows_;
  bool with_qr_ = true;                                ///< in the next sweep
  std::optional<typename Executor::Recording> sweep_;  ///< without QR
  Buffer<double> exchange_u_, exchange_v_;
};

/// Calls work(TileShape) for the scalar and the width of a plan: 16, 32, or 64 for real numbers.
template <class Work>
auto with_shape(const SolverPlan& plan, Work&& work) {
  return plan.width == 64 ? work(device::TileShape<false, 64>()) : device::with_shape(plan, work);
}

/// Makes the solver of a plan.
template <class Executor, class... ExecutorArguments>
std::unique_ptr<DeviceSolver> make_solver(const SolverPlan& plan, void* workspace, ExecutorArguments&&... arguments) {
  return with_shape(plan, [&]<class Shape>(Shape) -> std::unique_ptr<DeviceSolver> {
    return std::make_unique<Solver<Executor, Shape>>(plan, arena_of(workspace),
                                                     std::forward<ExecutorArguments>(arguments)...);
  });
}

}  // namespace pivotlab::jacobi
