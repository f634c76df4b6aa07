// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/report_rules.hpp>
#include <pivotlab/error.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using Json = JsonNode::Json;

/// Throws InputError unless the text is one of the known ones.
void expect_one_of(const JsonNode& node, std::string_view what, const std::vector<std::string>& known) {
  const std::string name = node.text();
  if (std::ranges::find(known, name) == known.end())
    node.fail(fmt::format("there is no {} '{}'; {}", what, name, nearest_text(name, known)));
}

template <class Strings>
std::vector<std::string> list_of(const Strings& strings) {
  return {strings.begin(), strings.end()};
}

std::vector<std::string> columns_of(const Json& published) {
  std::vector<std::string> names;
  for (const Json& column : published["columns"]) names.push_back(column["name"]);
  return names;
}

/// "?HZ0-…" as DHZ0-… and ZHZ0-…, "lapack:?ggsvd3" as lapack:dggsvd3 and lapack:zggsvd3.
std::vector<std::string> with_letters(const std::string& solver) {
  std::vector<std::string> names;
  for (const char letter : std::string_view(solver.find(':') == std::string::npos ? "DZ" : "dz")) {
    names.push_back(solver);
    std::ranges::replace(names.back(), '?', letter);
  }
  return names;
}

/// Checks the options of one table or figure against the rules.
class ExhibitCheck {
 public:
  ExhibitCheck(const JsonNode& entry, const ReportRules& rules, const ReportNames& names)
      : entry_(entry), rules_(rules), names_(names) {}

  void check(const std::string& kind, const Json& options) const {
    std::vector<std::string> known = {"kind"};
    for (const auto& [name, rule] : options.items()) known.push_back(plain(name));
    entry_.expect_object(known);
    for (const auto& [name, rule] : options.items()) {
      if (entry_.has(plain(name)))
        check_option(entry_.at(plain(name)), rule);
      else if (!name.ends_with('?'))
        entry_.fail(fmt::format("{} needs the option '{}'; add it", kind, name));
    }
  }

 private:
  static std::string plain(const std::string& name) { return name.substr(0, name.find('?')); }

  void check_option(const JsonNode& node, const Json& rule) const {
    if (rule.is_object()) return check_reference(node, rule.begin().key(), rule.begin().value());
    const auto kind = rule.get<std::string>();
    const auto each = [&](auto check_one) { node.each_element(check_one); };
    if (kind == "text") (void)node.text();
    if (kind == "flag") (void)node.boolean();
    if (kind == "number") (void)node.number();
    if (kind == "id" && (node.integer() < 0 || node.integer() > 7)) node.fail("is not an ID of Table 1; take 0 to 7");
    if (kind == "type" || (kind == "types" && node.json().is_string())) return check_type(node);
    if (kind == "types") each([&](const JsonNode& one) { check_type(one); });
    if (kind == "solver" || kind == "variant") check_solver(node);
    if (kind == "variant" && node.text().find(':') != std::string::npos) node.fail("must be a variant, not a baseline");
    if (kind == "solvers") each([&](const JsonNode& one) { check_solver(one); });
    if (kind == "texts") each([](const JsonNode& one) { (void)one.text(); });
    if (kind == "numbers") each([](const JsonNode& one) { (void)one.number(); });
    if (kind == "names") node.each_member([](const std::string&, const JsonNode& one) { (void)one.text(); });
    if (kind == "factors")
      node.each_member([&](const std::string& number, const JsonNode& one) {
        if (!std::holds_alternative<std::int64_t>(parse_value(number)))
          node.fail(fmt::format("'{}' is not an integer; write for example {{\"512\": 15}}", number));
        (void)one.number();
      });
  }

  void check_reference(const JsonNode& node, const std::string& kind, const Json& wanted) const {
    if (kind == "choice") expect_one_of(node, "choice", wanted);
    if (kind == "choices") node.each_element([&](const JsonNode& one) { expect_one_of(one, "choice", wanted); });
    if (kind == "published") check_published(node, wanted);
    if (kind == "entries") check_entries(node, wanted);
  }

  void check_type(const JsonNode& node) const {
    if (names_.types.empty()) return (void)node.text();
    expect_one_of(node, "such type in the axes:", list_of(names_.types));
  }

  void check_solver(const JsonNode& node) const {
    const std::string solver = node.text();
    if (names_.solvers.empty()) return;
    const auto names = with_letters(solver);
    if (std::ranges::none_of(names, [&](const std::string& name) { return names_.solvers.contains(name); }))
      node.fail(fmt::format("the axes have no solver '{}'; {}", solver, nearest_text(solver, names_.solvers)));
  }

  /// Checks that a published table has all columns, or members, that the analysis will look up.
  void check_published(const JsonNode& node, const Json& wanted) const {
    const Json& table = rules_.published(node);
    const std::vector<std::string> columns = columns_of(table);
    for (const Json& pattern : wanted) {
      const auto column = filled_in(pattern);
      if (column && std::ranges::find(columns, *column) == columns.end() && !table.contains(*column))
        node.fail(fmt::format("the published table '{}' has no '{}', which {} needs; take another one", node.text(),
                              *column, entry_.at("kind").text()));
    }
  }

  /// Returns the pattern with {name} replaced by the value of that option; nothing if the option is left out.
  std::optional<std::string> filled_in(const std::string& pattern) const {
    const std::size_t open = pattern.find('{'), close = pattern.find('}');
    if (open == std::string::npos) return pattern;
    const std::string option = pattern.substr(open + 1, close - open - 1);
    if (!entry_.has(option)) return std::nullopt;
    return pattern.substr(0, open) + entry_.at(option).text() + pattern.substr(close + 1);
  }

  void check_entries(const JsonNode& node, const std::string& column) const {
    const Json& table = rules_.published(entry_.at("published"));
    const std::vector<std::string> columns = columns_of(table);
    const auto place = static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
    if (place == columns.size()) entry_.at("published").fail(fmt::format("this table has no column '{}'", column));
    std::set<std::string> entries;
    for (const Json& row : table["rows"])
      if (row[place].is_string()) entries.insert(row[place]);
    node.each_element([&](const JsonNode& one) { expect_one_of(one, "published " + column, list_of(entries)); });
  }

  const JsonNode& entry_;
  const ReportRules& rules_;
  const ReportNames& names_;
};

Json read_published(const std::string& file) {
  Json document = parse_json<Json>(read_text(file), file);
  const JsonNode table(document, file);
  table.at("columns").each_element([](const JsonNode& column) { (void)column.at("name").text(); });
  const std::size_t width = document["columns"].size();
  table.at("rows").each_element([&](const JsonNode& row) {
    row.expect(row.json().is_array() && row.json().size() == width, "a value for each column");
  });
  return document;
}

}  // namespace

void ReportNames::add(const Spec& spec, const Method& method) {
  Case axes;
  for (const AxisInfo& info : method.axes()) axes[info.name] = info.default_value;
  const auto values_of = [&](const std::string& name) {
    const auto axis = std::ranges::find(spec.axes, name, &Axis::name);
    if (axis != spec.axes.end()) return axis->values;
    return axes.contains(name) ? std::vector<Value>{axes.at(name)} : std::vector<Value>{};
  };
  for (const Value& type : values_of("type")) {
    types.insert(to_string(type));
    for (const Value& solver : values_of("solver")) {
      for (const std::string& name : with_letters(to_string(solver))) solvers.insert(name);
      axes["type"] = type;
      axes["solver"] = solver;
      try {
        solvers.insert(to_string(method.canonical(axes).at("solver")));
      } catch (const InputError&) {  // not of this type, or not with the defaults of other axes
      }
    }
  }
}

void check_report_form(const JsonNode& report) {
  if (report.json().is_null()) return;
  report.expect_object({"tables", "figures", "expect_incorrect", "expect_defeats"});
  for (const char* part : {"tables", "figures"})
    if (report.has(part)) report.at(part).each_element([](const JsonNode& entry) { (void)entry.at("kind").text(); });
  if (report.has("expect_incorrect")) (void)report.at("expect_incorrect").boolean();
  if (report.has("expect_defeats"))
    report.at("expect_defeats").each_element([](const JsonNode& pattern) { (void)pattern.text(); });
}

ExpectedDefeats::ExpectedDefeats(const nlohmann::json& report) {
  if (!report.is_object()) return;
  of_baselines_ = report.value("expect_incorrect", nlohmann::json()) == true;
  const auto defeats = report.value("expect_defeats", nlohmann::json());
  for (const nlohmann::json& pattern : defeats.is_array() ? defeats : nlohmann::json::array())
    if (pattern.is_string()) solvers_.push_back(pattern);
}

bool ExpectedDefeats::contains(const Case& axes, std::string_view status) const {
  if (status != "incorrect" && status != "failed" && status != "not_converged") return false;
  const auto solver = axes.find("solver");
  if (solver == axes.end()) return false;
  const bool is_baseline = to_string(solver->second).find(':') != std::string::npos;
  return (of_baselines_ && is_baseline) ||
         std::ranges::any_of(solvers_, [&](const std::string& pattern) { return matches(solver->second, pattern); });
}

ReportRules::ReportRules(fs::path folder) : folder_(std::move(folder)) {
  const std::string origin = (folder_ / "exhibits.json").string();
  kinds_ = parse_json<Json>(read_text(origin), origin);
  for (const char* part : {"tables", "figures"}) (void)JsonNode(kinds_, origin).at(part);
}

void ReportRules::check(const JsonNode& report, const ReportNames& names) const {
  for (const char* part : {"tables", "figures"}) {
    if (!report.has(part)) continue;
    const Json& kinds = kinds_[part];
    report.at(part).each_element([&](const JsonNode& entry) {
      const std::string kind = entry.at("kind").text();
      std::vector<std::string> known;
      for (const auto& [name, options] : kinds.items()) known.push_back(name);
      expect_one_of(entry.at("kind"), fmt::format("kind of {}", part), known);
      ExhibitCheck(entry, *this, names).check(kind, kinds[kind]);
    });
  }
}

const Json& ReportRules::published(const JsonNode& name) const {
  std::vector<std::string> known;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder_ / "published", error))
    if (file.path().extension() == ".json") known.push_back(file.path().stem().string());
  std::ranges::sort(known);
  expect_one_of(name, "published table", known);
  const auto read_before = published_.find(name.text());
  if (read_before != published_.end()) return read_before->second;
  const std::string origin = (folder_ / "published" / (name.text() + ".json")).string();
  return published_.emplace(name.text(), read_published(origin)).first->second;
}

}  // namespace pivotlab::experiments
