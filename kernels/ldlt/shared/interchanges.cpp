// SPDX-License-Identifier: BSD-3-Clause
// Conversions of the vector of interchanges to a permutation and to LAPACK's ipiv. Internally all three count rows from
// 1.
#include <pivotlab/error.hpp>
#include <pivotlab/ldlt.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace pivotlab {
namespace {

[[noreturn]] void reject(const char* vector, Index k, const std::string& what) {
  throw InputError(std::string(vector) + ": element " + std::to_string(k + 1) + ": " + what);
}

void require_row(const char* vector, Index k, Index row, Index first, Index n) {
  if (row < first + 1 || row > n)
    reject(vector, k,
           std::to_string(row) + " is not a row of the reduced matrix; expected one from " + std::to_string(first + 1) +
               " to " + std::to_string(n));
}

/// Calls visit(k, size) for each stage of a vector whose 2×2 pivots are marked by the sign of element k + sign_at.
template <class Visit>
void for_stages(const char* vector, const std::vector<Index>& elements, Index sign_at, const Visit& visit) {
  const Index n = std::ssize(elements);
  for (Index k = 0; k < n;) {
    const bool pair = k + sign_at < n && elements[k + sign_at] < 0;
    if (pair && k + 1 == n) reject(vector, k, "a 2x2 pivot begins in the last row; the vector is cut off");
    visit(k, pair ? 2 : 1);
    k += pair ? 2 : 1;
  }
}

/// Reverses order and numbering of rows, which converts between the lower and the upper factorization.
std::vector<Index> reversed(std::vector<Index> ipiv) {
  const Index n = std::ssize(ipiv);
  std::ranges::reverse(ipiv);
  for (Index& row : ipiv) row = row < 0 ? -(n + 1 + row) : n + 1 - row;
  return ipiv;
}

}  // namespace

std::vector<Index> permutation_of(const std::vector<Index>& interchanges) {
  constexpr const char* name = "vector of interchanges";
  const Index n = std::ssize(interchanges);
  std::vector<Index> permutation(interchanges.size());
  std::iota(permutation.begin(), permutation.end(), Index(0));
  const auto exchange = [&](Index k, Index row) {
    require_row(name, k, row, k, n);
    std::swap(permutation[k], permutation[row - 1]);
  };
  for_stages(name, interchanges, 1, [&](Index k, int size) {
    exchange(k, interchanges[k]);
    if (size == 2) exchange(k + 1, -interchanges[k + 1]);
  });
  return permutation;
}

std::vector<Index> to_lapack(const std::vector<Index>& interchanges, LapackConvention convention, bool upper) {
  permutation_of(interchanges);  // throws unless it is one
  std::vector<Index> ipiv = interchanges;
  for_stages("vector of interchanges", interchanges, 1, [&](Index k, int size) {
    if (size == 1) return;
    if (convention == LapackConvention::sytrf && interchanges[k] != k + 1)
      reject("vector of interchanges", k, "the 2x2 pivot exchanges its first row, too; take the convention sytrf_rook");
    ipiv[k] = convention == LapackConvention::sytrf ? interchanges[k + 1] : -interchanges[k];
  });
  return upper ? reversed(std::move(ipiv)) : ipiv;
}

std::vector<Index> from_lapack(const std::vector<Index>& ipiv, LapackConvention convention, bool upper) {
  const std::vector<Index> lower = upper ? reversed(ipiv) : ipiv;
  std::vector<Index> interchanges = lower;
  for_stages("ipiv", lower, 0, [&](Index k, int size) {
    if (size == 1) return;
    if (lower[k + 1] >= 0) reject("ipiv", k + 1, "the second row of a 2x2 pivot has no minus sign; is it cut off?");
    if (convention == LapackConvention::sytrf && lower[k] != lower[k + 1])
      reject("ipiv", k + 1, "the rows of a 2x2 pivot differ, which xSYTRF never does; take the convention sytrf_rook");
    interchanges[k] = convention == LapackConvention::sytrf ? k + 1 : -lower[k];
  });
  permutation_of(interchanges);  // throws unless it is one
  return interchanges;
}

}  // namespace pivotlab
