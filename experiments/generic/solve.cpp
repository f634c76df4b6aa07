// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/generic/solve.hpp>

namespace pivotlab::experiments {

std::vector<Fact> facts_of(const Outcome& outcome, const SolutionFacts& facts) {
  return joined({{{"solver", "solver", ColumnKind::text, outcome.solver},
                  {"backend", "backend", ColumnKind::text, outcome.backend}},
                 facts.run,
                 {{"compute_s", "time s", ColumnKind::seconds, outcome.compute_s},
                  {"wall_s", "wall s", ColumnKind::seconds, outcome.wall_s}},
                 facts.judgement,
                 {{"status", "status", ColumnKind::text, std::string(to_string(outcome.status))},
                  {"message", "note", ColumnKind::text, outcome.message}},
                 facts.more});
}

std::vector<Fact> accuracy_fact(Index values, const std::string& text) {
  const char* estimate = " (estimated relative errors of 0.1 or more)";
  return {{"accuracy", "accuracy", ColumnKind::text, values == 0 ? "" : text + estimate}};
}

}  // namespace pivotlab::experiments
