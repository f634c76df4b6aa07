// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices in Fortran (column-major) order: an owning Matrix and a non-owning MatrixView.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace pivotlab {

using Index = std::ptrdiff_t;

namespace detail {
/// Maps zeroed memory, in large pages if the system has them. No page is touched, so that the threads that write it
/// first do so at the same time. Throws std::bad_alloc.
void* map_pages(std::size_t bytes);
void unmap_pages(void* pages, std::size_t bytes) noexcept;
/// From this size on, matrices have mapped memory: with smaller ones the allocator reuses memory.
inline constexpr std::size_t mapped_bytes = std::size_t(32) << 20;
}  // namespace detail

/// A rows × cols window on column-major storage: element (i, j) is data[i + j * stride], stride ≥ rows. T may be const.
/// A view is passed by value and does not own its elements.
template <class T>
struct MatrixView {
  T* data = nullptr;
  Index rows = 0, cols = 0, stride = 0;

  T& operator()(Index i, Index j) const { return data[i + j * stride]; }
  std::span<T> col(Index j) const { return {data + j * stride, static_cast<std::size_t>(rows)}; }
  MatrixView block(Index i, Index j, Index block_rows, Index block_cols) const {
    return {data + i + j * stride, block_rows, block_cols, stride};
  }
  MatrixView cols_range(Index first, Index count) const { return block(0, first, rows, count); }
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols, stride}; }
};

/// Owning column-major matrix of numbers, whose zero has no bit set; value-initialized, 64-byte aligned, stride ==
/// rows.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols) : rows_(rows), cols_(cols), data_(allocate(rows, cols)) {
    if (data_.get_deleter().mapped == 0) std::uninitialized_value_construct_n(data_.get(), size());
  }
  explicit Matrix(MatrixView<const T> source) : rows_(source.rows), cols_(source.cols), data_(allocate(rows_, cols_)) {
    for (Index j = 0; j < cols_; ++j)
      std::uninitialized_copy_n(source.data + j * source.stride, rows_, data_.get() + j * rows_);
  }
  Matrix(const Matrix& other) : Matrix(other.view()) {}
  Matrix(Matrix&& other) noexcept : Matrix() { swap(other); }
  Matrix& operator=(Matrix other) noexcept {
    swap(other);
    return *this;
  }
  ~Matrix() = default;

  /// Uninitialized storage; the caller writes every element.
  static Matrix uninitialized(Index rows, Index cols) {
    Matrix result;
    result.rows_ = rows, result.cols_ = cols;
    result.data_ = allocate(rows, cols);
    return result;
  }
  static Matrix identity(Index n) {
    Matrix result(n, n);
    for (Index i = 0; i < n; ++i) result(i, i) = T(1);
    return result;
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index size() const { return rows_ * cols_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator()(Index i, Index j) { return data_.get()[i + j * rows_]; }
  const T& operator()(Index i, Index j) const { return data_.get()[i + j * rows_]; }
  std::span<T> col(Index j) { return view().col(j); }
  std::span<const T> col(Index j) const { return view().col(j); }
  MatrixView<T> view() { return {data(), rows_, cols_, rows_}; }
  MatrixView<const T> view() const { return {data(), rows_, cols_, rows_}; }
  operator MatrixView<T>() { return view(); }
  operator MatrixView<const T>() const { return view(); }

 private:
  struct Release {
    std::size_t mapped = 0;  ///< bytes, or 0
    void operator()(T* p) const {
      if (mapped > 0)
        detail::unmap_pages(p, mapped);
      else
        ::operator delete (p, std::align_val_t{64});
    }
  };
  using Storage = std::unique_ptr<T, Release>;
  static_assert(std::is_trivially_destructible_v<T>);

  static Storage allocate(Index rows, Index cols) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(rows, cols, &bytes) || __builtin_mul_overflow(bytes, sizeof(T), &bytes))
      throw std::bad_alloc();
    if (bytes >= detail::mapped_bytes) return Storage(static_cast<T*>(detail::map_pages(bytes)), {bytes});
    return Storage(static_cast<T*>(::operator new (bytes, std::align_val_t{64})));
  }
  void swap(Matrix& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
    std::swap(data_, other.data_);
  }

  Index rows_ = 0, cols_ = 0;
  Storage data_;
};

}  // namespace pivotlab
