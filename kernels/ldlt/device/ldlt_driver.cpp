// SPDX-License-Identifier: BSD-3-Clause
// Host driver of the device factorization: scaling, and the factors in the caller's storage.
#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "kernels/exec/build.hpp"

#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/shared/judge.hpp"
#include "kernels/numerics/first_touch.hpp"

#include <complex>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {
namespace {

using namespace ldlt_detail;

/// Converts stages, interchanges and D.
template <class T>
void take_over(const ldlt_device::Elimination<T>& elimination, LdltFactorization<T>& f) {
  f.compute_seconds = elimination.compute_seconds;
  if (elimination.refused_at >= 0) {
    f.refusal = unusable_pivot_text(elimination.refused_at);
    return;
  }
  for (const ldlt_device::StageRecord& stage : elimination.stages) {
    const double growth = f.largest_element == 0 ? 0 : stage.largest / f.largest_element;
    f.stages.push_back({stage.first, stage.size, growth, 1});
    for (int s = 0; s < stage.size; ++s) {
      const Index row = stage.pivot[s];
      f.interchanges.push_back(s == 0 ? row + 1 : -(row + 1));
      (stage.size == 1 ? f.swaps_1x1 : f.swaps_2x2) += row != stage.first + s;
    }
  }
  for (Index k = elimination.rank; k < std::ssize(elimination.diagonal); ++k) f.interchanges.push_back(k + 1);
  f.growth_of_panels = f.variant.pivoting != Pivoting::complete;
  f.permutation = permutation_of(f.interchanges);
  f.diagonal = elimination.diagonal;
  f.subdiagonal = elimination.subdiagonal;
  f.remainder = elimination.remainder;
}

/// Returns memory for export_m(), with zeros where it leaves them to the caller.
template <class T>
Matrix<T> memory_of_m(Index n) {
  const bool is_whole = static_cast<std::size_t>(n * n) * sizeof(T) < detail::mapped_bytes;
  return is_whole ? Matrix<T>::uninitialized(n, n) : Matrix<T>(n, n);
}

template <class T>
void eliminate_imported(ldlt_device::DeviceFactorizer<T>& factorizer, LdltFactorization<T>& f) {
  take_over(factorizer.eliminate(f.largest_element, f.tolerance), f);
  f.butterfly = butterfly_of<double>(std::ssize(f.diagonal), f.variant);
}

}  // namespace

template <class T>
ldlt_device::FactorizationPlan factorization_plan(Index n, const LdltOptions& options) {
  return {.order = n,
          .hermitian = options.symmetry == Symmetry::hermitian,
          .pivoting = options.variant.pivoting,
          .alpha = options.variant.alpha,
          .butterfly = butterfly_of<double>(n, options.variant)};
}

template <class T>
ldlt_device::ColumnSize largest_of_checked(const std::vector<ldlt_device::ColumnSize>& columns, Symmetry symmetry) {
  const auto fail = [](std::size_t j, const std::string& what) {
    throw InputError("matrix A: column " + std::to_string(j + 1) + " has an element that " + what);
  };
  ldlt_device::ColumnSize largest;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!(columns[j].part <= std::numeric_limits<double>::max()))
      fail(j, "is not finite; remove NaN and Inf from the input");
    largest = better(largest, columns[j]);
  }
  const bool hermitian = is_complex<T> && symmetry == Symmetry::hermitian;
  for (std::size_t j = 0; largest.asymmetry != 0 && j < columns.size(); ++j)
    if (columns[j].asymmetry == largest.asymmetry)
      fail(j, std::string("differs from that across the diagonal by ") + text_of(largest.asymmetry) + ", and " +
                  (hermitian ? "a Hermitian matrix has a real diagonal, and conjugates across it"
                             : "a symmetric matrix has equal ones") +
                  "; correct it, or choose one triangle (lower or upper)");
  return largest;
}

template <class T>
ldlt_device::ColumnSize checked_size(ldlt_device::DeviceFactorizer<T>& factorizer,
                                     const ldlt_device::GivenMatrix<T>& given, Symmetry symmetry) {
  return largest_of_checked<T>(factorizer.measure(given), symmetry);
}

template <class T>
LdltFactorization<T> eliminate_given(ldlt_device::DeviceFactorizer<T>& factorizer,
                                     const ldlt_device::GivenMatrix<T>& given, double modulus, int exponent,
                                     const LdltOptions& options) {
  LdltFactorization<T> f;
  note_size(modulus, exponent, options, f);
  factorizer.import_given(given, exponent);
  eliminate_imported(factorizer, f);
  return f;
}

template <class T>
LdltFactorization<T> factor_given(ldlt_device::DeviceFactorizer<T>& factorizer, MatrixView<const T> A,
                                  const LdltOptions& options) {
  const ldlt_device::GivenMatrix<T> given{A, options.triangle != InputTriangle::upper,
                                          options.triangle != InputTriangle::lower};
  const ldlt_device::ColumnSize size = checked_size(factorizer, given, options.symmetry);
  const int exponent = scaling_exponent(size.modulus);
  LdltFactorization<T> f = eliminate_given(factorizer, given, size.modulus, exponent, options);
  const bool bounded = options.variant.pivoting != Pivoting::partial;
  const double multiplier_bound = bounded ? 2 * options.variant.multiplier_bound() : 0x1p500;
  if (!options.rank_tolerance && may_have_noise(f, multiplier_bound)) {  // the noise test reads M
    f.M = memory_of_m<T>(A.rows);
    f.max_multiplier = factorizer.export_m(f.M.data());
  }
  with_symmetry<T>(options.symmetry, [&](auto hermitian) { judge<hermitian.value>(options, f.norm_inf, f); });
  undo_scaling(exponent, f);
  return f;
}

template <class T>
LdltFactorization<T> complete(ldlt_device::DeviceFactorizer<T>& factorizer, IncompleteFactorization<T> incomplete,
                              const LdltOptions& options) {
  LdltFactorization<T> f = std::move(incomplete.factors);
  if (!f.refusal.empty()) return f;
  const Index n = std::ssize(f.diagonal);
  if (f.M.rows() != n) f.M = memory_of_m<T>(n);
  f.max_multiplier = factorizer.export_m(f.M.data());
  with_symmetry<T>(options.symmetry,
                   [&](auto hermitian) { judge<hermitian.value>(options, incomplete.prepared.norm, f); });
  undo_scaling(incomplete.prepared.exponent, f);
  return f;
}

template <class T>
LdltFactorization<T> factor_triangle(ldlt_device::DeviceFactorizer<T>& factorizer, PackedTriangle<T> A,
                                     const LdltOptions& options) {
  const Index n = A.order();
  IncompleteFactorization<T> incomplete;
  incomplete.prepared = prepare(A, options, incomplete.factors);
  factorizer.import_triangle(A.elements().data(), A.diagonal().data());
  A = PackedTriangle<T>();  // frees its memory
  incomplete.factors.M = memory_of_m<T>(n);
  {
    const FirstTouch touch(options.threads, incomplete.factors.M);
    eliminate_imported(factorizer, incomplete.factors);
  }
  return complete(factorizer, std::move(incomplete), options);
}

template <class T>
LdltFactorization<T> ldlt_emulated(PackedTriangle<T> A, const LdltOptions& options, LaneOrder order,
                                   const ldlt_device::Design& design) {
  ldlt_device::FactorizationPlan plan = factorization_plan<T>(A.order(), options);
  plan.design = design;
  const auto factorizer = ldlt_device::make_emulated_factorizer<T>(plan, order);
  return factor_triangle(*factorizer, std::move(A), options);
}

template <class T>
LdltFactorization<T> ldlt_on_cuda(PackedTriangle<T> A, const LdltOptions& options,
                                  const ldlt_device::Design& design) {
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
  ldlt_device::FactorizationPlan plan = factorization_plan<T>(A.order(), options);
  plan.design = design;
  const auto factorizer = on_cuda<ldlt_device::make_cuda_factorizer<T>>(plan, nullptr, std::nullopt);
  return factor_triangle(*factorizer, std::move(A), options);
}

using Complex = std::complex<double>;
template ldlt_device::FactorizationPlan factorization_plan<double>(Index, const LdltOptions&);
template decltype(largest_of_checked<double>) largest_of_checked<double>;
template decltype(checked_size<double>) checked_size<double>;
template decltype(eliminate_given<double>) eliminate_given<double>;
template decltype(factor_given<double>) factor_given<double>;
template decltype(complete<double>) complete<double>;
template decltype(ldlt_emulated<double>) ldlt_emulated<double>;
template decltype(ldlt_on_cuda<double>) ldlt_on_cuda<double>;
template ldlt_device::FactorizationPlan factorization_plan<Complex>(Index, const LdltOptions&);
template decltype(largest_of_checked<Complex>) largest_of_checked<Complex>;
template decltype(checked_size<Complex>) checked_size<Complex>;
template decltype(eliminate_given<Complex>) eliminate_given<Complex>;
template decltype(factor_given<Complex>) factor_given<Complex>;
template decltype(complete<Complex>) complete<Complex>;
template decltype(ldlt_emulated<Complex>) ldlt_emulated<Complex>;
template decltype(ldlt_on_cuda<Complex>) ldlt_on_cuda<Complex>;

}  // namespace pivotlab
