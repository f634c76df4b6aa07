// SPDX-License-Identifier: BSD-3-Clause
// The file of a symmetric indefinite factorization (docs/reference/files.md), of a variant or of a baseline.
#include <pivotlab/io.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "generators/io/check.hpp"
#include "generators/io/result_file.hpp"

namespace pivotlab {
namespace {

using Attributes = std::map<std::string, std::string>;

template <class T, class Factors>
void write_factors(const std::filesystem::path& name, const Factors& f, std::string_view solver, Symmetry symmetry,
                   MatrixView<const T> X, const Attributes& attributes) {
  if (f.M.size() == 0) io::fail(name, "M", "it is empty", "give factors of order 1 or more");
  const bool hermitian = symmetry == Symmetry::hermitian;
  io::ResultFile file(name, attributes);
  file("schema", std::string("pivotlab/ldlt/1"));
  file("type", std::string(1, static_cast<char>(scalar_type<T>)));
  file("symmetry", std::string(is_complex<T> && hermitian ? "hermitian" : "symmetric"));
  file("solver", std::string(solver));
  file("n", f.M.rows());
  file("compute_seconds", f.compute_seconds);

  Matrix<T> D(f.M.rows(), 2);
  std::ranges::copy(f.diagonal, D.col(0).begin());
  std::ranges::copy(f.subdiagonal, D.col(1).begin());
  file("M", f.M);
  file("D", D);
  file("permutation", f.permutation);
  if (X.rows > 0 && X.cols > 0) file("X", X);

  constexpr bool of_baseline = std::is_same_v<Factors, LdltBaselineResult<T>>;
  if constexpr (of_baseline) {
    if (f.tridiagonal) file("tridiagonal", 1);
  } else {
    const auto [positive, negative, zero] = f.inertia;
    file("rank", f.rank);
    if (!is_complex<T> || hermitian) file("inertia", fmt::format("{} {} {}", positive, negative, zero));
    file("tolerance", f.tolerance);
    if (!f.refusal.empty()) file("refusal", f.refusal);
  }
  file.callers();
  file.optional("scaling", f.scaling);
  if constexpr (!of_baseline) {
    file.optional("butterfly", f.butterfly);
    file("stages", f.stages);
  }
  file.commit();
}

}  // namespace

template <class T>
void write_ldlt(const std::filesystem::path& file, const LdltFactorization<T>& f,
                MatrixView<const std::type_identity_t<T>> X, const Attributes& attributes) {
  write_factors<T>(file, f, to_string(f.variant), f.symmetry, X, attributes);
}

template <class T>
void write_ldlt(const std::filesystem::path& file, const LdltBaselineResult<T>& f, std::string_view solver,
                Symmetry symmetry, const Attributes& attributes) {
  write_factors<T>(file, f, solver, symmetry, f.X, attributes);
}

using Path = std::filesystem::path;
using Complex = std::complex<double>;
template void write_ldlt(const Path&, const LdltFactorization<double>&, MatrixView<const double>, const Attributes&);
template void write_ldlt(const Path&, const LdltFactorization<Complex>&, MatrixView<const Complex>, const Attributes&);
template void write_ldlt(const Path&, const LdltBaselineResult<double>&, std::string_view, Symmetry, const Attributes&);
template void write_ldlt(const Path&, const LdltBaselineResult<Complex>&, std::string_view, Symmetry,
                         const Attributes&);

}  // namespace pivotlab
