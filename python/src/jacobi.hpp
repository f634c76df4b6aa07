// Hermitian eigendecompositions and hyperbolic singular value decompositions as dictionaries of arrays.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <pivotlab/eigh.hpp>
#include <pivotlab/ghsvd.hpp>
#include <pivotlab/jacobi.hpp>

#include <string>
#include <utility>
#include <vector>

#include "python/src/arrays.hpp"

namespace pivotlab::python {

nb::list list_of(const std::vector<HsvdSweep>& sweeps);

/// Return the members of a result, of a matrix of the host or of a GPU, that are no matrices.
template <class Result>
nb::dict values_of_svd(Result& result, const std::string& variant) {
  const bool none = result.estimate.empty() && !result.sigma.empty();
  nb::dict d;
  d["status"] = std::string(to_string(result.status));
  d["message"] = result.message;
  d["variant"] = variant;
  d["sigma"] = to_numpy(std::move(result.sigma));
  d["J"] = to_numpy(std::vector<Index>(result.J.begin(), result.J.end()));
  d["estimate"] = none ? nb::none() : to_numpy(std::move(result.estimate));
  d["sweeps"] = list_of(result.sweeps);
  d["compute_seconds"] = result.compute_seconds;
  return d;
}
nb::dict dict_of(const SpectralReport& report);
template <class Result>
nb::dict values_of_eigh(Result& result, const std::string& variant) {
  nb::dict d;
  d["status"] = std::string(to_string(result.status));
  d["message"] = result.message;
  d["variant"] = variant;
  d["eigenvalues"] = to_numpy(std::move(result.eigenvalues));
  d["estimate"] = result.estimate.empty() ? nb::none() : to_numpy(std::move(result.estimate));
  d["inertia"] = nb::make_tuple(result.inertia.positive, result.inertia.negative, result.inertia.zero);
  d["rank"] = result.rank;
  d["spectral"] = dict_of(result.spectral);
  d["sweeps"] = list_of(result.sweeps);
  d["factor_seconds"] = result.factor_seconds;
  d["spectral_seconds"] = result.spectral_seconds;
  d["sweep_seconds"] = result.sweep_seconds;
  d["compute_seconds"] = result.compute_seconds;
  return d;
}
nb::dict values_of_ghsvd(GhsvdValues<double>& result, const std::string& variant);

/// Returns the diagonal of J as int.
std::vector<int> signs_of(const InVector<Index>& J);

/// Return the result with the members in a dictionary that a solver gave, or that a caller has filled with arrays of
/// his own; missing members are empty. Sweeps have no values, only their number.
template <class T>
EighResult<T> eigh_result_of(const nb::dict& members);
template <class T>
HsvdResult<T> hsvd_result_of(const nb::dict& members);
template <class T>
GhsvdResult<T> ghsvd_result_of(const nb::dict& members);

}  // namespace pivotlab::python
