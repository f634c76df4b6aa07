// SPDX-License-Identifier: BSD-3-Clause
// A method whose solvers behave as tests require: they succeed, fail in every way, or are slow.
#pragma once

#include <experiments/engine/method.hpp>

#include <filesystem>
#include <string>

namespace pivotlab::experiments {

/// Axes: size, seed, problem, solver, threads. The name of a solver is its behaviour:
///   quick, incorrect, unconverged, unsupported, throws, exhausted (bad_alloc), crashes (SIGSEGV), exits, hangs,
///   sleeps (20 ms), is-killed (kills the process that solves), is-killed-once (the first one), loses-worker (kills the
///   process that forked it), greedy (is estimated at 1e18 bytes), noisy (times differ), gpu-works, gpu-exhausted
///   (bad_alloc), gpu-fails (and leaves a process in which gpu-works fails; the three are estimated at 2e9 bytes of a
///   GPU)
/// and the same for the problem: good, throws, crashes, hangs. The environment variable PIVOTLAB_FAKE_SLOWED names a
/// size whose times are 5 % longer.
const Method& fake_method();

/// A lookup that has only "fake".
const Method& find_fake(std::string_view name);

/// The command that starts a worker with this method and those of the program.
std::string fake_worker();

/// Every solve() of this process and of workers that it starts later appends a line "<solver> <size> <seed>" to this
/// file, when one is set.
void log_solves_to(const std::filesystem::path& file);

}  // namespace pivotlab::experiments
