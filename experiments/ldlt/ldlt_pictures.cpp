// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/ldlt/ldlt_pictures.hpp>
#include <nlohmann/json.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pivotlab::experiments {
namespace {

constexpr int kLevels = 255;      // without zero
constexpr double kNoise = 1e-16;  // of the largest magnitude: rounding errors

/// Returns the first row that is not yet eliminated before a stage.
template <class T>
Index first_row(const LdltFactorization<T>& f, Index stage) {
  require_stages({&stage, 1}, f.order());
  if (stage == f.order()) return stage;
  Index first = 0;
  for (const auto& pivot : f.stages)
    if (pivot.first < stage) first = pivot.first;
  return first;
}

/// M₂₂·D₂₂·M₂₂* of the rows from k on.
template <class T>
Matrix<T> reduced_matrix(const LdltFactorization<T>& f, Index k) {
  const Index n = f.order() - k;
  LdltFactorization<T> trailing;
  trailing.symmetry = f.symmetry;
  trailing.M = Matrix<T>(f.M.view().block(k, k, n, n));
  trailing.diagonal.assign(f.diagonal.begin() + k, f.diagonal.end());
  trailing.subdiagonal.assign(f.subdiagonal.begin() + k, f.subdiagonal.end());
  trailing.permutation.resize(n);
  std::iota(trailing.permutation.begin(), trailing.permutation.end(), Index(0));
  for (auto stage : f.stages)
    if (stage.first >= k) stage.first -= k, trailing.stages.push_back(stage);
  return trailing.reconstruct();
}

/// Returns for each pixel the largest magnitude of its elements.
template <class T>
Matrix<double> shrunk(const Matrix<T>& A, Index pixels) {
  Matrix<double> picture(pixels, pixels);
  const auto pixel = [&](Index i) { return i * pixels / A.rows(); };
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j; i < A.rows(); ++i) {
      double& largest = picture(pixel(i), pixel(j));
      largest = std::max(largest, std::abs(A(i, j)));
    }
  return picture;
}

struct Scale {
  double low = 0, high = 0;

  explicit Scale(std::span<const Matrix<double>> pictures) {
    for (const auto& picture : pictures)
      for (Index i = 0; i < picture.size(); ++i) high = std::max(high, picture.data()[i]);
    low = high;
    for (const auto& picture : pictures)
      for (Index i = 0; i < picture.size(); ++i)
        if (const double x = picture.data()[i]; x > kNoise * high) low = std::min(low, x);
  }

  int level(double x) const {
    if (x == 0) return 0;
    if (x <= low) return 1;
    return 1 + static_cast<int>(std::lround((kLevels - 1) * std::log(x / low) / std::log(high / low)));
  }
};

nlohmann::json rows_of(const Matrix<double>& picture, const Scale& scale) {
  auto rows = nlohmann::json::array();
  for (Index i = 0; i < picture.rows(); ++i) {
    std::string row;
    for (Index j = 0; j <= i; ++j) row += fmt::format("{:02x}", scale.level(picture(i, j)));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

template <class T>
Matrix<T> working_matrix(const LdltFactorization<T>& f, Index stage) {
  const Index n = f.order(), k = first_row(f, stage);
  Matrix<T> A(n, n);
  for (Index j = 0; j < k; ++j) {
    A(j, j) = f.diagonal[j];
    for (Index i = j + 1; i < n; ++i) A(i, j) = f.M(i, j);
    if (f.subdiagonal[j] != T(0)) A(j + 1, j) = f.subdiagonal[j];  // M is zero there
  }
  const Matrix<T> reduced = reduced_matrix(f, k);
  for (Index j = k; j < n; ++j)
    for (Index i = j; i < n; ++i) A(i, j) = reduced(i - k, j - k);
  return A;
}

void require_stages(std::span<const Index> stages, Index n) {
  for (const Index stage : stages)
    if (stage < 1 || stage > n)
      throw InputError(fmt::format("stage {}: the matrix has the stages 1 to {}; choose among these", stage, n));
}

std::vector<Index> usual_stages(Index n) {
  std::vector<Index> stages;
  for (Index k = 0; k < 6; ++k) stages.push_back(1 + (k * (n - 1) + 2) / 5);
  stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
  return stages;
}

template <class T>
nlohmann::json pictures_of(const LdltFactorization<T>& f, std::span<const Index> stages, std::string_view problem,
                           Index most) {
  const Index pixels = std::min(f.order(), most);
  std::vector<Matrix<double>> pictures;
  for (const Index stage : stages) pictures.push_back(shrunk(working_matrix(f, stage), pixels));
  const Scale scale(pictures);
  auto entries = nlohmann::json::array();
  for (std::size_t k = 0; k < pictures.size(); ++k)
    entries.push_back({{"stage", stages[k]}, {"rows", rows_of(pictures[k], scale)}});
  return {{"schema", "pivotlab/stages/1"},
          {"problem", problem},
          {"solver", to_string(f.variant)},
          {"n", f.order()},
          {"pixels", pixels},
          {"low", scale.low},
          {"high", scale.high},
          {"stages", entries}};
}

template Matrix<double> working_matrix(const LdltFactorization<double>&, Index);
template Matrix<std::complex<double>> working_matrix(const LdltFactorization<std::complex<double>>&, Index);
template nlohmann::json pictures_of(const LdltFactorization<double>&, std::span<const Index>, std::string_view, Index);
template nlohmann::json pictures_of(const LdltFactorization<std::complex<double>>&, std::span<const Index>,
                                    std::string_view, Index);

}  // namespace pivotlab::experiments
