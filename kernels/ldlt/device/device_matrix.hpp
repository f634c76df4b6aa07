// SPDX-License-Identifier: BSD-3-Clause
// A triangle in device memory; upload and download in pieces.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/ldlt/device/device_triangle.hpp"
#include "kernels/ldlt/device/transfer.hpp"
#include "kernels/ldlt/device/unsearched_errors.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace pivotlab::ldlt_device {

template <class Executor, class T, bool hermitian>
class DeviceMatrix final : public DeviceTriangle<T> {
 public:
  /// `diagonal` is where the diagonal is stored, or null if it belongs to the strips.
  DeviceMatrix(Executor& executor, std::int64_t order, T* diagonal = nullptr)
      : executor_(executor),
        order_(order),
        diagonal_(diagonal),
        elements_(executor.template allocate<T>(static_cast<std::size_t>(Strips<T>::offset(Strips<T>::count(order))))),
        staging_columns_(
            std::clamp<std::int64_t>(staging_bytes / std::int64_t(sizeof(T) * (rows() + 1)), 4, order + 4)),
        staging_(executor.template allocate<T>(static_cast<std::size_t>(staging_columns_) * rows())),
        sizes_(executor.template allocate<ColumnSize>(rows())) {}

  Strips<T> view() const { return {elements_.data(), order_}; }

  void import_packed(const T* elements, const T* diagonal) override {
    executor_.fill_zero(elements_.data(), elements_.size());
    const auto start_of = [this](std::int64_t j) { return j * (2 * order_ + 1 - j) / 2; };
    for_staged_columns([&](std::int64_t first, int count) {
      executor_.upload(staging_.data(), elements + start_of(first),
                       static_cast<std::size_t>(start_of(first + count) - start_of(first)));
      executor_.template launch<ImportColumns<T>>(count, 0, {staging_.data(), first, view()});
    });
    if (diagonal_ != nullptr) return executor_.upload(diagonal_, diagonal, rows());
    if (order_ == 0) return;
    executor_.upload(staging_.data(), diagonal, rows());
    executor_.template launch<ImportDiagonal<T>>(static_cast<int>(view().strips()), 0, {staging_.data(), view()});
  }
  bool import_dense(const GivenMatrix<T>& given) override {
    executor_.fill_zero(elements_.data(), elements_.size());
    const Buffer<std::int32_t> fault = executor_.template allocate<std::int32_t>(1);
    executor_.fill_zero(fault.data(), 1);
    for_staged_columns([&](std::int64_t first, int count) {
      const MatrixView<const T> columns = given.A.cols_range(first, count);
      executor_.upload_columns(staging_.data(), columns.data, static_cast<std::size_t>(columns.stride), rows(),
                               static_cast<std::size_t>(count));
      GivenMatrix<T> staged = given;
      staged.A = {staging_.data() - first * order_, order_, order_, order_};
      const typename ImportDense<T, hermitian>::Arguments arguments{staged, first, triangle(), fault.data()};
      executor_.template launch<ImportDense<T, hermitian>>(count, 0, arguments);
      if (given.lower && given.upper) executor_.template launch<CompareDense<T, hermitian>>(count, 0, arguments);
    });
    return downloaded(fault)[0] == 0;
  }
  std::vector<ColumnSize> measure(const GivenMatrix<T>& given) override {
    using Body = MeasureColumns<T, hermitian>;
    if (order_ > 0) executor_.template launch<Body>(columns(), Body::shared_bytes, {given, sizes_.data()});
    return downloaded(sizes_);
  }
  void import_given(const GivenMatrix<T>& given, int exponent) override {
    executor_.fill_zero(elements_.data(), elements_.size());
    if (order_ > 0)
      executor_.template launch<ImportGiven<T, hermitian>>(columns(), 0, {given, exponent, view(), diagonal_});
  }
  Buffer<T> copied() override {
    Buffer<T> copy = executor_.template allocate<T>(elements_.size());
    executor_.copy(copy.data(), elements_.data(), elements_.size());
    return copy;
  }
  void import_copy(const Buffer<T>& copy) override { executor_.copy(elements_.data(), copy.data(), elements_.size()); }

  std::vector<RowSize> row_sizes() override { return of_rows<MeasureRows<T>, RowSize>(); }
  std::vector<std::int64_t> gathered_rows(ldlt_detail::RowNorm norm, const std::vector<int>& logarithms) override {
    const Buffer<int> uploaded = this->uploaded(logarithms);
    return norm == ldlt_detail::RowNorm::largest
               ? of_rows<GatherRows<T, ldlt_detail::LargestOfRow>, std::int64_t>(uploaded.data())
               : of_rows<GatherRows<T, ldlt_detail::SquaresOfRow>, std::int64_t>(uploaded.data());
  }
  std::int64_t scale(const std::vector<int>& exponents) override {
    using Body = ScaleColumns<T>;
    const Buffer<int> uploaded = this->uploaded(exponents);
    const Buffer<std::int64_t> rounded = executor_.template allocate<std::int64_t>(rows());
    if (order_ > 0)
      executor_.template launch<Body>(columns(), Body::shared_bytes, {triangle(), uploaded.data(), rounded.data()});
    const std::vector<std::int64_t> of_columns = downloaded(rounded);
    return std::accumulate(of_columns.begin(), of_columns.end(), std::int64_t{0});
  }

  std::vector<double> squares_of_rows(const std::vector<double>& pivots) override {
    const Buffer<double> uploaded = this->uploaded(pivots);
    return of_rows<SumSquares<T>, double>(uploaded.data());
  }
  void solve(std::vector<T>& first, std::vector<T>& second) override {
    using Body = SubstituteStrip<T>;
    T *const x = staging_.data(), *const z = x + 2 * order_;
    executor_.upload(x, first.data(), rows());
    executor_.upload(x + order_, second.data(), rows());
    for (std::int64_t strip = 0; strip < view().strips(); ++strip)
      executor_.template launch<Body>(static_cast<int>(view().strips() - strip), Body::shared_bytes,
                                      {view(), strip, x, z});
    executor_.download(first.data(), z, rows());
    executor_.download(second.data(), z + order_, rows());
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
    for (const ColumnSize& size : downloaded(sizes_)) largest = std::max(largest, size.modulus);
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

  template <class Number>
  Buffer<Number> uploaded(const std::vector<Number>& numbers) {
    Buffer<Number> buffer = executor_.template allocate<Number>(numbers.size());
    executor_.upload(buffer.data(), numbers.data(), numbers.size());
    return buffer;
  }
  template <class Number>
  std::vector<Number> downloaded(const Buffer<Number>& buffer) {
    std::vector<Number> numbers(buffer.size());
    executor_.download(numbers.data(), buffer.data(), numbers.size());
    return numbers;
  }
  /// Returns a number for each row, which a body computes of the triangle.
  template <class Body, class Number, class... Arguments>
  std::vector<Number> of_rows(const Arguments&... arguments) {
    const Buffer<Number> numbers = executor_.template allocate<Number>(rows());
    if (order_ > 0)
      executor_.template launch<Body>(static_cast<int>(view().strips()), 0, {triangle(), arguments..., numbers.data()});
    return downloaded(numbers);
  }

  TriangleView<T> triangle() const { return {view(), diagonal_}; }
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
  T* diagonal_;
  Buffer<T> elements_;
  std::int64_t staging_columns_;
  Buffer<T> staging_;
  Buffer<ColumnSize> sizes_;
};

}  // namespace pivotlab::ldlt_device
