// The names of symmetries.
#pragma once

#include <pivotlab/error.hpp>
#include <pivotlab/symmetric.hpp>

#include <string>

namespace pivotlab::python {

inline Symmetry symmetry_of(const std::string& name) {
  if (name == "hermitian") return Symmetry::hermitian;
  if (name == "symmetric") return Symmetry::symmetric;
  throw InputError("symmetry: unknown '" + name + "'; one of hermitian, symmetric is expected");
}
inline const char* name_of(Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? "hermitian" : "symmetric";
}

}  // namespace pivotlab::python
