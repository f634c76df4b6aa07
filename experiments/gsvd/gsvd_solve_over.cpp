// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <experiments/engine/environment.hpp>
#include <experiments/generic/solve.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/gsvd_facts.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <pivotlab/by_columns.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <array>

namespace pivotlab::experiments {
namespace {

/// Calls in_agreement(), turns NotSupported into an InputError, and names the rank unless it is the first.
void agree(Transport& transport, const std::function<void()>& work) {
  const auto fail = [&](const std::exception& error) {
    throw InputError(transport.rank() == 0 ? error.what() : fmt::format("rank {}: {}", transport.rank(), error.what()));
  };
  in_agreement(transport, [&] {
    try {
      work();
    } catch (const InputError& error) {
      fail(error);
    } catch (const NotSupported& error) {
      fail(error);
    }
  });
}

struct SolveOverRanks : SolveCommand {
  SolveOverRanks() { variant = "?HZ0-(ME-BO, ME-FB-ME)"; }
  std::string pair, transport = "nccl";
  double checkpoint_s = 0;
};

/// Returns the number of cores divided by the number of ranks on this host.
int threads_of_rank(Transport& transport) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::vector<std::string> hosts = gather_texts(transport, host.data());
  const auto ranks_here = static_cast<int>(std::ranges::count(hosts, std::string(host.data())));
  return std::max(1, default_threads() / ranks_here);
}

DistributedGsvdOptions options_for(const SolveOverRanks& command, ScalarType type, int threads) {
  DistributedGsvdOptions options{.variant = variant_for(command.variant, type, parse_distributed_variant),
                                 .backend = parse_backend_or_usual(command.backend),
                                 .threads = command.threads > 0 ? command.threads : threads};
  if (options.backend == Backend::cuda)
    if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
  if (command.checkpoint_s > 0)
    options.checkpoint = {.path = command.output + ".checkpoint", .every_seconds = command.checkpoint_s};
  return options;
}

template <class T>
SolutionFacts facts_of_ranks(const Transport& transport, const PairPart<T>& pair, const GsvdStripes<T>& part,
                             const GsvdMetrics& metrics) {
  return {{{"ranks", "ranks", ColumnKind::integer, count(transport.size())},
           {"m_f", "rows of F", ColumnKind::integer, count(part.U.rows())},
           {"m_g", "rows of G", ColumnKind::integer, count(part.V.rows())},
           {"n", "n", ColumnKind::integer, count(pair.n)},
           {"sweeps", "sweeps", ColumnKind::integer, count(std::ssize(part.sweeps))}},
          joined({sigma_facts(part.sigma),
                  facts_of(gsvd_metric_rows(), metrics,
                           {"residual_fz", "residual_gz", "orthogonality_u", "orthogonality_v", "sigma_error"}),
                  {{"precision", "judged in", ColumnKind::text,
                    fmt::format("{}, by {} random vectors", to_string(metrics.precision), metrics.probes)}}})};
}

template <class T>
CommandResult solve_over_ranks(Transport& transport, const SolveOverRanks& command, const PairHead& head,
                               const DistributedGsvdOptions& options, Attributes attributes) {
  PairPart<T> pair;
  pair.places = stripe_columns(head.n, options.variant, transport.size(), transport.rank());
  pair.n = head.n;
  agree(transport, [&] { pair.columns = read_pair_columns<T>(command.pair, pair.places); });
  pair.columns.sigma = head.sigma;

  const Timer timer;
  const GsvdStripes<T> part = gsvd_distributed<T>(transport, pair.columns.F, pair.columns.G, head.n, options);
  Outcome outcome{.solver = to_string(options.variant, scalar_type<T>),
                  .backend = std::string(to_string(options.backend)),
                  .compute_s = part.compute_seconds,
                  .wall_s = timer.seconds(),
                  .status = part.status,
                  .message = part.message};
  const GsvdMetrics metrics = judge_gsvd(transport, pair, part, options.threads);
  if (part.status == Status::passed) outcome.status = metrics.verdict, outcome.message = metrics.message;
  if (!command.output.empty()) {
    attributes["solver"] = outcome.solver;
    attributes["problem"] = head.provenance;
    write_gsvd(transport, command.output, part, attributes);
  }
  CommandResult result{.status = outcome.status};
  if (transport.rank() == 0) result.facts = facts_of(outcome, facts_of_ranks(transport, pair, part, metrics));
  return result;
}

CommandResult run_over_ranks(Transport& transport, const SolveOverRanks& command) {
  const int threads = threads_of_rank(transport);
  PairHead head;
  DistributedGsvdOptions options;
  Attributes attributes;  // of rank 0, which writes
  agree(transport, [&] {
    head = read_pair_head(command.pair);
    options = options_for(command, head.type, threads);
    require_hdf5_name(command.output);
    if (transport.rank() != 0) return;
    require_outputs({command.pair}, {command.output}, command.force);
    attributes = result_attributes(command.output, {command.pair});
  });
  const std::unique_ptr<Transport> chosen =
      options.backend == Backend::cuda ? over_route(transport, command.transport) : through_host(transport);
  if (head.type == ScalarType::z)
    return solve_over_ranks<std::complex<double>>(*chosen, command, head, options, attributes);
  return solve_over_ranks<double>(*chosen, command, head, options, attributes);
}

}  // namespace

std::shared_ptr<const CommandDescription> solve_gsvd_command_over(Transport& ranks) {
  const auto command = std::make_shared<SolveOverRanks>();
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Generalized singular value decomposition of a pair (F, G)",
      .options = {{"pair", &command->pair, "F and G in one HDF5 file, of which every rank reads its columns", "", true},
                  hdf5_output_option(command->output, "U, V, Z and sigma"),
                  force_option(command->force),
                  {"--variant", &command->variant,
                   "Variant; '?' is the letter of the type; or A, B, C, D (pivotlab list variants)", "NAME"},
                  backend_option(command->backend),
                  {"--transport",
                   &command->transport,
                   "From GPU to GPU: nccl, mpi (one that takes a GPU's memory), host (through its memory)",
                   "NAME",
                   false,
                   {"nccl", "mpi", "host"}},
                  threads_option(command->threads,
                                 "Threads of each rank; never changes a bit (default: its share of the host's cores)"),
                  {.name = "--checkpoint",
                   .target = &command->checkpoint_s,
                   .help = "Save the state every so many seconds, beside the output; the same command resumes from it",
                   .value_name = "SECONDS",
                   .minimum = 0,
                   .needs = "-o"}},
      .notes =
          "F Z = U Sigma_F, G Z = V Sigma_G as pivotlab solve gsvd. The file is the same for all ranks, and so is its "
          "name.\nOver ranks, the Hari-Zimmermann method runs; tangent reduction is for one host or GPU.\nThe result's "
          "bits depend on the number of ranks, not on where they run.",
      .examples = {"pair.h5 -o out.h5", "pair.h5 -o out.h5 --variant B --backend cuda --checkpoint 300"},
      .run = [command, &ranks] { return run_over_ranks(ranks, *command); }});
}

}  // namespace pivotlab::experiments
