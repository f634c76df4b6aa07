// SPDX-License-Identifier: BSD-3-Clause
// Committed files and columns of tables agree with the descriptions of the methods.
#include <gtest/gtest.h>

#include <experiments/engine/record.hpp>
#include <experiments/engine/schema.hpp>
#include <experiments/engine/section.hpp>
#include <experiments/metrics/judged_rows.hpp>

#include <filesystem>
#include <fstream>
#include <set>

namespace pivotlab::experiments::description_test {
namespace {

using Json = nlohmann::ordered_json;
using enum NumberFormat;

Json committed(const char* file) {
  std::ifstream stream(std::filesystem::path(PIVOTLAB_SOURCE_DIR) / file);
  return Json::parse(stream);
}

/// To update the file: pivotlab list schema > results/record.schema.json
TEST(Description, TheCommittedSchemaFollowsFromTheMethods) {
  EXPECT_EQ(schema_of_records(all_methods()), committed("results/record.schema.json"));
}

/// To update the file: pivotlab list description > experiments/methods.json
TEST(Description, TheCommittedColumnsFollowFromTheMethods) {
  EXPECT_EQ(describe(all_methods()), committed("experiments/methods.json"));
}

TEST(Description, NoTwoColumnsOfAMethodHaveTheSameName) {
  for (const Method* method : all_methods()) {
    std::set<std::string> names, axes;
    for (const AxisInfo& axis : method->axes()) axes.insert(axis.name);
    for (const RecordColumn& column : record_columns(*method)) {
      EXPECT_TRUE(names.insert(column.name).second) << method->name() << ": " << column.name;
      EXPECT_FALSE(axes.contains(column.name)) << method->name() << ": " << column.name;
      EXPECT_FALSE(column.quantity.definition.empty()) << column.name;
      EXPECT_FALSE(column.quantity.heading.empty()) << column.name;
    }
  }
}

struct Part {
  int count = 2;
};
struct Bounds {
  double error = 1;
};
struct Toy {
  double error = 0.5, lost = std::numeric_limits<double>::quiet_NaN();
  std::optional<int> rank = {};
  std::vector<double> history = {1, 2};
  std::optional<Part> part = {}, other = Part{};
  Bounds bounds = {};
};

Rows<Part> part_rows() {
  return {row(&Part::count, "count", "#", plain, "Number")};
}
Rows<Toy> toy_rows() {
  return {row(&Toy::error, "error", "err", scientific, "Error").compared().bounded(&Bounds::error, "1", "example"),
          row(&Toy::lost, "lost", "lost", scientific, "Without value"),
          row(&Toy::rank, "rank", "rank", plain, "Rank").only_if_any(),
          row(&Toy::history, "history", "history", plain, "History"),
          object_row<Toy>(&Toy::part, part_rows(), "part", "A part"),
          object_row<Toy>(&Toy::other, part_rows(), "other", "A part").column("other_")};
}

TEST(Description, RowsWriteTheirMembers) {
  const nlohmann::json expected = {{"error", 0.5},    {"lost", nullptr},         {"history", {1.0, 2.0}},
                                   {"part", nullptr}, {"other", {{"count", 2}}}, {"verdict_bounds", {{"error", 1.0}}}};
  EXPECT_EQ(write_judged(toy_rows(), Toy{}), expected);
}

struct Judged {
  struct Bounds {
    double value = 1, other = 1;
  };
  double value = 0.5;
  std::optional<double> other = {};
  Bounds bounds = {};
};

std::string failures_of(const Judged& metrics) {
  const Rows<Judged> rows = {
      row(&Judged::other, "other", "", scientific, "Another").bounded(&Judged::Bounds::other, "1", "example"),
      row(&Judged::value, "value", "", scientific, "Value").bounded(&Judged::Bounds::value, "1", "example"),
      row(&Judged::value, "same", "", scientific, "The same value without a bound")};
  return describe_failures(rows, metrics);
}

TEST(Description, TheVerdictFollowsFromTheBoundedRows) {
  const double nan = not_a_number, infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(failures_of({}), "");
  EXPECT_EQ(failures_of({.value = 1, .other = 1}), "");
  EXPECT_EQ(failures_of({.value = 2}), "value 2 > 1");
  EXPECT_EQ(failures_of({.value = 2, .other = nan}), "other cannot be computed, value 2 > 1");
  EXPECT_EQ(failures_of({.value = nan, .bounds = {.value = nan}}), "value cannot be computed");
  EXPECT_EQ(failures_of({.value = nan, .bounds = {.value = infinity}}), "");
}

TEST(Description, NestedRowsAreColumns) {
  std::vector<std::string> names;
  for (const RecordColumn& column : columns_of(quantities_of(toy_rows()), "/metrics"))
    names.push_back(column.name + " " + column.place);
  EXPECT_EQ(names, (std::vector<std::string>{"error /metrics/error", "lost /metrics/lost", "rank /metrics/rank",
                                             "history /metrics/history", "count /metrics/part/count",
                                             "other_count /metrics/other/count"}));
}

}  // namespace
}  // namespace pivotlab::experiments::description_test
