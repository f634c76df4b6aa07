// SPDX-License-Identifier: BSD-3-Clause
// Matrices and pairs in files: HDF5, Matrix Market (plain and gzip), and the raw column-major .Y/.W files of the
// published implementation. Every reader rejects what it cannot use with an InputError that names file, place and
// remedy.
#pragma once

#include <pivotlab/any_matrix.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/eig.hpp>
#include <pivotlab/eigh.hpp>
#include <pivotlab/general.hpp>
#include <pivotlab/ghsvd.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/ldlt.hpp>
#include <pivotlab/pair.hpp>
#include <pivotlab/symmetric.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace pivotlab {

// libhdf5 examines HDF5 files; it crashes on some damaged ones. If the environment variable PIVOTLAB_EXAMINER names the
// program `pivotlab` of this version, that program examines the file in a process of its own (posix_spawn), and a crash
// there gives an InputError here; the program `pivotlab` always does so. Elements are read without libhdf5. Integers
// are read exactly; an integer that no double represents gives an InputError, and so does a matrix that needs more
// memory than is free.

/// Reads a dense matrix. The format is detected from the contents, not from the name: HDF5 ("file.h5:/dataset", or
/// "file.h5" if it contains only one matrix) or Matrix Market, plain or gzip.
AnyMatrix read_matrix(const std::filesystem::path& file);
/// Reads type and shape of the matrix that read_matrix() would return, without its elements. Throws InputError as
/// read_matrix() does, for errors that show in the head of the file.
struct MatrixShape {
  ScalarType type = ScalarType::d;
  Index rows = 0, cols = 0;
};
MatrixShape read_matrix_shape(const std::filesystem::path& file);
/// An open file whose shape can be checked before memory for its elements is allocated.
class MatrixFile {
 public:
  /// Opens a file, named as in read_matrix(). Throws InputError if it cannot be opened.
  explicit MatrixFile(const std::filesystem::path& file);
  ~MatrixFile();
  MatrixShape shape() const;
  /// Reads the elements; may be called once. Throws InputError as read_matrix() does.
  AnyMatrix read();

 private:
  struct Opened;
  std::unique_ptr<Opened> opened_;
};
/// Reads one triangle of a square matrix, packed. Files are named as in read_matrix(); files of write_symmetric() are
/// accepted. The other triangle of an HDF5 file is not read, as far as the file's layout allows, and the whole matrix
/// is never in memory; a Matrix Market file is read completely. The bits are those of pack() of the whole matrix.
/// `symmetry` applies to complex matrices whose file does not state it (read_symmetric_shape()). Throws InputError as
/// read_symmetric() does, except for errors in the other triangle; with InputTriangle::whole it reads both triangles,
/// which must agree.
using AnyTriangle = std::variant<PackedTriangle<double>, PackedTriangle<std::complex<double>>>;
AnyTriangle read_triangle(const std::filesystem::path& file, InputTriangle triangle = InputTriangle::lower,
                          Symmetry symmetry = Symmetry::hermitian);
/// Writes the smallest Matrix Market form that reads back bit for bit: coordinates if fewer than half of the entries
/// are nonzero, the lower triangle if it determines the matrix; gzip if the name ends in .gz.
void write_matrix_market(const std::filesystem::path& file, const AnyMatrix& matrix);

// Every writer leaves the complete new file or the previous one; a full disk or a directory that cannot be written to
// gives an InputError. `attributes` are further attributes of an HDF5 file; InputError for the name of one that the
// writer writes itself.

/// Reads a pair from one HDF5 file: datasets F and G of the matrices' shapes (h5py sees F[i, j] in row i, column j),
/// the exact singular values if known, provenance.
AnyPair read_pair(const std::filesystem::path& file);
struct PairFileOptions {
  int compression = 4;        ///< deflate level 0…9
  bool one_triangle = false;  ///< store only the lower triangle of F, G if Hermitian
};
void write_pair(const std::filesystem::path& file, const AnyPair& pair, const PairFileOptions& options = {},
                const std::map<std::string, std::string>& attributes = {});

/// Writes a symmetric or Hermitian matrix to one HDF5 file: one triangle in dataset A, exact eigenvalues if known,
/// inertia, provenance.
void write_symmetric(const std::filesystem::path& file, const AnySymmetric& matrix,
                     const std::map<std::string, std::string>& attributes = {});
/// Reads a file of write_symmetric(), or any matrix that read_matrix() reads. `symmetry` is the symmetry expected of a
/// complex matrix of the latter kind. Throws InputError if the matrix does not have it, with the largest difference
/// between the triangles and its position.
AnySymmetric read_symmetric(const std::filesystem::path& file, Symmetry symmetry = Symmetry::hermitian);
/// Reads type, symmetry and order of the matrix that read_symmetric() would return, without its elements.
struct SymmetricShape {
  ScalarType type = ScalarType::d;
  Symmetry symmetry = Symmetry::hermitian;
  Index n = 0;
};
SymmetricShape read_symmetric_shape(const std::filesystem::path& file, Symmetry symmetry = Symmetry::hermitian);

/// Writes a general square matrix to one HDF5 file: dataset A, exact eigenvalues if known, provenance.
void write_general(const std::filesystem::path& file, const AnyGeneral& matrix,
                   const std::map<std::string, std::string>& attributes = {});
/// Reads a file of write_general(), or any square matrix that read_matrix() reads.
AnyGeneral read_general(const std::filesystem::path& file);
/// Reads type and shape of the matrix that read_general() would return, without its elements.
MatrixShape read_general_shape(const std::filesystem::path& file);

/// Writes a decomposition to one HDF5 file: U, V, Z, (X), sigma, sigma_f, sigma_g, counters, attributes.
template <class T>
void write_gsvd(const std::filesystem::path& file, const GsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes = {});

/// Writes a symmetric indefinite factorization to one HDF5 file: M, D, permutation, stages, attributes, scaling if the
/// matrix was equilibrated, and X unless it is empty. T is double or std::complex<double>; n ≥ 1.
template <class T>
void write_ldlt(const std::filesystem::path& file, const LdltFactorization<T>& factors,
                MatrixView<const std::type_identity_t<T>> X = {},
                const std::map<std::string, std::string>& attributes = {});

/// Writes the factors of a baseline: M, D, permutation and attributes, among them `solver`, and X unless it is empty. A
/// tridiagonal D has the attribute tridiagonal = 1.
template <class T>
void write_ldlt(const std::filesystem::path& file, const LdltBaselineResult<T>& factors, std::string_view solver,
                Symmetry symmetry, const std::map<std::string, std::string>& attributes = {});

/// Writes an eigendecomposition of a Hermitian matrix to one HDF5 file: eigenvalues, their estimated errors, U unless
/// it is empty, attributes; n ≥ 1. T is double or std::complex<double>.
template <class T>
void write_eigh(const std::filesystem::path& file, const EighResult<T>& result,
                const std::map<std::string, std::string>& attributes = {});

/// Writes a hyperbolic or an ordinary singular value decomposition to one HDF5 file: sigma, J, the estimated errors, U,
/// V unless it is empty, attributes; n ≥ 1. T is double or std::complex<double>.
template <class T>
void write_hsvd(const std::filesystem::path& file, const HsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes = {});

/// Writes a generalized hyperbolic singular value decomposition to one HDF5 file: eigenvalues, J', sigma_f, sigma_g,
/// the estimated errors, U, V, Z, attributes; n ≥ 1. T is double or std::complex<double>.
template <class T>
void write_ghsvd(const std::filesystem::path& file, const GhsvdResult<T>& result,
                 const std::map<std::string, std::string>& attributes = {});

/// Writes an eigendecomposition to one HDF5 file: eigenvalues, those of V, W, conditions, T and E that are not empty,
/// the history of the iteration, attributes; n ≥ 1.
void write_eig(const std::filesystem::path& file, const EigResult<double>& result,
               const std::map<std::string, std::string>& attributes = {});

/// Reads the raw files of the published implementation: <stem>.Y contains F, <stem>.W contains G, column-major, without
/// header, complex numbers as (re, im) pairs. The files do not contain the shape; the caller gives it.
AnyPair read_raw_pair(const std::filesystem::path& stem, ScalarType type, Index m_f, Index m_g, Index n);
void write_raw_pair(const std::filesystem::path& stem, const AnyPair& pair);

}  // namespace pivotlab
