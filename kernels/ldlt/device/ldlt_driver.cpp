// SPDX-License-Identifier: BSD-3-Clause
// Host driver of the device factorization: scaling, and the factors in the caller's storage.
#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "kernels/exec/build.hpp"

#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/shared/judge.hpp"
#include "kernels/numerics/first_touch.hpp"

#include <complex>
#include <new>
#include <optional>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <utility>

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

/// Returns a function that computes the propagated errors for ρ; M is in device memory.
template <class T>
auto propagated_by(ldlt_device::DeviceTriangle<T>& M) {
  return [&M](const std::vector<double>& rho) {
    return propagated_errors<T>(rho, [&M](std::vector<T>& first, std::vector<T>& second) { M.solve(first, second); });
  };
}

/// Leaves the noise test out of judge() where no pivot is noise or doubtful; M is in device memory, where that is known
/// soonest.
template <class T>
void leave_out_noise_test(ldlt_device::DeviceFactorizer<T>& factorizer, const LdltFactorization<T>& f,
                          double largest_multiplier, LdltOptions& options) {
  if (!options.rank_tolerance && is_free_of_noise(f, largest_multiplier, propagated_by(factorizer.matrix())))
    options.rank_tolerance = 0;
}

/// Returns why the factors of an elimination without a search do not suffice (refusal_of()); M is in device memory.
template <class T>
std::string refusal_of_eliminated(ldlt_device::DeviceTriangle<T>& M, const LdltFactorization<T>& f, double norm) {
  std::vector<double> pivots;
  for (const T& pivot : f.diagonal) pivots.push_back(modulus(pivot));
  return refusal_of(f, norm, M.squares_of_rows(pivots), propagated_by(M));
}

/// A packed triangle or a view of a matrix of the host, for factor_source().
template <class T>
Index order_of(const PackedTriangle<T>& A) {
  return A.order();
}
template <class T>
Index order_of(MatrixView<const T> A) {
  return A.rows;
}
template <class T>
void import_to(ldlt_device::DeviceTriangle<T>& matrix, const PackedTriangle<T>& A, const LdltOptions&) {
  matrix.import_packed(A.elements().data(), A.diagonal().data());
}
template <class T>
void import_to(ldlt_device::DeviceTriangle<T>& matrix, MatrixView<const T> A, const LdltOptions& options) {
  if (!matrix.import_dense({A, options.triangle != InputTriangle::upper, options.triangle != InputTriangle::lower}))
    pack<T>(A, options.triangle, options.symmetry);  // its error names the element
}

}  // namespace

namespace ldlt_detail {

/// A triangle in device memory as a storage for prepare(), and where it came from.
template <class T, class Given>
struct ImportedStorage {
  ldlt_device::DeviceTriangle<T>& matrix;
  const Given& given;

  Index order() const { return order_of(given); }
};

/// A view has been checked by import_to().
template <class T, class Given>
void require_finite(const ImportedStorage<T, Given>& A, int threads) {
  if constexpr (std::is_same_v<Given, PackedTriangle<T>>) require_finite(A.given, threads);
}
template <class T, class Given>
Norms<double> norms_of(const ImportedStorage<T, Given>& A, int) {
  Norms<double> norms;
  for (const ldlt_device::RowSize& row : A.matrix.row_sizes()) norms.include({row.largest, row.sum});
  return norms;
}
template <class T, class Given>
std::vector<int> equilibrating_exponents(const ImportedStorage<T, Given>& A, int) {
  return equilibrating_exponents(A.order(), [&](RowNorm norm, const std::vector<int>& logarithms) {
    const std::vector<std::int64_t> gathered = A.matrix.gathered_rows(norm, logarithms);
    return norm == RowNorm::largest ? norms_of_gathered<LargestOfRow>(gathered)
                                    : norms_of_gathered<SquaresOfRow>(gathered);
  });
}
template <class T, class Given>
double scale_symmetrically(ImportedStorage<T, Given>& A, const std::vector<int>& exponents, int = 0) {
  return bound_of_underflow<double>(A.matrix.scale(exponents));
}

}  // namespace ldlt_detail

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
  return largest_of_checked<T>(factorizer.matrix().measure(given), symmetry);
}

template <class T>
LdltFactorization<T> eliminate_given(ldlt_device::DeviceFactorizer<T>& factorizer,
                                     const ldlt_device::GivenMatrix<T>& given, double modulus, int exponent,
                                     const LdltOptions& options) {
  LdltFactorization<T> f;
  note_size(modulus, exponent, options, f);
  factorizer.matrix().import_given(given, exponent);
  eliminate_imported(factorizer, f);
  return f;
}

template <class T>
LdltFactorization<T> factor_given(ldlt_device::DeviceFactorizer<T>& factorizer, MatrixView<const T> A,
                                  LdltOptions options) {
  const ldlt_device::GivenMatrix<T> given{A, options.triangle != InputTriangle::upper,
                                          options.triangle != InputTriangle::lower};
  const ldlt_device::ColumnSize size = checked_size(factorizer, given, options.symmetry);
  const int exponent = scaling_exponent(size.modulus);
  LdltFactorization<T> f = eliminate_given(factorizer, given, size.modulus, exponent, options);
  const bool bounded = options.variant.pivoting != Pivoting::partial;
  const double multiplier_bound = bounded ? 2 * options.variant.multiplier_bound() : 0x1p500;
  leave_out_noise_test(factorizer, f, multiplier_bound, options);
  if (!options.rank_tolerance) {
    f.M = memory_of_m<T>(A.rows);  // the noise test reads it
    f.max_multiplier = factorizer.export_m(f.M.data());
  }
  with_symmetry<T>(options.symmetry, [&](auto hermitian) { judge<hermitian.value>(options, f); });
  undo_scaling(exponent, f);
  return f;
}

template <class T>
LdltFactorization<T> complete(ldlt_device::DeviceFactorizer<T>& factorizer, IncompleteFactorization<T> incomplete,
                              LdltOptions options) {
  LdltFactorization<T> f = std::move(incomplete.factors);
  const Index n = std::ssize(f.diagonal);
  if (f.M.rows() != n) f.M = memory_of_m<T>(n);
  f.max_multiplier = factorizer.export_m(f.M.data());
  leave_out_noise_test(factorizer, f, f.max_multiplier, options);
  with_symmetry<T>(options.symmetry, [&](auto hermitian) { judge<hermitian.value>(options, f); });
  undo_scaling(incomplete.prepared.exponent, f);
  return f;
}

/// Factors a matrix of the host by factorizers that make(n, options) makes, by rook pivoting where factors without a
/// search do not suffice. Memory of M is touched while the GPU works.
template <class T, class Given, class Make>
LdltFactorization<T> factor_source(Given A, LdltOptions options, const Make& make) {
  const Index n = order_of(A);
  const LdltVariant wanted = options.variant;
  auto factorizer = make(n, options);
  IncompleteFactorization<T> start;
  const auto import = [&] {
    start = {};
    import_to(factorizer->matrix(), A, options);
    ImportedStorage<T, Given> storage{factorizer->matrix(), A};
    start.prepared = prepare(storage, options, start.factors);
  };
  import();
  std::optional<Buffer<T>> original;
  if (wanted.pivoting == Pivoting::none) try {
      original = factorizer->matrix().copied();
    } catch (const std::bad_alloc&) {  // A is imported again if that is needed
    }
  if (wanted.pivoting != Pivoting::none || original) A = {};  // frees a triangle
  Matrix<T> M = memory_of_m<T>(n);
  std::optional<FirstTouch> touch(std::in_place, options.threads, M);
  const auto eliminated = [&] {
    LdltFactorization<T> f = start.factors;
    eliminate_imported(*factorizer, f);
    return f;
  };
  LdltFactorization<T> f = eliminated();
  std::string refusal;
  if (wanted.pivoting == Pivoting::none)
    refusal = f.refusal.empty() ? refusal_of_eliminated(factorizer->matrix(), f, start.prepared.norm) : f.refusal;
  if (!refusal.empty()) {
    const double seconds = f.compute_seconds;
    options.variant.pivoting = Pivoting::rook;
    factorizer = nullptr;  // frees its memory
    factorizer = make(n, options);
    if (original) {
      factorizer->matrix().import_copy(*original);
      start.factors.variant = options.variant;
    } else {
      import();
    }
    f = eliminated();
    f.compute_seconds += seconds;
  }
  touch.reset();
  f.M = std::move(M);
  f = complete(*factorizer, {std::move(f), start.prepared}, options);
  f.variant = wanted;
  f.refusal = std::move(refusal);
  return f;
}

template <class T, class Given>
LdltFactorization<T> ldlt_emulated(Given A, const LdltOptions& options, LaneOrder order,
                                   const ldlt_device::Design& design) {
  return factor_source<T>(std::move(A), options, [&](Index n, const LdltOptions& chosen) {
    ldlt_device::FactorizationPlan plan = factorization_plan<T>(n, chosen);
    plan.design = design;
    return ldlt_device::make_emulated_factorizer<T>(plan, order);
  });
}

template <class T, class Given>
LdltFactorization<T> ldlt_on_cuda(Given A, const LdltOptions& options, const ldlt_device::Design& design) {
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
  return factor_source<T>(std::move(A), options, [&](Index n, const LdltOptions& chosen) {
    ldlt_device::FactorizationPlan plan = factorization_plan<T>(n, chosen);
    plan.design = design;
    return on_cuda<ldlt_device::make_cuda_factorizer<T>>(plan, nullptr, std::nullopt);
  });
}

using Complex = std::complex<double>;
template ldlt_device::FactorizationPlan factorization_plan<double>(Index, const LdltOptions&);
template decltype(largest_of_checked<double>) largest_of_checked<double>;
template decltype(checked_size<double>) checked_size<double>;
template decltype(eliminate_given<double>) eliminate_given<double>;
template decltype(factor_given<double>) factor_given<double>;
template decltype(complete<double>) complete<double>;
template decltype(ldlt_emulated<double, PackedTriangle<double>>) ldlt_emulated<double, PackedTriangle<double>>;
template decltype(ldlt_emulated<double, MatrixView<const double>>) ldlt_emulated<double, MatrixView<const double>>;
template decltype(ldlt_on_cuda<double, PackedTriangle<double>>) ldlt_on_cuda<double, PackedTriangle<double>>;
template decltype(ldlt_on_cuda<double, MatrixView<const double>>) ldlt_on_cuda<double, MatrixView<const double>>;
template ldlt_device::FactorizationPlan factorization_plan<Complex>(Index, const LdltOptions&);
template decltype(largest_of_checked<Complex>) largest_of_checked<Complex>;
template decltype(checked_size<Complex>) checked_size<Complex>;
template decltype(eliminate_given<Complex>) eliminate_given<Complex>;
template decltype(factor_given<Complex>) factor_given<Complex>;
template decltype(complete<Complex>) complete<Complex>;
template decltype(ldlt_emulated<Complex, PackedTriangle<Complex>>) ldlt_emulated<Complex, PackedTriangle<Complex>>;
template decltype(ldlt_emulated<Complex, MatrixView<const Complex>>) ldlt_emulated<Complex, MatrixView<const Complex>>;
template decltype(ldlt_on_cuda<Complex, PackedTriangle<Complex>>) ldlt_on_cuda<Complex, PackedTriangle<Complex>>;
template decltype(ldlt_on_cuda<Complex, MatrixView<const Complex>>) ldlt_on_cuda<Complex, MatrixView<const Complex>>;

}  // namespace pivotlab
