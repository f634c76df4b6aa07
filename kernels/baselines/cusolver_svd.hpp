// Singular value decompositions by cuSOLVER of matrices on the GPU.
#pragma once

#include <kernels/baselines/cusolver.hpp>

namespace pivotlab::baselines {

/// Computes A = U·diag(s)·Wᴴ, thin, by the polar decomposition (xGESVDP); A is overwritten.
template <class T>
class PolarSvd {
 public:
  static constexpr const char* routine = "xGESVDP";

  PolarSvd(MatrixView<T> A, MatrixView<T> U, MatrixView<T> W, double* s) : A_(A), U_(U), W_(W), s_(s) {
    check(cuda::cusolver().gesvdp_buffer_size(gpu().solver, gpu().parameters, CUSOLVER_EIG_MODE_VECTOR, 1, A.rows,
                                              A.cols, type, A.data, A.stride, CUDA_R_64F, s, type, U.data, U.stride,
                                              type, W.data, W.stride, type, &bytes_, &host_bytes_),
          routine);
    work_ = allocate<char>(static_cast<Index>(bytes_));
    host_work_.resize(host_bytes_);
  }

  void compute(int* info) {
    double perturbation = 0;  // of the singular values, if A is singular to working precision; the judge measures the
                              // effect
    check(
        cuda::cusolver().gesvdp(gpu().solver, gpu().parameters, CUSOLVER_EIG_MODE_VECTOR, 1, A_.rows, A_.cols, type,
                                A_.data, A_.stride, CUDA_R_64F, s_, type, U_.data, U_.stride, type, W_.data, W_.stride,
                                type, work_.data(), bytes_, host_work_.data(), host_bytes_, info, &perturbation),
        routine);
  }

 private:
  static constexpr cudaDataType type = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;
  MatrixView<T> A_, U_, W_;
  double* s_;
  std::size_t bytes_ = 0, host_bytes_ = 0;
  Buffer<char> work_;
  std::vector<char> host_work_;
};

/// Computes the same by one-sided Jacobi (xGESVDJ), to its default accuracy.
template <class T>
class JacobiSvd {
 public:
  static constexpr const char* routine = "xGESVDJ";

  JacobiSvd(MatrixView<T> A, MatrixView<T> U, MatrixView<T> W, double* s) : A_(A), U_(U), W_(W), s_(s) {
    check(cuda::cusolver().create_gesvdj_info(&parameters_), "cusolverDnCreateGesvdjInfo");
    length_ = elements(routine, [&](int* length) {
      return choose<T>(cuda::cusolver().dgesvdj_buffer_size, cuda::cusolver().zgesvdj_buffer_size)(
          gpu().solver, CUSOLVER_EIG_MODE_VECTOR, 1, size(A.rows), size(A.cols), raw(A.data), size(A.stride), s,
          raw(U.data), size(U.stride), raw(W.data), size(W.stride), length, parameters_);
    });
    work_ = allocate<T>(length_);
  }
  JacobiSvd(const JacobiSvd&) = delete;
  JacobiSvd& operator=(const JacobiSvd&) = delete;
  ~JacobiSvd() { cuda::cusolver().destroy_gesvdj_info(parameters_); }

  void compute(int* info) {
    check(choose<T>(cuda::cusolver().dgesvdj, cuda::cusolver().zgesvdj)(
              gpu().solver, CUSOLVER_EIG_MODE_VECTOR, 1, size(A_.rows), size(A_.cols), raw(A_.data), size(A_.stride),
              s_, raw(U_.data), size(U_.stride), raw(W_.data), size(W_.stride), raw(work_.data()), length_, info,
              parameters_),
          routine);
  }

 private:
  MatrixView<T> A_, U_, W_;
  double* s_;
  gesvdjInfo_t parameters_ = nullptr;
  int length_ = 0;
  Buffer<T> work_;
};

}  // namespace pivotlab::baselines
