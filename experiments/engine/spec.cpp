// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/engine/json_node.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/report_rules.hpp>
#include <experiments/engine/spec.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "pivotlab/spec/1";

Axis read_axis(const std::string& name, const JsonNode& node, const Method& method) {
  const AxisInfo& info = node.located([&]() -> const AxisInfo& { return axis_of(method, name); });
  Axis axis{name, {}};
  const auto append = [&](const JsonNode& value, std::size_t item) {
    const bool is_text = value.json().is_string();
    const Value scalar = is_text ? Value() : value.scalar();
    value.located([&] {
      if (is_text) return append_values(info, value.text(), axis.values);
      axis.values.push_back(parse_value(info, scalar));
    });
    axis.items.resize(axis.values.size(), item);
  };
  if (node.json().is_array())
    node.each_element([&, item = std::size_t{0}](const JsonNode& value) mutable { append(value, item++); });
  else
    append(node, 0);
  if (axis.values.empty()) node.fail("an axis needs at least one value");
  return axis;
}

void read_axes(const JsonNode& node, const Method& method, std::vector<Axis>& axes) {
  node.each_member([&](const std::string& name, const JsonNode& values) {
    Axis axis = read_axis(name, values, method);
    const auto known = std::ranges::find(axes, name, &Axis::name);
    if (known == axes.end())
      axes.push_back(std::move(axis));
    else
      *known = std::move(axis);
  });
}

void read_timing(const JsonNode& node, Timing& timing) {
  node.expect_object(
      {"warmup", "min_repeats", "max_repeats", "relative_spread", "until", "budget_s", "timeout_s", "interleave"});
  node.each_member([&](const std::string& key, const JsonNode& value) {
    if (key == "warmup") timing.warmup = value.integer();
    if (key == "min_repeats") timing.min_repeats = value.integer();
    if (key == "max_repeats") timing.max_repeats = value.integer();
    if (key == "relative_spread") timing.relative_spread = value.number();
    if (key == "until") timing.until = value.number();
    if (key == "budget_s") timing.budget_s = value.number();
    if (key == "timeout_s") timing.timeout_s = value.number();
    if (key == "interleave") timing.interleave = value.boolean();
  });
}

/// Reads the members that a scale may replace; the spec itself has them, too.
void read_scalable(const JsonNode& node, const Method& method, Spec& spec) {
  if (node.has("axes")) read_axes(node.at("axes"), method, spec.axes);
  if (node.has("zip")) {
    spec.zip.clear();
    node.at("zip").each_element([&](const JsonNode& group) {
      group.each_element(
          [&, names = &spec.zip.emplace_back()](const JsonNode& name) { names->push_back(name.text()); });
    });
  }
  if (node.has("exclude")) {
    spec.exclude.clear();
    node.at("exclude").each_element([&](const JsonNode& rule) {
      Case& axes = spec.exclude.emplace_back();
      rule.each_member([&](const std::string& name, const JsonNode& value) { axes.emplace(name, value.scalar()); });
    });
  }
  if (node.has("timing")) read_timing(node.at("timing"), spec.timing);
}

std::vector<std::string> scales_of(const JsonNode& root) {
  std::vector<std::string> names = {"paper"};
  if (root.has("scales"))
    root.at("scales").each_member([&](const std::string& name, const JsonNode& scale) {
      scale.expect_object({"axes", "zip", "exclude", "timing"});
      if (name != "paper") names.push_back(name);
    });
  return names;
}

Spec at_scale(const JsonNode& root, const Method& method, const Spec& paper, const std::string& scale) {
  Spec spec = paper;
  if (scale != "paper") spec.scale = scale;
  if (root.has("scales") && root.at("scales").has(scale)) read_scalable(root.at("scales").at(scale), method, spec);
  return spec;
}

Json to_ordered_json(const Value& value) {
  return std::visit([](const auto& x) { return Json(x); }, value);
}

}  // namespace

Spec parse_spec(std::string_view json, std::string_view origin, std::string_view scale, const MethodLookup& find,
                const ReportRules* rules) {
  const Json document = parse_json<Json>(json, origin);
  const JsonNode root(document, origin);
  root.expect_object({"schema", "name", "title", "source", "method", "scale", "axes", "zip", "exclude", "scales",
                      "timing", "report", "published"});
  for (const char* required : {"schema", "name", "method", "axes"}) (void)root.at(required);
  if (root.at("schema").text() != kSchema)
    root.at("schema").fail(fmt::format("expected \"{}\", found {}; convert the file or use the pivotlab that wrote it",
                                       kSchema, document["schema"].dump()));

  Spec paper;
  paper.origin = origin;
  paper.name = root.at("name").text();
  paper.method = root.at("method").text();
  const Method& method = root.located([&]() -> const Method& { return find(paper.method); });
  if (root.has("title")) paper.title = root.at("title").text();
  if (root.has("source")) paper.source = root.at("source").text();
  if (root.has("scale")) paper.scale = root.at("scale").text();
  if (root.has("published")) paper.published = root.at("published").text();
  if (root.has("report")) {
    check_report_form(root.at("report"));
    paper.report = document["report"].dump();
  }
  read_scalable(root, method, paper);

  const std::vector<std::string> scales = scales_of(root);
  if (std::ranges::find(scales, scale) == scales.end())
    root.fail(fmt::format("unknown scale '{}'; known: {}", scale, fmt::join(scales, ", ")));
  Spec chosen;
  ReportNames names;
  for (const std::string& one : scales) {
    Spec spec = at_scale(root, method, paper, one);
    if (one != "paper") spec.origin = fmt::format("{}: scales.{}", origin, one);
    validate(spec, find);
    if (rules != nullptr) names.add(spec, method);
    if (one == scale) chosen = std::move(spec);
  }
  if (rules != nullptr && !paper.published.empty()) (void)rules->published(root.at("published"));
  if (rules != nullptr && paper.report != "null") rules->check(root.at("report"), names);
  return chosen;
}

Spec read_spec(const std::filesystem::path& file, std::string_view scale, const MethodLookup& find,
               const ReportRules* rules) {
  return parse_spec(read_text(file), file.string(), scale, find, rules);
}

std::vector<std::string> list_scales(const std::filesystem::path& file) {
  const std::string origin = file.string();
  const Json document = parse_json<Json>(read_text(file), origin);
  return scales_of(JsonNode(document, origin));
}

std::string to_json(const Spec& spec) {
  Json axes = Json::object(), zip = Json::array(), exclude = Json::array();
  for (const Axis& axis : spec.axes)
    for (const Value& value : axis.values) axes[axis.name].push_back(to_ordered_json(value));
  for (const auto& group : spec.zip) zip.push_back(group);
  for (const Case& rule : spec.exclude) {
    Json& object = exclude.emplace_back(Json::object());
    for (const auto& [name, value] : rule) object[name] = to_ordered_json(value);
  }
  const Timing& timing = spec.timing;
  Json timing_json = {{"warmup", timing.warmup},
                      {"min_repeats", timing.min_repeats},
                      {"max_repeats", timing.max_repeats},
                      {"relative_spread", timing.relative_spread}};
  if (timing.until > 0) timing_json["until"] = timing.until;  // manifests of earlier versions do not have it
  timing_json.update(
      {{"budget_s", timing.budget_s}, {"timeout_s", timing.timeout_s}, {"interleave", timing.interleave}});
  return Json{{"schema", kSchema},
              {"name", spec.name},
              {"title", spec.title},
              {"source", spec.source},
              {"method", spec.method},
              {"scale", spec.scale},
              {"axes", axes},
              {"zip", zip},
              {"exclude", exclude},
              {"timing", std::move(timing_json)},
              {"published", spec.published},
              {"report", Json::parse(spec.report)}}
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pivotlab::experiments
