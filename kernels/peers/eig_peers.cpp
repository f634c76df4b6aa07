#include <kernels/eig/shared/decomposition.hpp>
#include <kernels/peers/blas_threads.hpp>
#include <kernels/peers/cusolver_eig.hpp>
#include <kernels/peers/eig_peer.hpp>
#include <kernels/peers/peer_table.hpp>

namespace pivotlab {
namespace {

using peers::EigPeer;
using Complex = std::complex<double>;

constexpr std::string_view on_gpu = "the same on the GPU, right eigenvectors only";

/// The baselines of both libraries. cuSOLVER's is listed in every build; it throws NotSupported where it cannot run.
template <class T>
const std::vector<EigPeer<T>>& all_peers() {
  static const std::vector<EigPeer<T>> all = [] {
    const auto lapack = peers::lapack_eig_peers<T>();
    std::vector<EigPeer<T>> peers(lapack.begin(), lapack.end());
    peers.push_back({is_complex<T> ? "cusolver:zgeev" : "cusolver:dgeev", on_gpu, peers::cusolver_geev<T>});
    return peers;
  }();
  return all;
}

Matrix<Complex> permuted(const Matrix<Complex>& X, const std::vector<Index>& order) {
  Matrix<Complex> result(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) std::ranges::copy(X.col(order[j]), result.col(j).begin());
  return result;
}

/// Sorts the result in the order of eig().
void complete(EigResult<double>& result) {
  std::vector<Complex> values;
  result.positions = eig_detail::descending(result.eigenvalues);
  for (const Index k : result.positions) values.push_back(result.eigenvalues[k]);
  result.eigenvalues = std::move(values);
  result.V = permuted(result.V, result.positions);
  result.W = permuted(result.W, result.positions);
  result.positions.clear();
  result.status = Status::passed;
}

}  // namespace

std::vector<PeerInfo> list_eig_peers(ScalarType type) {
  return type == ScalarType::d ? peers::list(all_peers<double>()) : peers::list(all_peers<Complex>());
}

template <class T>
EigResult<double> solve_eig_with_peer(std::string_view name, MatrixView<const T> A, bool left, int threads) {
  const EigPeer<T>& peer = peers::find_peer(name, all_peers<T>(), is_complex<T> ? "complex matrices" : "real matrices");
  eig_detail::require_square_and_finite(A);
  const peers::BlasThreads scope(threads);
  EigResult<double> result;
  if (A.rows == 0 || peer.solve(Matrix<T>(A), left, result)) {
    complete(result);
    return result;
  }
  EigResult<double> nothing;
  nothing.compute_seconds = result.compute_seconds;
  nothing.status = Status::not_converged;
  nothing.message = "the QR algorithm does not converge";
  return nothing;
}

template EigResult<double> solve_eig_with_peer(std::string_view, MatrixView<const double>, bool, int);
template EigResult<double> solve_eig_with_peer(std::string_view, MatrixView<const Complex>, bool, int);

}  // namespace pivotlab
