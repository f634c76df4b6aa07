// SPDX-License-Identifier: BSD-3-Clause
// The number of threads of a call.
#pragma once

namespace pivotlab {

/// Largest number of threads of a call. OpenMP ends the process where the system cannot start as many as were asked
/// for, so that larger numbers are refused.
inline constexpr int most_threads = 1024;

}  // namespace pivotlab
