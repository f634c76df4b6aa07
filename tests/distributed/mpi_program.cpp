// SPDX-License-Identifier: BSD-3-Clause
// A decomposition over MPI processes, for tests: prints one digest of it, made on rank 0 from what every rank has,
// which threads as ranks must match.
//
//   mpi_program WAY FAULT CALL CHECKPOINT
//
// WAY is the transport of stripes: host, or from GPU to GPU: staged, nccl, cuda-aware. The other arguments are
// optional. FAULT is the injected fault: "killed 100" kills a process in its 100th call of the transport, "cut 5" in
// its 5th exchange. CHECKPOINT is the folder for checkpoints.
#include "failing_transport.hpp"
#include "on_ranks.hpp"
#include "rank_digest.hpp"

#include <pivotlab/mpi.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace pivotlab;

namespace {

constexpr int bad_rank = 1;

struct Request {
  std::string way = "host", fault;
  int call = 0;
  std::string checkpoint;
};

Request request_of(int argc, char** argv) {
  Request request;
  if (argc > 1) request.way = argv[1];
  if (argc > 2) request.fault = argv[2];
  if (argc > 3) request.call = std::atoi(argv[3]);
  if (argc > 4) request.checkpoint = argv[4];
  return request;
}

std::unique_ptr<Transport> stripes_by(const std::string& way, Transport& control) {
  if (way == "nccl") return over_nccl(control);
  return way == "cuda-aware" ? directly(control) : through_host(control);
}

int decompose(Transport& control, const Request& request) {
  const std::string& fault = request.fault;
  auto options = test::digest_options(request.way == "host" ? Backend::host : Backend::cuda);
  options.checkpoint.path = request.checkpoint;
  const std::unique_ptr<Transport> stripes = stripes_by(request.way, control);
  Transport& transport = *stripes;
  const bool bad = transport.rank() == bad_rank;
  if (bad) {
    if (fault == "throws") throw std::domain_error("this rank has failed");
    if (fault == "memory") throw std::bad_alloc();
    if (fault == "dies") std::_Exit(3);
    if (fault == "parameters") options.max_inner_sweeps = 7;
  }
  const bool killed = bad && (fault == "killed" || fault == "cut");
  test::FailingTransport failing(
      transport, killed ? request.call : 0, [] { std::raise(SIGKILL); }, fault == "cut");
  const auto digests = test::digests_by_rank(failing, options);
  if (transport.rank() == 0) std::printf("%s\n", digests.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Request request = request_of(argc, argv);
  return run_on_mpi(argc, argv, [&](Transport& transport) { return decompose(transport, request); });
}
