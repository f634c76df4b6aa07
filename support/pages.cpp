// SPDX-License-Identifier: BSD-3-Clause
// Memory of large matrices.
#include <pivotlab/matrix.hpp>

#include <sys/mman.h>

#include <cstdint>

namespace pivotlab::detail {
namespace {

constexpr std::size_t large_page = std::size_t(2) << 20;

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + large_page - 1) / large_page * large_page;
}

}  // namespace

void* map_pages(std::size_t bytes) {
  const std::size_t size = whole_pages(bytes);
  if (size < bytes) throw std::bad_alloc();
  void* const memory = mmap(nullptr, size + large_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<unsigned char*>(memory);
  const std::size_t before = (large_page - reinterpret_cast<std::uintptr_t>(begin) % large_page) % large_page;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size, large_page - before);
  madvise(begin + before, size, MADV_HUGEPAGE);  // a hint, which the system may refuse
  return begin + before;
}

void unmap_pages(void* pages, std::size_t bytes) noexcept {
  munmap(pages, whole_pages(bytes));
}

}  // namespace pivotlab::detail
