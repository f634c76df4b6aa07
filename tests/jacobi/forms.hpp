// SPDX-License-Identifier: BSD-3-Clause
// Forms of the hyperbolic SVD that the kernels for GPUs have: every width and every option.
#pragma once

#include <pivotlab/jacobi_variant.hpp>
#include <pivotlab/scalar_traits.hpp>

#include <vector>

namespace pivotlab::test {

template <class T>
std::vector<const char*> kernel_forms() {
  std::vector<const char*> forms{"HSVD-ME-BO;w=16", "HSVD-ME-FB;w=32", "HSVD-MM-FB;w=16;fix",
                                 "HSVD-RR-BO;w=32;factor=qr", "HSVD-MM-BO;w=32;fix"};
  if (!is_complex<T>)
    for (const char* form : {"HSVD-ME-BO;w=64", "HSVD-RR-BO;w=64;fix"}) forms.push_back(form);
  return forms;
}

/// Returns enough columns for two tiles and a part of a third.
inline int columns_of_two_tiles(const char* form) {
  return 2 * parse_hsvd_variant(form).width + 6;
}

}  // namespace pivotlab::test
