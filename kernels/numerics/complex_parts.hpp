// SPDX-License-Identifier: BSD-3-Clause
// A complex number as two real ones, for loops that must vectorize; the compiler treats std::complex as one object.
#pragma once

#include "kernels/exec/portable.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

template <class R>
class ComplexParts {
 public:
  ComplexParts() = default;
  PIVOTLAB_DEVICE explicit constexpr ComplexParts(R re, R im = R(0)) : re_(re), im_(im) {}
  PIVOTLAB_DEVICE constexpr R real() const { return re_; }
  PIVOTLAB_DEVICE constexpr R imag() const { return im_; }

 private:
  R re_, im_;
};

template <class R>
struct ScalarTraits<ComplexParts<R>> {
  using Real = R;
  static constexpr bool is_complex = true;
};

}  // namespace pivotlab
