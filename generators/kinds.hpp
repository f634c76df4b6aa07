// SPDX-License-Identifier: BSD-3-Clause
// The kinds of pairs: rows beside the functions that make them from a problem with all its options.
#pragma once

#include <cstdint>
#include <generators/device_pair.hpp>
#include <generators/name.hpp>
#include <generators/rounded.hpp>
#include <pivotlab/pair.hpp>

namespace pivotlab {

struct Problem {
  Index n, m_f, m_g;  // ≥ 1; m_f, m_g ≥ n but for kinds of any shape
  std::uint64_t seed;
  int threads;
  OptionValues options;
};

enum class Truth { as_built, of_the_doubles };  // meaning of truth=auto for a kind

struct PairKind {
  std::string name, summary;
  Truth truth;
  std::vector<GeneratorOption> options;
  Pair<double> (*make_real)(const Problem&);
  Pair<std::complex<double>> (*make_complex)(const Problem&);
  bool any_shape = false;  ///< whether there may be fewer rows than columns
};

/// The option `truth` of all kinds.
const GeneratorOption& sigma_option();

std::vector<PairKind> paper_pair_kinds();
std::vector<PairKind> graded_pair_kinds();
std::vector<PairKind> classic_pair_kinds();
std::vector<PairKind> any_pair_kinds();
std::vector<PairKind> signed_pair_kinds();

/// Rounds a pair from quadruple precision, once.
template <class T>
Pair<T> rounded(const Pair<Rebind<T, Quad>>& exact) {
  return {rounded<T>(exact.F), rounded<T>(exact.G), exact.sigma, exact.provenance};
}

/// Makes F = UΣ_F·X, G = VΣ_G·X, or both Hermitian positive definite (form=hpd, then without sigma), before rounding. T
/// is Quad or std::complex<Quad>.
template <class T>
Pair<T> make_paper_pair(const Problem& problem);

/// Makes the same pair on a GPU, rounded. T is double or std::complex<double>.
template <class T>
Pair<T> make_paper_pair(const Problem& problem, DevicePairAlgebra<T>& algebra);

/// Makes columns of a random pair.
template <class T>
Pair<T> make_random_columns(const Problem& problem, const std::vector<Index>& columns);

}  // namespace pivotlab
