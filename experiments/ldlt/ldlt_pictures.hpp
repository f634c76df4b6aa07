// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a matrix at stages of its symmetric indefinite factorization (Figure 3.15).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <pivotlab/ldlt.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// Returns the working matrix before a stage, counted by rows from 1, and after the last one for stage = n: M and D of
/// the eliminated rows, then the reduced matrix, with all rows in their final order; the lower triangle, with zeros
/// above. The second row of a 2×2 pivot is no stage; it gives the stage of the first row. The reduced matrix is
/// computed as M₂₂·D₂₂·M₂₂* from the trailing blocks of the factors and differs from the eliminated one by rounding
/// errors only; it is exact for factors without rounding errors, such as those of Hadamard matrices. For an
/// equilibrated matrix, S·A·S is eliminated. Throws InputError like require_stages(). T is double or
/// std::complex<double>.
template <class T>
Matrix<T> working_matrix(const LdltFactorization<T>& f, Index stage);

/// Throws InputError unless all stages are from 1 to n.
void require_stages(std::span<const Index> stages, Index n);

/// Returns six stages from the first to the last, fewer for small matrices.
std::vector<Index> usual_stages(Index n);

inline constexpr Index most_pixels = 512;

/// {"schema", "problem", "solver", "n", "pixels", "low", "high", "stages": [{"stage", "rows"}]}: magnitudes of the
/// working matrix at each stage. Pixel (i, j) is the largest of its elements; there are at most `most` rows of pixels.
/// A row is a text of two hexadecimal digits a pixel up to the diagonal: 00 is zero, 01 to ff go from `low` to `high`
/// in equal ratios, and smaller magnitudes than `low` count as `low`.
template <class T>
nlohmann::json pictures_of(const LdltFactorization<T>& f, std::span<const Index> stages, std::string_view problem,
                           Index most = most_pixels);

}  // namespace pivotlab::experiments
