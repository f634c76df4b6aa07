// SPDX-License-Identifier: BSD-3-Clause
// Derives from the descriptions of all methods: the JSON schema of records, their columns, and the description
// that the analysis reads.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/engine/quantity.hpp>
#include <nlohmann/json_fwd.hpp>

namespace pivotlab::experiments {

/// Returns the columns of a method's records: convergence, times, problem, variant, metrics, and status.
std::vector<RecordColumn> record_columns(const Method& method);

/// Returns the content of results/record.schema.json.
nlohmann::ordered_json schema_of_records(const std::vector<const Method*>& methods);

/// Returns the content of experiments/methods.json.
nlohmann::ordered_json describe(const std::vector<const Method*>& methods);

}  // namespace pivotlab::experiments
