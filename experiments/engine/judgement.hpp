// What a method says about a solution, in the record's terms.
#pragma once

#include <nlohmann/json.hpp>
#include <pivotlab/status.hpp>
#include <string>

namespace pivotlab::experiments {

/// Sections of a record (results/record.schema.json). No NaN: a number that does not exist is null.
struct Judgement {
  Status status = Status::passed;  ///< passed or incorrect
  std::string message;             ///< one line, why not passed
  nlohmann::json problem;          ///< what is known about the problem
  nlohmann::json variant;          ///< the solver's parameters one by one; null for baselines
  nlohmann::json convergence;      ///< null for direct methods
  nlohmann::json metrics;
};

}  // namespace pivotlab::experiments
