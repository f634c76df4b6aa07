#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/engine/json_node.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/report_rules.hpp>
#include <experiments/engine/spec.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace pivotlab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "pivotlab/spec/1";
constexpr std::size_t kMostValues = 1'000'000;  // of an axis

std::vector<Value> read_values(const JsonNode& node) {
  std::vector<Value> values;
  const auto append = [&](const JsonNode& item) {
    if (!item.json().is_string()) return values.push_back(item.scalar());
    try {
      append_values(item.text(), values);
    } catch (const InputError& error) {
      item.fail(error.what());
    }
  };
  if (node.json().is_array())
    node.each_element(append);
  else
    append(node);
  if (values.empty()) node.fail("an axis needs at least one value");
  return values;
}

void read_axes(const JsonNode& node, std::vector<Axis>& axes) {
  node.each_member([&](const std::string& name, const JsonNode& values) {
    const auto known = std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
    if (known == axes.end())
      axes.push_back({name, read_values(values)});
    else
      known->values = read_values(values);
  });
}

void read_timing(const JsonNode& node, Timing& timing) {
  node.expect_object(
      {"warmup", "min_repeats", "max_repeats", "relative_spread", "budget_s", "timeout_s", "interleave"});
  node.each_member([&](const std::string& key, const JsonNode& value) {
    if (key == "warmup") timing.warmup = value.integer();
    if (key == "min_repeats") timing.min_repeats = value.integer();
    if (key == "max_repeats") timing.max_repeats = value.integer();
    if (key == "relative_spread") timing.relative_spread = value.number();
    if (key == "budget_s") timing.budget_s = value.number();
    if (key == "timeout_s") timing.timeout_s = value.number();
    if (key == "interleave") timing.interleave = value.boolean();
  });
}

/// What a scale may replace, and the spec itself has as well.
void read_scalable(const JsonNode& node, Spec& spec) {
  if (node.has("axes")) read_axes(node.at("axes"), spec.axes);
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

Spec at_scale(const JsonNode& root, const Spec& paper, const std::string& scale) {
  Spec spec = paper;
  if (scale != "paper") spec.scale = scale;
  if (root.has("scales") && root.at("scales").has(scale)) read_scalable(root.at("scales").at(scale), spec);
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
  paper.name = root.at("name").text();
  paper.method = root.at("method").text();
  if (root.has("title")) paper.title = root.at("title").text();
  if (root.has("source")) paper.source = root.at("source").text();
  if (root.has("scale")) paper.scale = root.at("scale").text();
  if (root.has("published")) paper.published = root.at("published").text();
  if (root.has("report")) {
    check_report_form(root.at("report"));
    paper.report = document["report"].dump();
  }
  read_scalable(root, paper);

  const std::vector<std::string> scales = scales_of(root);
  if (std::ranges::find(scales, scale) == scales.end())
    root.fail(fmt::format("unknown scale '{}'; known: {}", scale, fmt::join(scales, ", ")));
  Spec chosen;
  ReportNames names;
  for (const std::string& one : scales) {
    Spec spec = at_scale(root, paper, one);
    validate(spec, one == "paper" ? std::string(origin) : fmt::format("{}: scales.{}", origin, one), find);
    if (rules != nullptr) names.add(spec, find(spec.method));
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
  return Json{{"schema", kSchema},
              {"name", spec.name},
              {"title", spec.title},
              {"source", spec.source},
              {"method", spec.method},
              {"scale", spec.scale},
              {"axes", axes},
              {"zip", zip},
              {"exclude", exclude},
              {"timing",
               {{"warmup", timing.warmup},
                {"min_repeats", timing.min_repeats},
                {"max_repeats", timing.max_repeats},
                {"relative_spread", timing.relative_spread},
                {"budget_s", timing.budget_s},
                {"timeout_s", timing.timeout_s},
                {"interleave", timing.interleave}}},
              {"published", spec.published},
              {"report", Json::parse(spec.report)}}
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

std::vector<Value> expand_values(std::string_view text) {
  const bool is_range = !text.empty() && text.find_first_not_of("-0123456789:") == std::string_view::npos &&
                        text.find(':') != std::string_view::npos;
  std::vector<Value> values;
  if (!is_range) {
    for (const std::string& item : expand_pattern(text)) values.push_back(parse_value(item));
    return values;
  }

  std::vector<std::int64_t> parts;
  for (std::string_view rest = text;;) {
    const std::size_t colon = rest.find(':');
    const Value part = parse_value(rest.substr(0, colon));
    if (!std::holds_alternative<std::int64_t>(part))
      throw InputError(fmt::format("range '{}': '{}' is no integer; write first:last or first:last:step", text,
                                   rest.substr(0, colon)));
    parts.push_back(std::get<std::int64_t>(part));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  const std::int64_t first = parts[0], last = parts[1], step = parts.size() > 2 ? parts[2] : 1;
  if (parts.size() > 3)
    throw InputError(fmt::format("range '{}': has more than three numbers; write first:last:step", text));
  if (step == 0 || (step > 0 ? first > last : first < last))
    throw InputError(fmt::format("range '{}': the step {} does not lead from {} to {}; change its sign or the ends",
                                 text, step, first, last));
  // Differences of integers may need 64 bits; unsigned arithmetic has no overflow.
  const auto bits = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
  const std::uint64_t steps =
      step > 0 ? (bits(last) - bits(first)) / bits(step) : (bits(first) - bits(last)) / -bits(step);
  if (steps >= kMostValues)
    throw InputError(fmt::format("range '{}': has more than {} values; take a larger step", text, kMostValues));
  for (std::uint64_t k = 0; k <= steps; ++k)
    values.emplace_back(static_cast<std::int64_t>(bits(first) + k * bits(step)));
  return values;
}

void append_values(std::string_view text, std::vector<Value>& values) {
  std::vector<Value> more = expand_values(text);
  if (values.size() + more.size() > kMostValues)
    throw InputError(
        fmt::format("'{}': with the values before it they are more than {}; take fewer", text, kMostValues));
  values.insert(values.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace pivotlab::experiments
