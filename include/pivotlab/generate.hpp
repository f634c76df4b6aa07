// Test pairs, symmetric and general matrices, made in quadruple precision and rounded once.
//
// Each has a name: a kind and options, composable, the same dialect as the variants':
//
//   paper                          section 5.1.2: real F = UΣ_F·X, G = VΣ_G·X; complex Hermitian positive definite
//   paper;cond_x=1e6;form=usx      also complex pairs as the real ones, with known σ; condition of X
//   graded;g=12;side=left          (D·B, C), D from 1e-g to 1e+g; on=g: (B, D·C); on=both, permute=f, …
//   equidistant;nullity=3          symmetric, eigenvalues equidistant in [−n, n−1], three of them zero
//   similarity;kappa=1e6           general, S·Λ·S⁻¹ with κ₂(S) = 1e6
//   …                              list_pair_generators(), list_symmetric_generators(), list_general_generators()
#pragma once

#include <pivotlab/general.hpp>
#include <pivotlab/pair.hpp>
#include <pivotlab/symmetric.hpp>

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
  int threads = 0;  ///< never changes a bit
};

/// The σ that come with a pair made from its decomposition are those of the unrounded pair; truth=rounded, and the
/// kinds not made so, give those of exactly the double matrices, up to n = 64 (above, σ stays empty). Throws InputError
/// for an unknown kind or option (naming the nearest), m < n or n < 1.
AnyPair generate_pair(const PairRequest& request);

struct GeneratorInfo {
  std::string name, summary;
  struct Option {
    std::string name, default_value, summary;
  };
  std::vector<Option> options;
};
std::vector<GeneratorInfo> list_pair_generators();

/// The canonical form of a pair generator's name: options sorted, defaults left out.
std::string canonical_generator(std::string_view name);

struct SymmetricRequest {
  std::string generator = "equidistant";
  ScalarType type = ScalarType::d;
  Symmetry symmetry = Symmetry::hermitian;  ///< of complex matrices
  Index n = 0;
  std::uint64_t seed = 1;
  int threads = 0;  ///< never changes a bit
};

/// A symmetric or Hermitian matrix of order n ≥ 0. Throws InputError for an unknown kind or option (naming the
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
  int threads = 0;  ///< never changes a bit
};

/// A square matrix of order n ≥ 0. Kinds that prescribe eigenvalues give those; of the others they are computed up to
/// n = 128, with truth=computed up to n = 1024. Eigenvalues of real matrices come in conjugate pairs. Throws InputError
/// for an unknown kind or option (naming the nearest), n < 0, and an order too large for what is asked.
AnyGeneral generate_general(const GeneralRequest& request);
std::vector<GeneratorInfo> list_general_generators();
std::string canonical_general_generator(std::string_view name);

/// The eigenvalues of exactly this matrix (n × n, finite), by descending modulus, through Hessenberg form and the QR
/// algorithm in 100 digits up to n = 32 and in double-double above, where an error is about 1e-31·‖A‖ times the
/// eigenvalue's condition number. T is double or std::complex<double>. Takes about 40 s of one core for a complex
/// matrix of n = 512, and n³ times as much.
template <class T>
std::vector<std::complex<Quad>> extended_eigenvalues(MatrixView<const T> A, int threads = 0);

/// The n × n identity (order 0), first or second differences, for regularization pairs (F, L): rows of
/// (−1, 1) or (1, −2, 1), bordered to full column rank by rows of the identity, the last and for order 2 also the
/// first.
Matrix<double> difference_operator(Index n, int order);

}  // namespace pivotlab
