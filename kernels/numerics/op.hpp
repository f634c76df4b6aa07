#pragma once

namespace pivotlab {

/// What becomes of a factor of a product.
enum class Op { none, transpose, adjoint };

}  // namespace pivotlab
