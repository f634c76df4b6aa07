// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace pivotlab {

/// Says how a product takes its factor A: as A, Aᵀ or Aᴴ.
enum class Op { none, transpose, adjoint };

}  // namespace pivotlab
