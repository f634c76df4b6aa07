// SPDX-License-Identifier: BSD-3-Clause
// Settings of Eigen: single-threaded inside our own parallel loops, with blocking that does not depend on the machine,
// so that a product has the same bits everywhere. The build defines EIGEN_DONT_PARALLELIZE.
#pragma once

#include <Eigen/Dense>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

template <>
struct Eigen::NumTraits<pivotlab::Quad> : GenericNumTraits<pivotlab::Quad> {
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 4,
    MulCost = 8
  };
};

namespace pivotlab {

template <class T>
using EigenMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using EigenView = Eigen::Map<EigenMatrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <class T>
using EigenConstView = Eigen::Map<const EigenMatrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;

template <class T>
EigenView<T> as_eigen(MatrixView<T> A) {
  return {A.data, A.rows, A.cols, Eigen::OuterStride<>(A.stride)};
}
template <class T>
EigenConstView<T> as_eigen(MatrixView<const T> A) {
  return {A.data, A.rows, A.cols, Eigen::OuterStride<>(A.stride)};
}

/// Sets the cache sizes that determine Eigen's blocking, and with it the order of summation. Call it once before the
/// first product.
inline void fix_eigen_blocking() {
  static const bool done = (Eigen::setCpuCacheSizes(32 * 1024, 512 * 1024, 8 * 1024 * 1024), true);
  (void)done;
}

}  // namespace pivotlab
