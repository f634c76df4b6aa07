// Operations of the Hermitian eigensolver by an executor, except those by a library.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/exec/for_each.hpp"
#include "kernels/jacobi/device/eigh_kernels.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace pivotlab::jacobi {

template <class Executor, class T>
class EighMachine : public EighDevice<T> {
 public:
  template <class... ExecutorArguments>
  explicit EighMachine(Index n, ExecutorArguments&&... arguments)
      : executor_(std::forward<ExecutorArguments>(arguments)...), n_(n) {}

  void make_g(const ldlt_device::Strips<T>& M, const std::vector<SignedColumn<T>>& columns,
              const std::vector<int>& rows) override {
    set_rank(std::ssize(columns));
    const auto on_device = uploaded(columns);
    const auto row = uploaded(rows);
    for_each(n_, r_, MakeG<T>{M, on_device.data(), row.data(), G()});
    executor_.synchronize();
  }

  void upload_g(const T* G, Index r) override {
    set_rank(r);
    executor_.upload(G_.data(), G, static_cast<std::size_t>(n_ * r));
  }

  std::vector<double> row_norms(const std::vector<int>& rows, const std::vector<int>& leading) override {
    const auto row = uploaded(rows), columns = uploaded(leading);
    const auto norms = executor_.template allocate<double>(static_cast<std::size_t>(n_));
    for_each(n_, 1, LeadingRowNorms<T>{G(), row.data(), columns.data(), norms.data()});
    return downloaded(norms, n_);
  }

  CallerMatrix copy_of_g() override {
    executor_.copy(Y_.data(), G_.data(), static_cast<std::size_t>(n_ * r_));
    return y();
  }
  CallerMatrix y() override { return {reinterpret_cast<double*>(Y_.data()), n_}; }

  void upload_a(const T*, Index) override { throw no_library(); }
  std::vector<double> eigenvectors() override { throw no_library(); }
  void start_v(const std::vector<int>&, const std::vector<double>&, const std::vector<int>&) override {
    throw no_library();
  }
  double defect(const std::vector<int>&, const std::vector<int>&) override { throw no_library(); }
  void correct(const std::vector<int>&) override { throw no_library(); }
  void multiply_g() override { throw no_library(); }

  std::vector<double> row_products(const std::vector<double>& sigma) override {
    using Body = ModulusProducts<T>;
    const Index tiles = Body::tiles(r_);
    const auto on_device = uploaded(sigma);
    const auto partial = executor_.template allocate<double>(static_cast<std::size_t>(tiles * r_));
    const auto norms = executor_.template allocate<double>(static_cast<std::size_t>(r_));
    if (r_ > 0)
      executor_.template launch<Body>(static_cast<int>(tiles * tiles), Body::shared_bytes,
                                      {G(), Y(), on_device.data(), partial.data()});
    for_each(r_, 1, RootOfSums{partial.data(), tiles, r_, norms.data()});
    return downloaded(norms, r_);
  }

  void download_y(T* to) override {
    executor_.download_columns(to, static_cast<std::size_t>(n_), Y_.data(), static_cast<std::size_t>(n_),
                               static_cast<std::size_t>(r_));
  }

 protected:
  Executor& executor() { return executor_; }
  Index order() const { return n_; }
  Index rank() const { return r_; }
  MatrixView<T> G() const { return {G_.data(), n_, r_, n_}; }
  MatrixView<T> Y() const { return {Y_.data(), n_, r_, n_}; }

  template <class F>
  void for_each(Index rows, Index columns, const F& f) {
    using Body = ForEach<F>;
    const Index blocks = (rows * columns + Body::threads - 1) / Body::threads;
    if (blocks > 0) executor_.template launch<Body>(static_cast<int>(blocks), 0, {f, rows, columns});
  }

  template <class X>
  Buffer<X> uploaded(const std::vector<X>& values) {
    auto buffer = executor_.template allocate<X>(values.size());
    executor_.upload(buffer.data(), values.data(), values.size());
    return buffer;
  }
  std::vector<double> downloaded(const Buffer<double>& from, Index count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    executor_.download(values.data(), from.data(), values.size());
    return values;
  }

 private:
  static std::logic_error no_library() { return std::logic_error("the emulation has no spectral preconditioner"); }

  void set_rank(Index r) {
    r_ = r;
    G_ = executor_.template allocate<T>(static_cast<std::size_t>(n_ * r));
    Y_ = executor_.template allocate<T>(static_cast<std::size_t>(n_ * r));
  }

  Executor executor_;
  Index n_, r_ = 0;
  Buffer<T> G_, Y_;
};

}  // namespace pivotlab::jacobi
