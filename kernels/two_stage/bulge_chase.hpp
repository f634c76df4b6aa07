// SPDX-License-Identifier: BSD-3-Clause
// Band to tridiagonal form by bulge chasing, as a dataflow.
//
// Task (s, t) of sweep s at position t has the rows R = s + 1 + t·b, …, s + (t + 1)·b, and the blocks C = A(R, R − b),
// D = A(R, R). It applies the reflector of (s, t − 1) from the right to C, makes that of C's first column (t = 0: of
// A(R, s)), and applies it to the other columns of C and from both sides to D. It needs (s, t − 1) and (s − 1, t + 1).
//
// A block of threads owns a position, and keeps C and D in registers for all sweeps, or C in shared memory: a
// multiprocessor has registers for two real positions or a complex one. From sweep to sweep the window moves down by a
// row and a column; indices are cyclic, so that nothing is moved: logical row or column i of sweep s is number (i + s)
// mod b. Only a reflector passes to the next position, and a row back: the first one of C, with the first element of D.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/messages.hpp"
#include "kernels/two_stage/reflector_blocks.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::two_stage {

/// Reduces a Hermitian band matrix to the tridiagonal matrix T with diagonal d and subdiagonal e. Squares of elements
/// below 1e-250 count as zero; the largest element is about 1.
///
/// A resident grid of group_count(n) blocks, a block for each position, of 16 × 16 threads with 4 × 4 elements of C and
/// D each: rows i, i + 16, … and columns j, j + 16, … for thread (i, j), so that shared memory has no bank conflicts.
/// Shared memory: the messages received, what the threads of a block exchange, and C if it is to be there.
template <class T, bool KeepsCInShared = false>
struct BulgeChase {
  static constexpr int b = bandwidth, tile = 4, across = b / tile;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr int threads = across * across, min_blocks = is_complex<T> && !KeepsCInShared ? 1 : 2,
                       warps = threads / warp_size;
  static constexpr bool resident = true;

  // A message box holds a reflector v with τ, then a row of C with an element of D.
  static constexpr int reflector_words = parts * (b + 1), box_words = reflector_words + parts * b + 1;

  struct Arguments {
    MatrixView<const T> A;  ///< its lower triangle down to subdiagonal b
    NumberedDouble* boxes;  ///< box_words for each position, zeros
    T *reflectors, *tau;    ///< b × b and b for each block of reflectors
    double *diagonal, *off_diagonal;
    int* gave_up;  ///< is set if a block has waited for too long
  };

  static constexpr double negligible = 1e-250;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    Position<Context>(context, arguments).run();
  }

 private:
  static constexpr int size = static_cast<int>(sizeof(T));
  // Bytes at which arrays begin: v, τ, row, d₀₀ as received; column of C and y = C·v; first row of C; sums of the
  // warps for vᴴC and vᴴD; τ̄·vᴴC and w.
  static constexpr int in_v = 0, in_row = in_v + (b + 1) * size, in_corner = in_row + b * size,
                       of_column = (in_corner + 8 + 15) / 16 * 16, of_y = of_column + b * size,
                       of_first_row = of_y + b * size, of_sums = of_first_row + b * size,
                       of_z = of_sums + 2 * warps * b * size, of_w = of_z + b * size, of_first = of_w + b * size,
                       of_c = of_first + 16, c_elements = KeepsCInShared ? tile * tile * threads : 0;

 public:
  static constexpr int shared_bytes = of_c + c_elements * size;

 private:
  template <class Context>
  class Position {
   public:
    PIVOTLAB_DEVICE Position(Context& context, const Arguments& arguments)
        : context_(context),
          arguments_(arguments),
          n_(arguments.A.rows),
          t_(context.block()),
          row_(context.thread() / across),
          column_(context.thread() % across),
          lane_(context.lane()),
          warp_(context.warp()) {}

    PIVOTLAB_DEVICE void run() {
      load();
      for (Index s = 0; s + 1 + t_ * b < n_; ++s) {
        first_ = static_cast<int>(s % b), last_ = static_cast<int>((s + b - 1) % b);
        if (!receive(s)) return;
        if (s > 0) move_window();
        multiply_c();
        context_.sync();
        make_reflector();
        pass_reflector(s);
        multiply_by_reflector();
        context_.sync();
        if (warp_ < 2 && t_ > 0) pass_row(s);
        if (warp_ == 2) finish_w(s);
        context_.sync();
        update();
      }
    }

   private:
    PIVOTLAB_DEVICE auto array(int offset, int count) { return context_.template shared<T>(offset, count); }
    PIVOTLAB_DEVICE auto reals(int offset, int count) { return context_.template shared<double>(offset, count); }
    PIVOTLAB_DEVICE NumberedDouble* box(Index position) const { return arguments_.boxes + position * box_words; }

    PIVOTLAB_DEVICE T element(Index i, Index j) const {
      if (i >= n_ || j >= n_ || j < 0 || i - j > b || j - i > b) return T(0);
      return i >= j ? at(i, j) : conjugate(at(j, i));
    }
    PIVOTLAB_DEVICE const T& at(Index i, Index j) const { return arguments_.A.data[i + j * arguments_.A.stride]; }

    PIVOTLAB_DEVICE T& C(int i, int j) {
      if constexpr (KeepsCInShared)
        return array(of_c, c_elements)[(i * tile + j) * threads + context_.thread()];
      else
        return C_[i][j];
    }

    PIVOTLAB_DEVICE int row(int i) const { return row_ + across * i; }
    PIVOTLAB_DEVICE int column(int j) const { return column_ + across * j; }

    PIVOTLAB_DEVICE void load() {
      const Index top = 1 + t_ * b;
#pragma unroll
      for (int i = 0; i < tile; ++i)
#pragma unroll
        for (int j = 0; j < tile; ++j) {
          D_[i][j] = element(top + row(i), top + column(j));
          C(i, j) = element(top + row(i), top + column(j) - b);
        }
      if (t_ == 0 && context_.thread() == 0) arguments_.diagonal[0] = real_part(at(0, 0));
    }

    /// Waits for the reflector of (s, t − 1) and the row of (s − 1, t + 1).
    PIVOTLAB_DEVICE bool receive(Index s) {
      const bool row_comes = s > 0 && s + (t_ + 1) * b < n_;
      const auto in = reals(in_v, box_words);
      const int begin = t_ > 0 ? 0 : reflector_words, end = row_comes ? box_words : reflector_words;
      const NumberedDouble* const from = box(t_);
      const auto ready = [&] {
        bool all = true;
        for (int word = context_.thread(); word < box_words; word += threads) {
          if (word < begin || word >= end) {
            if (word >= end) in[word] = 0;
            continue;
          }
          double x = 0;
          const Index number = word < reflector_words ? s + 1 : s;
          if (context_.receive(from + word, static_cast<unsigned>(number), x))
            in[word] = x;
          else
            all = false;
        }
        return all;
      };
      return context_.wait_until(ready, arguments_.gave_up);
    }

    /// Takes the new last column of C, which was the first one of D, and the new last row of C and D.
    PIVOTLAB_DEVICE void move_window() {
      const auto received = array(in_row, b);
      const int in_tile = last_ / across;
      const bool rows = row_ == last_ % across, columns = column_ == last_ % across;
      if (columns) {
#pragma unroll
        for (int i = 0; i < tile; ++i) {
          const T x = conjugate(T(received[row(i)]));
#pragma unroll
          for (int j = 0; j < tile; ++j)
            if (j == in_tile) C(i, j) = D_[i][j], D_[i][j] = x;
        }
      }
      if (rows) {
#pragma unroll
        for (int j = 0; j < tile; ++j) {
          const T x = received[column(j)];
#pragma unroll
          for (int i = 0; i < tile; ++i)
            if (i == in_tile) C(i, j) = T(0), D_[i][j] = x;
        }
      }
      if (rows && columns) {
        const T c = received[last_], d = T(reals(in_corner, 1)[0]);
#pragma unroll
        for (int i = 0; i < tile; ++i)
#pragma unroll
          for (int j = 0; j < tile; ++j)
            if (i == in_tile && j == in_tile) C(i, j) = c, D_[i][j] = d;
      }
    }

    /// Shares y = C·v and the column of C that is to be eliminated, before C := C − τ·y·vᴴ.
    PIVOTLAB_DEVICE void multiply_c() {
      const int pivot = t_ > 0 ? first_ : last_, in_tile = pivot / across;
      if (column_ == pivot % across) {
        const auto pivots = array(of_column, b);
#pragma unroll
        for (int i = 0; i < tile; ++i) {
          T x = C(i, 0);
#pragma unroll
          for (int j = 1; j < tile; ++j)
            if (j == in_tile) x = C(i, j);
          pivots[row(i)] = x;
        }
      }
      if (t_ == 0) {
        if (context_.thread() < b) array(of_y, b)[context_.thread()] = T(0);
        return;
      }
      const auto v = array(in_v, b + 1);
      T y[tile];
#pragma unroll
      for (int j = 0; j < tile; ++j) in_v_[j] = v[column(j)];
#pragma unroll
      for (int i = 0; i < tile; ++i) {
        const T left = multiply_add(C(i, 1), in_v_[1], multiply(C(i, 0), in_v_[0])),
                right = multiply_add(C(i, 3), in_v_[3], multiply(C(i, 2), in_v_[2]));
        y[i] = sum(left, right);
      }
      // Lanes with two different bits keep two, then one of the four sums.
      const bool high = lane_ & 8, higher = lane_ & 4;
      T kept[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) kept[i] = sum(high ? y[i + 2] : y[i], exchanged(context_, high ? y[i] : y[i + 2], 8));
      T total = sum(higher ? kept[1] : kept[0], exchanged(context_, higher ? kept[0] : kept[1], 4));
      total = sum(total, exchanged(context_, total, 2));
      total = sum(total, exchanged(context_, total, 1));
      if (lane_ % 4 == 0) array(of_y, b)[row((high ? 2 : 0) + (higher ? 1 : 0))] = total;
    }

    /// Element i of the column that is to be eliminated, after the reflector from the right.
    PIVOTLAB_DEVICE T eliminated(int i) {
      return multiply_add(minus_tau_in_, array(of_y, b)[i], array(of_column, b)[i]);
    }
    PIVOTLAB_DEVICE T of_reflector(int i) {
      return i == first_ ? T(1) : multiply(eliminated(i), scale_);
    }

    PIVOTLAB_DEVICE void make_reflector() {
      minus_tau_in_ = t_ > 0 ? negated(T(array(in_v, b + 1)[b])) : T(0);
      double squares = 0;
#pragma unroll
      for (int k = 0; k < b / 8; ++k) {
        const int i = lane_ % 8 + 8 * k;
        const T x = eliminated(i);
        squares += i == first_ ? 0.0 : squared_magnitude(x);
      }
      for (int bit = 1; bit < 8; bit *= 2) squares += context_.shuffle_xor(squares, bit);
      const T alpha = eliminated(first_);
      if constexpr (is_complex<T>) squares += alpha.imag() * alpha.imag();
      beta_ = real_part(alpha), tau_ = T(0), scale_ = T(0);
      if (squares >= negligible || squares != squares) {
        beta_ = -with_sign_of(square_root(fused(beta_, beta_, squares)), beta_);
        const T pivot = sum(alpha, T(-beta_));
        tau_ = negated(divided_by_real(pivot, beta_));
        scale_ = quotient(T(1), pivot);
      }
    }

    PIVOTLAB_DEVICE void pass_reflector(Index s) {
      const int i = context_.thread() % b;
      const T v = of_reflector(i);
      if (context_.thread() < b) {
        if (s + 1 + (t_ + 1) * b >= n_) return;
        send(context_, box(t_ + 1) + parts * i, v, static_cast<unsigned>(s + 1));
        if (i == 0) send(context_, box(t_ + 1) + parts * b, tau_, static_cast<unsigned>(s + 1));
      } else if (context_.thread() < 2 * b) {
        const Index block = block_number(group_count(n_), s / b, t_), number = block * b + s % b;
        arguments_.reflectors[number * b + (i - first_ + b) % b] = v;
        if (i == 0) arguments_.tau[number] = tau_;
      }
    }

    /// Sums vᴴ·C and vᴴ·D over the rows of a warp, after C := C − τ·y·v_inᴴ.
    PIVOTLAB_DEVICE void multiply_by_reflector() {
#pragma unroll
      for (int i = 0; i < tile; ++i) v_of_row_[i] = of_reflector(row(i)), v_of_column_[i] = of_reflector(column(i));
      if (t_ > 0) {
        const auto y = array(of_y, b);
#pragma unroll
        for (int i = 0; i < tile; ++i) {
          const T minus_y = multiply(minus_tau_in_, T(y[row(i)]));
#pragma unroll
          for (int j = 0; j < tile; ++j) C(i, j) = multiply_add(minus_y, conjugate(in_v_[j]), C(i, j));
        }
      }
      const int in_tile = first_ / across;
      if (row_ == first_ % across) {
        const auto first_row = array(of_first_row, b);
#pragma unroll
        for (int j = 0; j < tile; ++j) {
          T c = C(0, j);
#pragma unroll
          for (int i = 1; i < tile; ++i)
            if (i == in_tile) c = C(i, j);
          first_row[column(j)] = c;
        }
        if (column_ == row_) {
          double d = real_part(D_[0][0]);
#pragma unroll
          for (int i = 1; i < tile; ++i)
            if (i == in_tile) d = real_part(D_[i][i]);
          reals(of_first, 1)[0] = d;
        }
      }
      const bool high = lane_ & across;  // these lanes keep the sums of D
      const auto sums = array(of_sums + (high ? warps * b * size : 0), warps * b);
#pragma unroll
      for (int j = 0; j < tile; ++j) {
        const T z = down(C(0, j), C(1, j), C(2, j), C(3, j)), w = down(D_[0][j], D_[1][j], D_[2][j], D_[3][j]);
        sums[warp_ * b + column(j)] = sum(high ? w : z, exchanged(context_, high ? z : w, across));
      }
    }
    PIVOTLAB_DEVICE T down(const T& x0, const T& x1, const T& x2, const T& x3) const {
      const T upper = multiply_add(conjugate(v_of_row_[1]), x1, multiply(conjugate(v_of_row_[0]), x0)),
              lower = multiply_add(conjugate(v_of_row_[3]), x3, multiply(conjugate(v_of_row_[2]), x2));
      return sum(upper, lower);
    }
    /// Adds the sums of all warps for a column.
    PIVOTLAB_DEVICE T total(bool of_d, int column) {
      const auto sums = array(of_sums + (of_d ? warps * b * size : 0), warps * b);
      T x[warps];
#pragma unroll
      for (int w = 0; w < warps; ++w) x[w] = sums[w * b + column];
#pragma unroll
      for (int half = warps / 2; half > 0; half /= 2)
#pragma unroll
        for (int w = 0; w < half; ++w) x[w] = sum(x[w], x[w + half]);
      return x[0];
    }

    /// Passes the first row of C, after the reflector from the left, to the position before.
    PIVOTLAB_DEVICE void pass_row(Index s) {
      const int j = context_.thread();
      const T z = multiply(conjugate(tau_), total(false, j));
      const T c = j == first_ ? T(beta_) : sum(T(array(of_first_row, b)[j]), negated(z));
      send(context_, box(t_ - 1) + reflector_words + parts * j, c, static_cast<unsigned>(s + 1));
      array(of_z, b)[j] = z;
    }

    /// w = τ·D·v − ½·|τ|²·(vᴴ·D·v)·v, so that D := D − v·wᴴ − w·vᴴ. A warp has two elements in a lane.
    PIVOTLAB_DEVICE void finish_w(Index s) {
      T v[2], p[2];
      double product = 0;
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const int j = lane_ + k * warp_size;
        v[k] = of_reflector(j), p[k] = conjugate(total(true, j));
        product += real_part(multiply(conjugate(v[k]), p[k]));
      }
      for (int bit = 1; bit < warp_size; bit *= 2) product += context_.shuffle_xor(product, bit);
      const double half = -0.5 * squared_magnitude(tau_) * product;
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const int j = lane_ + k * warp_size;
        const T w = multiply_add(tau_, p[k], multiply(T(half), v[k]));
        array(of_w, b)[j] = w;
        if (j != first_) continue;
        const double d = fused(-2.0, real_part(w), reals(of_first, 1)[0]);
        if (t_ > 0)
          context_.send(box(t_ - 1) + reflector_words + parts * b, d, static_cast<unsigned>(s + 1));
        else
          arguments_.off_diagonal[s] = beta_, arguments_.diagonal[s + 1] = d;
      }
    }

    PIVOTLAB_DEVICE void update() {
      const auto w = array(of_w, b), z = array(of_z, b);
#pragma unroll
      for (int j = 0; j < tile; ++j) {
        const T w_of_column = conjugate(T(w[column(j)])), v_of_column = conjugate(v_of_column_[j]);
        const T z_of_column = t_ > 0 ? T(z[column(j)]) : T(0);
#pragma unroll
        for (int i = 0; i < tile; ++i) {
          C(i, j) = multiply_add(negated(v_of_row_[i]), z_of_column, C(i, j));
          D_[i][j] = multiply_add(negated(v_of_row_[i]), w_of_column, D_[i][j]);
          D_[i][j] = multiply_add(negated(T(w[row(i)])), v_of_column, D_[i][j]);
        }
      }
    }

    Context& context_;
    const Arguments& arguments_;
    Index n_, t_;
    int row_, column_, lane_, warp_;  ///< first row and column of the thread's elements
    int first_ = 0, last_ = 0;        ///< numbers of the first and the last row and column of the window
    T C_[KeepsCInShared ? 1 : tile][tile];
    T D_[tile][tile], in_v_[tile], v_of_row_[tile], v_of_column_[tile];
    T minus_tau_in_, tau_, scale_;
    double beta_ = 0;
  };
};

}  // namespace pivotlab::two_stage
