// A symmetric indefinite factorization in one HDF5 file.
//
//   /M                        n × n, unit lower triangular
//   /D                        n × 2: the diagonal of D and, in the first row of a 2×2 block, the element below it
//   /permutation              row i of P·A·Pᵀ is row permutation[i] of A, from 0
//   /scaling                  s, if S·A·S was factored, S = diag(2^s): P·S·A·S·Pᵀ = M·D·M*
//   /X                        the solution of A·X = B, if it exists
//   /stages/first, …/size, …/growth   one entry per stage
//   attributes                schema, type, symmetry, solver, n, compute_seconds, and those of the caller; of a variant
//                             rank, tolerance and, of Hermitian matrices, inertia = "positive negative zero"
//
// The file of a baseline has no /stages. If its D is tridiagonal, it has the attribute tridiagonal.
#include <pivotlab/io.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab {
namespace {

using io::hdf5::Place;
using io::hdf5::write_attribute;

void write_stages(hid_t file, const std::filesystem::path& name, const std::vector<LdltStage<double>>& stages) {
  std::vector<std::uint64_t> first, size;
  std::vector<double> growth;
  for (const auto& stage : stages) {
    first.push_back(static_cast<std::uint64_t>(stage.first));
    size.push_back(static_cast<std::uint64_t>(stage.size));
    growth.push_back(stage.growth);
  }
  const auto group = io::hdf5::create_group(file, Place{name, "stages"});
  io::hdf5::write_vector(group, Place{name, "first"}, first);
  io::hdf5::write_vector(group, Place{name, "size"}, size);
  io::hdf5::write_vector(group, Place{name, "growth"}, growth);
}

/// Writes what variants and baselines have: M, D, the permutation, and X if it has elements.
template <class T, class Factors>
void write_factors(hid_t output, const std::filesystem::path& file, const Factors& f, std::string_view solver,
                   Symmetry symmetry, MatrixView<const T> X) {
  const Place root{file, ""};
  const bool hermitian = is_complex<T> && symmetry == Symmetry::hermitian;
  write_attribute(output, root, "schema", std::string("pivotlab/ldlt/1"));
  write_attribute(output, root, "type", std::string(1, static_cast<char>(scalar_type<T>)));
  write_attribute(output, root, "symmetry", std::string(hermitian ? "hermitian" : "symmetric"));
  write_attribute(output, root, "solver", std::string(solver));
  write_attribute(output, root, "n", std::int64_t{f.M.rows()});
  write_attribute(output, root, "compute_seconds", f.compute_seconds);

  Matrix<T> D(f.M.rows(), 2);
  std::ranges::copy(f.diagonal, D.col(0).begin());
  std::ranges::copy(f.subdiagonal, D.col(1).begin());
  io::hdf5::write_matrix(output, Place{file, "/M"}, f.M.view(), {});
  io::hdf5::write_matrix(output, Place{file, "/D"}, std::as_const(D).view(), {});
  const std::vector<std::uint64_t> rows(f.permutation.begin(), f.permutation.end());
  io::hdf5::write_vector(output, Place{file, "/permutation"}, rows);
  if (X.rows > 0 && X.cols > 0) io::hdf5::write_matrix(output, Place{file, "/X"}, X, {});
}

void require_factors(const std::filesystem::path& file, Index order) {
  if (order == 0) io::fail(file, "M", "it is empty", "give factors of order 1 or more");
}

void write_scaling(io::hdf5::NewFile& output, const std::filesystem::path& file, const std::vector<int>& scaling) {
  if (scaling.empty()) return;
  const std::vector<double> exponents(scaling.begin(), scaling.end());
  io::hdf5::write_vector(output, Place{file, "/scaling"}, exponents);
}

}  // namespace

template <class T>
void write_ldlt(const std::filesystem::path& file, const LdltFactorization<T>& f,
                MatrixView<const std::type_identity_t<T>> X, const std::map<std::string, std::string>& attributes) {
  require_factors(file, f.order());
  const io::hdf5::Silence silence;
  const Place root{file, ""};
  io::hdf5::NewFile output(file);
  write_factors<T>(output, file, f, to_string(f.variant), f.symmetry, X);
  write_attribute(output, root, "rank", std::int64_t{f.rank});
  if (!is_complex<T> || f.symmetry == Symmetry::hermitian)
    write_attribute(output, root, "inertia",
                    fmt::format("{} {} {}", f.inertia.positive, f.inertia.negative, f.inertia.zero));
  write_attribute(output, root, "tolerance", f.tolerance);
  io::hdf5::write_attributes(output, root, attributes);
  write_scaling(output, file, f.scaling);
  write_stages(output, file, f.stages);
  output.commit();
}

template <class T>
void write_ldlt(const std::filesystem::path& file, const LdltBaselineResult<T>& f, std::string_view solver,
                Symmetry symmetry, const std::map<std::string, std::string>& attributes) {
  require_factors(file, f.M.rows());
  const io::hdf5::Silence silence;
  const Place root{file, ""};
  io::hdf5::NewFile output(file);
  write_factors<T>(output, file, f, solver, symmetry, f.X);
  if (f.tridiagonal) write_attribute(output, root, "tridiagonal", std::int64_t{1});
  io::hdf5::write_attributes(output, root, attributes);
  write_scaling(output, file, f.scaling);
  output.commit();
}

template void write_ldlt(const std::filesystem::path&, const LdltFactorization<double>&, MatrixView<const double>,
                         const std::map<std::string, std::string>&);
template void write_ldlt(const std::filesystem::path&, const LdltFactorization<std::complex<double>>&,
                         MatrixView<const std::complex<double>>, const std::map<std::string, std::string>&);
template void write_ldlt(const std::filesystem::path&, const LdltBaselineResult<double>&, std::string_view, Symmetry,
                         const std::map<std::string, std::string>&);
template void write_ldlt(const std::filesystem::path&, const LdltBaselineResult<std::complex<double>>&,
                         std::string_view, Symmetry, const std::map<std::string, std::string>&);

}  // namespace pivotlab
