// How HDF5 writes its bytes.
//
// When a write fails, HDF5 1.10 can neither finish nor give up the file: closing it fails, and the library crashes over
// it when the program ends. This driver therefore never fails. It remembers the first error and drops what follows, so
// that HDF5 closes the file in peace and the error is told afterwards.
#pragma once

#include <hdf5.h>

namespace pivotlab::io::hdf5 {

/// An open file and what went wrong with it; must outlive the HDF5 file.
struct Output {
  int descriptor = -1;
  int error = 0;  ///< errno of the first write that failed
};

/// Makes files that are created with these access properties go through the driver into `output`.
herr_t set_output_driver(hid_t access, Output& output);

}  // namespace pivotlab::io::hdf5
