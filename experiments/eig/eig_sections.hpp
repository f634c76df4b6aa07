// The sections of an eigendecomposition's record as tables of rows, and the values they are written from.
#pragma once

#include <complex>
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/engine/section.hpp>
#include <optional>
#include <pivotlab/eig.hpp>
#include <span>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Eigenvalues in six digits, for plots.
struct PlottedEigenvalues {
  std::vector<double> re, im;
};

inline constexpr std::size_t most_plotted = 1024;

/// Rounds the eigenvalues; returns nothing for none and for more than most_plotted.
std::optional<PlottedEigenvalues> plotted(std::span<const std::complex<double>> eigenvalues);

/// Holds the facts about a matrix of order n that its record states.
struct EigProblemFacts {
  std::string provenance;
  double norm_f = 0;
  bool truth = false;
  std::optional<PlottedEigenvalues> eigenvalues;
};

const Rows<EigProblemFacts>& eig_problem_rows();
const Rows<EigResult<double>>& eig_convergence_rows();
const Rows<std::optional<PlottedEigenvalues>>& eig_solution_rows();

}  // namespace pivotlab::experiments
