// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_storage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "generators/io/check.hpp"

namespace pivotlab::io::hdf5 {
namespace {

constexpr std::string_view damaged = "the file is damaged; copy or write it again";
constexpr std::string_view unreadable = "cannot be read";

}  // namespace

void StorageFinder::find() {
  creation_ = PropertyList(place_.check(H5Dget_create_plist(dataset_), unreadable, damaged));
  const auto layout = H5Pget_layout(creation_);
  if (layout == H5D_VIRTUAL || H5Pget_external_count(creation_) > 0)
    place_.fail("keeps its data in another file", "copy it into one file");
  matrix_.chunk_rows = matrix_.rows;
  matrix_.chunk_cols = matrix_.cols;
  if (layout == H5D_CHUNKED)
    find_chunks();
  else if (layout == H5D_CONTIGUOUS)
    find_contiguous();
  else if (layout == H5D_COMPACT)
    return find_compact();
  else
    place_.fail("is stored in no way that is known", damaged);
  if (!std::ranges::all_of(matrix_.chunks, &ChunkPlace::bytes)) find_fill_value();
}

/// Treats contiguous storage as one chunk.
void StorageFinder::find_contiguous() {
  auto& chunk = matrix_.chunks.emplace_back();
  const haddr_t address = H5Dget_offset(dataset_);
  if (address == HADDR_UNDEF) return;  // never written
  chunk = {address, H5Dget_storage_size(dataset_), 0};
  require_all(chunk.bytes, matrix_.rows, matrix_.cols);
  require_within_file(chunk);
}

/// Reads elements that are stored in the header.
void StorageFinder::find_compact() {
  matrix_.chunks.emplace_back();
  require_all(H5Dget_storage_size(dataset_), matrix_.rows, matrix_.cols);
  matrix_.inline_elements.resize(bytes_of(matrix_.rows, matrix_.cols));
  place_.check(H5Dread(dataset_, type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, matrix_.inline_elements.data()), unreadable,
               damaged);
}

void StorageFinder::find_chunks() {
  std::array<hsize_t, 2> shape{};
  if (H5Pget_chunk(creation_, 2, shape.data()) != 2 || shape[0] == 0 || shape[1] == 0)
    place_.fail("has chunks without a shape", damaged);
  require_fits(place_.file, place_.object, shape[0], shape[1], matrix_.element_bytes());
  matrix_.chunk_rows = static_cast<Index>(shape[0]);
  matrix_.chunk_cols = static_cast<Index>(shape[1]);
  find_filters();
  const auto down = static_cast<std::uint64_t>((matrix_.rows - 1) / matrix_.chunk_rows + 1),
             across = static_cast<std::uint64_t>(matrix_.chunks_across());
  // Most chunks of an undamaged file are stored; a search for many more than possible would take long.
  const std::uint64_t most = (std::uint64_t{1} << 20) + bytes_.size / 16;
  if (across > most / down)
    place_.fail(fmt::format("has {} x {} chunks in a file of {} bytes", down, across, bytes_.size),
                "store it in larger chunks");
  matrix_.chunks.resize(down * across);
  for (std::uint64_t i = 0; i < down; ++i)
    for (std::uint64_t j = 0; j < across; ++j) find_chunk({i * shape[0], j * shape[1]}, matrix_.chunks[i * across + j]);
}

/// Accepts built-in filters only; any other would make HDF5 load a plugin.
void StorageFinder::find_filters() {
  unsigned options = 0;
  place_.check(H5Pget_chunk_opts(creation_, &options), unreadable, damaged);
  cut_chunks_unfiltered_ = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  const int filters = H5Pget_nfilters(creation_);
  for (int k = 0; k < filters; ++k) {
    std::array<char, 64> name{};
    std::array<unsigned, 8> values{};
    std::size_t count = values.size();
    unsigned flags = 0, config = 0;
    const auto filter = H5Pget_filter2(creation_, static_cast<unsigned>(k), &flags, &count, values.data(), name.size(),
                                       name.data(), &config);
    switch (filter) {
      case H5Z_FILTER_DEFLATE:
        matrix_.filters.push_back(Filter::deflate);
        break;
      case H5Z_FILTER_FLETCHER32:
        matrix_.filters.push_back(Filter::fletcher32);
        break;
      case H5Z_FILTER_SHUFFLE:
        if (count < 1 || values[0] != matrix_.element_bytes())
          place_.fail("is shuffled by another size than its elements have", damaged);
        matrix_.filters.push_back(Filter::shuffle);
        break;
      default:
        place_.fail(
            fmt::format("is stored with the filter {} ({}), which is not built in", filter, printable(name.data())),
            "compress it with gzip");
    }
  }
}

/// libhdf5 locates a chunk when it reads it in stored form; the driver records the position instead of reading.
void StorageFinder::find_chunk(const std::array<hsize_t, 2>& first, ChunkPlace& chunk) {
  hsize_t stored = 0;
  const auto found = H5Dget_chunk_storage_size(dataset_, first.data(), &stored);
  // For a chunk that was never written HDF5 1.10 returns this error, and later versions report no bytes.
  if (found < 0 && innermost_error() == "chunk storage is not allocated") return;
  place_.check(found, unreadable, damaged);
  if (stored == 0) return;
  std::uint32_t skipped = 0;
  char untouched = 0;
  bytes_.elements = Extent{};
  const auto status = H5Dread_chunk(dataset_, H5P_DEFAULT, first.data(), &skipped, &untouched);
  const Extent extent = *std::exchange(bytes_.elements, std::nullopt);
  place_.check(status, unreadable, damaged);
  const bool is_cut = first[0] + static_cast<hsize_t>(matrix_.chunk_rows) > static_cast<hsize_t>(matrix_.rows) ||
                      first[1] + static_cast<hsize_t>(matrix_.chunk_cols) > static_cast<hsize_t>(matrix_.cols);
  chunk = {extent.address, extent.bytes, is_cut && cut_chunks_unfiltered_ ? ~std::uint64_t{0} : skipped};
  require_within_file(chunk);
  if (matrix_.filters.empty() || chunk.bytes == 0) require_all(chunk.bytes, matrix_.chunk_rows, matrix_.chunk_cols);
}

/// Finds the value of elements that were never written.
void StorageFinder::find_fill_value() {
  H5D_fill_value_t defined = H5D_FILL_VALUE_ERROR;
  place_.check(H5Pfill_value_defined(creation_, &defined), unreadable, damaged);
  if (defined != H5D_FILL_VALUE_USER_DEFINED) return;
  matrix_.fill.resize(matrix_.element_bytes());
  place_.check(H5Pget_fill_value(creation_, type_, matrix_.fill.data()), unreadable, damaged);
}

std::uint64_t StorageFinder::bytes_of(Index rows, Index cols) const {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols) * matrix_.element_bytes();
}

void StorageFinder::require_all(std::uint64_t stored, Index rows, Index cols) const {
  if (const auto needed = bytes_of(rows, cols); stored != needed)
    place_.fail(fmt::format("has {} bytes where {} x {} elements need {}", stored, rows, cols, needed), damaged);
}

void StorageFinder::require_within_file(const ChunkPlace& chunk) const {
  if (chunk.address > bytes_.size || chunk.bytes > bytes_.size - chunk.address)
    place_.fail(fmt::format("{} bytes of it are at {} of a file of {}", chunk.bytes, chunk.address, bytes_.size),
                damaged);
}

}  // namespace pivotlab::io::hdf5
