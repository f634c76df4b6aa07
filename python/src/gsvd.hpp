// SPDX-License-Identifier: BSD-3-Clause
// Names of variants of the GSVD.
#pragma once

#include <pivotlab/error.hpp>
#include <pivotlab/gsvd_any.hpp>

#include <string>

namespace pivotlab::python {

/// Parses the name with the letter of the scalar in place of '?'. Throws InputError for a variant of the other type.
template <class T, class Parse>
auto variant_of(std::string name, Parse parse) {
  if (name.starts_with('?')) name[0] = is_complex<T> ? 'Z' : 'D';
  const auto named = parse(name);
  if (named.type != scalar_type<T>)
    throw InputError("variant: " + name + " is not for " + (is_complex<T> ? "complex" : "real") + " matrices; take " +
                     to_string(named.variant, scalar_type<T>));
  return named.variant;
}

/// Returns whether a name is that of a tangent variant: "DGT-…", "?GT-…".
inline bool is_tangent(const std::string& name) {
  return name.size() > 2 && (name[1] == 'G' || name[1] == 'g') && (name[2] == 'T' || name[2] == 't');
}

}  // namespace pivotlab::python
