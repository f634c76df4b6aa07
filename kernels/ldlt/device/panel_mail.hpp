// SPDX-License-Identifier: BSD-3-Clause
// Rook and partial pivoting: what the blocks of a panel's kernel tell one another (searched_panel.hpp).
#pragma once

#include "kernels/ldlt/device/panel.hpp"
#include "kernels/numerics/messages.hpp"

#include <bit>

namespace pivotlab::ldlt_device {

/// The largest off-diagonal element of a searched column, or of a part of it.
template <class T>
struct FoundElement {
  Found found;
  T value;

  static PIVOTLAB_DEVICE FoundElement none() { return {Found::none(), T(0)}; }
};

/// Boxes of messages. A message about a searched column has the number of its step, those about C* that of their panel.
template <class T>
struct PanelMail {
  static constexpr int parts = PanelColumns<T>::parts, columns = PanelColumns<T>::most;
  static constexpr int most_blocks = 132;  ///< of the grid: the multiprocessors of an H200; larger ones have not run

  NumberedDouble* words = nullptr;

  static constexpr std::int64_t count(std::int64_t order) { return minus_w_at + order * columns * parts; }

  template <class Context>
  PIVOTLAB_DEVICE void send_largest(Context& context, int block, unsigned step, const FoundElement<T>& x) const {
    NumberedDouble* const box = of_largest(block, step);
    const auto place = std::uint64_t(static_cast<unsigned>(x.found.at.place)) << 32;
    context.send(box, std::bit_cast<double>(place | static_cast<unsigned>(x.found.at.row)), step);
    send(context, box + 1, x.value, step);
    if constexpr (is_complex<T>) context.send(box + 3, x.found.size, step);
  }
  template <class Context>
  PIVOTLAB_DEVICE bool receive_largest(Context& context, int block, unsigned step, FoundElement<T>& x) const {
    const NumberedDouble* const box = of_largest(block, step);
    double place = 0;
    bool has_come = context.receive(box, step, place);
    has_come &= receive(context, box + 1, step, x.value);
    if constexpr (is_complex<T>)
      has_come &= context.receive(box + 3, step, x.found.size);
    else
      x.found.size = absolute(x.value);
    const auto bits = std::bit_cast<std::uint64_t>(place);
    x.found.at = {static_cast<std::int32_t>(bits & 0xffffffff), static_cast<std::int32_t>(bits >> 32)};
    return has_come;
  }

  /// Returns the box of the diagonal element of the column of a step.
  PIVOTLAB_DEVICE NumberedDouble* diagonal(unsigned step) const { return words + diagonal_at + step % 2 * parts; }
  /// Returns the box of one of the first elements of the column of a step, as many as a panel has columns.
  PIVOTLAB_DEVICE NumberedDouble* front(unsigned step, std::int64_t i) const {
    return words + front_at + (step % 3 * columns + i) * parts;
  }
  /// Returns the box of an element of −C*.
  PIVOTLAB_DEVICE NumberedDouble* minus_w(int column, std::int64_t row) const {
    return words + minus_w_at + (row * columns + column) * parts;
  }

 private:
  static constexpr int words_of_largest = is_complex<T> ? 4 : 2;
  static constexpr int diagonal_at = 2 * most_blocks * words_of_largest, front_at = diagonal_at + 2 * parts;
  static constexpr int minus_w_at = front_at + 3 * columns * parts;

  PIVOTLAB_DEVICE NumberedDouble* of_largest(int block, unsigned step) const {
    return words + (step % 2 * most_blocks + block) * words_of_largest;
  }
};

}  // namespace pivotlab::ldlt_device
