// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/ranges.h>
#include <experiments/generic/batch.hpp>
#include <map>

namespace pivotlab::experiments {
namespace {

std::map<std::string, Index> counts_of(const std::vector<Status>& statuses) {
  std::map<std::string, Index> counts;
  for (const Status status : statuses) ++counts[std::string(to_string(status))];
  return counts;
}

}  // namespace

void set_status(Solution& solution, const std::vector<Status>& statuses) {
  const auto worst = std::ranges::find_if(statuses, [](Status status) { return status != Status::passed; });
  if (worst == statuses.end()) return;
  solution.status = *worst;
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts_of(statuses)) parts.push_back(fmt::format("{} {}", count, name));
  solution.message = fmt::format("{} problems: {}", statuses.size(), fmt::join(parts, ", "));
}

double severity(const Judgement& judgement) {
  if (judgement.status != Status::passed) return std::numeric_limits<double>::infinity();
  double largest = 0;
  if (judgement.metrics.contains("verdict_bounds"))
    for (const auto& [name, bound] : judgement.metrics["verdict_bounds"].items())
      if (const auto value = judgement.metrics.find(name);
          value != judgement.metrics.end() && value->is_number() && bound.is_number())
        largest = std::max(largest, value->get<double>() / bound.get<double>());
  return largest;
}

void describe_batch(const std::vector<Status>& statuses, std::size_t judged, const BatchArrays* arrays,
                    Judgement& judgement) {
  const auto count = static_cast<double>(statuses.size());
  judgement.convergence = nullptr;  // kernels of batches do not tell it, and that of one problem says little
  judgement.flops *= count;
  judgement.batch = {{"judged", judged}, {"different", nullptr}, {"statuses", counts_of(statuses)}};
  if (arrays == nullptr) return;
  const Index different = arrays->count_different();
  judgement.batch["different"] = different;
  if (different == 0) return;
  judgement.status = Status::incorrect;
  judgement.message = fmt::format("{} of {} problems have other bits than the judged one with the same input",
                                  different, statuses.size());
}

}  // namespace pivotlab::experiments
