// SPDX-License-Identifier: BSD-3-Clause
// The operations of the Hermitian eigensolver on a GPU. cuSOLVER and cuBLAS, loaded when the spectral preconditioner is
// wanted, compute its eigenvectors and products.
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/gsvd/tangent/device/cuda_library.hpp"
#include "kernels/jacobi/device/eigh_machine.hpp"
#include "kernels/jacobi/device/two_stage_machine.hpp"

#include <optional>

namespace pivotlab::jacobi {
namespace {

template <class T>
class CudaEigh final : public EighMachine<CudaExecutor, T> {
  using Base = EighMachine<CudaExecutor, T>;

 public:
  CudaEigh(Index n, const std::optional<Arena>& arena, const std::optional<CallerStream>& stream)
      : Base(n, arena, stream) {}

  void import_a(MatrixView<const T> A, int exponent) override {
    X_ = allocate(this->order(), this->order());
    if (!library_) library_.emplace(this->executor().stream());
    this->for_each(this->order(), this->order(), ScaledMatrix<T>{A, exponent, view(X_, A.rows, A.rows)});
  }

  std::vector<double> eigenvectors() override {
    const Index n = this->order();
    const tangent::Shape shape{n, n, n};
    const std::size_t elements = library_->template work_elements<T>(shape);
    const auto work = this->executor().template allocate<T>(elements);
    const auto lambda = this->executor().template allocate<double>(rows(n));
    library_->template set_work<T>(work.data(), static_cast<Index>(elements), shape);
    if (!library_->template eigenvectors_converge<T>(view(X_, n, n), lambda.data())) return {};
    return this->downloaded(lambda, n);
  }

  void start_v(const std::vector<int>& columns, const std::vector<double>& factors,
               const std::vector<int>& J) override {
    const Index n = this->order(), r = this->rank();
    const auto column = this->uploaded(columns);
    const auto factor = this->uploaded(factors);
    const auto sign = uploaded_signs(J);
    V_ = allocate(r, r), E_ = allocate(r, r), product_ = allocate(r, r);
    this->for_each(n, r, ScaledColumns<T>{view(X_, n, n), column.data(), factor.data(), this->Y()});
    library_->template multiply_adjoint<T>(this->G(), this->Y(), V());
    this->for_each(r, r, SignedRows<T>{V(), sign.data(), 1, V()});
    this->executor().synchronize();  // before the buffers are released
    X_ = {};
  }

  double defect(const std::vector<int>& J, const std::vector<int>& S) override {
    const Index r = this->rank();
    const auto j = uploaded_signs(J), s = uploaded_signs(S);
    const auto largest = this->executor().template allocate<double>(rows(r));
    this->for_each(r, r, SignedRows<T>{V(), j.data(), 1, product()});
    library_->template multiply_adjoint<T>(V(), product(), E());
    this->for_each(r, 1, SubtractSigns<T>{E(), s.data()});
    this->for_each(r, 1, LargestOfColumn<T>{E(), largest.data()});
    double most = 0;
    for (const double x : this->downloaded(largest, r))
      if (!(x <= most)) most = x;
    return most;
  }

  void correct(const std::vector<int>& S) override {
    const Index r = this->rank();
    const auto s = uploaded_signs(S);
    this->for_each(r, r, SignedRows<T>{E(), s.data(), -0.5, E()});
    library_->template multiply<T>(V(), E(), product());
    this->for_each(r, r, AddMatrix<T>{product(), V()});
    this->executor().synchronize();
  }

  void multiply_g() override {
    library_->template multiply<T>(this->G(), V(), this->Y());
    this->executor().synchronize();
    V_ = {}, E_ = {}, product_ = {};
  }

 private:
  static std::size_t rows(Index n) { return static_cast<std::size_t>(n); }
  static MatrixView<T> view(const Buffer<T>& buffer, Index m, Index n) { return {buffer.data(), m, n, m}; }
  Buffer<T> allocate(Index m, Index n) { return this->executor().template allocate<T>(rows(m) * rows(n)); }
  MatrixView<T> V() const { return view(V_, this->rank(), this->rank()); }
  MatrixView<T> E() const { return view(E_, this->rank(), this->rank()); }
  MatrixView<T> product() const { return view(product_, this->rank(), this->rank()); }
  Buffer<double> uploaded_signs(const std::vector<int>& signs) {
    return this->uploaded(std::vector<double>(signs.begin(), signs.end()));
  }

  std::optional<tangent::CudaLibrary> library_;
  Buffer<T> X_, V_, E_, product_;
};

}  // namespace

template <class T>
std::unique_ptr<EighDevice<T>> make_cuda_eigh(Index n, void* workspace, const std::optional<CallerStream>& stream) {
  return std::make_unique<CudaEigh<T>>(n, arena_of(workspace), stream);
}

template <class T>
std::unique_ptr<TwoStageDevice<T>> make_cuda_two_stage(Index n, void* workspace,
                                                       const std::optional<CallerStream>& stream) {
  return std::make_unique<TwoStageMachine<CudaExecutor, T>>(
      n, arena_of(workspace), [](auto& executor) { return two_stage::make_cuda_eigensolver<T>(executor.stream()); },
      stream);
}

template decltype(make_cuda_two_stage<double>) make_cuda_two_stage<double>;
template decltype(make_cuda_two_stage<std::complex<double>>) make_cuda_two_stage<std::complex<double>>;
template std::unique_ptr<EighDevice<double>> make_cuda_eigh(Index, void*, const std::optional<CallerStream>&);
template std::unique_ptr<EighDevice<std::complex<double>>> make_cuda_eigh(Index, void*,
                                                                          const std::optional<CallerStream>&);

}  // namespace pivotlab::jacobi
