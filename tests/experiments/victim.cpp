// SPDX-License-Identifier: BSD-3-Clause
// A runner to be killed: runs 4 problems with 8 solutions of 20 ms each.
//   victim OUT LOG SOLVER WORKERS [COMMAND OF A WORKER, or empty [SHARD, which is taken over]]
// In the environment VICTIM_REPEAT=N makes it a sweep with N samples of each case, VICTIM_SIZES=N takes N problems.
// And the worker that such a runner, or a test, starts:
//   victim work
#include <experiments/engine/worker.hpp>
#include <tests/experiments/scratch.hpp>

#include <cstdlib>
#include <iostream>

namespace {

using namespace pivotlab::experiments;

const Method& find_any(std::string_view name) {
  return name == "fake" ? fake_method() : find_method(name);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (std::string(argv[1]) == "work") return serve(0, 1, false, find_any), 0;
    log_solves_to(argv[2]);
    RunOptions options;
    options.out = argv[1];
    options.workers = std::stoi(argv[4]);
    if (argc > 5) options.worker = argv[5];
    options.takeover = argc > 6;
    if (argc > 6) options.shard = parse_shard(argv[6]);
    Spec spec = fake_spec({{"size", integers({1, 2, 3, 4})},
                           {"seed", integers({1})},
                           {"threads", integers({1, 2, 3, 4, 5, 6, 7, 8})},
                           {"solver", texts({argv[3]})}});
    if (const char* sizes = std::getenv("VICTIM_SIZES"); sizes != nullptr)
      spec.axes[0].values.resize(std::stoul(sizes));
    if (const char* repeat = std::getenv("VICTIM_REPEAT"); repeat != nullptr) {
      spec.timing.min_repeats = spec.timing.max_repeats = std::stoi(repeat);
      options.plan = PlanOfFolder::grows;
    }
    Plan plan = make_plan(spec, find_fake);
    if (options.shard) keep(plan, [&](const std::string& key) { return options.shard->contains(key); });
    return run(plan, options, std::cerr).interrupted ? 130 : 0;
  } catch (const std::exception& error) {
    std::cerr << "pivotlab: " << error.what() << '\n';
    return 2;
  }
}
