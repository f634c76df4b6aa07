#include <kernels/ldlt/shared/judge.hpp>
#include <kernels/numerics/zeros.hpp>
#include <kernels/peers/blas_threads.hpp>
#include <kernels/peers/cusolver_ldlt.hpp>
#include <kernels/peers/ldlt_peer.hpp>
#include <kernels/peers/peer_table.hpp>

namespace pivotlab {
namespace {

using peers::LdltPeer;

constexpr std::string_view on_gpu = "Bunch-Kaufman pivoting on the GPU";

/// The baselines of both libraries. cuSOLVER's is listed in every build; it throws NotSupported where it cannot run.
/// There is none for Hermitian matrices.
template <class T>
std::vector<LdltPeer<T>> make_peers(Symmetry symmetry) {
  std::vector<LdltPeer<T>> all;
  std::ranges::copy_if(peers::lapack_ldlt_peers<T>(), std::back_inserter(all),
                       [&](const LdltPeer<T>& peer) { return peer.symmetry == symmetry; });
  if (symmetry == Symmetry::symmetric)
    all.push_back({is_complex<T> ? "cusolver:zsytrf" : "cusolver:dsytrf", on_gpu, symmetry, peers::cusolver_sytrf<T>});
  return all;
}

/// Returns the symmetry; real Hermitian matrices are symmetric.
template <class T>
const std::vector<LdltPeer<T>>& all_peers(Symmetry symmetry) {
  static const std::vector<LdltPeer<T>> symmetric = make_peers<T>(Symmetry::symmetric),
                                        hermitian = make_peers<T>(Symmetry::hermitian);
  return is_complex<T> && symmetry == Symmetry::hermitian ? hermitian : symmetric;
}

template <class T>
std::string_view problems(Symmetry symmetry) {
  if (!is_complex<T>) return "real symmetric matrices";
  return symmetry == Symmetry::hermitian ? "Hermitian matrices" : "complex symmetric matrices";
}

/// Returns the lower triangle with zeros above; A is checked with the rules and messages of the solver.
template <class T>
Matrix<T> lower_triangle(MatrixView<const T> A, Symmetry symmetry) {
  ldlt_detail::require_square(A);
  Matrix<T> lower = zeros<T>(A.rows, A.cols);
  ldlt_detail::FullTriangle<T> triangle(lower);
  ldlt_detail::with_symmetry<T>(
      symmetry, [&](auto hermitian) { ldlt_detail::load<hermitian.value>(A, InputTriangle::whole, triangle, 0); });
  return lower;
}

}  // namespace

std::vector<PeerInfo> list_ldlt_peers(ScalarType type, Symmetry symmetry) {
  return type == ScalarType::d ? peers::list(all_peers<double>(symmetry))
                               : peers::list(all_peers<std::complex<double>>(symmetry));
}

template <class T>
LdltPeerResult<T> factor_with_peer(std::string_view name, MatrixView<const T> A, MatrixView<const T> B,
                                   Symmetry symmetry, int threads) {
  const LdltPeer<T>& peer = peers::find_peer(name, all_peers<T>(symmetry), problems<T>(symmetry));
  Matrix<T> lower = lower_triangle(A, symmetry);
  if (B.rows != A.rows)
    throw InputError(
        fmt::format("right-hand sides: they have {} rows and A has {}; the numbers must agree", B.rows, A.rows));
  const peers::BlasThreads scope(threads);
  LdltPeerResult<T> result;
  if (A.rows == 0)
    result.X = Matrix<T>(0, B.cols);
  else
    peer.factor(std::move(lower), B, result);
  return result;
}

template LdltPeerResult<double> factor_with_peer(std::string_view, MatrixView<const double>, MatrixView<const double>,
                                                 Symmetry, int);
template LdltPeerResult<std::complex<double>> factor_with_peer(std::string_view, MatrixView<const std::complex<double>>,
                                                               MatrixView<const std::complex<double>>, Symmetry, int);

}  // namespace pivotlab
