// SPDX-License-Identifier: BSD-3-Clause
// Kernels that a step of a blocked one-sided method runs before and after the inner sweeps, for all its pivot block
// pairs (tiles) simultaneously, and their memory.
//
//   Gram            S = [Y_p Y_q]ᴴ[Y_p Y_q] of one or two matrices, by chunks of rows   (gram.hpp)
//   CholeskyFactor  Ŷ, S = ŶᴴŶ                                                         (factor.hpp)
//   QrFactor        the same for tiles whose Cholesky factorization failed              (qr_factor.hpp)
//   PostMultiply    [Y_p Y_q] := [Y_p Y_q]·Ẑ of up to three matrices                    (postmultiply.hpp)
//
// Gram and PostMultiply are bound by the bandwidth of memory, inner sweeps by latency. So the product with matrices
// that are not factored runs beside the inner sweeps of the next step.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/gsvd/device/factor.hpp"
#include "kernels/gsvd/device/gram.hpp"
#include "kernels/gsvd/device/postmultiply.hpp"
#include "kernels/gsvd/device/qr_factor.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace pivotlab::device {

/// A matrix in device memory.
template <class Executor, class Stored = double>
class PlaneMatrix {
 public:
  PlaneMatrix(Executor& executor, bool complex, std::int64_t rows, std::int64_t columns) {
    planes_.rows = (rows + row_multiple - 1) / row_multiple * row_multiple;
    const auto size = static_cast<std::size_t>(planes_.rows * columns);
    memory_ = executor.template allocate<Stored>(size * (complex ? 2 : 1));
    executor.fill_zero(memory_.data(), memory_.size());
    planes_.re = memory_.data();
    planes_.im = complex ? memory_.data() + size : nullptr;
  }
  const PlanesOf<Stored>& planes() const { return planes_; }

 private:
  Buffer<Stored> memory_;
  PlanesOf<Stored> planes_;
};

/// Partition of the rows of products among blocks. It depends on the shape alone, so that the bits do not depend on the
/// device.
template <class Shape>
struct Partition {
  std::int64_t chunk_rows;
  int chunks;               // chunks of each matrix in Gram
  int strips;               // strips of 16 rows in a chunk of PostMultiply
  int first_chunk[4] = {};  // first chunk of each matrix in PostMultiply

  static constexpr int multiprocessors = 132;
  static constexpr int wanted_blocks = 4 * multiprocessors, most_gram_blocks = 2 * wanted_blocks;
  static constexpr int most_chunks = 32;

  /// Returns a bound of items·chunks that does not depend on the rows, and grows with the items: a workspace for more
  /// columns is then enough for fewer.
  static std::size_t most_blocks(int items) {
    return static_cast<std::size_t>(std::min(most_chunks * items, most_gram_blocks + items));
  }

  /// Returns the wanted number of chunks of each item of Gram. A multiprocessor takes as long for a block as for the
  /// rows of its chunk and some 400 more.
  static int wanted_chunks(int items, std::int64_t rows) {
    const auto cost = [&](int wanted) {
      const int waves = (items * wanted + multiprocessors - 1) / multiprocessors;
      return waves * (static_cast<double>(rows) / wanted + 400);
    };
    int best = 1;
    for (int wanted = 2; wanted <= std::min(most_chunks, (most_gram_blocks + items - 1) / items); ++wanted)
      if (cost(wanted) < cost(best)) best = wanted;
    return best;
  }

  Partition(int tiles, const std::vector<Planes>& factored, const std::vector<Planes>& multiplied) {
    const int items = static_cast<int>(factored.size()) * tiles;
    std::int64_t rows = 0;
    for (const Planes& Y : factored) rows = std::max(rows, Y.rows);
    const std::int64_t unit = Gram<Shape>::strip_rows, units = (rows + unit - 1) / unit;
    const int wanted = wanted_chunks(items, rows);
    chunk_rows = std::max<std::int64_t>((units + wanted - 1) / wanted, 1) * unit;
    chunks = static_cast<int>((rows + chunk_rows - 1) / chunk_rows);

    constexpr int warps = PostMultiply<Shape>::threads / 32;
    std::int64_t all_strips = 0;
    for (const Planes& Y : multiplied) all_strips += Y.rows / 16;
    const std::int64_t wanted_warps = 4 * wanted_blocks * warps;
    const std::int64_t in_a_warp = (all_strips * tiles + wanted_warps - 1) / wanted_warps;
    strips = warps * static_cast<int>(std::min<std::int64_t>(in_a_warp, PostMultiply<Shape>::most_strips));
    for (std::size_t i = 0; i < 3; ++i)
      first_chunk[i + 1] =
          first_chunk[i] +
          (i < multiplied.size() ? static_cast<int>((multiplied[i].rows / 16 + strips - 1) / strips) : 0);
  }
};

/// Ẑ of each tile in the layout of PostMultiply, and whether it is not the identity.
struct Transformations {
  double* elements;
  int* moved;
};

/// The kernels and the memory between them. Each function launches one kernel for the pivot block pairs of a step, in
/// device memory. With FactorKind::qr, all tiles are left to qr(). Matrices with the rows of the given ones may be
/// taken in their place, also matrices of floats.
template <class Executor, class Shape>
class TileProducts {
 public:
  /// `factored` has one or two matrices, `multiplied` up to three, which begin with these.
  TileProducts(Executor& executor, FactorKind kind, int tiles, const std::vector<Planes>& factored,
               const std::vector<Planes>& multiplied)
      : executor_(executor),
        kind_(kind),
        tiles_(tiles),
        items_(static_cast<int>(factored.size()) * tiles),
        partition_(tiles, factored, multiplied),
        sums_(allocate<double>(Partition<Shape>::most_blocks(items_) * GramLayout<Shape>::elements)),
        factors_(allocate<double>(std::size_t(items_) * Shape::elements)),
        independence_(allocate<double>(items_)),
        lost_(allocate<int>(items_)),
        chain_{0, static_cast<int>(factored.size())},
        beside_{chain_.end, static_cast<int>(multiplied.size())} {
    for (int copy = 0; copy < (beside_.first < beside_.end ? 2 : 1); ++copy) {
      elements_[copy] = allocate<double>(std::size_t(tiles_) * TransformationLayout<Shape>::elements);
      moved_[copy] = allocate<int>(tiles_);
    }
    std::ranges::copy(factored, factored_);
    std::ranges::copy(multiplied, multiplied_);
    std::int64_t rows = 0;
    for (const Planes& Y : factored) rows = std::max(rows, Y.rows);
    while (sorted_rows_ < rows) sorted_rows_ *= 2;
    const auto slots = static_cast<std::size_t>(qr_slots());
    qr_columns_ = allocate<double>(slots * Shape::parts * Shape::order * sorted_rows_);
    qr_keys_ = allocate<double>(slots * sorted_rows_);
    qr_rows_ = allocate<int>(slots * sorted_rows_);
    if (kind == FactorKind::qr) {
      const std::vector<int> all(items_, 1);
      executor_.upload(lost_.data(), all.data(), all.size());
    }
  }

  int tiles() const { return tiles_; }
  const Partition<Shape>& partition() const { return partition_; }

  void factor(const PivotPair* pairs) {
    factor_by_cholesky(pairs);
    qr(pairs);
  }

  /// Leaves lost tiles without a factor. With FactorKind::qr it does nothing.
  void factor_by_cholesky(const PivotPair* pairs) {
    if (kind_ == FactorKind::qr) return;
    gram(pairs);
    cholesky(pairs);
  }

  void gram(const PivotPair* pairs) { gram(pairs, factored_); }
  template <class Stored>
  void gram(const PivotPair* pairs, const PlanesOf<Stored> (&factored)[2]) {
    using Body = Gram<Shape, Stored>;
    executor_.template launch<Body>(
        items_ * partition_.chunks, Body::shared_bytes,
        {{factored[0], factored[1]}, pairs, tiles_, partition_.chunks, partition_.chunk_rows, sums_.data()});
  }

  void cholesky(const PivotPair* pairs) { cholesky(pairs, factored_); }
  /// The squares of the matrices' nonzero numbers must not underflow if these have no rows.
  void cholesky(const PivotPair* pairs, const Planes (&factored)[2]) {
    kind_ == FactorKind::pivoted ? cholesky<true>(pairs, factored) : cholesky<false>(pairs, factored);
  }

  void qr(const PivotPair* pairs) {
    executor_.template launch<QrFactor<Shape>>(qr_slots(), QrFactor<Shape>::shared_bytes,
                                               {{factored_[0], factored_[1]},
                                                pairs,
                                                tiles_,
                                                items_,
                                                factors(),
                                                qr_columns_.data(),
                                                qr_keys_.data(),
                                                qr_rows_.data(),
                                                static_cast<int>(sorted_rows_)});
  }

  /// Multiplies all matrices.
  void post_multiply(const PivotPair* pairs) { multiply(pairs, {0, beside_.end}, transformations()); }

  /// Multiplies the factored matrices, and leaves the others to continue_products() or finish_products().
  void begin_products(const PivotPair* pairs) {
    begin_products_by([this, pairs](MatrixRange range, const Transformations& by) { multiply(pairs, range, by); });
  }
  /// The same by product(range, transformations).
  template <class Product>
  void begin_products_by(const Product& product) {
    const Transformations by = transformations();
    product(chain_, by);
    if (beside_.first == beside_.end) return;
    left_ = [this, product, by] { product(beside_, by); };
    current_ = 1 - current_;
  }
  /// Launches what begin_products() has left, beside the inner sweeps that come next.
  void continue_products() {
    if (left_) executor_.beside(std::exchange(left_, nullptr));
  }
  /// Launches what is left; later launches wait for all products.
  void finish_products() {
    continue_products();
    executor_.join();
  }

  /// Returns the sums of gram().
  const double* sums() const { return sums_.data(); }
  Factors factors() const { return {factors_.data(), independence_.data(), lost_.data()}; }
  /// Returns the memory for the transformations of this step, other than that of the step before.
  Transformations transformations() const { return {elements_[current_].data(), moved_[current_].data()}; }

 private:
  template <class T>
  Buffer<T> allocate(std::size_t count) {
    return executor_.template allocate<T>(count);
  }

  template <bool pivoted>
  void cholesky(const PivotPair* pairs, const Planes (&factored)[2]) {
    using Body = CholeskyFactor<Shape, pivoted>;
    executor_.template launch<Body>(
        items_, Body::shared_bytes,
        {{factored[0], factored[1]}, pairs, tiles_, sums_.data(), partition_.chunks, factors()});
  }

  void multiply(const PivotPair* pairs, MatrixRange range, const Transformations& by) {
    int first[4];  // chunks of the range
    for (int i = 0; i < 4; ++i)
      first[i] = partition_.first_chunk[std::clamp(i, range.first, range.end)] - partition_.first_chunk[range.first];
    using Body = PostMultiply<Shape>;
    executor_.template launch<Body>(tiles_ * first[3], Body::shared_bytes,
                                    {{multiplied_[0], multiplied_[1], multiplied_[2]},
                                     pairs,
                                     by.elements,
                                     by.moved,
                                     {first[0], first[1], first[2], first[3]},
                                     partition_.strips});
  }

  int qr_slots() const { return std::min(items_, 32); }

  Executor& executor_;
  FactorKind kind_;
  int tiles_, items_;
  Planes factored_[2], multiplied_[3];
  Partition<Shape> partition_;
  Buffer<double> sums_, factors_, independence_;
  Buffer<int> lost_;
  MatrixRange chain_, beside_;  // matrices that are factored, and others
  Buffer<double> elements_[2];
  Buffer<int> moved_[2];
  int current_ = 0;             // copy of the transformations
  std::function<void()> left_;  // by begin_products()
  std::int64_t sorted_rows_ = 1;
  Buffer<double> qr_columns_, qr_keys_;
  Buffer<int> qr_rows_;
};

}  // namespace pivotlab::device
