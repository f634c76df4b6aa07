#include <fmt/format.h>
#include <unistd.h>
#include <pivotlab/by_columns.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/distributed_gsvd.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <experiments/cli/facts.hpp>
#include <experiments/cli/output_files.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <experiments/mpi/command.hpp>

namespace pivotlab::cli {
namespace {

using experiments::ColumnKind;
using experiments::GsvdMetrics;
using experiments::over_route;
using experiments::PairPart;

struct SolveCommand {
  std::string pair, output, variant = "?HZ0-(ME-BO, ME-FB-ME)", backend, transport = "nccl";
  bool force = false;
  int threads = 0;
  double checkpoint_s = 0;
  TableOptions table;
};

/// A share of the cores for each rank of this host.
int threads_of_rank(Transport& transport) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::vector<std::string> hosts = gather_texts(transport, host.data());
  const auto ranks_here = static_cast<int>(std::ranges::count(hosts, std::string(host.data())));
  return std::max(1, experiments::default_threads() / ranks_here);
}

DistributedGsvdOptions options_for(const SolveCommand& command, ScalarType type, int threads) {
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
std::vector<Fact> facts(const Transport& transport, const PairPart<T>& pair, const DistributedGsvdOptions& options,
                        const GsvdStripes<T>& part, const GsvdMetrics& metrics, double wall_seconds) {
  const auto [smallest, largest] = std::ranges::minmax(part.sigma);
  return {
      {"solver", "solver", ColumnKind::text, to_string(options.variant, scalar_type<T>)},
      {"backend", "backend", ColumnKind::text, std::string(to_string(options.backend))},
      {"ranks", "ranks", ColumnKind::integer, std::int64_t{transport.size()}},
      {"m_f", "rows of F", ColumnKind::integer, std::int64_t{part.U.rows()}},
      {"m_g", "rows of G", ColumnKind::integer, std::int64_t{part.V.rows()}},
      {"n", "n", ColumnKind::integer, std::int64_t{pair.n}},
      {"sweeps", "sweeps", ColumnKind::integer, static_cast<std::int64_t>(part.sweeps.size())},
      {"compute_s", "time s", ColumnKind::seconds, part.compute_seconds},
      {"wall_s", "wall s", ColumnKind::seconds, wall_seconds},
      {"sigma_min", "smallest sigma", ColumnKind::scientific, static_cast<double>(smallest)},
      {"sigma_max", "largest sigma", ColumnKind::scientific, static_cast<double>(largest)},
      {"residual_fz", "residual F", ColumnKind::scientific, metrics.residual_fz},
      {"residual_gz", "residual G", ColumnKind::scientific, metrics.residual_gz},
      {"orthogonality_u", "orthogonality U", ColumnKind::scientific, metrics.orthogonality_u},
      {"orthogonality_v", "orthogonality V", ColumnKind::scientific, metrics.orthogonality_v},
      {"sigma_error", "error of sigma", ColumnKind::scientific, cell_or_none(metrics.sigma_error)},
      {"precision", "judged in", ColumnKind::text,
       fmt::format("{}, by {} random vectors", to_string(metrics.precision), metrics.probes)},
      {"status", "status", ColumnKind::text,
       std::string(to_string(part.status == Status::passed ? metrics.verdict : part.status))},
      {"message", "note", ColumnKind::text, part.message.empty() ? metrics.message : part.message},
  };
}

template <class T>
int solve(Transport& transport, const SolveCommand& command, const PairHead& head,
          const DistributedGsvdOptions& options) {
  PairPart<T> pair{{}, stripe_columns(head.n, options.variant, transport.size(), transport.rank()), head.n};
  agree(transport, [&] { pair.columns = read_pair_columns<T>(command.pair, pair.places); });
  pair.columns.sigma = head.sigma;

  const auto start = std::chrono::steady_clock::now();
  const GsvdStripes<T> part = gsvd_distributed<T>(transport, pair.columns.F, pair.columns.G, head.n, options);
  const double wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const GsvdMetrics metrics = experiments::judge_gsvd(transport, pair, part, options.threads);
  if (!command.output.empty())
    write_gsvd(transport, command.output, part,
               {{"solver", to_string(options.variant, scalar_type<T>)}, {"problem", head.provenance}});
  if (transport.rank() == 0) print_facts(command.table, facts(transport, pair, options, part, metrics, wall_seconds));
  return part.status == Status::passed && metrics.verdict == Status::passed ? exit_fine : exit_cases_failed;
}

int run(Transport& transport, const SolveCommand& command) {
  const int threads = threads_of_rank(transport);
  PairHead head;
  DistributedGsvdOptions options;
  agree(transport, [&] {
    (void)command.table.style();
    head = read_pair_head(command.pair);
    options = options_for(command, head.type, threads);
    require_hdf5_name(command.output);
    if (transport.rank() == 0) require_outputs({command.pair}, {command.output}, command.force);
  });
  const std::unique_ptr<Transport> chosen =
      options.backend == Backend::cuda ? over_route(transport, command.transport) : through_host(transport);
  if (head.type == ScalarType::z) return solve<std::complex<double>>(*chosen, command, head, options);
  return solve<double>(*chosen, command, head, options);
}

MpiCommand add_gsvd(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("gsvd", "The generalized SVD of a pair (F, G)");
  auto command = std::make_shared<SolveCommand>();
  app->add_option("pair", command->pair, "F and G in one HDF5 file, of which every rank reads its columns")
      ->required()
      ->type_name("");
  CLI::Option* output =
      app->add_option("-o,--output", command->output, "HDF5 file for U, V, Z and sigma")->type_name("FILE");
  add_force(*app, command->force);
  app->add_option("--variant", command->variant,
                  "How; '?' is the type's letter; or A, B, C, D (pivotlab list variants)")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--backend", command->backend, backend_help)->type_name("NAME");
  app->add_option("--transport", command->transport,
                  "From GPU to GPU: nccl, mpi (one that takes a GPU's memory), host (through its memory)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"nccl", "mpi", "host"}))
      ->capture_default_str();
  app->add_option("--threads", command->threads,
                  "Of each rank; never changes a bit (default: its share of the host's cores)")
      ->type_name("N")
      ->check(positive());
  app->add_option("--checkpoint", command->checkpoint_s,
                  "Save what there is every so many seconds, beside the output; the same command goes on from there")
      ->type_name("SECONDS")
      ->check(not_negative())
      ->needs(output);
  add_table_options(*app, command->table);
  app->footer(
      "F Z = U Sigma_F, G Z = V Sigma_G as pivotlab solve gsvd. The file is the same for all ranks, and so is its "
      "name.\n"
      "The result's bits depend on the number of ranks, not on where they run.\n\n"
      "Examples:\n"
      "  pivotlab generate gsvd random -n 4096 --type z -o pair.h5\n"
      "  mpirun -n 4 pivotlab-mpi solve gsvd pair.h5 -o out.h5\n"
      "  mpirun -n 4 pivotlab-mpi solve gsvd pair.h5 -o out.h5 --variant B --backend cuda --checkpoint 300");
  return {app, [command](Transport& transport) { return run(transport, *command); }};
}

}  // namespace

MpiCommand add_solve_over_mpi(CLI::App& root) {
  CLI::App* app = root.add_subcommand("solve", "Solve your own problem, from a file to a file");
  app->require_subcommand(1);
  app->footer("pivotlab-mpi solve METHOD --help tells the rest, with examples.");
  const MpiCommand gsvd = add_gsvd(*app);
  gsvd.app->group("Methods");
  return {app, gsvd.run};
}

}  // namespace pivotlab::cli
