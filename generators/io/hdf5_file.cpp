// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <pivotlab/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "generators/io/check.hpp"
#include "generators/io/hdf5_examine.hpp"
#include "generators/io/hdf5_examiner.hpp"

namespace pivotlab::io::hdf5 {
namespace {

/// Throws InputError unless all assumptions of reading hold; the map may come from another process.
void require_sound(const Place& place, const StoredMatrix& m) {
  const auto positive = [](Index extent) { return extent > 0 && extent < (Index{1} << 32); };
  const auto whole = [](const NumberType& n) {
    return n.kind == NumberType::Kind::floating ? n.bytes == 4 || n.bytes == 8 : n.bytes >= 1 && n.bytes <= 8;
  };
  bool sound = positive(m.rows) && positive(m.cols) && positive(m.chunk_rows) && positive(m.chunk_cols) &&
               whole(m.number) && (m.fill.empty() || m.fill.size() == m.element_bytes());
  if (sound) {
    const auto count = ((m.rows - 1) / m.chunk_rows + 1) * m.chunks_across();
    sound = std::ssize(m.chunks) == count && (!m.lower_triangle || m.rows == m.cols);
  }
  if (sound && !m.inline_elements.empty())
    sound = m.chunks.size() == 1 && m.inline_elements.size() / m.element_bytes() / static_cast<std::size_t>(m.rows) ==
                                        static_cast<std::size_t>(m.cols);
  if (!sound) place.fail("cannot be read", "the file is damaged; copy or write it again");
}

}  // namespace

bool has_signature(const std::filesystem::path& file) {
  constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
  const auto size = require_readable(file);
  std::ifstream stream(file, std::ios::binary);
  std::array<char, signature.size()> found;
  // After a user block the signature is at 512, 1024, 2048, …
  for (std::uint64_t offset = 0; offset + found.size() <= size; offset = std::max<std::uint64_t>(512, 2 * offset)) {
    stream.seekg(static_cast<std::streamoff>(offset));
    if (!stream.read(found.data(), found.size())) return false;
    if (std::equal(found.begin(), found.end(), signature.begin())) return true;
  }
  return false;
}

OldFile::OldFile(const std::filesystem::path& file, const Wanted& wanted) : name_(file) {
  const Place place{file, ""};
  if (!has_signature(file)) place.fail("is not an HDF5 file", "give a file written by write_pair, generate or h5py");
  size_ = require_readable(file);
  descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) place.fail(std::generic_category().message(errno), "check the file system");
  try {
    const auto program = examiner();
    map_ = program.empty() ? examine(descriptor_, size_, file, wanted)
                           : examine_by(program, descriptor_, size_, file, wanted);
    for (const auto& [object, found] : map_.objects)
      if (found.matrix) require_sound({file, object}, *found.matrix);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

OldFile::~OldFile() {
  ::close(descriptor_);
}

std::optional<std::string> OldFile::text(const std::string& name) const {
  const auto found = map_.texts.find(name);
  return found == map_.texts.end() ? std::nullopt : std::optional(found->second);
}

const StoredMatrix& OldFile::matrix(const std::string& object) const {
  const auto found = map_.objects.find(object);
  if (found == map_.objects.end())
    Place{name_, object}.fail("there is no such dataset", "the file is damaged; copy or write it again");
  if (!found->second.matrix) throw InputError(found->second.refusal);
  return *found->second.matrix;
}

bool OldFile::read(std::uint64_t address, std::uint64_t bytes, char* buffer) const {
  if (address > size_ || bytes > size_ - address) return false;
  while (bytes > 0) {
    constexpr std::uint64_t most = std::uint64_t{1} << 30;  // Linux reads at most 2 GiB at once
    const auto got = ::pread(descriptor_, buffer, std::min(bytes, most), static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;  // the file has become shorter
    address += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::uint64_t>(got);
    buffer += got;
  }
  return true;
}

}  // namespace pivotlab::io::hdf5
