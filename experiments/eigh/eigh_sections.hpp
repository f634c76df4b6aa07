// The sections of a Hermitian eigendecomposition's record as tables of rows, and the values they are written from.
#pragma once

#include <experiments/engine/section.hpp>
#include <optional>
#include <pivotlab/eigh.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Holds the facts about a matrix that its record states.
struct EighProblemFacts {
  std::string provenance;
  double norm_f = 0;
  std::optional<double> smallest_eigenvalue = {}, largest_eigenvalue = {};  ///< true moduli
};

/// Holds what a record states of a run of a variant.
struct EighConvergence {
  Index rank = 0;
  SpectralReport spectral;
  std::vector<HsvdSweep> sweeps;
  double factor_seconds = 0, spectral_seconds = 0, sweep_seconds = 0;

  template <class T>
  explicit EighConvergence(const EighResult<T>& r)
      : rank(r.rank),
        spectral(r.spectral),
        sweeps(r.sweeps),
        factor_seconds(r.factor_seconds),
        spectral_seconds(r.spectral_seconds),
        sweep_seconds(r.sweep_seconds) {}
};

const Rows<EighProblemFacts>& eigh_problem_rows();
const Rows<EighConvergence>& eigh_convergence_rows();

}  // namespace pivotlab::experiments
