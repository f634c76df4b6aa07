// SPDX-License-Identifier: BSD-3-Clause
// Generalized singular values of a pair of doubles, to all the digits of Quad.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <vector>

namespace pivotlab {

/// The largest n for which the truth is computed without being asked for, and on request. It takes
/// about 5·n³ operations of 0.4 µs.
inline constexpr Index usual_truth_order = 64, max_truth_order = 256;

/// Computes σ of exactly these matrices F (m_F × n) and G (m_G × n), in 200 decimal digits: first k infinite ones, then
/// l = rank G in descending order, k + l being the rank of [F; G]. Pivoted Cholesky of GᴴG gives R and the null space
/// of G; without the image of that space under F, the singular values of F·R⁻¹ are the finite σ. It shares no code and
/// no precision with the solvers that it judges. T is double, Quad or complex. Throws InputError for n >
/// max_truth_order.
template <class T>
std::vector<Quad> exact_generalized_singular_values(const Matrix<T>& F, const Matrix<T>& G, int threads = 0);

}  // namespace pivotlab
