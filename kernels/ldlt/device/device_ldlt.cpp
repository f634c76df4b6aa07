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
ResidentFactors<T> eliminate(PackedTriangle<T> A, const LdltOptions& options, const MakeFactorizer& make_factorizer) {
  ResidentFactors<T> resident;
  LdltFactorization<T>& f = resident.factors;
  resident.exponent = prepare(A, options, f);
  resident.factorizer = make_factorizer({.order = A.order(),
                                         .hermitian = options.symmetry == Symmetry::hermitian,
                                         .pivoting = options.variant.pivoting,
                                         .alpha = options.variant.alpha,
                                         .largest = f.largest_element,
                                         .tolerance = f.tolerance});
  resident.factorizer->import_triangle(A.elements().data(), A.diagonal().data());
  A = PackedTriangle<T>();
  take_over(resident.factorizer->eliminate(), f);
  return resident;
}

}  // namespace

template <class T>
ResidentFactors<T> eliminate_emulated(PackedTriangle<T> A, const LdltOptions& options, LaneOrder order) {
  return eliminate<T>(std::move(A), options, [order](const ldlt_device::FactorizationPlan& plan) {
    return ldlt_device::make_emulated_factorizer<T>(plan, order);
  });
}

template <class T>
ResidentFactors<T> eliminate_on_cuda(PackedTriangle<T> A, const LdltOptions& options) {
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
  return eliminate<T>(std::move(A), options, [](const ldlt_device::FactorizationPlan& plan) {
    return ldlt_device::make_cuda_factorizer<T>(plan);
  });
}

template <class T>
LdltFactorization<T> complete(ResidentFactors<T> resident, const LdltOptions& options) {
  LdltFactorization<T> f = std::move(resident.factors);
  const Index n = std::ssize(f.diagonal);
  f.M = Matrix<T>(n, n);
  resident.factorizer->export_m(f.M.data());
  f.max_multiplier = largest_multiplier(f.M, 0);
  with_symmetry<T>(options.symmetry, [&](auto hermitian) { judge<hermitian.value>(options, f); });
  undo_scaling(resident.exponent, f);
  return f;
}

template <class T>
LdltFactorization<T> ldlt_emulated(PackedTriangle<T> A, const LdltOptions& options, LaneOrder order) {
  return complete(eliminate_emulated<T>(std::move(A), options, order), options);
}

template <class T>
LdltFactorization<T> ldlt_on_cuda(PackedTriangle<T> A, const LdltOptions& options) {
  return complete(eliminate_on_cuda<T>(std::move(A), options), options);
}

using Complex = std::complex<double>;
template ResidentFactors<double> eliminate_emulated(PackedTriangle<double>, const LdltOptions&, LaneOrder);
template ResidentFactors<Complex> eliminate_emulated(PackedTriangle<Complex>, const LdltOptions&, LaneOrder);
template ResidentFactors<double> eliminate_on_cuda(PackedTriangle<double>, const LdltOptions&);
template ResidentFactors<Complex> eliminate_on_cuda(PackedTriangle<Complex>, const LdltOptions&);
template LdltFactorization<double> complete(ResidentFactors<double>, const LdltOptions&);
template LdltFactorization<Complex> complete(ResidentFactors<Complex>, const LdltOptions&);
template LdltFactorization<double> ldlt_emulated(PackedTriangle<double>, const LdltOptions&, LaneOrder);
template LdltFactorization<Complex> ldlt_emulated(PackedTriangle<Complex>, const LdltOptions&, LaneOrder);
template LdltFactorization<double> ldlt_on_cuda(PackedTriangle<double>, const LdltOptions&);
template LdltFactorization<Complex> ldlt_on_cuda(PackedTriangle<Complex>, const LdltOptions&);

}  // namespace pivotlab
