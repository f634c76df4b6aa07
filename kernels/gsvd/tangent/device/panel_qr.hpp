// SPDX-License-Identifier: BSD-3-Clause
// The QR factorization of a panel of few columns and many rows by a cluster of 16 blocks, which hold it in registers.
//
// A lane has `lane_columns` columns of `Slots` rows: of each row four lanes have every fourth column, and a warp has
// eight rows a slot. Narrower panels may be taller. Of each column k in turn, one pass over the registers and one
// barrier of the cluster give the products of column k with all columns: those with itself and with later columns for
// the reflector and its application, those with earlier ones for the triangular factor. So a column costs the latency
// of a reduction, not that of a norm, a product and a broadcast.
//
// Columns are scaled by powers of two, so that no square overflows, or underflows where it matters.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/elements.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::tangent {

/// A = Q·R, Q = H₁·H₂⋯ = I − V·T·Vᴴ, H_k = I − τ_k·v_k·v_kᴴ with v_k as in LAPACK's xGEQRF: R and V take A's place, and
/// V goes to another matrix, too, with its ones and zeros. Of T⁻¹, which is upper triangular with 1/τ_k on the diagonal
/// and v_jᴴ·v_k above it, the upper triangle is written. A zero column has τ = 2.
///
/// One cluster of `cluster_blocks` blocks; A has at most `width` columns and `most_rows` rows, not fewer than columns.
template <class T, int Slots, int Values = 8>
struct PanelQr {
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr int values = Values;  // real numbers of a row that a lane has
  static constexpr int lane_columns = values / parts;
  static constexpr int width = 4 * lane_columns;

  static constexpr int threads = 256, min_blocks = 1, cluster_blocks = 16;
  static constexpr int warps = threads / warp_size;
  static constexpr int slot_rows = threads / 4;
  static constexpr Index most_rows = Index(cluster_blocks) * slot_rows * Slots;
  static_assert(slot_rows >= width, "the rows of R are in the first slot of the first block");

  struct Arguments {
    MatrixView<T> A, V, t_inverse;
    double negligible = 0;  ///< what counts as zero: ‖x‖² of a column whose largest part was about 1 at first
  };

  // Shared memory, in doubles: sums of the warps, row k; for two columns in turn, sums of the blocks and row k.
  static constexpr int warp_sums = 0, own_row = warp_sums + warps * warp_size, block_sums = own_row + warp_size,
                       rows = block_sums + 2 * cluster_blocks * warp_size, doubles = rows + 2 * warp_size;
  static constexpr int shared_bytes = doubles * static_cast<int>(sizeof(double));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    Panel<Context>(context, arguments).factor();
  }

 private:
  /// H of a column with the element α at the place of the pivot and the norm ‖x‖ from there on: Hᴴ·x = β·e₁.
  struct Reflector {
    T tau, scale;  // v = e₁ + scale·(x − α·e₁)
    double beta;

    PIVOTLAB_DEVICE Reflector(const T& alpha, double norm_squared, double negligible) {
      if (norm_squared <= negligible) {
        tau = T(2), scale = T(0), beta = 0;
        return;
      }
      beta = with_sign_of(square_root(norm_squared), -real_part(alpha));
      if constexpr (is_complex<T>)
        tau = T((beta - alpha.real()) / beta, -alpha.imag() / beta);
      else
        tau = (beta - alpha) / beta;
      scale = quotient(T(1), sum(alpha, T(-beta)));
    }
  };

  static constexpr int spread = 4 * values;  // lanes over which numbers of all columns are spread

  /// The part of the panel that one thread has. Numbers of all columns are spread over the lanes of each warp: lane
  /// 4·d + c has number d of the columns that lanes c, c + 4, … have, and lanes from `spread` on repeat them.
  template <class Context>
  class Panel {
   public:
    PIVOTLAB_DEVICE Panel(Context& context, const Arguments& arguments)
        : context_(context),
          arguments_(arguments),
          lane_(context.lane()),
          warp_(context.warp()),
          rank_(context.cluster_rank()) {}

    PIVOTLAB_DEVICE void factor() {
      context_.cluster_sync();  // all blocks have begun, and have their shared memory
      load();
      const int cols = static_cast<int>(arguments_.A.cols);
#pragma unroll
      for (int i = 0; i < lane_columns; ++i) {
#pragma unroll 1
        for (int quarter = 0; quarter < 4; ++quarter)
          if (4 * i + quarter < cols) eliminate(i, quarter);
      }
      store();
    }

   private:
    PIVOTLAB_DEVICE int column(int i) const {
      return 4 * i + lane_ % 4;
    }
    PIVOTLAB_DEVICE Index row(int slot) const {
      return (Index(rank_) * Slots + slot) * slot_rows + warp_ * 8 + lane_ / 4;
    }

    PIVOTLAB_DEVICE static double part(const T& x, int which) {
      if constexpr (is_complex<T>)
        return which == 0 ? x.real() : x.imag();
      else
        return x;
    }
    /// Returns the scalar of column 4·i + quarter from numbers that are spread over the lanes.
    PIVOTLAB_DEVICE T spread_scalar(double number, int i, int quarter) {
      const double first = context_.shuffle(number, parts * i * 4 + quarter);
      if constexpr (is_complex<T>)
        return T(first, context_.shuffle(number, (parts * i + 1) * 4 + quarter));
      else
        return first;
    }
    /// Returns the scalar of the column that this lane has a part of.
    PIVOTLAB_DEVICE T own_scalar(double number) {
      if constexpr (is_complex<T>) {
        const double other = context_.shuffle_xor(number, 4);
        return lane_ & 4 ? T(other, number) : T(number, other);
      } else {
        return number;
      }
    }
    PIVOTLAB_DEVICE int spread_column() const {
      return lane_ % spread / 4 / parts * 4 + lane_ % 4;
    }

    PIVOTLAB_DEVICE void load() {
      const auto& A = arguments_.A;
      double most[values];
#pragma unroll
      for (int i = 0; i < lane_columns; ++i) {
        double largest = 0;
#pragma unroll
        for (int s = 0; s < Slots; ++s) {
          const bool inside = row(s) < A.rows && column(i) < A.cols;
          a_[s][i] = inside ? A.data[row(s) + column(i) * A.stride] : T(0);
          for (int which = 0; which < parts; ++which) largest = Largest()(largest, absolute(part(a_[s][i], which)));
        }
        for (int which = 0; which < parts; ++which) most[parts * i + which] = largest;
      }
      const double largest = reduce(most, Largest());
#pragma unroll
      for (int i = 0; i < lane_columns; ++i) {
        const double most_of_column = real_part(spread_scalar(largest, i, lane_ % 4));
        const double scale = most_of_column > 0 ? scale_to_one(most_of_column) : 1;
        back_[i] = 1 / scale;
#pragma unroll
        for (int s = 0; s < Slots; ++s) a_[s][i] = times_real(a_[s][i], scale);
      }
    }

    PIVOTLAB_DEVICE void store() {
      const auto& A = arguments_.A;
      const auto& V = arguments_.V;
#pragma unroll
      for (int i = 0; i < lane_columns; ++i) {
        const Index col = column(i);
#pragma unroll
        for (int s = 0; s < Slots; ++s) {
          if (row(s) >= A.rows || col >= A.cols) continue;
          const bool below = row(s) > col;
          A.data[row(s) + col * A.stride] = below ? a_[s][i] : times_real(a_[s][i], back_[i]);
          V.data[row(s) + col * V.stride] = below ? a_[s][i] : T(row(s) == col ? 1.0 : 0.0);
        }
      }
    }

    /// Makes the reflector of column k = 4·i + quarter and applies it to later columns.
    PIVOTLAB_DEVICE void eliminate(int i, int quarter) {
      const int k = 4 * i + quarter;
      T x[Slots];
#pragma unroll
      for (int s = 0; s < Slots; ++s) x[s] = from_quarter(a_[s][i], quarter);
      if (rank_ == 0 && row(0) < k) x[0] = T(0);

      double products[values];
#pragma unroll
      for (int j = 0; j < lane_columns; ++j) {
        T product(0);
#pragma unroll
        for (int s = 0; s < Slots; ++s) product = multiply_add(conjugate(x[s]), a_[s][j], product);
        for (int which = 0; which < parts; ++which) products[parts * j + which] = part(product, which);
      }
      if (rank_ == 0 && row(0) == k) {
        const auto own = context_.template shared<double>(own_row * sizeof_double, spread);
#pragma unroll
        for (int d = 0; d < values; ++d) own[4 * d + lane_ % 4] = part(a_[0][d / parts], d % parts);
      }
      const double product = reduce(products, Sum());
      const double pivot_row =
          context_.template shared<double>((rows + buffer_ * spread) * sizeof_double, spread)[lane_ % spread];
      const T alpha = spread_scalar(pivot_row, i, quarter);
      const Reflector h(alpha, real_part(spread_scalar(product, i, quarter)), arguments_.negligible);

      // y = vᴴ·a of the column that this lane has a part of; of an earlier column, a is its v.
      const T a_k = own_scalar(pivot_row);
      const T rest = multiply_add(negated(conjugate(alpha)), a_k, own_scalar(product));
      const T y = multiply_add(conjugate(h.scale), rest, a_k);
      write_triangle(k, h, y);
      const double factor = spread_column() > k ? part(multiply(conjugate(h.tau), y), lane_ / 4 % parts) : 0.0;

      T v[Slots];
#pragma unroll
      for (int s = 0; s < Slots; ++s) v[s] = multiply(x[s], h.scale);
      const Index distance = row(0) - k;
      if (rank_ == 0 && distance <= 0) v[0] = T(distance == 0 ? 1.0 : 0.0);
#pragma unroll
      for (int j = 0; j < lane_columns; ++j) {
        const T minus_factor = negated(spread_scalar(factor, j, lane_ % 4));
#pragma unroll
        for (int s = 0; s < Slots; ++s) a_[s][j] = multiply_add(v[s], minus_factor, a_[s][j]);
      }
      if (lane_ % 4 == quarter) {
#pragma unroll
        for (int s = 1; s < Slots; ++s) a_[s][i] = v[s];
        if (rank_ > 0 || distance > 0) a_[0][i] = v[0];
        if (rank_ == 0 && distance == 0) a_[0][i] = T(h.beta);
      }
    }

    PIVOTLAB_DEVICE void write_triangle(int k, const Reflector& h, const T& y) {
      if (rank_ != cluster_blocks - 1 || warp_ != 0 || lane_ >= spread || lane_ / 4 % parts != 0) return;
      const auto& t = arguments_.t_inverse;
      const int col = spread_column();
      if (col < k) t.data[col + k * t.stride] = conjugate(y);
      if (col == k) t.data[k + k * t.stride] = quotient(T(1), h.tau);
    }

    PIVOTLAB_DEVICE T from_quarter(const T& x, int quarter) {
      const int source = lane_ / 4 * 4 + quarter;
      if constexpr (is_complex<T>)
        return T(context_.shuffle(x.real(), source), context_.shuffle(x.imag(), source));
      else
        return context_.shuffle(x, source);
    }
    /// Combines the numbers of all lanes of the cluster with the same columns, in a fixed order; returns them spread
    /// over the lanes of every warp. Row k, which the first block has put into its shared memory, reaches all blocks.
    template <class Combine>
    PIVOTLAB_DEVICE double reduce(double (&numbers)[values], Combine combine) {
#pragma unroll
      for (int half = values / 2; half > 0; half /= 2) {
        const bool high = lane_ & (4 * half);
#pragma unroll
        for (int d = 0; d < half; ++d) {
          const double kept = high ? numbers[d + half] : numbers[d], sent = high ? numbers[d] : numbers[d + half];
          numbers[d] = combine(kept, context_.shuffle_xor(sent, 4 * half));
        }
      }
#pragma unroll
      for (int bit = spread; bit < warp_size; bit *= 2)
        numbers[0] = combine(numbers[0], context_.shuffle_xor(numbers[0], bit));
      buffer_ = 1 - buffer_;
      const auto of_warps = context_.template shared<double>(warp_sums * sizeof_double, warps * warp_size);
      of_warps[warp_ * warp_size + lane_] = numbers[0];
      context_.sync();
      double total = of_warps[lane_];
#pragma unroll
      for (int w = 1; w < warps; ++w) total = combine(total, of_warps[w * warp_size + lane_]);
      constexpr int sums = cluster_blocks * warp_size;
      for (int to = warp_; to < cluster_blocks; to += warps) {
        context_.template cluster_shared<double>(to, (block_sums + buffer_ * sums) * sizeof_double,
                                                 sums)[rank_ * warp_size + lane_] = total;
        if (rank_ == 0 && lane_ < spread)
          context_.template cluster_shared<double>(to, (rows + buffer_ * spread) * sizeof_double, spread)[lane_] =
              context_.template shared<double>(own_row * sizeof_double, spread)[lane_];
      }
      context_.cluster_sync();
      const auto of_blocks = context_.template shared<double>((block_sums + buffer_ * sums) * sizeof_double, sums);
      total = of_blocks[lane_];
#pragma unroll
      for (int b = 1; b < cluster_blocks; ++b) total = combine(total, of_blocks[b * warp_size + lane_]);
      return total;
    }

    static constexpr int sizeof_double = static_cast<int>(sizeof(double));

    Context& context_;
    const Arguments& arguments_;
    int lane_, warp_, rank_;
    int buffer_ = 0;  ///< alternates, so that a block may still read while others write for the next column
    T a_[Slots][lane_columns];
    double back_[lane_columns];
  };
};

/// The most slots of a panel of full width, and those of one of half that width, in as many registers.
inline constexpr int most_panel_slots = 10, slots_of_tall_panel = 20;
template <class T>
using TallPanelQr = PanelQr<T, slots_of_tall_panel, 4>;
/// The rows of a panel that a cluster holds.
template <class T>
inline constexpr Index most_panel_rows = TallPanelQr<T>::most_rows;

/// Returns the columns of a panel of so many rows.
template <class T>
constexpr Index panel_width(Index rows) {
  using Widest = PanelQr<T, most_panel_slots>;
  return rows > Widest::most_rows ? TallPanelQr<T>::width : Widest::width;
}

/// Factors a panel of at most panel_width() columns and most_panel_rows rows, by as few slots as suffice.
template <class T, int Slots = 1, class Machine>
void launch_panel_qr(const Machine& machine, MatrixView<T> A, MatrixView<T> V, MatrixView<T> t_inverse,
                     double negligible = 0) {
  const auto launch = [&]<class Body>(const Body&) {
    machine.template launch<Body>(Body::cluster_blocks, Body::shared_bytes, {A, V, t_inverse, negligible});
  };
  if (A.rows <= PanelQr<T, Slots>::most_rows) return launch(PanelQr<T, Slots>());
  if constexpr (Slots < most_panel_slots)
    launch_panel_qr<T, Slots == 1 ? 2 : Slots + 2>(machine, A, V, t_inverse, negligible);
  else
    launch(TallPanelQr<T>());
}

}  // namespace pivotlab::tangent
