// SPDX-License-Identifier: BSD-3-Clause
// A triangle in device memory; upload and download in pieces.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/ldlt/device/given_matrix.hpp"
#include "kernels/ldlt/device/transfer.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pivotlab::ldlt_device {

template <class Executor, class T>
class DeviceMatrix {
 public:
  DeviceMatrix(Executor& executor, std::int64_t order)
      : executor_(executor),
        order_(order),
        elements_(executor.template allocate<T>(static_cast<std::size_t>(Strips<T>::offset(Strips<T>::count(order))))),
        staging_columns_(
            std::clamp<std::int64_t>(staging_bytes / std::int64_t(sizeof(T) * (rows() + 1)), 1, order + 1)),
        staging_(executor.template allocate<T>(static_cast<std::size_t>(staging_columns_) * rows())),
        sizes_(executor.template allocate<ColumnSize>(rows())) {}

  Strips<T> view() const { return {elements_.data(), order_}; }

  /// Uploads a packed triangle in the layout of PackedTriangle; elements on and above the diagonal become zero.
  void import_triangle(const T* elements) {
    executor_.fill_zero(elements_.data(), elements_.size());
    const auto start_of = [this](std::int64_t j) { return j * (2 * order_ + 1 - j) / 2; };
    for_staged_columns([&](std::int64_t first, int count) {
      executor_.upload(staging_.data(), elements + start_of(first),
                       static_cast<std::size_t>(start_of(first + count) - start_of(first)));
      executor_.template launch<ImportColumns<T>>(count, 0, {staging_.data(), first, view()});
    });
  }
  void import_diagonal(const T* diagonal) {
    if (order_ == 0) return;
    executor_.upload(staging_.data(), diagonal, rows());
    executor_.template launch<ImportDiagonal<T>>(static_cast<int>(view().strips()), 0, {staging_.data(), view()});
  }

  /// Returns the sizes of the columns of a matrix in device memory.
  template <bool hermitian>
  std::vector<ColumnSize> measure(const GivenMatrix<T>& given) {
    using Body = MeasureColumns<T, hermitian>;
    if (order_ > 0) executor_.template launch<Body>(columns(), Body::shared_bytes, {given, sizes_.data()});
    return downloaded_sizes();
  }
  /// Imports 2^exponent times a matrix in device memory; its diagonal belongs to the strips if `diagonal` is null.
  template <bool hermitian>
  void import_given(const GivenMatrix<T>& given, int exponent, T* diagonal) {
    executor_.fill_zero(elements_.data(), elements_.size());
    if (order_ > 0)
      executor_.template launch<ImportGiven<T, hermitian>>(columns(), 0, {given, exponent, view(), diagonal});
  }

  /// Downloads M, order × order, column-major; columns from `rank` on are those of the identity. Elements above the
  /// diagonal are zero already, unless M has fewer bytes than Matrix maps. Returns the largest modulus below the
  /// diagonal.
  double export_m(T* M, std::int64_t rank) {
    for_staged_columns([&](std::int64_t first, int count) {
      const MatrixView<T> part{staging_.data() - first, order_ - first, count, order_ - first};
      executor_.template launch<Export>(count, Export::shared_bytes, {view(), first, first, rank, part, sizes_.data()});
      executor_.download_columns(M + first * order_ + first, rows(), staging_.data(),
                                 static_cast<std::size_t>(order_ - first), static_cast<std::size_t>(count));
    });
    double largest = 0;
    for (const ColumnSize& size : downloaded_sizes()) largest = std::max(largest, size.modulus);
    return largest;
  }
  /// Stores M with zeros above the diagonal to device memory.
  void export_m(MatrixView<T> M, std::int64_t rank) {
    if (order_ > 0)
      executor_.template launch<Export>(columns(), Export::shared_bytes, {view(), 0, 0, rank, M, sizes_.data()});
  }

 private:
  using Export = ExportColumns<T>;

  static constexpr std::int64_t staging_bytes = std::int64_t(64) << 20;
  static_assert(staging_bytes >= 2 * std::int64_t(detail::mapped_bytes));  // a smaller M fits, with its zeros

  std::vector<ColumnSize> downloaded_sizes() {
    std::vector<ColumnSize> sizes(rows());
    executor_.download(sizes.data(), sizes_.data(), rows());
    return sizes;
  }

  std::size_t rows() const { return static_cast<std::size_t>(order_); }
  int columns() const { return static_cast<int>(order_); }

  /// Calls work(first, count) for ranges of columns that fit the staging buffer.
  template <class Work>
  void for_staged_columns(Work&& work) {
    for (std::int64_t first = 0; first < order_; first += staging_columns_)
      work(first, static_cast<int>(std::min(staging_columns_, order_ - first)));
  }

  Executor& executor_;
  std::int64_t order_;
  Buffer<T> elements_;
  std::int64_t staging_columns_;
  Buffer<T> staging_;
  Buffer<ColumnSize> sizes_;
};

}  // namespace pivotlab::ldlt_device
