// SPDX-License-Identifier: BSD-3-Clause
// The outcome of a solver or of a case.
#pragma once

#include <string_view>

namespace pivotlab {

enum class Status { passed, incorrect, not_converged, failed, out_of_memory, timeout, not_supported, skipped };

std::string_view to_string(Status status);
Status status_from_string(std::string_view name);  ///< throws InputError for an unknown name

}  // namespace pivotlab
