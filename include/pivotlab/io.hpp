// Matrices and pairs in files: HDF5, Matrix Market (plain and gzip), and the raw column-major .Y/.W files of the
// published implementation. Every reader rejects what it cannot use with an InputError that names file, place and
// remedy.
#pragma once

#include <pivotlab/eig.hpp>
#include <pivotlab/general.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/ldlt.hpp>
#include <pivotlab/pair.hpp>
#include <pivotlab/symmetric.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

namespace pivotlab {

using AnyMatrix = std::variant<Matrix<double>, Matrix<std::complex<double>>>;

// HDF5 files are examined by libhdf5, which crashes on some damaged ones. Where the environment variable
// PIVOTLAB_EXAMINER names the program `pivotlab` of this version, that program does it in a process of its own
// (posix_spawn), and a crash there is an InputError here; the program itself always does so. Elements are read without
// libhdf5. Integers are read exactly; one that no double holds is an InputError. So is a matrix that needs more memory
// than is free.

/// Reads a dense matrix by what the file is, not by its name: HDF5 ("file.h5:/dataset", or "file.h5" if it has one
/// matrix only) or Matrix Market, plain or gzip.
AnyMatrix read_matrix(const std::filesystem::path& file);
/// What read_matrix() would give, found without reading the elements. Throws InputError as that does for what the
/// head of the file tells.
struct MatrixShape {
  ScalarType type = ScalarType::d;
  Index rows = 0, cols = 0;
};
MatrixShape read_matrix_shape(const std::filesystem::path& file);
/// Both in one: a file whose shape can be judged before anything of its size is allocated.
class MatrixFile {
 public:
  /// Names as in read_matrix(). Throws InputError if it cannot be opened.
  explicit MatrixFile(const std::filesystem::path& file);
  ~MatrixFile();
  MatrixShape shape() const;
  /// To be called once. Throws InputError as read_matrix() does.
  AnyMatrix read();

 private:
  struct Opened;
  std::unique_ptr<Opened> opened_;
};
/// One triangle of a square matrix, packed; names of files as in read_matrix(), and what write_symmetric() wrote. Of an
/// HDF5 file the other triangle is not read, as far as the file's layout allows, and a whole matrix is never in memory;
/// a Matrix Market file is read as a whole. The bits are those of pack() of the whole matrix. `symmetry`, of a
/// complex matrix, counts unless the file tells (read_symmetric_shape()). Throws InputError as read_symmetric() does,
/// but for what is in the other triangle; with InputTriangle::whole, it reads both, which must agree.
using AnyTriangle = std::variant<PackedTriangle<double>, PackedTriangle<std::complex<double>>>;
AnyTriangle read_triangle(const std::filesystem::path& file, InputTriangle triangle = InputTriangle::lower,
                          Symmetry symmetry = Symmetry::hermitian);
/// Writes the smallest form that reads back bit for bit: coordinates if fewer than half of the entries are nonzero, the
/// lower triangle if it determines the matrix; gzip if the name ends in .gz.
void write_matrix_market(const std::filesystem::path& file, const AnyMatrix& matrix);

// Every writer leaves the whole file or what was there before; a full disk or a directory that cannot be written to is
// an InputError.

/// A pair in one HDF5 file: datasets F and G of the matrices' shapes (h5py sees F[i, j] in row i, column j), the truth
/// as exact as it is, provenance.
AnyPair read_pair(const std::filesystem::path& file);
struct PairFileOptions {
  int compression = 4;        ///< deflate level 0…9
  bool one_triangle = false;  ///< store only the lower triangle of each of F and G that is Hermitian
};
void write_pair(const std::filesystem::path& file, const AnyPair& pair, const PairFileOptions& options = {});

/// A symmetric or Hermitian matrix in one HDF5 file: one triangle in dataset A, eigenvalues as exact as they are,
/// inertia, provenance.
void write_symmetric(const std::filesystem::path& file, const AnySymmetric& matrix);
/// Reads such a file, or any matrix as read_matrix() does. `symmetry`: what a complex matrix of the latter claims to
/// be. Throws InputError if it is not, telling how far the triangles are apart and where most.
AnySymmetric read_symmetric(const std::filesystem::path& file, Symmetry symmetry = Symmetry::hermitian);
/// What read_symmetric() would give, likewise without the elements.
struct SymmetricShape {
  ScalarType type = ScalarType::d;
  Symmetry symmetry = Symmetry::hermitian;
  Index n = 0;
};
SymmetricShape read_symmetric_shape(const std::filesystem::path& file, Symmetry symmetry = Symmetry::hermitian);

/// A general square matrix in one HDF5 file: dataset A, eigenvalues as exact as they are, provenance.
void write_general(const std::filesystem::path& file, const AnyGeneral& matrix);
/// Reads such a file, or any square matrix as read_matrix() does.
AnyGeneral read_general(const std::filesystem::path& file);
/// What read_general() would give, likewise without the elements.
MatrixShape read_general_shape(const std::filesystem::path& file);

/// A decomposition in one HDF5 file: U, V, Z, (X), sigma, sigma_f, sigma_g, counters, attributes.
template <class T>
void write_gsvd(const std::filesystem::path& file, const GsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes = {});

/// A symmetric indefinite factorization in one HDF5 file: M, D, permutation, stages, attributes, scaling if the matrix
/// was equilibrated, and X unless it is empty. T is double or std::complex<double>; n ≥ 1.
template <class T>
void write_ldlt(const std::filesystem::path& file, const LdltFactorization<T>& factors,
                MatrixView<const std::type_identity_t<T>> X = {},
                const std::map<std::string, std::string>& attributes = {});

/// An eigendecomposition in one HDF5 file: eigenvalues, what there is of V, W, conditions, T and E, the history of the
/// iteration, attributes; n ≥ 1.
void write_eig(const std::filesystem::path& file, const EigResult<double>& result,
               const std::map<std::string, std::string>& attributes = {});

/// The raw files of the published implementation: <stem>.Y holds F, <stem>.W holds G, column-major, no header,
/// complex numbers as (re, im) pairs. The shape is not in the file and must be given.
AnyPair read_raw_pair(const std::filesystem::path& stem, ScalarType type, Index m_f, Index m_g, Index n);
void write_raw_pair(const std::filesystem::path& stem, const AnyPair& pair);

}  // namespace pivotlab
