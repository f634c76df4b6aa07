// SPDX-License-Identifier: BSD-3-Clause
// Divide and conquer on a symmetric tridiagonal matrix: what a merge can leave out.
#pragma once

#include "kernels/two_stage/merge_tree.hpp"

#include <cmath>

namespace pivotlab::two_stage {

/// Begins the merges of a level: diag(Q₁, Q₂)ᵀ·T·diag(Q₁, Q₂) = D + ρ·z·zᵀ, with z of the last row of Q₁ and the first
/// of Q₂. As LAPACK's dlaed2, with d and z in ascending order of d: columns are deflated whose |ρ·z| is at most a
/// tolerance, and one of two neighbours whose z a rotation joins if it leaves an element of at most the tolerance. What
/// it ought to rotate is found for all original neighbours at once; a rotated column and its next neighbour are tested
/// by one thread.
///
/// The tolerance is relative to the merge, and no less than 2^-300, so that quotients do not overflow if ‖T‖ is
/// about 1.
///
/// One block for each merge, threads taking indices at equal distances, or ranges of them in order to number those
/// which have a property. Shared memory: the numbers of the warps.
struct Deflate {
  using Arguments = MergeArguments;
  static constexpr int threads = 512, min_blocks = 1, warps = threads / warp_size;
  static constexpr int shared_bytes = warps * static_cast<int>(sizeof(int));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Merge merge = a.level.merge(context.block());
    const int size = static_cast<int>(merge.size()), thread = context.thread();
    const double e = a.off_diagonal[merge.middle - 1], rho = 2 * std::fabs(e);
    double *const d = a.sorted + merge.begin, *const z = a.z + merge.begin;
    int *const column = a.column + merge.begin, *const state = a.state + merge.begin,
               *const list = a.list + merge.begin, *const flagged = a.flagged + merge.begin,
               *const source = a.source + merge.begin;

    sort(a, merge, e < 0 ? -1 : 1, thread);
    context.sync();
    const double scale = std::fmax(std::fmax(std::fabs(d[0]), std::fabs(d[size - 1])), rho),
                 tolerance = std::fmax(0x1p-50 * scale, 0x1p-300);
    for (int p = thread; p < size; p += threads)
      state[p] = rho * std::fabs(z[p]) > tolerance ? (column[p] < merge.middle ? in_upper : in_lower) : deflated;
    context.sync();
    const int candidates = number(
        context, size, [&](int p) { return state[p] != deflated; }, [&](int i, int p) { list[i] = p; });
    const int starts = number(
        context, candidates, [&](int i) { return i > 0 && Joined(d, z, list[i - 1], list[i]).fits(tolerance); },
        [&](int s, int i) { flagged[s] = i; });
    MergeSizes sizes{};
    if (thread == 0) sizes.rotations = rotate(a, merge, tolerance, candidates, starts);
    context.sync();

    sizes.rho = rho;
    sizes.kept = number(
        context, size, [&](int p) { return state[p] != deflated; },
        [&](int j, int p) { list[j] = p, a.pole[merge.begin + j] = d[p], a.weight[merge.begin + j] = z[p]; });
    int grouped = 0;
    const auto group = [&](int kind) {
      const int count = number(
          context, sizes.kept, [&](int j) { return state[list[j]] == kind; },
          [&](int i, int j) { a.place[merge.begin + j] = grouped + i, source[grouped + i] = column[list[j]]; });
      grouped += count;
      return count;
    };
    sizes.upper = group(in_upper), sizes.both = group(in_both), sizes.lower = group(in_lower);
    number(
        context, size, [&](int p) { return state[p] == deflated; },
        [&](int i, int p) { source[sizes.kept + i] = column[p], a.lambda[merge.begin + sizes.kept + i] = d[p]; });
    if (thread == 0) a.sizes[context.block()] = sizes;
  }

 private:
  static constexpr int deflated = 0, in_upper = 1, in_both = 2, in_lower = 3;

  /// Two columns p, q, and the rotation that makes z_p zero.
  struct Joined {
    double z, c, s, gap;
    PIVOTLAB_DEVICE Joined(const double* d, const double* all_z, int p, int q)
        : z(std::sqrt(std::fma(all_z[p], all_z[p], all_z[q] * all_z[q]))),
          c(all_z[q] / z),
          s(-all_z[p] / z),
          gap(d[q] - d[p]) {}
    PIVOTLAB_DEVICE bool fits(double tolerance) const { return std::fabs(gap * c * s) <= tolerance; }
  };

  /// Merges the sorted eigenvalues of both parts, and sets z.
  PIVOTLAB_DEVICE static void sort(const Arguments& a, const Merge& merge, double sign, int thread) {
    constexpr double root_of_half = 0.70710678118654752440;
    for (Index i = merge.begin + thread; i < merge.end; i += threads) {
      const bool upper = i < merge.middle;
      const double value = a.values[i];
      Index low = upper ? merge.middle : merge.begin, high = upper ? merge.end : merge.middle;
      while (low < high) {  // those of the other part that come before
        const Index half = (low + high) / 2;
        if (upper ? a.values[half] < value : a.values[half] <= value)
          low = half + 1;
        else
          high = half;
      }
      const Index to = upper ? i + low - merge.middle : i - merge.middle + low, column = a.order[i];
      double& element = a.Q.data[(upper ? a.last_of_upper(merge) : a.first_of_lower(merge)) + column * a.Q.stride];
      const double z = element;
      if (a.of_boundaries) element = 0;  // of the last row or the first one of both parts
      a.sorted[to] = value, a.column[to] = static_cast<int>(column);
      a.z[to] = root_of_half * (upper ? z : sign * z);
    }
  }

  /// Rotates from each place where neighbours fit on, as long as the next one fits, too. Returns how many rotations.
  PIVOTLAB_DEVICE static int rotate(const Arguments& a, const Merge& merge, double tolerance, int candidates,
                                    int starts) {
    double *const d = a.sorted + merge.begin, *const z = a.z + merge.begin;
    const int *const column = a.column + merge.begin, *const list = a.list + merge.begin;
    int* const state = a.state + merge.begin;
    int rotations = 0, tested = 0;
    for (int start = 0; start < starts; ++start) {
      const int first = a.flagged[merge.begin + start];
      if (first <= tested) continue;
      for (tested = first; tested < candidates; ++tested) {
        const int p = list[tested - 1], q = list[tested];
        const Joined joined(d, z, p, q);
        if (!joined.fits(tolerance)) break;
        const double c2 = joined.c * joined.c, s2 = joined.s * joined.s, d_p = d[p], d_q = d[q];
        d[p] = std::fma(d_p, c2, d_q * s2), d[q] = std::fma(d_p, s2, d_q * c2);
        z[p] = 0, z[q] = joined.z;
        if (state[p] != state[q]) state[q] = in_both;
        state[p] = deflated;
        a.rotations[merge.begin + rotations++] = {column[p], column[q], joined.c, joined.s};
      }
    }
    return rotations;
  }

  /// Calls store(i, p) for the i-th p < count that has a property, and returns how many there are. All threads of the
  /// block call it; it begins and ends with barriers.
  template <class Context, class Has, class Store>
  PIVOTLAB_DEVICE static int number(Context& context, int count, const Has& has, const Store& store) {
    const auto of_warps = context.template shared<int>(0, warps);
    const int each = (count + threads - 1) / threads, first = context.thread() * each,
              end = first + each < count ? first + each : count, lane = context.lane();
    int own = 0;
    for (int p = first; p < end; ++p) own += has(p);
    int up_to = own;
    for (int distance = 1; distance < warp_size; distance *= 2) {
      const int before = context.shuffle(up_to, (lane - distance) & (warp_size - 1));
      if (lane >= distance) up_to += before;
    }
    if (lane == warp_size - 1) of_warps[context.warp()] = up_to;
    context.sync();
    int next = up_to - own, total = 0;
    for (int warp = 0; warp < warps; ++warp) {
      if (warp < context.warp()) next += of_warps[warp];
      total += of_warps[warp];
    }
    for (int p = first; p < end; ++p)
      if (has(p)) store(next++, p);
    context.sync();
    return total;
  }
};

/// Applies the rotations of the merges to Q: ForEach, a thread for each row, or for each row of each part's boundaries.
struct RotateColumns {
  MergeArguments a;
  PIVOTLAB_DEVICE void operator()(Index row, Index boundary) const {
    const Index part = a.of_boundaries ? boundary : a.level.part_of(row), begin = a.level.begin(part);
    for (int r = 0; r < a.sizes[part].rotations; ++r) {
      const Rotation& rotation = a.rotations[begin + r];
      double &from = a.Q.data[row + rotation.from * a.Q.stride], &to = a.Q.data[row + rotation.to * a.Q.stride];
      const double x = from, y = to;
      from = std::fma(rotation.c, x, rotation.s * y), to = std::fma(rotation.c, y, -(rotation.s * x));
    }
  }
};

}  // namespace pivotlab::two_stage
