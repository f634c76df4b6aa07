// How HDF5 gets at its bytes: not by its own driver, because HDF5 1.10 does not bear what may happen to a file.
//
// Writing never fails here. When a write fails, HDF5 can neither finish nor give up the file: closing it fails, and the
// library crashes over it when the program ends. So the first error is remembered and what follows dropped; HDF5 closes
// the file in peace, and the error is told afterwards.
//
// Reading fails beyond the end of the file instead of giving zeros, and is not accumulated: a damaged file names sizes
// of any magnitude, which HDF5's accumulator takes at face value.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>

namespace pivotlab::io::hdf5 {

/// A range of bytes of a file.
struct Extent {
  std::uint64_t address = 0, bytes = 0;
};

/// The bytes of a file; must outlive the HDF5 file and does not own the descriptor.
struct Bytes {
  int descriptor = -1;
  std::uint64_t size = 0;
  bool writable = false;
  int error = 0;  ///< errno of the first write that failed
  /// While it is set, elements are not read: what HDF5 asks for last is noted here and its buffer left alone.
  std::optional<Extent> elements = std::nullopt;
};

/// Makes the file that is opened with these access properties go through the driver.
herr_t set_driver(hid_t access, Bytes& bytes);

}  // namespace pivotlab::io::hdf5
