// SPDX-License-Identifier: BSD-3-Clause
// One decomposition over the GPUs of this host, with one rank per GPU as threads of one process. Prints the times of
// computation and exchange as one line of JSON.
//
//   distributed_benchmark --n 18432 --ranks 4 --variant B --route nccl
//   distributed_benchmark --n 96 --ranks 3 --backend host
//
// The times are those of Tables 8 to 11: from the columns in device memory to U, V, Z, Σ there.
#include <pivotlab/device.hpp>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/generate.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <complex>
#include <iostream>

namespace {

using namespace pivotlab;

struct Request {
  Index n = 4096;
  int ranks = 0;
  std::string variant = "B", generator = "paper", route = "copy", backend = "cuda";
};

/// Prints a rank's times as JSON.
std::string times(const std::vector<StepSeconds>& steps) {
  std::vector<std::string> lists[2];
  std::size_t bytes = 0;
  for (const StepSeconds& step : steps) {
    lists[0].push_back(fmt::format("{:.6g}", step.compute));
    lists[1].push_back(fmt::format("{:.6g}", step.exchange));
    bytes += step.bytes_sent;
  }
  return fmt::format(R"({{"compute_s":[{}],"exchange_s":[{}],"bytes_sent":{}}})", fmt::join(lists[0], ","),
                     fmt::join(lists[1], ","), bytes);
}

template <class T>
void solve(const Request& request, const DistributedGsvdOptions& options) {
  const AnyPair any = generate_pair({.generator = request.generator, .type = scalar_type<T>, .n = request.n});
  const auto& pair = std::get<Pair<T>>(any);
  std::vector<std::string> by_rank(static_cast<std::size_t>(request.ranks));
  const auto work = [&](Transport& control) {
    const std::unique_ptr<Transport> nccl = request.route == "nccl" ? over_nccl(control) : nullptr;
    Transport& transport = nccl ? *nccl : control;
    const auto mine = stripe_columns(request.n, options.variant, transport.size(), transport.rank());
    const GsvdStripes<T> r =
        gsvd_distributed<T>(transport, columns_of(pair.F, mine), columns_of(pair.G, mine), request.n, options);
    by_rank[static_cast<std::size_t>(transport.rank())] = times(r.steps);
    gather_values(transport, 0);  // wait until all ranks have their times
    if (transport.rank() != 0) return;
    std::vector<std::uint64_t> big;
    for (const SweepCounters& sweep : r.sweeps) big.push_back(sweep.big);
    fmt::print(R"({{"n":{},"ranks":{},"variant":"{}","backend":"{}","route":"{}","status":"{}","compute_s":{:.6g},)"
               R"("sweeps":{},"big":[{}],"by_rank":[{}]}})"
               "\n",
               request.n, request.ranks, to_string(options.variant, scalar_type<T>), request.backend, request.route,
               std::string(to_string(r.status)), r.compute_seconds, r.sweeps.size(), fmt::join(big, ","),
               fmt::join(by_rank, ","));
  };
  const bool direct = options.backend == Backend::cuda && request.route == "copy";
  run_on_threads(request.ranks, work, direct ? copy_between_devices() : CopyBytes{});
}

}  // namespace

int main(int argc, char** argv) try {
  Request request;
  CLI::App app("The GSVD over the GPUs of this host");
  app.add_option("--n", request.n, "Columns")->capture_default_str();
  app.add_option("--ranks", request.ranks, "Ranks; 0: as many as GPUs");
  app.add_option("--variant", request.variant, "A, B, C, D, or a name as ZHZ0-(ME-BO, ME-FB-ME)")
      ->capture_default_str();
  app.add_option("--generator", request.generator, "Of the pair")->capture_default_str();
  app.add_option("--route", request.route, "Of the stripes: from GPU to GPU by copy or nccl, or through the host")
      ->check(CLI::IsMember({"copy", "nccl", "host"}))
      ->capture_default_str();
  app.add_option("--backend", request.backend, "cuda, emulation or host")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (request.ranks == 0) request.ranks = std::max(1, static_cast<int>(list_devices().size()));
  const NamedDistributedVariant named = parse_distributed_variant(request.variant);
  const DistributedGsvdOptions options{.variant = named.variant, .backend = parse_backend(request.backend)};
  named.type == ScalarType::d ? solve<double>(request, options) : solve<std::complex<double>>(request, options);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "distributed_benchmark: " << error.what() << '\n';
  return 1;
}
