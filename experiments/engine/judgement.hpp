// SPDX-License-Identifier: BSD-3-Clause
// The judgement of a solution, as sections of a record.
#pragma once

#include <nlohmann/json.hpp>
#include <pivotlab/status.hpp>
#include <string>

namespace pivotlab::experiments {

/// Sections of a record (results/record.schema.json). No NaN: a number that does not exist is null.
struct Judgement {
  Status status = Status::passed;  ///< passed or incorrect
  std::string message;             ///< reason for a failed verdict, one line
  nlohmann::json problem;          ///< facts about the problem
  nlohmann::json convergence;      ///< null for direct methods
  nlohmann::json metrics;
  nlohmann::json batch;  ///< what the record says of a batch; null for one problem
  double flops = 0;      ///< nominal number of the solution's operations; 0 if the method does not count
};

}  // namespace pivotlab::experiments
