// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/environment.hpp>
#include <experiments/gsvd/over_ranks.hpp>

#include <algorithm>
#include <complex>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

/// Moves the columns of a part to their places in the whole matrix, and frees the part.
template <class T>
void put(Matrix<T> part, const std::vector<Index>& columns, Matrix<T>& whole, int threads) {
#pragma omp parallel for num_threads(threads)
  for (Index j = 0; j < part.cols(); ++j) std::ranges::copy(part.col(j), whole.col(columns[j]).begin());
}

template <class T>
Matrix<T> columns_by_threads(MatrixView<const T> A, const std::vector<Index>& columns, int threads) {
  auto result = Matrix<T>::uninitialized(A.rows, static_cast<Index>(columns.size()));
#pragma omp parallel for num_threads(threads)
  for (Index j = 0; j < result.cols(); ++j) std::ranges::copy(A.col(columns[j]), result.col(j).begin());
  return result;
}

template <class T>
GsvdStripes<T> solve_part(Transport& transport, MatrixView<const T> F, MatrixView<const T> G,
                          const DistributedGsvdOptions& options) {
  const auto mine = stripe_columns(F.cols, options.variant, transport.size(), transport.rank());
  return gsvd_distributed<T>(transport, columns_by_threads(F, mine, options.threads),
                             columns_by_threads(G, mine, options.threads), F.cols, options);
}

}  // namespace

bool goes_through_host(const GsvdCase& wanted) {
  return wanted.backend != "host" && (wanted.backend != "cuda" || wanted.over_ranks->transport == "host");
}

std::unique_ptr<Transport> over_route(Transport& ranks, const std::string& route) {
  if (route == "copy")
    throw SharedNotSupported("transport 'copy' is between the threads of one process; take nccl, mpi or host");
  if (route == "nccl") return over_nccl(ranks);
  return route == "mpi" ? directly(ranks) : through_host(ranks);
}

RankOptions options_of_ranks(const GsvdCase& wanted) {
  const OverRanks& over = *wanted.over_ranks;
  return {{.variant = over.variant,
           .backend = parse_backend(wanted.backend),
           .threads = std::max(1, (wanted.on_gpu() ? default_threads() : wanted.threads) / over.ranks),
           .checkpoint = wanted.checkpoint},
          over.ranks,
          over.transport};
}

template <class T>
GsvdSolved<T> solve_over_ranks(MatrixView<const T> F, MatrixView<const T> G, const RankOptions& options) {
  if (std::min(F.rows, G.rows) < F.cols) throw NotSupported(few_rows_over_ranks);
  const std::string& route = options.transport;
  const bool on_gpus = options.backend == Backend::cuda;
  if (on_gpus && route == "mpi")
    throw NotSupported("transport 'mpi' is between processes; start them by --launch, or take copy, nccl or host");
  GsvdSolved<T> result;
  result.ranks.resize(options.ranks);
  result.l = result.r = F.cols;
  result.U = Matrix<T>::uninitialized(F.rows, F.cols);
  result.V = Matrix<T>::uninitialized(G.rows, G.cols);
  result.Z = Matrix<T>::uninitialized(F.cols, F.cols);

  const auto work = [&](Transport& control) {
    const std::unique_ptr<Transport> nccl = on_gpus && route == "nccl" ? over_nccl(control) : nullptr;
    GsvdStripes<T> part = solve_part(nccl ? *nccl : control, F, G, options);
    put(std::move(part.U), part.columns, result.U, options.threads);  // the ranks have disjoint columns
    put(std::move(part.V), part.columns, result.V, options.threads);
    put(std::move(part.Z), part.columns, result.Z, options.threads);
    RankTimes& times = result.ranks[control.rank()];
    if (on_gpus) times.device = device_of(control);
    times.steps = std::move(part.steps);
    if (control.rank() != 0) return;
    result.status = part.status, result.message = std::move(part.message);
    result.sigma_f = std::move(part.sigma_f), result.sigma_g = std::move(part.sigma_g);
    result.sigma = std::move(part.sigma), result.sweeps = std::move(part.sweeps);
    result.compute_seconds = part.compute_seconds;
    result.resumed = part.resumed_after > 0;
  };
  run_on_threads(options.ranks, work, on_gpus && route == "copy" ? copy_between_devices() : CopyBytes{});
  return result;
}

template GsvdSolved<double> solve_over_ranks(MatrixView<const double>, MatrixView<const double>, const RankOptions&);
template GsvdSolved<std::complex<double>> solve_over_ranks(MatrixView<const std::complex<double>>,
                                                           MatrixView<const std::complex<double>>, const RankOptions&);

}  // namespace pivotlab::experiments
