// SPDX-License-Identifier: BSD-3-Clause
// DeviceJudge over any machine of kernels/extended: errors by exact products with proved bounds, and by products in
// double-double where such a bound is not small enough.
#pragma once

#include "kernels/extended/lu.hpp"
#include "kernels/verification/device/exact_errors.hpp"
#include "kernels/verification/device/gsvd_judge.hpp"
#include "kernels/verification/device/measuring.hpp"
#include "kernels/verification/device/rq.hpp"
#include "kernels/verification/device/spectral_norm.hpp"
#include "kernels/verification/norms.hpp"
#include "support/timer.hpp"

#include <future>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <tuple>
#include <utility>

namespace pivotlab::experiments {

template <class Machine, class Integers, class T>
class DeviceMeasure final : public DeviceJudge<T> {
  using E = device::Extended<T>;
  template <class S>
  using OnDevice = extended::DeviceMatrix<S>;
  template <class S>
  using Factor = extended::Factor<S>;

  /// X = C·Z⁻¹ = Z'⁻¹·S and the unitary Q that makes it triangular.
  struct Inverse {
    OnDevice<T> Q;
    std::vector<double> row_norms;  ///< of X
    OnDevice<T> triangle;           ///< X·Q in double, unless X is given
    double error = 0;               ///< of X by the triangle, as error_of_x
    std::optional<OnDevice<E>> X = {};
  };
  struct UploadedZ {
    OnDevice<T> Z;       ///< Z'
    Buffer<int> common;  ///< s
    const std::vector<int>& host_common;
  };
  struct UploadedSide {
    OnDevice<T> A, U;  ///< as given
  };

  // Errors of a GSVD in double are about 2⁻⁵² of the numbers that are subtracted.
  static constexpr int error_bits = 89;      ///< bits of products; 37 remain for an error
  static constexpr int unitarity_bits = 72;  ///< 20 remain, for errors that are compared with a threshold
  static constexpr double largest_error_of_x = 1e-7;

 public:
  /// Constructs the machines from `parameters`.
  template <class... Parameters>
  explicit DeviceMeasure(const Parameters&... parameters) : machine_(parameters...), copies_(parameters...) {}

  GsvdMeasurements measure(const GivenSide<T>& f, const GivenSide<T>& g, const GivenZ<T>& Z) override {
    return measure(f, &g, Z);
  }
  GsvdMeasurements measure(const GivenSide<T>& side, const GivenZ<T>& Z) override { return measure(side, nullptr, Z); }

  double condition_number(MatrixView<const T> host_A) override {
    const OnDevice<T> A = timed("upload", [&] { return normalized(host_A); });
    std::optional<OnDevice<E>> inverse = invert(A);
    if (!inverse) return std::numeric_limits<double>::infinity();
    const OnDevice<T> X = machine_.template matrix<T>(A.rows(), A.cols());
    machine_.for_each(A.rows(), A.cols(), extended::Round<T>{*inverse, X});
    inverse.reset();
    return timed("Lanczos", [&] { return device::spectral_norm(machine_, A) * device::spectral_norm(machine_, X); });
  }

  const std::vector<Phase>& phases() const override { return phases_; }

 private:
  GsvdMeasurements measure(const GivenSide<T>& f, const GivenSide<T>* g, const GivenZ<T>& given_z) {
    const UploadedZ Z = timed("upload", [&] { return upload(given_z); });
    auto uploads = std::async(std::launch::async, [&] {  // while Z is factored
      std::vector<UploadedSide> sides;
      for (const GivenSide<T>* side : {&f, g})
        if (side != nullptr) sides.push_back({copies_.upload(side->A), copies_.upload(side->U)});
      return sides;
    });
    std::optional<Inverse> inverse = timed("inverse by QR", [&] { return invert_by_qr(Z); });
    std::vector<UploadedSide> sides = timed("upload", [&] { return uploads.get(); });
    if (!inverse) inverse = invert_extended(Z);
    GsvdMeasurements measurements{measure_side(f, sides[0], Z, inverse), {}, {}};
    sides[0] = {};
    if (g != nullptr) measurements.g = measure_side(*g, sides[1], Z, inverse);
    if (inverse) {
      measurements.unitarity_1 =
          timed("QᴴQ", [&] { return norm_1(gram_error(inverse->Q, nullptr, unitarity_bits).R); });
      measurements.x_norms = std::move(inverse->row_norms), measurements.error_of_x = inverse->error;
    }
    return measurements;
  }

  /// Returns the result of `work` and adds its seconds to the phase.
  template <class Work>
  auto timed(const char* name, Work&& work) {
    const Timer timer;
    const double flops = machine_.flops();
    auto result = work();
    machine_.executor.synchronize();
    auto phase = std::find_if(phases_.begin(), phases_.end(), [&](const Phase& p) { return p.name == name; });
    if (phase == phases_.end()) phase = phases_.insert(phase, Phase{name});
    phase->seconds += timer.seconds();
    phase->flops += machine_.flops() - flops;
    return result;
  }

  // ---- Upload ----

  UploadedZ upload(const GivenZ<T>& given) {
    UploadedZ uploaded{machine_.upload(given.Z), machine_.upload(given.common), given.common};
    if (given.exponents.empty()) return uploaded;
    const OnDevice<T>& Z = uploaded.Z;
    const Buffer<int> exponents = machine_.upload(given.exponents);
    machine_.for_each(Z.rows(), Z.cols(),
                      device::ScaleRowsUnscaleColumns<T>{uploaded.common.data(), exponents.data(), Z});
    return uploaded;
  }
  /// Uploads A divided by the power of two nearest to its largest element, so that no square overflows.
  OnDevice<T> normalized(MatrixView<const T> host_A) {
    OnDevice<T> A = machine_.upload(host_A);
    const int exponent = device::exponent_of(largest_component<double>(column_maxima(A)));
    machine_.for_each(A.rows(), A.cols(), device::ScaleMatrix<T>{A, -exponent});
    return A;
  }

  // ---- Norms ----

  std::vector<double> column_maxima(const OnDevice<T>& A) {
    return machine_.vector_of(A.cols(), [&](double* result) {
      machine_.reduce_columns(A.rows(), A.cols(), device::LargestOfColumns<T>{A, result});
    });
  }
  std::vector<double> column_norms(const OnDevice<T>& A) { return Exact(machine_, proof_moduli).column_norms(A); }
  double frobenius_norm(const OnDevice<T>& A) { return norm<double>(column_norms(A)); }

  /// Returns Σ_i weight_i·|a_ij|, without weights Σ_i |a_ij|.
  std::vector<double> column_sums(const OnDevice<T>& A, const std::vector<double>& weights) {
    const Buffer<double> weight = machine_.upload(weights);
    return machine_.vector_of(A.cols(), [&](double* result) {
      machine_.reduce_columns(A.rows(), A.cols(),
                              device::WeightedColumns<T>{A, weights.empty() ? nullptr : weight.data(), result});
    });
  }
  double norm_1(const OnDevice<T>& A) { return largest_component<double>(column_sums(A, {})); }

  // ---- The inverse ----

  /// Returns how many rows or columns of a triangle are computed at once.
  static Index rows_at_once(Index n) { return std::max<Index>(n / 8, 16); }

  /// Computes X = S⁻¹·Qᴴ for Z·C⁻¹ = Q·S in double; returns nothing if that is not known to be accurate.
  std::optional<Inverse> invert_by_qr(const UploadedZ& z) {
    const Index n = z.Z.rows();
    OnDevice<T> Q = machine_.template matrix<T>(n, n), inverse = machine_.template zeros<T>(n, n);
    const OnDevice<T> S = machine_.template matrix<T>(n, n);
    machine_.for_each(n, n, device::ScaledRows<T>{z.Z, z.common.data(), Q});
    machine_.qr(Q.view(), S.view());
    invert_upper(S, inverse, rows_at_once(n));
    const double error = error_of_inverse(z, inverse, Q);
    if (!(error <= largest_error_of_x)) return std::nullopt;
    std::vector<double> norms = device::row_norms(machine_, inverse);
    return Inverse{std::move(Q), std::move(norms), std::move(inverse), error};
  }

  /// Computes X := S⁻¹ of an upper triangle, for an X that is zero: halves of more than `most` rows by products.
  void invert_upper(MatrixView<T> S, MatrixView<T> X, Index most) {
    const Index n = S.rows, h = n / 2, k = n - h;
    if (n <= most) {
      machine_.for_each(n, n, SetIdentity<T>{X});
      return machine_.solve_upper(S, X);
    }
    invert_upper(S.block(0, 0, h, h), X.block(0, 0, h, h), most);
    invert_upper(S.block(h, h, k, k), X.block(h, h, k, k), most);
    const OnDevice<T> product = machine_.template matrix<T>(h, k);
    machine_.gemm(false, X.block(0, 0, h, h), false, S.block(0, h, h, k), product.view());
    machine_.subtract_product(product, X.block(h, h, k, k), X.block(0, h, h, k));
  }

  /// Estimates ‖E‖_F, E = Z·C⁻¹·X − I for X = R·Qᴴ, as the largest ‖E·w‖ for a few vectors w of random signs:
  /// ‖E·w‖² has the mean ‖E‖_F².
  double error_of_inverse(const UploadedZ& z, const OnDevice<T>& R, const OnDevice<T>& Q) {
    constexpr Index probes = 8;
    const Index n = R.rows();
    Matrix<T> signs(n, probes);
    std::mt19937_64 generator(1);
    for (Index i = 0; i < signs.size(); ++i) signs.data()[i] = T(generator() >> 63 ? 1.0 : -1.0);
    const OnDevice<T> w = machine_.upload(signs), of_q = machine_.template matrix<T>(n, probes);
    for (Index p = 0; p < probes; ++p)
      machine_.reduce_columns(n, n, device::AdjointTimesVector<T>{Q, w.data() + p * n, of_q.data() + p * n});
    const Matrix<T> z_x = machine_.download(multiply_in_double(z.Z, multiply_in_double(R, of_q)));
    double largest = 0;
    for (Index p = 0; p < probes; ++p) {
      double squares = 0;
      for (Index i = 0; i < n; ++i)
        squares += std::norm(times_power_of_two(z_x(i, p), -z.host_common[i]) - signs(i, p));
      raise_to(largest, std::sqrt(squares));
    }
    return largest;
  }

  /// Computes X in extended precision and Q from it; returns nothing if Z is singular.
  std::optional<Inverse> invert_extended(const UploadedZ& z) {
    std::optional<OnDevice<E>> X = invert(z.Z);
    if (!X) return std::nullopt;
    machine_.for_each(X->rows(), X->cols(), device::ScaleColumns<E>{z.common.data(), *X});
    OnDevice<T> Q = timed("Q of X = R·Qᴴ", [&] { return device::rq_unitary_factor<T>(machine_, *X); });
    std::vector<double> norms = device::row_norms(machine_, *X);
    return Inverse{std::move(Q), std::move(norms), {}, 0, std::move(X)};
  }

  /// Computes Z⁻¹ after scaling of the rows; returns nothing if Z is singular.
  std::optional<OnDevice<E>> invert(const OnDevice<T>& Z) {
    const Index n = Z.rows();
    const Buffer<int> exponents = machine_.executor.template allocate<int>(static_cast<std::size_t>(n));
    const OnDevice<T> scaled = machine_.template matrix<T>(n, n);
    machine_.for_each(n, 1, device::ExponentsOfRows<T>{Z, exponents.data()});
    machine_.for_each(n, n, device::ScaledRows<T>{Z, exponents.data(), scaled});
    std::optional<OnDevice<E>> X = timed("inverse by series", [&] { return invert_by_series(scaled); });
    if (!X) X = timed("inverse by LU", [&] { return invert_by_lu(scaled); });
    if (X) machine_.for_each(n, n, device::UnscaleColumns<E>{exponents.data(), *X});
    return X;
  }

  /// Computes A⁻¹ = X·(I + R + R² + …), which holds for any X and R = I − A·X; powers below 1e-20 are left out. With X
  /// from LU in double and R in extended precision the series is such a small correction that double suffices for it:
  /// errors of the result are about 1e-19 of the size of its rows. Returns nothing if A is too ill-conditioned (κ above
  /// about 1e10).
  std::optional<OnDevice<E>> invert_by_series(const OnDevice<T>& A) {
    constexpr double largest_error = 1e-5, negligible = 1e-20;  // of its powers
    const Index n = A.rows();
    const OnDevice<T> X = invert_in_double(A), R = error_of_inverse(A, X);
    const double size = frobenius_norm(R);
    if (!(size <= largest_error)) return std::nullopt;
    OnDevice<T> series = machine_.template matrix<T>(n, n);
    machine_.for_each(n, n, device::Assign<T>{R, series});
    for (double power = size * size; power > negligible; power *= size) {
      series = multiply_in_double(R, series);
      machine_.for_each(n, n, device::Add<T>{R, series});
    }
    OnDevice<E> result = machine_.template matrix<E>(n, n);
    machine_.for_each(n, n, device::ExtendedSum<T>{X, multiply_in_double(X, series), result});
    return result;
  }

  /// Computes I − A·X.
  OnDevice<T> error_of_inverse(const OnDevice<T>& A, const OnDevice<T>& X) {
    OnDevice<T> R = Exact(machine_, exact::most_moduli).identity_error(A, X).R;
    machine_.for_each(R.rows(), R.cols(), device::Negate<T>{R});
    return R;
  }

  OnDevice<T> invert_in_double(const OnDevice<T>& A) {
    const Index n = A.rows();
    OnDevice<T> X = machine_.template matrix<T>(n, n);
    const OnDevice<T> lu = machine_.template matrix<T>(n, n);
    machine_.for_each(n, n, SetIdentity<T>{X});
    machine_.for_each(n, n, device::Assign<T>{A, lu});
    machine_.solve(lu.view(), X.view());
    return X;
  }

  /// Computes the inverse by LU with complete pivoting.
  std::optional<OnDevice<E>> invert_by_lu(const OnDevice<T>& A) {
    OnDevice<E> extended_a = machine_.template matrix<E>(A.rows(), A.cols());
    machine_.for_each(A.rows(), A.cols(), extended::Extend<T>{A, extended_a});
    const extended::DeviceLU<E> lu = extended::lu_complete(machine_, std::move(extended_a));
    if (lu.rank < A.rows()) return std::nullopt;
    return extended::inverse(product_, lu);
  }

  // ---- Errors ----

  /// An error, and a bound of what its norm lacks if it is by an exact product.
  struct Error {
    OnDevice<T> R;
    std::vector<double> norms, bounds = {};  ///< of the columns
    int moduli = 0;
  };
  using Exact = ExactErrors<Machine, Integers, T>;

  /// Returns the error by exact products with the first number of moduli for which every column is known to three
  /// digits, or to 2⁻⁶⁵ of its unit; another one if there is none.
  template <class ByExactProducts, class InDoubleDouble>
  Error settled(const std::vector<double>& units, ByExactProducts&& exact, InDoubleDouble&& in_double_double) {
    Error result;
    for (const int moduli : {proof_moduli, exact::most_moduli}) {
      result = {};
      auto [R, bounds] = exact(Exact(machine_, moduli));
      result = {std::move(R), {}, std::move(bounds), moduli};
      result.norms = column_norms(result.R);
      bool is_settled = true;
      for (std::size_t j = 0; j < result.norms.size(); ++j)
        is_settled &= result.bounds[j] <= std::max(1e-3 * result.norms[j], 0x1p-65 * units[j]);
      if (is_settled) return result;
    }
    in_double_double(result.R);
    result.norms = column_norms(result.R), result.bounds.clear();
    return result;
  }

  Error gram_error(const OnDevice<T>& U, const double* sigma, int bits) {
    const std::vector<double> units(U.cols(), 1.0);
    const auto exact = [&](Exact&& errors) { return errors.gram_error(U, sigma); };
    return settled(units, exact, [&](const OnDevice<T>& error) {
      const OnDevice<E> gram = machine_.template matrix<E>(U.cols(), U.cols());
      product_.template gram<E, T>(U, gram, bits);
      machine_.for_each(error.rows(), error.cols(), device::GramError<T>{gram, sigma, error});
    });
  }

  Error error_with_z(const OnDevice<T>& A, const OnDevice<T>& U, const OnDevice<T>& Z, const double* sigma,
                     const std::vector<double>& weights) {
    const auto exact = [&](Exact&& errors) { return errors.residual(A, false, Z, U, sigma); };
    return settled(weights, exact, [&](const OnDevice<T>& error) {
      const OnDevice<E> AZ = product_.template multiply<E>(Factor<T>(A), Factor<T>(Z), error_bits);
      machine_.for_each(error.rows(), error.cols(), device::ErrorWithZ<T>{AZ, U, sigma, error});
    });
  }

  Error error_with_x(const OnDevice<T>& A, const OnDevice<T>& U, const OnDevice<E>& X, const double* sigma) {
    const OnDevice<E> SX = machine_.template matrix<E>(X.rows(), X.cols());
    machine_.for_each(X.rows(), X.cols(), device::ScaleRows<T>{X, sigma, SX});
    const auto exact = [&](Exact&& errors) { return errors.difference_from(A, U, SX); };
    return settled(column_norms(A), exact, [&](const OnDevice<T>& error) {
      const OnDevice<E> USX = product_.template multiply<E>(Factor<T>(U), Factor<E>(SX), error_bits);
      machine_.for_each(error.rows(), error.cols(), device::Difference<T>{A, USX, error});
    });
  }

  /// Computes a product in double, for products that cancel no more than sums with random signs, and for nonnegative
  /// ones.
  template <class S>
  OnDevice<S> multiply_in_double(const OnDevice<S>& A, const OnDevice<S>& B) {
    OnDevice<S> AB = machine_.template matrix<S>(A.rows(), B.cols());
    machine_.gemm(false, A, false, B, AB.view());
    return AB;
  }

  /// Computes A·R in double for an R that is zero below the diagonal.
  OnDevice<T> multiply_by_upper(const OnDevice<T>& A, const OnDevice<T>& R) {
    OnDevice<T> AR = machine_.template matrix<T>(A.rows(), R.cols());
    const Index block = rows_at_once(R.cols());
    for (Index j = 0; j < R.cols(); j += block) {
      const Index cols = std::min(block, R.cols() - j), inner = j + cols;
      machine_.gemm(false, A.view().block(0, 0, A.rows(), inner), false, R.view().block(0, j, inner, cols),
                    AR.view().block(0, j, A.rows(), cols));
    }
    return AR;
  }

  /// Returns |u_j|ᵀ|A||z_j| or, if u_j = 0, ‖|A||z_j|‖, up to 2⁻⁸ too small. The factors are scaled to the range of
  /// single precision: columns of |A| are divided by their largest elements, and columns of |Z| by their sums after
  /// these elements have multiplied its rows.
  std::vector<double> reach(const OnDevice<T>& A, const OnDevice<T>& U, const OnDevice<T>& Z) {
    const std::vector<double> maxima = column_maxima(A);
    const Buffer<double> largest = machine_.upload(maxima), sums = machine_.upload(column_sums(Z, maxima));
    const OnDevice<float> of_a = machine_.template matrix<float>(A.rows(), A.cols()),
                          of_z = machine_.template matrix<float>(Z.rows(), Z.cols()),
                          AZ = machine_.template matrix<float>(A.rows(), Z.cols());
    machine_.for_each(A.rows(), A.cols(), device::RelativeModuli<T>{A, largest.data(), of_a});
    machine_.for_each(Z.rows(), Z.cols(), device::SharesOfColumns<T>{Z, largest.data(), sums.data(), of_z});
    machine_.multiply_roughly(of_a, of_z, AZ);
    return machine_.vector_of(Z.cols(), [&](double* result) {
      machine_.reduce_columns(A.rows(), Z.cols(), device::Reach<T>{U, AZ, sums.data(), result});
    });
  }

  SideMeasurements measure_side(const GivenSide<T>& side, const UploadedSide& uploaded, const UploadedZ& z,
                                const std::optional<Inverse>& inverse) {
    const OnDevice<T>&Z = z.Z, &A = uploaded.A, &U = uploaded.U;
    const Buffer<int> exponents = machine_.upload(side.exponents);
    if (!side.exponents.empty()) machine_.for_each(A.rows(), A.cols(), device::UnscaleColumns<T>{exponents.data(), A});
    const Buffer<double> sigma = machine_.upload(side.sigma);
    const std::vector<double> norms = timed("norms", [&] { return column_norms(A); });
    SideMeasurements result;
    result.norm_of_a = norm<double>(scaled(norms, z.host_common));
    result.norm_1_of_a = largest_component<double>(scaled(column_sums(A, {}), z.host_common));
    result.weights = timed("norms", [&] { return column_sums(Z, norms); });
    result.reach = timed("|A||Z|", [&] { return reach(A, U, Z); });
    Error with_z = timed("A·Z − U·Σ", [&] { return error_with_z(A, U, Z, sigma.data(), result.weights); });
    result.errors = std::move(with_z.norms);
    bool needs_x = inverse && inverse->X;
    if (inverse && !needs_x) {  // A − U·Σ·X = (A·Z − U·Σ)·X
      std::tie(result.error_with_x, result.rotated_error_1) = timed("(A·Z − U·Σ)·X·Q", [&] {
        const OnDevice<T> product = multiply_by_upper(with_z.R, inverse->triangle);
        return std::pair(frobenius_norm(product), norm_1(product));
      });
      const double bound =
          std::transform_reduce(with_z.bounds.begin(), with_z.bounds.end(), inverse->row_norms.begin(), 0.0);
      needs_x = !(bound <= std::max(1e-3 * result.error_with_x, 0x1p-65 * result.norm_of_a));
    }
    with_z.R = {};
    {
      const Error error = timed("UᴴU − I", [&] { return gram_error(U, sigma.data(), error_bits); });
      result.orthogonality = norm<double>(error.norms);
      result.orthogonality_1 = norm_1(error.R);
      if (with_z.bounds.size() == error.bounds.size() && !error.bounds.empty()) {
        result.error_bounds = std::move(with_z.bounds), result.orthogonality_bound = norm<double>(error.bounds);
        result.moduli = std::max(with_z.moduli, error.moduli);
      }
    }
    if (needs_x) {
      const std::optional<Inverse> own = inverse->X ? std::nullopt : invert_extended(z);
      if (inverse->X || own) {
        const Inverse& extended = own ? *own : *inverse;
        machine_.for_each(A.rows(), A.cols(), device::ScaleColumns<T>{z.common.data(), A});
        const Error error = timed("A − U·Σ·X", [&] { return error_with_x(A, U, *extended.X, sigma.data()); });
        result.error_with_x = norm<double>(error.norms);
        result.rotated_error_1 =
            timed("(A − U·Σ·X)·Q", [&] { return norm_1(multiply_in_double(error.R, extended.Q)); });
      }
    }
    return result;
  }

  Machine machine_, copies_;
  extended::ExtendedProduct<Machine> product_{machine_};
  std::vector<Phase> phases_;
};

}  // namespace pivotlab::experiments
