// Host driver of the device factorization: scaling, and the factors in the caller's storage.
#include "kernels/ldlt/device/device_ldlt.hpp"

#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/shared/judge.hpp"

#include <complex>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {
namespace {

using namespace ldlt_detail;

/// Converts stages, interchanges and D.
template <class T>
void take_over(const ldlt_device::Elimination<T>& elimination, LdltFactorization<T>& f) {
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
  f.permutation = permutation_of(f.interchanges);
  f.diagonal = elimination.diagonal;
  f.subdiagonal = elimination.subdiagonal;
  f.remainder = elimination.remainder;
  f.compute_seconds = elimination.compute_seconds;
}

template <class T, class MakeFactorizer>
LdltFactorization<T> factor_on_device(PackedTriangle<T> A, const LdltOptions& options,
                                      const MakeFactorizer& make_factorizer) {
  LdltFactorization<T> f;
  const int exponent = prepare(A, options, f);
  const Index n = A.order();
  const auto factorizer = make_factorizer({.order = n,
                                           .hermitian = options.symmetry == Symmetry::hermitian,
                                           .pivoting = options.variant.pivoting,
                                           .alpha = options.variant.alpha,
                                           .largest = f.largest_element,
                                           .tolerance = f.tolerance});
  factorizer->import_triangle(A.elements().data(), A.diagonal().data());
  A = PackedTriangle<T>();
  take_over(factorizer->eliminate(), f);
  f.M = Matrix<T>(n, n);
  factorizer->export_m(f.M.data());
  f.max_multiplier = largest_multiplier(f.M, 0);
  with_symmetry<T>(options.symmetry, [&](auto hermitian) { judge<hermitian.value>(options, f); });
  undo_scaling(exponent, f);
  return f;
}

}  // namespace

template <class T>
LdltFactorization<T> ldlt_emulated(PackedTriangle<T> A, const LdltOptions& options, LaneOrder order) {
  return factor_on_device<T>(std::move(A), options, [order](const ldlt_device::FactorizationPlan& plan) {
    return ldlt_device::make_emulated_factorizer<T>(plan, order);
  });
}

template <class T>
LdltFactorization<T> ldlt_on_cuda(PackedTriangle<T> A, const LdltOptions& options) {
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
  return factor_on_device<T>(std::move(A), options, [](const ldlt_device::FactorizationPlan& plan) {
    return ldlt_device::make_cuda_factorizer<T>(plan);
  });
}

template LdltFactorization<double> ldlt_emulated(PackedTriangle<double>, const LdltOptions&, LaneOrder);
template LdltFactorization<std::complex<double>> ldlt_emulated(PackedTriangle<std::complex<double>>, const LdltOptions&,
                                                               LaneOrder);
template LdltFactorization<double> ldlt_on_cuda(PackedTriangle<double>, const LdltOptions&);
template LdltFactorization<std::complex<double>> ldlt_on_cuda(PackedTriangle<std::complex<double>>, const LdltOptions&);

}  // namespace pivotlab
