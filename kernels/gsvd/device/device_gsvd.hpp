// The GSVD by the kernels: one source, run by a GPU or emulated on the host, with the same bits.
#pragma once

#include <pivotlab/gsvd.hpp>

namespace pivotlab {

/// On the current GPU. T is double or std::complex<double>. Throws as gsvd() does.
template <class T>
GsvdResult<T> gsvd_on_cuda(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options);

/// The same kernels on the host.
template <class T>
GsvdResult<T> gsvd_emulated(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options);

}  // namespace pivotlab
