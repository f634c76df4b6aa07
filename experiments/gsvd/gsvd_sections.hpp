// What records tell of a pair, a solver and its iteration, whoever has solved the case.
#pragma once

#include <experiments/gsvd/gsvd_case.hpp>
#include <nlohmann/json.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/pair.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// The solver's parameters, with those of the outermost level.
nlohmann::json describe(const GsvdCase& solved);

nlohmann::json describe(const std::vector<SweepCounters>& sweeps);

/// Takes the condition numbers of pairs that are judged in full.
template <class T>
nlohmann::json describe_problem(const Pair<T>& pair);
/// Without condition numbers, which take the whole pair.
nlohmann::json describe_problem(const std::string& provenance, const std::vector<Quad>& sigma);

}  // namespace pivotlab::experiments
