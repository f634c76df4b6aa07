// SPDX-License-Identifier: BSD-3-Clause
// Rook and partial pivoting: a partially factored panel with deferred interchanges, in device memory.
//
// Until a panel is complete, the stored triangle is that from before the panel: rows and columns are not moved, and
// each row stores the place to which interchanges would have moved it. The delayed updates of a column of the reduced
// matrix are applied when the search reads it.
#pragma once

#include "kernels/ldlt/device/stage.hpp"
#include "kernels/ldlt/device/strips.hpp"
#include "kernels/ldlt/shared/products.hpp"

#include <cstdint>
#include <limits>

namespace pivotlab::ldlt_device {

/// A panel has one or two chunks of columns. A chunk has those that fit 64 planes, [plane][row], with one plane for the
/// real and one for the imaginary parts of a column.
template <class T>
struct PanelColumns {
  static constexpr int planes = 64;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr int count = planes / parts;  ///< of a chunk
  static constexpr int most = 2 * count;        ///< of a panel

  double* elements;
  std::int64_t stride;  ///< rows of a plane: whole strips, even for the last tile

  PIVOTLAB_DEVICE T get(int column, std::int64_t row) const {
    const double* x = elements + column * parts * stride + row;
    if constexpr (is_complex<T>)
      return T(x[0], x[stride]);
    else
      return *x;
  }
  PIVOTLAB_DEVICE void put(int column, std::int64_t row, const T& value) const {
    double* x = elements + column * parts * stride + row;
    if constexpr (is_complex<T>) {
      x[0] = value.real();
      x[stride] = value.imag();
    } else {
      *x = value;
    }
  }
};

/// The panel's columns of M, and −C* of the same stages.
template <class T>
struct Panel {
  PanelColumns<T> m, minus_w;
};

enum class Phase : int {
  begin,    ///< no column of the panel has been searched
  first,    ///< the first column of the reduced matrix has been searched
  further,  ///< another column has been searched
  full,     ///< the panel waits for its interchanges and the update of the triangle
  done,
  half,    ///< without a search, the panel waits for the update of the columns of its second chunk
  refused  ///< a pivot without a search is zero or overflows
};

/// Index of a row in memory, and its place among the interchanged rows.
struct Row {
  std::int32_t row = 0, place = 0;
};

/// The largest off-diagonal element of a column.
struct Found {
  double size;
  Row at;

  static PIVOTLAB_DEVICE Found none() { return {0, {-1, std::numeric_limits<std::int32_t>::max()}}; }
};

PIVOTLAB_DEVICE inline Found better(const Found& x, const Found& y) {
  return y.size > x.size || (y.size == x.size && y.at.place < x.at.place) ? y : x;
}

/// Progress of the elimination.
struct Progress {
  std::int64_t begin = 0;   ///< first row and column of the panel
  std::int64_t k = 0;       ///< first row of the reduced matrix
  std::int64_t stages = 0;  ///< done so far
  unsigned step = 0;        ///< searches begun so far; numbers their messages
  Phase phase = Phase::begin;
  int slot = 0;              ///< slot of `latest` among the searched columns; `previous` has the slot before it
  Row latest = {};           ///< the last searched column
  Row previous = {};         ///< the one before it
  double previous_size = 0;  ///< the largest off-diagonal element of `previous`
  double largest = 0;        ///< largest element of the reduced matrix with which the panel began

  PIVOTLAB_DEVICE int columns() const { return static_cast<int>(k - begin); }
};

/// State that a kernel reads from the previous kernel and writes for the next one. There are two copies, so that no
/// block of threads overwrites data that another block still reads.
struct PanelGeneration {
  Progress* progress;
  std::int32_t* front;  ///< [column of the panel]: the row at that place
};

/// The last searched columns of the reduced matrix, in the order of rows in memory.
template <class T>
struct SearchedColumns {
  static constexpr int slots = 3;
  T* elements;
  std::int64_t stride;

  PIVOTLAB_DEVICE T& at(int slot, std::int64_t row) const { return elements[slot * stride + row]; }
  static PIVOTLAB_DEVICE int next(int slot) { return slot + 1 == slots ? 0 : slot + 1; }
  static PIVOTLAB_DEVICE int before(int slot) { return slot == 0 ? slots - 1 : slot - 1; }
};

/// The interchange k ↔ place of the first pivot row and, for a 2×2 pivot, then k + 1 ↔ place of the second one.
class PlaceInterchanges {
 public:
  PIVOTLAB_DEVICE PlaceInterchanges(std::int64_t k, int size, const Row& first, const Row& second)
      : first_{static_cast<std::int32_t>(k), first.place},
        second_{first_.from + 1, size == 2 ? first_.moved(second.place) : first_.from + 1} {}

  /// These are the places that are exchanged with k and k + 1.
  PIVOTLAB_DEVICE std::int32_t first_partner() const { return first_.to; }
  PIVOTLAB_DEVICE std::int32_t second_partner() const { return second_.to; }
  /// Returns the place to which the row in this place moves.
  PIVOTLAB_DEVICE std::int32_t forward(std::int32_t place) const { return second_.moved(first_.moved(place)); }
  /// Returns the place from which the row that moves to this place comes.
  PIVOTLAB_DEVICE std::int32_t backward(std::int32_t place) const { return first_.moved(second_.moved(place)); }

 private:
  struct Interchange {
    std::int32_t from, to;
    PIVOTLAB_DEVICE std::int32_t moved(std::int32_t place) const {
      return place == from ? to : place == to ? from : place;
    }
  };
  Interchange first_, second_;
};

}  // namespace pivotlab::ldlt_device
