// Interface between eigh() and the backends of the Hermitian eigensolver.
#pragma once

#include <pivotlab/eigh.hpp>

#include <vector>

namespace pivotlab::jacobi {

/// A backend computes these of a matrix A = G·J·G* whose largest element is about 1.
template <class T>
struct EighParts {
  HsvdResult<T> hsvd;  ///< of (G, J), r columns; zero columns of U are not yet completed. U is empty if not wanted
  std::vector<RealOf<T>> errors;  ///< length r: effect of the factorization's error on the eigenvalues, relative
  Index rank = 0;                 ///< r
  SpectralReport spectral;
  double factor_seconds = 0, spectral_seconds = 0, sweep_seconds = 0;
  double compute_seconds = 0;  ///< all of it, without copies between host and GPU
};

}  // namespace pivotlab::jacobi
