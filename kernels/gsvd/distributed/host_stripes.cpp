// SPDX-License-Identifier: BSD-3-Clause
// Two stripes in host memory, transformed by the host's blocked algorithm.
#include "kernels/gsvd/distributed/stripe_solver.hpp"
#include "kernels/gsvd/host/solver.hpp"

#include <array>

namespace pivotlab {
namespace {

template <class T>
class HostStripes final : public StripeSolver<T> {
 public:
  using R = RealOf<T>;

  explicit HostStripes(const StripeProblem<T>& problem)
      : layout_(problem.layout),
        noise_(problem.noise),
        algorithm_(stripe_options(problem.options), problem.layout.columns()),
        across_(make_table_across_halves(algorithm_.all_pairs().order)),
        parts_{Matrix<T>(problem.F), Matrix<T>(problem.G), Matrix<T>(layout_.order, layout_.columns())} {
    for (std::size_t k = 0; k < 3 && layout_.ranks > 1; ++k) spare_[k] = Matrix<T>(parts_[k].rows(), layout_.width);
    const std::vector<Index> columns = layout_.columns_of(problem.stripes);
    for (std::size_t j = 0; j < columns.size(); ++j) parts_[2](columns[j], static_cast<Index>(j)) = T(1);
  }

  void prescale() override { algorithm_.prescale(F(), G(), Z()); }
  bool sweep(int max_sweeps, std::vector<SweepCounters>& sweeps) override {
    return algorithm_.iterate(algorithm_.all_pairs(), F(), G(), Z(), noise_, max_sweeps, sweeps);
  }
  void sweep_across(std::vector<SweepCounters>& sweeps) override {
    algorithm_.iterate(across_, F(), G(), Z(), noise_, 1, sweeps);
  }

  std::vector<Piece> outgoing(int place) override {
    std::vector<Piece> pieces;
    for (Matrix<T>& Y : parts_) pieces.push_back(piece(stripe(Y, place)));
    return pieces;
  }
  std::vector<Piece> incoming(int) override {
    std::vector<Piece> pieces;
    for (Matrix<T>& Y : spare_) pieces.push_back(piece(Y));
    return pieces;
  }
  void rearrange(const StripeMove& move) override {
    if (!move.exchanges) return;
    for (std::size_t k = 0; k < 3; ++k) {
      if (move.kept != move.kept_place)
        as_eigen(stripe(parts_[k], move.kept_place)) = as_eigen(stripe(parts_[k], move.kept));
      as_eigen(stripe(parts_[k], 1 - move.kept_place)) = as_eigen(spare_[k].view());
    }
  }

  void save(const VisitPiece& write) override {
    for (Matrix<T>& Y : parts_) write(piece(Y));
  }
  void load(const VisitPiece& read) override { save(read); }  // reads in place

  std::vector<Index> doubtful_columns() override {
    std::vector<Index> doubtful;
    for (Index j = 0; j < F().cols; ++j)
      if (noise_.may_contain(F().col(j), R(1), Z().col(j)) &&
          std::ranges::any_of(F().col(j), [](const T& y) { return y != T(0); }))
        doubtful.push_back(j);
    return doubtful;
  }
  void clear_columns(const std::vector<Index>& columns) override {
    for (const Index j : columns) std::ranges::fill(F().col(j), T(0));
  }

  std::vector<ColumnOfResult<R>> extract(const PairScaling& scaling) override {
    const Sigmas<R> sigmas = pivotlab::extract<T>(F(), G(), Z(), scaling);
    std::vector<ColumnOfResult<R>> columns;
    for (std::size_t j = 0; j < sigmas.f.size(); ++j) {
      const auto border = as_eigen(Z()).col(static_cast<Index>(j)).tail(layout_.border());
      columns.push_back({sigmas.f[j], sigmas.g[j], sigmas.ratio[j], (border.array() == T(0)).all()});
    }
    return columns;
  }
  Matrix<T> columns(Part part, const std::vector<Index>& columns, Index rows) override {
    Matrix<T> result(rows, static_cast<Index>(columns.size()));
    permute_columns<T>(parts_[static_cast<std::size_t>(part)], columns, result);
    return result;
  }

 private:
  MatrixView<T> F() { return parts_[0]; }
  MatrixView<T> G() { return parts_[1]; }
  MatrixView<T> Z() { return parts_[2]; }
  MatrixView<T> stripe(Matrix<T>& Y, int place) const {
    return Y.view().cols_range(place * layout_.width, layout_.width);
  }
  static Piece piece(MatrixView<T> Y) { return {Y.data, static_cast<std::size_t>(Y.rows * Y.cols) * sizeof(T)}; }

  const StripeLayout& layout_;
  const RoundingNoise<T>& noise_;
  BlockedAlgorithm<T> algorithm_;
  StrategyTable across_;
  std::array<Matrix<T>, 3> parts_, spare_;  // F, G, Z
};

}  // namespace

template <class T>
std::unique_ptr<StripeSolver<T>> make_host_stripes(const StripeProblem<T>& problem) {
  return std::make_unique<HostStripes<T>>(problem);
}

template decltype(make_host_stripes<double>) make_host_stripes<double>;
template decltype(make_host_stripes<std::complex<double>>) make_host_stripes<std::complex<double>>;

}  // namespace pivotlab
