// SPDX-License-Identifier: BSD-3-Clause
// Generators of test pairs, symmetric and general matrices in quadruple precision, rounded once.
//
// A generator has a name: a kind and options, in the syntax of variants' names:
//
//   paper                          section 5.1.2: real F = UΣ_F·X, G = VΣ_G·X; complex Hermitian positive definite
//   paper;cond_x=1e6;form=usx      also complex pairs as the real ones, with known σ; condition of X
//   graded;g=12;side=left          (D·B, C), D from 1e-g to 1e+g; on=g: (B, D·C); on=both, permute=f, …
//   equidistant;nullity=3          symmetric, eigenvalues equidistant in [−n, n−1], three of them zero
//   similarity;kappa=1e6           general, S·Λ·S⁻¹ with κ₂(S) = 1e6
//   …                              list_pair_generators(), list_symmetric_generators(), list_general_generators()
#pragma once

#include <pivotlab/any_matrix.hpp>
#include <pivotlab/general.hpp>
#include <pivotlab/pair.hpp>
#include <pivotlab/symmetric.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {

struct PairRequest {
  std::string generator = "paper";  ///< name with options, see above
  ScalarType type = ScalarType::d;
  Index n = 0, m_f = 0, m_g = 0;  ///< m = 0 means n
  std::uint64_t seed = 1;
  int threads = 0;    ///< 0: OpenMP's choice; does not change a bit
  bool sigma = true;  ///< whether the pair has its sigma, which takes a while for some kinds
};

/// Generates a pair. If the pair is made from its decomposition, sigma belongs to the unrounded pair; with
/// truth=rounded, and for other kinds, sigma belongs to exactly the double matrices, up to n = 64 (for larger n it
/// stays empty): k infinite values, then l finite ones, k + l being the rank of [F; G]. Throws InputError for an
/// unknown kind or option (with the nearest), n < 1, and m < n for kinds that are not of any shape.
AnyPair generate_pair(const PairRequest& request);

struct GeneratorInfo {
  std::string name, summary;
  struct Option {
    std::string name, default_value, summary;
  };
  std::vector<Option> options;
  bool any_shape = false;  ///< of pairs: there may be fewer rows than columns
};
std::vector<GeneratorInfo> list_pair_generators();

/// Returns the canonical form of a pair generator's name: options sorted, defaults omitted. Throws InputError for an
/// unknown kind or option.
std::string canonical_generator(std::string_view name);

/// Patterns of generate_signs(): every third sign is −1, from the first on; independent random signs; the second half
/// is −1; all are +1.
inline constexpr std::array<std::string_view, 4> sign_patterns{"third", "random", "halves", "positive"};

/// Generates m signs ±1, the diagonal of a J. The seed matters for `random` only. Throws InputError for another
/// pattern.
std::vector<int> generate_signs(std::string_view pattern, Index m, std::uint64_t seed);

struct SymmetricRequest {
  std::string generator = "equidistant";
  ScalarType type = ScalarType::d;
  Symmetry symmetry = Symmetry::hermitian;  ///< symmetry of complex matrices
  Index n = 0;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: OpenMP's choice; does not change a bit
};

/// Generates a symmetric or Hermitian matrix of order n ≥ 0. Throws InputError for an unknown kind or option (with the
/// nearest), n < 0, an order that the kind does not have, and a complex symmetric matrix of a kind that prescribes
/// eigenvalues.
AnySymmetric generate_symmetric(const SymmetricRequest& request);
std::vector<GeneratorInfo> list_symmetric_generators();
std::string canonical_symmetric_generator(std::string_view name);

struct GeneralRequest {
  std::string generator = "random";
  ScalarType type = ScalarType::z;
  Index n = 0;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: OpenMP's choice; does not change a bit
};

/// Generates a square matrix of order n ≥ 0. Kinds that prescribe eigenvalues give those; for other kinds they are
/// computed up to n = 128, with truth=computed up to n = 1024. Eigenvalues of real matrices are conjugate pairs. Throws
/// InputError for an unknown kind or option (with the nearest), n < 0, and an order that is too large for
/// truth=computed.
AnyGeneral generate_general(const GeneralRequest& request);
std::vector<GeneratorInfo> list_general_generators();
std::string canonical_general_generator(std::string_view name);

struct RectangularRequest {
  std::string generator = "random";
  ScalarType type = ScalarType::d;
  Index n = 0, m = 0;  ///< m = 0 means n
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: OpenMP's choice; does not change a bit
};

/// Generates a matrix of m ≥ n ≥ 0 rows. Throws InputError for an unknown kind or option (with the nearest), n < 0 and
/// m < n.
AnyMatrix generate_rectangular(const RectangularRequest& request);
std::vector<GeneratorInfo> list_rectangular_generators();
std::string canonical_rectangular_generator(std::string_view name);

/// Computes the eigenvalues of exactly this matrix (n × n, finite), in order of descending modulus, by Hessenberg form
/// and the QR algorithm: in 100 digits up to n = 32, in double-double above, where an error is about 1e-31·‖A‖ times
/// the eigenvalue's condition number. T is double or std::complex<double>. Time: about 40 s on one core for a complex
/// matrix of n = 512, proportional to n³.
template <class T>
std::vector<std::complex<Quad>> extended_eigenvalues(MatrixView<const T> A, int threads = 0);

/// Returns the n × n identity (order 0) or a matrix of first or second differences, for regularization pairs (F, L):
/// rows of (−1, 1) or (1, −2, 1), bordered to full column rank by rows of the identity, the last one and for order 2
/// also the first one.
Matrix<double> difference_operator(Index n, int order);

}  // namespace pivotlab
