// SPDX-License-Identifier: BSD-3-Clause
// Solves the cases of an order with two builds of pivotlab, whose samples are taken in turn.
#pragma once

#include <experiments/engine/worker.hpp>

namespace pivotlab::experiments {

/// Starts a worker of this build and one of WorkOrder::beside, both as children of this process and on its cores, so
/// that nothing but the program differs, and lets them take samples in turn: the k-th samples of both make a pair,
/// which has seen one state of the machine. The sequence is A B A B …, because in A B B A … the second sample of a
/// build finds its data in the caches. This build decides when there are enough. Its reports get the member `beside`,
/// the results of the other build. Returns early after a build has crashed; the remaining cases have no report then.
void solve_in_pairs(const WorkOrder& order, Connection& connection);

}  // namespace pivotlab::experiments
