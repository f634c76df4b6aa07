// A decomposition over MPI processes, for tests: prints one digest of it, made on rank 0 from what every rank has,
// which threads as ranks must match. Its arguments say what goes wrong, if anything: "killed 100" kills a process in
// its 100th call of the transport. A path after them is where checkpoints are.
#include "failing_transport.hpp"
#include "on_ranks.hpp"
#include "rank_digest.hpp"

#include <pivotlab/mpi.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace pivotlab;

namespace {

constexpr int bad_rank = 1;

int decompose(Transport& transport, const std::string& fault, int call, const std::string& checkpoint) {
  auto options = test::digest_options();
  options.checkpoint.path = checkpoint;
  if (transport.rank() == bad_rank) {
    if (fault == "throws") throw std::domain_error("this rank has failed");
    if (fault == "memory") throw std::bad_alloc();
    if (fault == "dies") std::_Exit(3);
    if (fault == "parameters") options.max_inner_sweeps = 7;
  }
  const bool killed = fault == "killed" && transport.rank() == bad_rank;
  test::FailingTransport failing(transport, killed ? call : 0, [] { std::raise(SIGKILL); });
  const auto digests = test::digests_by_rank(failing, options);
  if (transport.rank() == 0) std::printf("%s\n", digests.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string fault = argc > 1 ? argv[1] : "";
  const int call = argc > 2 ? std::atoi(argv[2]) : 0;
  const std::string checkpoint = argc > 3 ? argv[3] : "";
  const MpiRoute route = fault == "cuda-aware" ? MpiRoute::cuda_aware : MpiRoute::through_host;
  return run_on_mpi(argc, argv, route,
                    [&](Transport& transport) { return decompose(transport, fault, call, checkpoint); });
}
