// SPDX-License-Identifier: BSD-3-Clause
// Operations of the Hermitian eigensolver by an executor, except those by a library.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/exec/workspace.hpp"
#include "kernels/jacobi/device/eigh_kernels.hpp"
#include "kernels/numerics/elements.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace pivotlab::jacobi {

template <class Executor, class T>
class EighMachine : public EighDevice<T> {
  using Tile = ModulusTile<T>;

 public:
  /// Takes its memory from the arena, if there is one.
  template <class... ExecutorArguments>
  EighMachine(Index n, const std::optional<Arena>& arena, ExecutorArguments&&... arguments)
      : executor_(arena, std::forward<ExecutorArguments>(arguments)...),
        n_(n),
        G_(kept<T>(n * n)),
        Y_(kept<T>(n * n)),
        columns_(kept<SignedColumn<T>>(n)),
        rows_(kept<int>(n)),
        leading_(kept<int>(n)),
        sigma_(kept<double>(n)),
        norms_(kept<double>(n)),
        partial_(kept<double>(Tile::count(n) * n)) {}

  /// Returns the bytes taken from the arena.
  std::size_t workspace_bytes() const { return executor_.used(); }

  void make_g(const ldlt_device::Strips<T>& M, const std::vector<SignedColumn<T>>& columns,
              const std::vector<int>& rows) override {
    r_ = std::ssize(columns);
    upload(columns_, columns), upload(rows_, rows);
    for_each(n_, r_, MakeG<T>{M, columns_.data(), rows_.data(), G()});
    executor_.synchronize();
  }

  void upload_g(const T* G, Index r) override {
    r_ = r;
    executor_.upload(G_.data(), G, static_cast<std::size_t>(n_ * r));
  }

  std::vector<double> row_norms(const std::vector<int>& rows, const std::vector<int>& leading) override {
    upload(rows_, rows), upload(leading_, leading);
    for_each(n_, 1, LeadingRowNorms<T>{G(), rows_.data(), leading_.data(), norms_.data()});
    return downloaded(norms_, n_);
  }

  CallerMatrix g() override { return {reinterpret_cast<double*>(G_.data()), n_}; }
  CallerMatrix copy_of_g() override {
    executor_.copy(Y_.data(), G_.data(), static_cast<std::size_t>(n_ * r_));
    return y();
  }
  CallerMatrix y() override { return {reinterpret_cast<double*>(Y_.data()), n_}; }

  MatrixView<const T> upload_to_y(MatrixView<const T> A) override {
    upload_matrix(executor_, A, Y_.data());
    return {Y_.data(), n_, n_, n_};
  }

  std::int64_t zero_columns(MatrixView<const T> A) override {
    for_each(n_, 1, LargestOfColumn<T>{A, norms_.data()});
    return std::ranges::count(downloaded(norms_, n_), 0.0);
  }

  void import_a(MatrixView<const T>, int) override { throw no_library(); }
  std::vector<double> eigenvectors() override { throw no_library(); }
  void start_v(const std::vector<int>&, const std::vector<double>&, const std::vector<int>&) override {
    throw no_library();
  }
  double defect(const std::vector<int>&, const std::vector<int>&) override { throw no_library(); }
  void correct(const std::vector<int>&) override { throw no_library(); }
  void multiply_g() override { throw no_library(); }

  std::vector<double> row_products(const std::vector<double>& sigma) override {
    upload(sigma_, sigma);
    launch_by_tiles<ModulusProducts<T>>({G(), Y(), sigma_.data(), partial_.data()});
    for_each(r_, 1, RootOfSums{partial_.data(), Tile::count(r_), r_, norms_.data()});
    return downloaded(norms_, r_);
  }

  std::vector<double> add_components(const std::vector<double>& norms, const std::vector<int>& places,
                                     double negligible) override {
    const MatrixView<double> cosines{reinterpret_cast<double*>(G_.data()), r_, r_, r_};
    launch_by_tiles<BoundedCosines<T>>({Y(), negligible, cosines});
    upload(rows_, places), upload(norms_, norms);
    std::vector<double> p = norms;
    // A column depends on those before it only, so that the one in place k is right after k steps.
    for (Index k = 0; k < r_; ++k) {
      upload(sigma_, p);
      for_each(r_, 1, AddComponents{cosines, rows_.data(), norms_.data(), sigma_.data(), partial_.data()});
      std::vector<double> next = downloaded(partial_, r_);
      std::swap(p, next);
      if (p == next) break;
    }
    return p;
  }

  void export_y(const std::vector<int>& order, MatrixView<T> U) override {
    upload(rows_, order);
    for_each(n_, U.cols, OrderedColumns<T>{Y(), rows_.data(), U});
    executor_.synchronize();
  }

  void download_y(const std::vector<int>& order, T* U) override {
    export_y(order, {G_.data(), n_, n_, n_});
    executor_.download(U, G_.data(), static_cast<std::size_t>(n_ * n_));
  }

 protected:
  /// The executor without the workspace: what it allocates is released after its use.
  Executor& executor() { return executor_; }
  Index order() const { return n_; }
  Index rank() const { return r_; }
  MatrixView<T> G() const { return {G_.data(), n_, r_, n_}; }
  MatrixView<T> Y() const { return {Y_.data(), n_, r_, n_}; }

  template <class F>
  void for_each(Index rows, Index columns, const F& f) {
    pivotlab::for_each(executor_, rows, columns, f);
  }

  /// Launches a body with a block for each tile of an r × r matrix.
  template <class Body>
  void launch_by_tiles(const typename Body::Arguments& arguments) {
    const auto tiles = static_cast<int>(Tile::count(r_));
    if (tiles > 0) executor_.template launch<Body>(tiles * tiles, Body::shared_bytes, arguments);
  }

  template <class X>
  Buffer<X> uploaded(const std::vector<X>& values) {
    auto buffer = executor().template allocate<X>(values.size());
    upload(buffer, values);
    return buffer;
  }
  std::vector<double> downloaded(const Buffer<double>& from, Index count) {
    std::vector<double> values(count);
    executor_.download(values.data(), from.data(), values.size());
    return values;
  }

 private:
  static std::logic_error no_library() { return std::logic_error("the emulation has no spectral preconditioner"); }

  template <class X>
  Buffer<X> kept(Index count) {
    return executor_.template allocate<X>(static_cast<std::size_t>(count));
  }
  template <class X>
  void upload(const Buffer<X>& to, const std::vector<X>& values) {
    executor_.upload(to.data(), values.data(), values.size());
  }

  WithWorkspace<Executor> executor_;
  Index n_, r_ = 0;
  Buffer<T> G_, Y_;
  Buffer<SignedColumn<T>> columns_;
  Buffer<int> rows_, leading_;
  Buffer<double> sigma_, norms_, partial_;
};

}  // namespace pivotlab::jacobi
