// SPDX-License-Identifier: BSD-3-Clause
// Ranks as MPI processes: the library pivotlab::mpi, available if the build has MPI.
#pragma once

#include <pivotlab/transport.hpp>

#include <functional>

namespace pivotlab {

/// The body of main() of an MPI program: starts MPI, runs `work` on this process as a rank of MPI_COMM_WORLD, and ends
/// MPI. The transport reaches devices if MPI reports that it is CUDA-aware (Open MPI's MPIX_Query_cuda_support).
/// Returns the exit code: the value of `work`, or 2 for a SharedInputError or a SharedNotSupported, which rank 0
/// prints. Any other exception prints one line with its rank and ends all processes with code 1.
int run_on_mpi(int& argc, char**& argv, const std::function<int(Transport&)>& work);

}  // namespace pivotlab
