#include "python/src/eig.hpp"

#include <nanobind/stl/map.h>
#include <pivotlab/baselines.hpp>
#include <pivotlab/io.hpp>

#include <map>
#include <string>

#include "python/src/calls.hpp"
#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

nb::dict to_dict(EigResult<double> result, const std::string& variant) {
  nb::dict d;
  d["status"] = std::string(to_string(result.status));
  d["message"] = result.message;
  d["variant"] = variant;
  const bool empty = result.eigenvalues.empty() && result.status == Status::passed;  // n = 0: all matrices are 0 × 0
  const bool has_v = empty || result.V.size() > 0, has_w = empty || result.W.size() > 0,
             has_t = empty || result.T.size() > 0;
  d["eigenvalues"] = to_numpy(std::move(result.eigenvalues));
  d["V"] = matrix_or_none(std::move(result.V), has_v);
  d["W"] = matrix_or_none(std::move(result.W), has_w);
  d["T"] = matrix_or_none(std::move(result.T), has_t);
  d["E"] = matrix_or_none(std::move(result.E), has_t);
  d["conditions"] = result.conditions.empty() ? nb::none() : to_numpy(std::move(result.conditions));
  d["positions"] = to_numpy(std::move(result.positions));
  d["sweeps"] = list_of(result.history);
  d["refined"] = result.refined;
  d["finished"] = result.finished;
  d["compute_seconds"] = result.compute_seconds;
  return d;
}

template <class T>
nb::dict solve(const InMatrix<T>& A, const std::optional<std::string>& named, const std::string& backend, bool right,
               bool left, bool conditions, bool triangular, int max_sweeps, int threads) {
  const auto a = view_of<T>(A);
  const std::string variant = named.value_or(to_string(EigOptions{}.variant));
  if (variant.find(':') != std::string::npos)
    return to_dict(without_lock([&] { return solve_eig_with_baseline<T>(variant, a, left, threads); }), variant);
  const EigOptions options{.variant = parse_eig_variant(variant),
                           .backend = parse_backend(backend),
                           .right_vectors = right,
                           .left_vectors = left,
                           .condition_numbers = conditions,
                           .triangular_form = triangular,
                           .max_sweeps = max_sweeps,
                           .threads = threads};
  return to_dict(without_lock([&] { return eig<T>(a, options); }), to_string(options.variant));
}

void write(const std::string& file, const nb::dict& members, const std::map<std::string, std::string>& attributes) {
  const EigResult<double> result = eig_result_of(members);
  with_files([&] { write_eig(file, result, attributes); });
}

template <class T>
void bind(nb::module_& module) {
  module.def("eig", &solve<T>, nb::arg("A").noconvert(), nb::arg("variant").none(), nb::arg("backend"),
             nb::arg("right"), nb::arg("left"), nb::arg("conditions"), nb::arg("triangular"), nb::arg("max_sweeps"),
             nb::arg("threads"));
}

}  // namespace

nb::list list_of(const std::vector<EigSweep<double>>& history) {
  nb::list list;
  for (const auto& sweep : history) {
    nb::dict one;
    one["norm"] = sweep.norm;
    one["lower"] = sweep.lower;
    one["departure"] = sweep.departure;
    one["largest_tau"] = sweep.largest_tau;
    one["seconds"] = sweep.seconds;
    list.append(one);
  }
  return list;
}

EigResult<double> eig_result_of(const nb::dict& members) {
  EigResult<double> result;
  result.status = status_from_string(member<std::string>(members, "status", "passed"));
  result.message = member<std::string>(members, "message");
  result.eigenvalues = vector_in<Complex>(members, "eigenvalues");
  result.V = matrix_in<Complex>(members, "V");
  result.W = matrix_in<Complex>(members, "W");
  result.T = matrix_in<Complex>(members, "T");
  result.E = matrix_in<Complex>(members, "E");
  result.conditions = vector_in<double>(members, "conditions");
  result.positions = vector_in<Index>(members, "positions");
  for (const nb::handle sweep : member<nb::list>(members, "sweeps")) {
    const auto one = nb::cast<nb::dict>(sweep);
    result.history.push_back({member<double>(one, "norm"), member<double>(one, "lower"),
                              member<double>(one, "departure"), member<double>(one, "largest_tau"),
                              member<double>(one, "seconds")});
  }
  result.compute_seconds = member<double>(members, "compute_seconds");
  return result;
}

void bind_eig(nb::module_& module) {
  bind<double>(module);
  bind<Complex>(module);
  module.def("write_eig", &write, nb::arg("file"), nb::arg("members"), nb::arg("attributes"));
}

}  // namespace pivotlab::python
