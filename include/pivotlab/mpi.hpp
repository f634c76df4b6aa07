// Ranks as MPI processes: the library pivotlab::mpi, where the build has MPI.
#pragma once

#include <pivotlab/transport.hpp>

#include <functional>

namespace pivotlab {

/// How stripes go from one GPU to another.
enum class MpiRoute {
  through_host,  ///< copied to the host's memory, sent by MPI, copied to the device: works with every MPI
  cuda_aware     ///< MPI takes the device's memory
};

/// The body of main() of an MPI program: starts MPI, runs `work` on this process as a rank of MPI_COMM_WORLD, ends MPI.
/// Returns the exit code: what `work` returns; 2 for a SharedInputError or a SharedNotSupported, which rank 0 prints,
/// also for that of an MPI that is not CUDA-aware where the route wants it. Any other exception prints one line with
/// its rank and ends all processes, with code 1.
int run_on_mpi(int& argc, char**& argv, MpiRoute route, const std::function<int(Transport&)>& work);

}  // namespace pivotlab
