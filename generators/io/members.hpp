// SPDX-License-Identifier: BSD-3-Clause
// The members of each result, once: for HDF5 files (result_file.hpp) and for dictionaries of Python.
// docs/reference/files.md explains them. Members<Result>::of(result, visit) calls, in the order of the file,
//
//   visit(name, member)                   for a member of both
//   visit.optional(name, member, given)   the same, of a member that may be missing: files lack what is empty, a
//                                         dictionary has None unless it was `given`
//   visit.file(name, value)               for what only files have
//   visit.python(name, member, given)     for what only dictionaries have
//   visit.callers()                       where a file has the attributes of its caller
//
// A visitor may move members and write them, so conditions come before the members that they look at.
#pragma once

#include <pivotlab/device_eig.hpp>
#include <pivotlab/device_eigh.hpp>
#include <pivotlab/device_ghsvd.hpp>
#include <pivotlab/device_hsvd.hpp>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/gsvd_any.hpp>
#include <pivotlab/ldlt.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace pivotlab::io {

/// (name, pointer to member) for each member of a record, of which a result may have a vector: one for each sweep. A
/// file then has a group with a vector of each member, a dictionary of Python a list of dictionaries.
template <class T>
inline constexpr std::tuple<> fields{};
template <>
inline constexpr std::tuple fields<SweepCounters>{std::pair{"transformations", &SweepCounters::transformations},
                                                  std::pair{"big", &SweepCounters::big},
                                                  std::pair{"swaps", &SweepCounters::swaps},
                                                  std::pair{"skipped_tiles", &SweepCounters::skipped_tiles},
                                                  std::pair{"qr_tiles", &SweepCounters::qr_tiles},
                                                  std::pair{"max_inner_sweeps", &SweepCounters::max_inner_sweeps},
                                                  std::pair{"seconds", &SweepCounters::seconds}};
template <>
inline constexpr std::tuple fields<HsvdSweep>{std::pair{"transformations", &HsvdSweep::transformations},
                                              std::pair{"big", &HsvdSweep::big},
                                              std::pair{"hyperbolic", &HsvdSweep::hyperbolic},
                                              std::pair{"clamped", &HsvdSweep::clamped},
                                              std::pair{"skipped_tiles", &HsvdSweep::skipped_tiles},
                                              std::pair{"qr_tiles", &HsvdSweep::qr_tiles},
                                              std::pair{"null_columns", &HsvdSweep::null_columns},
                                              std::pair{"max_inner_sweeps", &HsvdSweep::max_inner_sweeps},
                                              std::pair{"largest_cosine", &HsvdSweep::largest_cosine},
                                              std::pair{"largest_tan", &HsvdSweep::largest_tan},
                                              std::pair{"largest_tanh", &HsvdSweep::largest_tanh},
                                              std::pair{"seconds", &HsvdSweep::seconds}};
template <>
inline constexpr std::tuple fields<EigSweep<double>>{
    std::pair{"norm", &EigSweep<double>::norm}, std::pair{"lower", &EigSweep<double>::lower},
    std::pair{"departure", &EigSweep<double>::departure}, std::pair{"largest_tau", &EigSweep<double>::largest_tau},
    std::pair{"seconds", &EigSweep<double>::seconds}};
template <>
inline constexpr std::tuple fields<LdltStage<double>>{std::pair{"first", &LdltStage<double>::first},
                                                      std::pair{"size", &LdltStage<double>::size},
                                                      std::pair{"growth", &LdltStage<double>::growth}};
template <>
inline constexpr std::tuple fields<SpectralReport>{
    std::pair{"used", &SpectralReport::used}, std::pair{"refusal", &SpectralReport::refusal},
    std::pair{"defect", &SpectralReport::defect}, std::pair{"newton_steps", &SpectralReport::newton_steps}};

template <class T>
concept Record = !std::is_same_v<decltype(fields<T>), const std::tuple<>>;

/// Calls f(name, pointer to member) for each field.
template <Record T, class F>
void for_each_field(const F& f) {
  std::apply([&](const auto&... field) { (f(field.first, field.second), ...); }, fields<T>);
}

template <class Result>
struct Members;

template <class T>
struct GsvdMembers {
  static void values(auto& r, auto& visit) {
    visit.file("schema", std::string("pivotlab/gsvd/1"));
    visit.file("type", std::string(1, static_cast<char>(scalar_type<T>)));
    visit("status", r.status);
    visit("message", r.message);
    visit("compute_seconds", r.compute_seconds);
    visit("sigma", r.sigma);
    visit("sigma_f", r.sigma_f);
    visit("sigma_g", r.sigma_g);
    visit("sweeps", r.sweeps);
  }

  static void of(auto& r, auto& visit) {
    const bool factored = r.status == Status::passed || r.status == Status::not_converged ||
                          r.Z.size() > 0;  // of an incorrect result, too
    visit.optional("U", r.U, factored);
    visit.optional("V", r.V, factored);
    visit.optional("Z", r.Z, factored);
    visit.optional("X", r.X, r.X.size() > 0);
    values(r, visit);
    if constexpr (requires { r.reduced; }) {
      const bool has_q = r.Q.size() > 0;
      visit.optional("R", r.R, has_q);
      visit.optional("Q", r.Q, has_q);
      visit("k", r.k);
      visit("l", r.l);
      visit("tolerance_f", r.tolerance_f);
      visit("tolerance_g", r.tolerance_g);
      visit.python("sigma_error", r.sigma_error, !r.sigma_error.empty());
      visit.python("r", r.r);
      visit.python("reduced", r.reduced);
      visit.python("pivots_f", r.pivots_f);
      visit.python("pivots_g", r.pivots_g);
    }
    visit.callers();
  }
};
template <class T>
struct Members<GsvdResult<T>> : GsvdMembers<T> {};
template <class T>
struct Members<AnyGsvdResult<T>> : GsvdMembers<T> {};

template <class T>
struct Members<HsvdResult<T>> {
  static void of(auto& r, auto& visit) {
    const bool empty = r.sigma.empty();
    visit.file("schema", std::string("pivotlab/hsvd/1"));
    visit("status", r.status);
    visit("message", r.message);
    if constexpr (requires { r.U; }) {
      visit.file("m", r.U.rows());
      visit.file("n", r.V.size() > 0 ? r.V.rows() : std::ssize(r.sigma));
    }
    visit.file("sweeps", std::ssize(r.sweeps));
    visit("compute_seconds", r.compute_seconds);
    visit.callers();
    visit("sigma", r.sigma);
    visit("J", r.J);
    visit.optional("estimate", r.estimate, empty || !r.estimate.empty());
    if constexpr (requires { r.U; }) {
      visit.optional("U", r.U, r.status == Status::passed || r.status == Status::not_converged);
      visit.optional("V", r.V, empty || r.V.size() > 0);
    }
    visit.python("sweeps", r.sweeps);
  }
};
template <>
struct Members<DeviceHsvdResult> : Members<HsvdResult<double>> {};

template <class T>
struct Members<EighResult<T>> {
  static void of(auto& r, auto& visit) {
    visit.file("schema", std::string("pivotlab/eigh/1"));
    visit("status", r.status);
    visit("message", r.message);
    visit.file("n", std::ssize(r.eigenvalues));
    visit("rank", r.rank);
    visit("inertia", r.inertia);
    visit.file("sweeps", std::ssize(r.sweeps));
    visit.file("preconditioner", r.spectral.used              ? std::string("spectral")
                                 : r.spectral.refusal.empty() ? std::string("none")
                                                              : "refused: " + r.spectral.refusal);
    visit("compute_seconds", r.compute_seconds);
    visit.callers();
    visit("eigenvalues", r.eigenvalues);
    visit.optional("estimate", r.estimate, !r.estimate.empty());
    if (!r.noise.empty()) visit.file("noise", r.noise);
    if constexpr (requires { r.U; }) visit.optional("U", r.U, r.U.size() > 0);
    visit.python("spectral", r.spectral);
    visit.python("sweeps", r.sweeps);
    visit.python("factor_seconds", r.factor_seconds);
    visit.python("spectral_seconds", r.spectral_seconds);
    visit.python("sweep_seconds", r.sweep_seconds);
  }
};
template <>
struct Members<DeviceEighResult> : Members<EighResult<double>> {};

template <class T>
struct Members<GhsvdResult<T>> {
  static void of(auto& r, auto& visit) {
    visit.file("schema", std::string("pivotlab/ghsvd/1"));
    visit("status", r.status);
    visit("message", r.message);
    if constexpr (requires { r.U; }) {
      visit.file("m_f", r.U.rows());
      visit.file("m_g", r.V.rows());
    }
    visit.file("n", std::ssize(r.eigenvalues));
    visit("inertia", r.inertia);
    visit.file("sweeps", std::ssize(r.sweeps));
    visit("tangent_bits", r.tangent_bits);
    visit("compute_seconds", r.compute_seconds);
    visit.callers();
    visit("eigenvalues", r.eigenvalues);
    visit("J", r.J);
    visit("sigma_f", r.sigma_f);
    visit("sigma_g", r.sigma_g);
    visit.optional("estimate", r.estimate, !r.estimate.empty());
    if (!r.noise.empty()) visit.file("noise", r.noise);
    if constexpr (requires { r.U; }) {
      const bool factored = r.status != Status::failed;
      visit.optional("U", r.U, factored);
      visit.optional("V", r.V, factored);
      visit.optional("Z", r.Z, factored);
    }
    visit.python("factored_on", r.factored_on);
    visit.python("sweeps", r.sweeps);
    visit.python("reduction_seconds", r.reduction_seconds);
    visit.python("factor_seconds", r.factor_seconds);
    visit.python("sweep_seconds", r.sweep_seconds);
  }
};
template <>
struct Members<DeviceGhsvdResult> : Members<GhsvdResult<double>> {};

template <>
struct Members<EigResult<double>> {
  static void of(auto& r, auto& visit) {
    visit.file("schema", std::string("pivotlab/eig/1"));
    visit("status", r.status);
    visit("message", r.message);
    visit.file("n", std::ssize(r.eigenvalues));
    visit.file("sweeps", std::max<Index>(std::ssize(r.history) - 1, 0));
    visit("compute_seconds", r.compute_seconds);
    visit.callers();
    const bool empty = r.eigenvalues.empty() && r.status == Status::passed;  // n = 0: all matrices are 0 × 0
    visit("eigenvalues", r.eigenvalues);
    if constexpr (requires { r.V; }) {
      const bool has_t = empty || r.T.size() > 0;
      visit.optional("V", r.V, empty || r.V.size() > 0);
      visit.optional("W", r.W, empty || r.W.size() > 0);
      visit.optional("T", r.T, has_t);
      visit.optional("E", r.E, has_t);
      visit.optional("conditions", r.conditions, !r.conditions.empty());
      if (has_t) visit.file("positions", r.positions);
      visit.python("positions", r.positions);
      visit.python("refined", r.refined);
      visit.python("finished", r.finished);
    }
    if (!r.history.empty()) visit.file("history", r.history);
    visit.python("sweeps", r.history);
  }
};
template <>
struct Members<DeviceEigResult> : Members<EigResult<double>> {};

}  // namespace pivotlab::io
