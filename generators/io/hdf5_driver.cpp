// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_driver.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace pivotlab::io::hdf5 {
namespace {

/// HDF5 passes the address of the first member.
struct OpenFile {
  H5FD_t common{};
  Bytes* bytes = nullptr;
  haddr_t end_of_allocation = 0;
};

OpenFile& self(H5FD_t* file) {
  return *reinterpret_cast<OpenFile*>(file);
}
const OpenFile& self(const H5FD_t* file) {
  return *reinterpret_cast<const OpenFile*>(file);
}

/// Calls transfer(position in the buffer, bytes, offset) until all bytes are transferred. Returns errno or 0.
template <class Transfer>
int repeat(haddr_t address, std::size_t size, Transfer transfer) {
  for (std::size_t done = 0; done < size;) {
    const auto moved = transfer(done, std::min(size - done, std::size_t{1} << 30), static_cast<off_t>(address + done));
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) return errno;
    if (moved == 0) return EIO;  // the file has become shorter
    done += static_cast<std::size_t>(moved);
  }
  return 0;
}

H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
  const auto bytes = static_cast<Bytes* const*>(H5Pget_driver_info(access));
  if (bytes == nullptr) return nullptr;
  auto file = std::make_unique<OpenFile>();
  file->bytes = *bytes;
  return &file.release()->common;
}

herr_t close(H5FD_t* file) {
  delete &self(file);
  return 0;
}

herr_t query(const H5FD_t* file, unsigned long* flags) {
  *flags = file != nullptr && self(file).bytes->writable
               ? H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_ACCUMULATE_METADATA
               : 0;
  return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
  return self(file).end_of_allocation;
}
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return self(file).bytes->size;
}
herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file).end_of_allocation = address;
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t kind, hid_t, haddr_t address, std::size_t size, void* buffer) {
  auto& bytes = *self(file).bytes;
  if (bytes.elements && kind == H5FD_MEM_DRAW) {
    bytes.elements = Extent{address, size};
    return 0;
  }
  if (bytes.error != 0) {
    std::memset(buffer, 0, size);  // the contents are not used
    return 0;
  }
  // HDF5 reads beyond known data, but not far.
  if (address >= bytes.size) return -1;
  const auto there = std::min<std::uint64_t>(size, bytes.size - address);
  if (size - there > (std::size_t{1} << 16)) return -1;
  std::memset(static_cast<char*>(buffer) + there, 0, size - there);
  const int error = repeat(address, there, [&](std::size_t done, std::size_t count, off_t offset) {
    return ::pread(bytes.descriptor, static_cast<char*>(buffer) + done, count, offset);
  });
  return error == 0 ? 0 : -1;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  auto& bytes = *self(file).bytes;
  bytes.size = std::max<std::uint64_t>(bytes.size, address + size);
  if (bytes.error == 0)
    bytes.error = repeat(address, size, [&](std::size_t done, std::size_t count, off_t offset) {
      return ::pwrite(bytes.descriptor, static_cast<const char*>(buffer) + done, count, offset);
    });
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  auto& bytes = *self(file).bytes;
  if (!bytes.writable) return 0;
  bytes.size = self(file).end_of_allocation;
  if (bytes.error == 0 && ::ftruncate(bytes.descriptor, static_cast<off_t>(bytes.size)) != 0) bytes.error = errno;
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = 512;  // from the range for applications
#endif
  driver.name = "pivotlab";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(void*);
  driver.open = open;
  driver.close = close;
  driver.query = query;
  driver.get_eoa = end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = end_of_file;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  constexpr std::array<H5FD_mem_t, H5FD_MEM_NTYPES> map = H5FD_FLMAP_DICHOTOMY;
  std::copy(map.begin(), map.end(), driver.fl_map);
  return driver;
}

}  // namespace

herr_t set_driver(hid_t access, Bytes& bytes) {
  static const auto driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  Bytes* const pointer = &bytes;
  return H5Pset_driver(access, id, &pointer);
}

}  // namespace pivotlab::io::hdf5
