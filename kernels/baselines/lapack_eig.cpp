// The eigendecomposition by LAPACK.
#include <kernels/baselines/eig_baseline.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>
#include <support/timer.hpp>

#include <array>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;
using lapack::Padded;

/// Calls `routine`, xGEEV or xGEEVX, with one of the forms of eigenvalues.
template <class T, class Routine>
bool solve(MatrixView<const T> given, bool left, EigResult<double>& result, Routine routine) {
  const Index order = given.rows;
  Padded<T> A(given), V(order, order), W(order, left ? order : 0);
  std::vector<T> w(static_cast<std::size_t>(order)), imaginary(w);
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    if constexpr (is_complex<T>)
      info = routine(A.view(), W.view(), V.view(), w.data());
    else
      info = routine(A.view(), W.view(), V.view(), w.data(), imaginary.data());
  }
  const auto unpacked = [&](const Padded<T>& X) {
    if constexpr (is_complex<T>)
      return X.compact();
    else
      return unpacked_vectors(X.compact(), result.eigenvalues);
  };
  if constexpr (is_complex<T>)
    result.eigenvalues = std::move(w);
  else
    for (std::size_t k = 0; k < w.size(); ++k) result.eigenvalues.emplace_back(w[k], imaginary[k]);
  result.V = unpacked(V);
  if (left) result.W = unpacked(W);
  return info == 0;
}

template <class T>
bool geev(MatrixView<const T> A, bool left, EigResult<double>& result) {
  return solve(A, left, result, [](auto... arguments) { return lapack::geev(arguments...); });
}
template <class T>
bool geevx(MatrixView<const T> A, bool left, EigResult<double>& result) {
  return solve(A, left, result, [](auto... arguments) { return lapack::geevx(arguments...); });
}

constexpr std::string_view about = "Hessenberg form, QR algorithm, eigenvectors of the Schur form";
constexpr std::string_view without_balancing = "As xGEEV, without balancing";
constexpr std::array<EigBaseline<double>, 2> real_eig_baselines{
    {{"lapack:dgeev", about, geev}, {"lapack:dgeevx", without_balancing, geevx}}};
constexpr std::array<EigBaseline<Complex>, 2> complex_eig_baselines{
    {{"lapack:zgeev", about, geev}, {"lapack:zgeevx", without_balancing, geevx}}};

}  // namespace

template <>
std::span<const EigBaseline<double>> lapack_eig_baselines() {
  return real_eig_baselines;
}
template <>
std::span<const EigBaseline<Complex>> lapack_eig_baselines() {
  return complex_eig_baselines;
}

}  // namespace pivotlab::baselines
