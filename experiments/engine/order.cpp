// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/json_node.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/order.hpp>

#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

json timing_json(const Timing& timing) {
  return {{"warmup", timing.warmup},
          {"min_repeats", timing.min_repeats},
          {"max_repeats", timing.max_repeats},
          {"relative_spread", timing.relative_spread},
          {"until", timing.until},
          {"budget_s", timing.budget_s},
          {"timeout_s", timing.timeout_s},
          {"interleave", timing.interleave}};
}

Timing timing_of(const JsonNode& node) {
  return {.warmup = node.at("warmup").integer(),
          .min_repeats = node.at("min_repeats").integer(),
          .max_repeats = node.at("max_repeats").integer(),
          .relative_spread = node.at("relative_spread").number(),
          .until = node.at("until").number(),
          .budget_s = node.at("budget_s").number(),
          .timeout_s = node.at("timeout_s").number(),
          .interleave = node.at("interleave").boolean()};
}

Case case_of(const JsonNode& node) {
  Case axes;
  node.each_member([&](const std::string& axis, const JsonNode& value) { axes[axis] = value.scalar(); });
  return axes;
}

}  // namespace

std::string to_line(const WorkOrder& order) {
  json cases = json::array();
  for (const PlannedCase* planned : order.cases) {
    cases.push_back({{"key", planned->key}, {"case", json::parse(canonical_json(planned->axes))}});
    if (const auto earlier = order.earlier.find(planned->key); earlier != order.earlier.end())
      cases.back()["time"] = json::parse(earlier->second);
  }
  return json{{"order",
               {{"method", order.method->name()},
                {"timing", timing_json(order.timing)},
                {"cache", std::filesystem::absolute(order.cache).string()},
                {"checkpoints", std::filesystem::absolute(order.checkpoints).string()},
                {"checkpoint_s", order.checkpoint_s},
                {"memory_bytes", order.memory_bytes},
                {"cores", order.cores},
                {"gpus", order.gpus},
                {"beside", order.beside},
                {"in_turns", order.in_turns},
                {"cases", std::move(cases)}}}}
             .dump() +
         '\n';
}

ReadOrder::ReadOrder(const std::string& line, const MethodLookup& find) {
  constexpr std::string_view origin = "standard input: the order of pivotlab run";
  const auto document = parse_json<nlohmann::ordered_json>(line, origin);
  const JsonNode message(document, origin);
  message.expect_object({"order"});
  const JsonNode order = message.at("order");
  order.expect_object({"method", "timing", "cache", "checkpoints", "checkpoint_s", "memory_bytes", "cores", "gpus",
                       "beside", "in_turns", "cases"});
  const Method& method = find(order.at("method").text());
  order.at("cases").each_element([&](const JsonNode& one) {
    PlannedCase planned;
    planned.key = one.at("key").text();
    planned.axes = case_of(one.at("case"));
    if (planned.key != case_key(planned.axes)) one.at("key").fail("is not the hash of its case");
    planned.estimate = method.estimate(planned.axes);
    if (one.has("time")) order_.earlier[planned.key] = one.at("time").json().dump();
    cases_.push_back(std::move(planned));
  });
  if (cases_.empty()) order.at("cases").fail("there is none");
  order_.method = &method;
  order_.timing = timing_of(order.at("timing"));
  order_.cache = order.at("cache").text();
  order_.checkpoints = order.at("checkpoints").text();
  order_.checkpoint_s = order.at("checkpoint_s").number();
  order_.memory_bytes = order.at("memory_bytes").number();
  order.at("cores").each_element([&](const JsonNode& core) { order_.cores.push_back(core.integer()); });
  order.at("gpus").each_element([&](const JsonNode& gpu) { order_.gpus.push_back(gpu.integer()); });
  order_.beside = order.at("beside").text();
  order_.in_turns = order.at("in_turns").boolean();
  for (const PlannedCase& planned : cases_) order_.cases.push_back(&planned);
}

}  // namespace pivotlab::experiments
