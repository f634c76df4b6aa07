// Large matrices of zeros.
#pragma once

#include <sys/mman.h>
#include <cstdint>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/matrix.hpp>

namespace pivotlab {

namespace detail {

/// Asks for huge pages, where the system gives them to those who ask.
inline void advise_huge_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace detail

/// rows × cols zeros, written by threads: it is the first touch of each page that takes the time, two seconds of one
/// thread for 4 GB.
template <class T>
Matrix<T> zeros(Index rows, Index cols, int threads = 0) {
  constexpr Index large = Index(1) << 23;  // bytes
  const Index bytes = rows * cols * static_cast<Index>(sizeof(T));
  if (bytes < large) return Matrix<T>(rows, cols);
  Matrix<T> A = Matrix<T>::uninitialized(rows, cols);
  detail::advise_huge_pages(A.data(), static_cast<std::size_t>(bytes));
  constexpr Index piece = Index(1) << 18;  // elements
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
  for (Index first = 0; first < A.size(); first += piece)
    std::uninitialized_value_construct_n(A.data() + first, std::min(piece, A.size() - first));
  return A;
}

}  // namespace pivotlab
