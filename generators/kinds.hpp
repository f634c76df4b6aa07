// SPDX-License-Identifier: BSD-3-Clause
// The kinds of pairs, one function each: problem with all its options → pair.
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

/// Makes well-conditioned B and C with rows or columns scaled from 1e-g to 1e+g, without sigma. T is double or complex.
template <class T>
Pair<T> make_graded_pair(const Problem& problem);

/// Makes the same B and C, or their elements in a sparse pattern, with rows and columns scaled independently of each
/// other, without sigma.
template <class T>
Pair<T> make_two_sided_pair(const Problem& problem);

template <class T>
Pair<T> make_hilbert_pair(const Problem& problem);
template <class T>
Pair<T> make_identity_pair(const Problem& problem);
template <class T>
Pair<T> make_random_pair(const Problem& problem);
/// Makes one of DLATB9's types for LAPACK's tests of the GSVD.
template <class T>
Pair<T> make_lapack_pair(const Problem& problem);
/// Makes integer matrices of exactly known ranks: G of rank l, [F; G] of rank k + l.
template <class T>
Pair<T> make_ranks_pair(const Problem& problem);
/// Makes an integral equation of the first kind with a difference operator that is not bordered.
template <class T>
Pair<T> make_integral_pair(const Problem& problem);
/// Makes waves with close frequencies, an overcomplete basis, as G, and a random combination of its rows as F.
template <class T>
Pair<T> make_wave_pair(const Problem& problem);
/// Makes columns of F that are nearly neutral for J with the second half of its signs negative: f*Jf is about gap·‖f‖².
template <class T>
Pair<T> make_neutral_pair(const Problem& problem);
/// Makes columns of a random pair.
template <class T>
Pair<T> make_random_columns(const Problem& problem, const std::vector<Index>& columns);

}  // namespace pivotlab
