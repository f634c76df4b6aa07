// A GSVD as a dictionary of arrays, and names of its variants.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd_any.hpp>

#include "python/src/arrays.hpp"

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

/// Returns the members of a result, which are moved. Matrices that were not computed are None.
template <class T>
nb::dict to_dict(AnyGsvdResult<T> result, const std::string& variant);

/// Returns the result with the members in a dictionary that to_dict() gave, or that a caller has filled with arrays of
/// his own; missing members are empty.
template <class T>
AnyGsvdResult<T> gsvd_result_of(const nb::dict& members);

}  // namespace pivotlab::python
