// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/gsvd.hpp>

int main() {
  const auto [type, variant] = pivotlab::parse_gsvd_variant("DHZ3-(MM-FB-ME)");
  return to_string(variant, type) == "DHZ3-(MM-FB-ME)" ? 0 : 1;
}
