// SPDX-License-Identifier: BSD-3-Clause
// Two stripes in device memory, transformed by the device's kernels, on a GPU or emulated.
#include "kernels/exec/build.hpp"
#include "kernels/gsvd/device/solver_plan.hpp"
#include "kernels/gsvd/distributed/stripe_solver.hpp"
#include "kernels/numerics/threads.hpp"

namespace pivotlab {
namespace {

using device::DeviceSolver;
using device::Which;

constexpr int spare = 2;  // place of the spare stripe

template <class T>
device::SolverPlan plan_for(const StripeProblem<T>& problem, int device_number, bool in_place) {
  const StripeLayout& layout = problem.layout;
  device::SolverPlan plan = device::make_stripes_plan(
      is_complex<T>, problem.F.rows - layout.border(), problem.G.rows - layout.border(), layout.n, layout.order,
      layout.columns(), problem.options.variant.pairs_once, stripe_options(problem.options));
  plan.row_exponents = problem.scaling.columns, plan.f_exponent = problem.scaling.f;
  plan.device = device_number, plan.spare_stripe = !in_place && layout.ranks > 1;
  return plan;
}

std::unique_ptr<DeviceSolver> make_solver(Backend backend, const device::SolverPlan& plan) {
  return backend == Backend::emulation ? device::make_emulated_solver(plan) : on_cuda<device::make_cuda_solver>(plan);
}

template <class To>
std::vector<To> numbers(const auto& columns) {
  return {columns.begin(), columns.end()};
}

template <class T>
class DeviceStripes final : public StripeSolver<T> {
 public:
  DeviceStripes(const StripeProblem<T>& problem, int device_number, bool in_place)
      : layout_(problem.layout),
        noise_(problem.noise),
        threads_(thread_count(problem.options.threads)),
        rows_f_(problem.F.rows),
        in_place_(in_place),
        solver_(make_solver(problem.options.backend, plan_for(problem, device_number, in_place))) {
    const std::int64_t first[2] = {problem.stripes.p * layout_.width, problem.stripes.q * layout_.width};
    solver_->import_stripes(reinterpret_cast<const double*>(problem.F.data),
                            reinterpret_cast<const double*>(problem.G.data), first);
    solver_->set_noise_bound(numbers<double>(problem.bound.rows), numbers<double>(problem.bound.columns));
  }

  void prescale() override { solver_->prescale(); }

  bool sweep(int max_sweeps, std::vector<SweepCounters>& sweeps) override {
    return append(solver_->sweep(max_sweeps, judge()), sweeps);
  }
  void sweep_across(std::vector<SweepCounters>& sweeps) override { append(solver_->sweep_across(judge()), sweeps); }

  std::vector<Piece> outgoing(int place) override { return pieces(place); }
  std::vector<Piece> incoming(int place) override { return pieces(in_place_ ? place : spare); }
  void rearrange(const StripeMove& move) override {
    if (!move.exchanges) return;
    if (in_place_) {
      if (move.kept != move.kept_place) solver_->swap_stripes();
      return;
    }
    if (move.kept != move.kept_place) solver_->copy_stripe(move.kept, move.kept_place);
    solver_->copy_stripe(spare, 1 - move.kept_place);
  }

  void save(const VisitPiece& write) override {
    std::vector<double> stripe(stripe_doubles());
    for (const int place : {0, 1}) {
      solver_->download_stripe(place, stripe.data());
      write({stripe.data(), stripe.size() * sizeof(double)});
    }
  }
  void load(const VisitPiece& read) override {
    std::vector<double> stripe(stripe_doubles());
    for (const int place : {0, 1}) {
      read({stripe.data(), stripe.size() * sizeof(double)});
      solver_->upload_stripe(place, stripe.data());
    }
  }

  std::vector<Index> doubtful_columns() override { return numbers<Index>(solver_->doubtful_columns()); }
  void clear_columns(const std::vector<Index>& columns) override { solver_->clear_columns(numbers<int>(columns)); }

  std::vector<ColumnOfResult<double>> extract(const PairScaling&) override {
    std::vector<ColumnOfResult<double>> columns;
    for (const device::ColumnResult& c : solver_->extract())
      columns.push_back({c.sigma_f, c.sigma_g, c.sigma, c.own != 0});
    return columns;
  }
  Matrix<T> columns(Part part, const std::vector<Index>& columns, Index rows) override {
    auto result = Matrix<T>::uninitialized(rows, static_cast<Index>(columns.size()));
    const Which which = part == Part::F ? Which::U : part == Part::G ? Which::V : Which::Z;
    solver_->export_columns(which, numbers<int>(columns), rows, reinterpret_cast<double*>(result.data()), rows);
    return result;
  }

 private:
  static bool append(const device::SweepsResult& result, std::vector<SweepCounters>& sweeps) {
    for (const auto& [c, seconds, in_single] : result.sweeps)
      sweeps.push_back({c.transformations, c.big, c.swaps, c.skipped_tiles, c.qr_tiles,
                        static_cast<int>(c.max_inner_sweeps), seconds, in_single});
    return result.converged;
  }

  device::NoiseJudge judge() {
    return [this](const std::vector<int>& doubtful) { return noise_among(doubtful); };
  }
  std::vector<int> noise_among(const std::vector<int>& doubtful) {
    const std::vector<Index> candidates = numbers<Index>(doubtful);
    const Matrix<T> f = columns(Part::F, candidates, rows_f_), z = columns(Part::Z, candidates, layout_.order);
    std::vector<int> noise;
    for (const Index j : noise_columns<T>(noise_, f, z, threads_)) noise.push_back(doubtful[j]);
    return noise;
  }

  std::size_t stripe_doubles() {
    std::size_t doubles = 0;
    for (const device::StripePart& part : solver_->stripe(0)) doubles += part.size;
    return doubles;
  }

  std::vector<Piece> pieces(int place) {
    std::vector<Piece> pieces;
    for (const device::StripePart& part : solver_->stripe(place))
      pieces.push_back({part.data, part.size * sizeof(double)});
    return pieces;
  }

  const StripeLayout& layout_;
  const RoundingNoise<T>& noise_;
  int threads_;
  Index rows_f_;  // rows with the border
  bool in_place_;
  std::unique_ptr<DeviceSolver> solver_;
};

}  // namespace

template <class T>
std::unique_ptr<StripeSolver<T>> make_device_stripes(const StripeProblem<T>& problem, int device, bool in_place) {
  return std::make_unique<DeviceStripes<T>>(problem, device, in_place);
}

template decltype(make_device_stripes<double>) make_device_stripes<double>;
template decltype(make_device_stripes<std::complex<double>>) make_device_stripes<std::complex<double>>;

}  // namespace pivotlab
