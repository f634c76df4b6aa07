// SPDX-License-Identifier: BSD-3-Clause
// Runs the kernels of the second stage, band to tridiagonal and back, on any executor.
#pragma once

#include "kernels/two_stage/bulge_chase.hpp"
#include "kernels/two_stage/reflector_blocks.hpp"
#include "kernels/two_stage/tridiagonalize.hpp"

#include <algorithm>
#include <vector>

namespace pivotlab::test {

/// The tridiagonal matrix and Q₂ (n × n, by columns) with B = Q₂·T·Q₂ᴴ.
template <class T>
struct ReducedBand {
  std::vector<double> diagonal, off_diagonal;
  std::vector<T> Q;
  bool operator==(const ReducedBand&) const = default;
};

/// Reduces a Hermitian matrix of bandwidth 64, given by its lower triangle; Q₂ in slabs of 8·Tiles columns.
template <int Tiles, bool KeepsCInShared = false, class T, class Executor>
ReducedBand<T> reduced_band(Executor& executor, const std::vector<T>& A, Index n) {
  using namespace two_stage;
  using Chase = BulgeChase<T, KeepsCInShared>;
  using Pack = PackBlocks<T>;
  using Apply = ApplyBlocks<T, Tiles>;
  const auto allocate = [&]<class X>(X, Index count) {
    return executor.template allocate<X>(static_cast<std::size_t>(count));
  };
  const Index groups = group_count(n), blocks = block_count(n), slabs = (n + Apply::columns - 1) / Apply::columns,
              stride = groups * bandwidth + 2, boxes = groups * Chase::box_words;
  const auto a = allocate(T(0), n * n), reflectors = allocate(T(0), blocks * bandwidth * bandwidth),
             tau = allocate(T(0), blocks * bandwidth), x = allocate(T(0), 1 + stride * slabs * Apply::columns);
  const auto diagonal = allocate(0.0, n), off_diagonal = allocate(0.0, n),
             packed = allocate(0.0, blocks * Pack::block_elements);
  const auto box = allocate(NumberedDouble{}, boxes);
  const auto gave_up = allocate(0, 1);
  executor.upload(a.data(), A.data(), A.size());
  executor.fill_zero(box.data(), static_cast<std::size_t>(boxes));
  executor.fill_zero(gave_up.data(), 1);
  std::vector<T> X(1 + static_cast<std::size_t>(stride * slabs * Apply::columns));
  for (Index j = 0; j < n; ++j) X[static_cast<std::size_t>(1 + j * (stride + 1))] = 1;
  executor.upload(x.data(), X.data(), X.size());

  executor.template launch<Chase>(static_cast<int>(groups), Chase::shared_bytes,
                                  {{a.data(), n, n, n},
                                   box.data(),
                                   reflectors.data(),
                                   tau.data(),
                                   diagonal.data(),
                                   off_diagonal.data(),
                                   gave_up.data()});
  executor.template launch<Pack>(static_cast<int>(blocks), Pack::shared_bytes,
                                 {reflectors.data(), tau.data(), n, packed.data()});
  executor.template launch<Apply>(static_cast<int>(slabs), Apply::shared_bytes,
                                  {x.data() + 1, stride, groups, packed.data()});

  ReducedBand<T> result{std::vector<double>(static_cast<std::size_t>(n)),
                        std::vector<double>(static_cast<std::size_t>(n - 1)), std::vector<T>(A.size())};
  executor.download(result.diagonal.data(), diagonal.data(), result.diagonal.size());
  executor.download(result.off_diagonal.data(), off_diagonal.data(), result.off_diagonal.size());
  executor.download(X.data(), x.data(), X.size());
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      result.Q[static_cast<std::size_t>(i + j * n)] = X[static_cast<std::size_t>(1 + i + j * stride)];
  return result;
}

/// A dense Hermitian matrix in tridiagonal form: T, reflectors below its subdiagonal, and 1/τ of these.
template <class T>
struct Tridiagonal {
  std::vector<double> diagonal, off_diagonal;
  std::vector<T> reflectors, inverse_tau;
  bool operator==(const Tridiagonal&) const = default;
};

/// Reduces a Hermitian matrix of order n ≤ 256·Columns, of which both triangles are given, at once.
template <int Rows, int Columns, class T, class Executor>
Tridiagonal<T> tridiagonalized(Executor& executor, const std::vector<T>& A, Index n) {
  using Strips = two_stage::Tridiagonalize<T, Rows, Columns>;
  const auto count = static_cast<std::size_t>(n);
  const auto a = executor.template allocate<T>(count * count), inverse_tau = executor.template allocate<T>(count);
  const auto diagonal = executor.template allocate<double>(count),
             off_diagonal = executor.template allocate<double>(count);
  const auto mail = executor.template allocate<NumberedDouble>(static_cast<std::size_t>(two_stage::mail_words<T>(n)));
  const auto gave_up = executor.template allocate<int>(1);
  executor.upload(a.data(), A.data(), A.size());
  executor.fill_zero(mail.data(), mail.size());
  executor.fill_zero(gave_up.data(), 1);
  executor.template launch<Strips>(
      static_cast<int>(Strips::blocks(n)), Strips::shared_bytes,
      {{a.data(), n, n, n}, mail.data(), inverse_tau.data(), diagonal.data(), off_diagonal.data(), gave_up.data()});
  Tridiagonal<T> result{std::vector<double>(count), std::vector<double>(count - 1), std::vector<T>(A.size()),
                        std::vector<T>(count - 1)};
  executor.download(result.diagonal.data(), diagonal.data(), count);
  executor.download(result.off_diagonal.data(), off_diagonal.data(), count - 1);
  executor.download(result.reflectors.data(), a.data(), A.size());
  executor.download(result.inverse_tau.data(), inverse_tau.data(), count - 1);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < std::min(n, j + 2); ++i) result.reflectors[static_cast<std::size_t>(i + j * n)] = T(0);
  return result;
}

/// The same on the first GPU, two rows of a strip for each column of a thread.
template <class T>
Tridiagonal<T> tridiagonalized_on_cuda(const std::vector<T>& A, Index n);

/// The same as reduced_band() on the first GPU, in the widest slabs: 40 real or 24 complex columns.
template <class T>
ReducedBand<T> reduced_band_on_cuda(const std::vector<T>& A, Index n);

}  // namespace pivotlab::test
