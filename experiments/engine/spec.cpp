#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/spec.hpp>
#include <kernels/text/nearest.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace pivotlab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "pivotlab/spec/1";
constexpr double kMostValues = 1e6;

[[noreturn]] void fail(std::string_view origin, std::string_view place, std::string_view what) {
  throw InputError(place.empty() ? fmt::format("{}: {}", origin, what)
                                 : fmt::format("{}: {}: {}", origin, place, what));
}

/// A JSON value with the way to it, so that every complaint can name its place.
class Node {
 public:
  Node(const Json& json, std::string_view origin, std::string place = "")
      : json_(json), origin_(origin), place_(std::move(place)) {}

  [[noreturn]] void fail(std::string_view what) const { experiments::fail(origin_, place_, what); }

  const Json& json() const { return json_; }
  bool has(std::string_view key) const { return json_.contains(key); }
  Node at(const std::string& key) const {
    return {json_.at(key), origin_, place_.empty() ? key : fmt::format("{}.{}", place_, key)};
  }

  void expect_object(const std::vector<std::string>& known_keys) const {
    expect(json_.is_object(), "an object {…}");
    for (const auto& [key, value] : json_.items())
      if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end())
        fail(fmt::format("unknown key '{}'; {}", key, nearest_text(key, known_keys)));
  }

  template <class Visit>  // visit(key, node)
  void each_member(Visit visit) const {
    expect(json_.is_object(), "an object {…}");
    for (const auto& [key, value] : json_.items()) visit(key, at(key));
  }
  template <class Visit>  // visit(node)
  void each_element(Visit visit) const {
    expect(json_.is_array(), "a list […]");
    for (std::size_t i = 0; i < json_.size(); ++i) visit(Node(json_[i], origin_, fmt::format("{}[{}]", place_, i)));
  }

  std::string text() const {
    expect(json_.is_string(), "a text");
    return json_.get<std::string>();
  }
  double number() const {
    expect(json_.is_number(), "a number");
    return json_.get<double>();
  }
  int integer() const {
    expect(json_.is_number_integer() && std::abs(json_.get<double>()) < 1e9, "an integer");
    return json_.get<int>();
  }
  bool boolean() const {
    expect(json_.is_boolean(), "true or false");
    return json_.get<bool>();
  }
  Value scalar() const {
    if (json_.is_boolean()) return json_.get<bool>();
    if (json_.is_string()) return json_.get<std::string>();
    expect(json_.is_number(), "a number, a text, true or false");
    return json_.is_number_integer() ? Value(json_.get<std::int64_t>()) : parse_value(to_string(json_.get<double>()));
  }

 private:
  void expect(bool holds, std::string_view wanted) const {
    if (!holds) fail(fmt::format("expected {}, found {}", wanted, json_.dump()));
  }

  const Json& json_;
  std::string_view origin_;
  std::string place_;
};

std::vector<Value> read_values(const Node& node) {
  std::vector<Value> values;
  const auto append = [&](const Node& item) {
    if (!item.json().is_string()) return values.push_back(item.scalar());
    try {
      for (Value& value : expand_values(item.text())) values.push_back(std::move(value));
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

void read_axes(const Node& node, std::vector<Axis>& axes) {
  node.each_member([&](const std::string& name, const Node& values) {
    const auto known = std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
    if (known == axes.end())
      axes.push_back({name, read_values(values)});
    else
      known->values = read_values(values);
  });
}

void read_timing(const Node& node, Timing& timing) {
  node.expect_object(
      {"warmup", "min_repeats", "max_repeats", "relative_spread", "budget_s", "timeout_s", "interleave"});
  node.each_member([&](const std::string& key, const Node& value) {
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
void read_scalable(const Node& node, Spec& spec) {
  if (node.has("axes")) read_axes(node.at("axes"), spec.axes);
  if (node.has("zip")) {
    spec.zip.clear();
    node.at("zip").each_element([&](const Node& group) {
      group.each_element([&, names = &spec.zip.emplace_back()](const Node& name) { names->push_back(name.text()); });
    });
  }
  if (node.has("exclude")) {
    spec.exclude.clear();
    node.at("exclude").each_element([&](const Node& rule) {
      Case& axes = spec.exclude.emplace_back();
      rule.each_member([&](const std::string& name, const Node& value) { axes.emplace(name, value.scalar()); });
    });
  }
  if (node.has("timing")) read_timing(node.at("timing"), spec.timing);
}

std::vector<std::string> scales_of(const Node& root) {
  std::vector<std::string> names = {"paper"};
  if (root.has("scales"))
    root.at("scales").each_member([&](const std::string& name, const Node& scale) {
      scale.expect_object({"axes", "zip", "exclude", "timing"});
      if (name != "paper") names.push_back(name);
    });
  return names;
}

void apply_scale(const Node& root, std::string_view scale, Spec& spec) {
  const std::vector<std::string> known = scales_of(root);
  if (std::find(known.begin(), known.end(), scale) == known.end())
    root.fail(fmt::format("unknown scale '{}'; known: {}", scale, fmt::join(known, ", ")));
  if (root.has("scale")) spec.scale = root.at("scale").text();
  if (scale != "paper") spec.scale = scale;
  if (root.has("scales") && root.at("scales").has(scale)) read_scalable(root.at("scales").at(std::string(scale)), spec);
}

Json to_ordered_json(const Value& value) {
  return std::visit([](const auto& x) { return Json(x); }, value);
}

}  // namespace

Spec parse_spec(std::string_view json, std::string_view origin, std::string_view scale, const MethodLookup& find) {
  const Json document = parse_json<Json>(json, origin);
  const Node root(document, origin);
  root.expect_object({"schema", "name", "title", "source", "method", "scale", "axes", "zip", "exclude", "scales",
                      "timing", "report", "published"});
  for (const char* required : {"schema", "name", "method", "axes"})
    if (!root.has(required)) root.fail(fmt::format("key '{}' is missing; add it", required));
  if (root.at("schema").text() != kSchema)
    root.at("schema").fail(fmt::format("expected \"{}\", found {}; convert the file or use the pivotlab that wrote it",
                                       kSchema, document["schema"].dump()));

  Spec spec;
  spec.name = root.at("name").text();
  spec.method = root.at("method").text();
  if (root.has("title")) spec.title = root.at("title").text();
  if (root.has("source")) spec.source = root.at("source").text();
  if (root.has("published")) spec.published = root.at("published").text();
  if (root.has("report")) spec.report = document["report"].dump();
  read_scalable(root, spec);
  apply_scale(root, scale, spec);
  validate(spec, origin, find);
  return spec;
}

Spec read_spec(const std::filesystem::path& file, std::string_view scale, const MethodLookup& find) {
  return parse_spec(read_text(file), file.string(), scale, find);
}

std::vector<std::string> list_scales(const std::filesystem::path& file) {
  const std::string origin = file.string();
  const Json document = parse_json<Json>(read_text(file), origin);
  return scales_of(Node(document, origin));
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
  if ((static_cast<double>(last) - static_cast<double>(first)) / static_cast<double>(step) >= kMostValues)
    throw InputError(fmt::format("range '{}': has more than {} values; take a larger step", text, kMostValues));
  for (std::int64_t value = first; step > 0 ? value <= last : value >= last; value += step) values.emplace_back(value);
  return values;
}

}  // namespace pivotlab::experiments
