// A matrix at stages of its symmetric indefinite factorization, as pictures (Figure 3.15).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <pivotlab/ldlt.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// What the method has in memory before a stage, counted by rows from 1, and after the last one for stage = n: M and D
/// of the rows that are done, then the reduced matrix, all rows in their final order; the lower triangle, zeros above.
/// Between the rows of a 2×2 pivot there is no stage: then the one before. The reduced matrix is M₂₂·D₂₂·M₂₂*, the
/// trailing blocks of the factors, which is what was eliminated but for rounding; for factors without rounding errors,
/// as those of Hadamard matrices, to the last bit. Of an equilibrated matrix, it is S·A·S that is eliminated. Throws
/// InputError like require_stages(). T is double or std::complex<double>.
template <class T>
Matrix<T> working_matrix(const LdltFactorization<T>& f, Index stage);

/// Throws InputError unless all are from 1 to n.
void require_stages(std::span<const Index> stages, Index n);

/// Six stages from the first to the last, fewer of small matrices.
std::vector<Index> usual_stages(Index n);

inline constexpr Index most_pixels = 512;

/// {"schema", "problem", "solver", "n", "pixels", "low", "high", "stages": [{"stage", "rows"}]}: magnitudes of the
/// working matrix at each stage. Pixel (i, j) is the largest element of those that fall on it, with at most `most` rows
/// of pixels. A row is a text of two hexadecimal digits a pixel up to the diagonal: 00 is zero, 01 to ff go from `low`
/// to `high` in equal ratios, and what is smaller than low counts as low.
template <class T>
nlohmann::json pictures_of(const LdltFactorization<T>& f, std::span<const Index> stages, std::string_view problem,
                           Index most = most_pixels);

}  // namespace pivotlab::experiments
