// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/report_rules.hpp>
#include <tests/experiments/scratch.hpp>

namespace pivotlab::experiments::report_rules_test {
namespace {

namespace fs = std::filesystem;

const fs::path experiments_folder = fs::path(PIVOTLAB_SOURCE_DIR) / "experiments";

class Report : public testing::Test {
 protected:
  /// Reads a spec of the GSVD with a report of one table or figure.
  void read(const std::string& part, const std::string& entry) const {
    const std::string head = R"({"schema": "pivotlab/spec/1", "name": "t", "method": "gsvd",
        "axes": {"type": ["d"], "n": [64], "solver": ["?HZ{0,4}-(ME-FB-ME);w=32", "lapack:?ggsvd3"]},
        "scales": {"quick": {"axes": {"solver": ["DHZ7-(MM-BO-ME);w=8"]}}}, "report": {")";
    parse_spec(head + part + "\": [" + entry + "]}}", "t.json", "paper", find_method, &rules_);
  }

  const ReportRules rules_{experiments_folder};
};

TEST_F(Report, AcceptsCommittedSpecs) {
  for (const auto& file : fs::directory_iterator(experiments_folder / "specs")) {
    if (file.path().extension() != ".json") continue;
    for (const std::string& scale : list_scales(file.path()))
      EXPECT_NO_THROW(read_spec(file.path(), scale, find_method, &rules_)) << file.path() << ' ' << scale;
  }
}

TEST_F(Report, MayNameWhatTheAxesAndThePublishedTablesHave) {
  for (const char* solver :
       {"?HZ4-(ME-FB-ME);w=32", "DHZ0-(ME-FB-ME);w=32", "lapack:dggsvd3", "lapack:?ggsvd3", "DHZ7-(MM-BO-ME);w=8"})
    EXPECT_NO_THROW(read("tables", R"({"kind": "speed", "title": "t", "reference": ")" + std::string(solver) + "\"}"));
  EXPECT_NO_THROW(
      read("figures", R"({"kind": "speed", "title": "t", "reference": "DHZ7-(MM-BO-ME);w=8", "type": ["d"]})"));
  EXPECT_NO_THROW(read("tables", R"({"kind": "ldlt-sheet", "title": "t", "published": "ldlt-sheets",
      "matrices": ["clement"], "agree": ["rank"], "stand_ins": {"alemdar": "random"}})"));
  EXPECT_NO_THROW(read("tables", R"({"kind": "speed", "title": "t", "reference": "?HZ0-(ME-FB-ME);w=32",
      "targets": {"512": 15}})"));
}

TEST_F(Report, RefusesWithPlaceAndNearestName) {
  const std::tuple<const char*, const char*, const char*> mistakes[] = {
      {"tables", R"({"kind": "sped", "title": "t"})",
       "t.json: report.tables[0].kind: there is no kind of tables 'sped'; nearest: speed"},
      {"figures", R"({"kind": "cases", "title": "t"})",
       "t.json: report.figures[0].kind: there is no kind of figures 'cases'; nearest: "},
      {"tables", R"({"kind": "cases"})", "t.json: report.tables[0]: cases needs the option 'title'; add it"},
      {"tables", R"({"kind": "cases", "title": 5})", "t.json: report.tables[0].title: expected a text, found 5"},
      {"tables", R"({"kind": "cases", "title": "t", "typ": "d"})", "t.json: report.tables[0]: unknown key 'typ'"},
      {"tables", R"({"kind": "scaling", "title": "t", "type": "z", "solver": "lapack:dggsvd3"})",
       "t.json: report.tables[0].type: there is no such type in the axes: 'z'; nearest: d"},
      {"tables", R"({"kind": "scaling", "title": "t", "type": "d", "solver": "?HZ1-(ME-FB-ME);w=32"})",
       "t.json: report.tables[0].solver: the axes have no solver '?HZ1-(ME-FB-ME);w=32'; nearest: "
       "DHZ0-(ME-FB-ME);w=32"},
      {"tables", R"({"kind": "relative-slowdown", "title": "t", "published": "table2", "type": "d",
                     "reference": "lapack:?ggsvd3"})",
       "t.json: report.tables[0].reference: must be a variant, not a baseline"},
      {"tables",
       R"({"kind": "wall-time", "title": "t", "published": "figur2", "type": "d", "solver": "lapack:?ggsvd3"})",
       "t.json: report.tables[0].published: there is no published table 'figur2'; nearest: figure2, figure3"},
      {"tables",
       R"({"kind": "wall-time", "title": "t", "published": "table4", "type": "d", "solver": "lapack:?ggsvd3"})",
       "t.json: report.tables[0].published: the published table 'table4' has no 'wall_s', which wall-time needs"},
      {"tables",
       R"({"kind": "condition-numbers", "title": "t", "published": "table4", "type": "d", "quantity": "kappa_f"})",
       "t.json: report.tables[0].published: the published table 'table4' has no 'kappa_f'"},
      {"tables", R"({"kind": "condition-numbers", "title": "t", "published": "table4", "type": "d", "quantity": "f"})",
       "t.json: report.tables[0].quantity: there is no choice 'f'; nearest: kappa_f"},
      {"tables", R"({"kind": "speed", "title": "t", "reference": "lapack:?ggsvd3", "peers_only": "yes"})",
       "t.json: report.tables[0].peers_only: expected true or false, found \"yes\""},
      {"tables", R"({"kind": "speed", "title": "t", "reference": "lapack:?ggsvd3", "targets": {"n": 2}})",
       "t.json: report.tables[0].targets: 'n' is not an integer"},
      {"tables", R"({"kind": "ldlt-sheet", "title": "t", "published": "ldlt-sheets", "matrices": ["clemant"]})",
       "t.json: report.tables[0].matrices[0]: there is no published matrix 'clemant'; nearest: clement"},
      {"figures", R"({"kind": "figure-times", "title": "t", "published": "figure2", "type": "d", "id": 8})",
       "t.json: report.figures[0].id: is not an ID of Table 1; take 0 to 7"},
      {"figures", R"({"kind": "speed", "title": "t", "reference": "lapack:?ggsvd3", "type": ["d", "z"]})",
       "t.json: report.figures[0].type[1]: there is no such type in the axes: 'z'"},
  };
  for (const auto& [part, entry, beginning] : mistakes) {
    const std::string message = input_error([&, &part = part, &entry = entry] { read(part, entry); });
    EXPECT_TRUE(message.starts_with(beginning)) << message;
  }
}

TEST_F(Report, RefusesUnknownPublishedNumbers) {
  const auto read_published = [&](const char* name) {
    parse_spec(R"({"schema": "pivotlab/spec/1", "name": "t", "method": "gsvd", "axes": {}, "published": ")" +
                   std::string(name) + "\"}",
               "t.json", "paper", find_method, &rules_);
  };
  EXPECT_NO_THROW(read_published("table2"));
  EXPECT_EQ(input_error([&] { read_published("tabel2"); }).substr(0, 72),
            "t.json: published: there is no published table 'tabel2'; nearest: table2");
}

TEST(ReportRules, NameAPublishedTableThatIsDamaged) {
  const ScratchFolder scratch;
  fs::create_directory(scratch.path() / "published");
  fs::copy_file(experiments_folder / "exhibits.json", scratch.path() / "exhibits.json");
  const fs::path file = scratch.path() / "published" / "p.json";
  const ReportRules rules(scratch.path());
  const JsonNode::Json name = "p";
  for (const char* content : {"", "[", R"({"columns": 5})", R"({"columns": [{"name": "n"}], "rows": [[1, 2]]})"}) {
    put(file, content);
    EXPECT_TRUE(input_error([&] { rules.published(JsonNode(name, "t.json")); }).starts_with(file.string())) << content;
  }
  EXPECT_TRUE(input_error([&] { ReportRules("/none"); }).starts_with("/none/exhibits.json: cannot be read"));
}

}  // namespace
}  // namespace pivotlab::experiments::report_rules_test
