// SPDX-License-Identifier: BSD-3-Clause
// File driver of HDF5. HDF5's own driver is not used, because HDF5 1.10 does not handle all errors of files.
//
// Writing never fails here: if a write fails, HDF5 can neither finish nor abandon the file; closing it fails, and the
// library crashes at the end of the program. So the driver records the first error and drops later writes; HDF5 closes
// the file normally, and the error is reported afterwards.
//
// Reading beyond the end of the file fails instead of giving zeros, and reads are not accumulated: a damaged file
// contains sizes of any magnitude, which HDF5's accumulator would trust.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>

namespace pivotlab::io::hdf5 {

/// A range of bytes of a file.
struct Extent {
  std::uint64_t address = 0, bytes = 0;
};

/// The bytes of a file. The object must outlive the HDF5 file; it does not own the descriptor.
struct Bytes {
  int descriptor = -1;
  std::uint64_t size = 0;
  bool writable = false;
  int error = 0;  ///< errno of the first write that failed
  /// While this is set, elements are not read: the last requested range is stored here and the buffer is not changed.
  std::optional<Extent> elements = std::nullopt;
};

/// Selects the driver for a file that is opened with these access properties.
herr_t set_driver(hid_t access, Bytes& bytes);

}  // namespace pivotlab::io::hdf5
