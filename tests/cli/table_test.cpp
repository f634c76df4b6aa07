// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <pivotlab/error.hpp>

#include <cmath>
#include <experiments/tables/table.hpp>
#include <sstream>

namespace pivotlab::experiments::table_test {
namespace {

const std::vector<Column> columns = {
    {.key = "type", .heading = "type", .hide_constant = true},
    {.key = "m_f", .heading = "m_F", .kind = ColumnKind::integer, .redundant_with = "n"},
    {.key = "n", .heading = "n", .kind = ColumnKind::integer, .hide_constant = true},
    {.key = "time_s", .heading = "time s", .kind = ColumnKind::seconds},
    {.key = "error", .heading = "res F", .kind = ColumnKind::scientific},
    {.key = "sweeps", .heading = "sweeps", .kind = ColumnKind::integer, .detail = true},
    {.key = "status", .heading = "status"},
};

TableRow row(std::int64_t n, double time, double error, const std::string& status = "passed") {
  return {std::string("d"), n, n, time, error, std::int64_t{9}, status};
}

std::string written(TableFormat format, const std::vector<TableRow>& rows, std::string* notes = nullptr,
                    const std::vector<Column>& of = columns) {
  std::ostringstream data, told;
  write_table(data, told, {format, false}, of, rows, {"2 passed", "PASSED", true});
  if (notes != nullptr) *notes = told.str();
  return data.str();
}

TEST(Table, AlignsNumbersAndMergesConstantColumns) {
  EXPECT_EQ(written(TableFormat::table, {row(64, 0.00123456, 1.2345e-15), row(1024, 12.5, 2e-14)}),
            "type d\n"
            "   n     time s     res F  status\n"
            "----  ---------  --------  ------\n"
            "  64    0.00123  1.23e-15  passed\n"
            "1024       12.5  2.00e-14  passed\n"
            "\n"
            "2 passed  PASSED\n");
}

TEST(Table, TimesHaveThreeSignificantDigits) {
  const auto shown = [](double seconds) { return format_cell(seconds, ColumnKind::seconds); };
  EXPECT_EQ(shown(0.00012345), "0.000123");
  EXPECT_EQ(shown(0.0009996), "0.00100");
  EXPECT_EQ(shown(0.5), "0.500");
  EXPECT_EQ(shown(9.996), "10.0");
  EXPECT_EQ(shown(123.456), "123");
  EXPECT_EQ(shown(12345.6), "12346");
  EXPECT_EQ(shown(0.0000123), "1.23e-05");
  EXPECT_EQ(shown(0), "0");
}

TEST(Table, AFlaggedNumberIsMarkedForPeopleAlone) {
  std::vector<TableRow> rows = {row(64, 0, 1e-15)};
  rows[0][3] = FlaggedNumber{0.1};
  EXPECT_NE(written(TableFormat::table, rows).find("   ~0.100  1.00e-15"), std::string::npos);
  EXPECT_NE(written(TableFormat::csv, rows).find("d,64,64,0.1,"), std::string::npos);
  EXPECT_NE(written(TableFormat::json, rows).find(R"("time_s":0.1,)"), std::string::npos);
}

TEST(Table, TheRemarkIsALineBelowTheVerdict) {
  const auto ended = [](TableFormat format) {
    std::ostringstream data, notes;
    write_table(data, notes, {format, false}, columns, {}, {"2 passed", "PASSED", true, "1 of 2 times is noisy"});
    return data.str() + notes.str();
  };
  for (const TableFormat format : {TableFormat::table, TableFormat::csv, TableFormat::json})
    EXPECT_TRUE(ended(format).ends_with("\n2 passed  PASSED\n1 of 2 times is noisy\n")) << ended(format);
}

TEST(Table, HidesRepeatedColumns) {
  std::vector<TableRow> rows = {row(64, 1, 1e-15), row(64, 2, 1e-15)};
  rows[1][1] = std::int64_t{128};
  EXPECT_NE(written(TableFormat::table, rows).find("m_F"), std::string::npos);
}

TEST(Table, RowsAreWrittenAsTheyComeInThePreviewsLayout) {
  std::ostringstream data, notes;
  const TableRow pending = {std::string("d"), std::int64_t{64}, std::int64_t{64}, {}, {}, {}, {}};
  TableWriter writer(data, notes, {}, columns, std::vector{pending, pending});
  const auto head = data.str().size();
  writer.add(row(64, 0.5, 1e-15));
  EXPECT_EQ(data.str().substr(head), "    0.500  1.00e-15  passed\n");
}

TEST(Table, AbsentAndNonFiniteAreDashOrNull) {
  const std::vector<TableRow> rows = {row(64, NAN, INFINITY)};
  EXPECT_NE(written(TableFormat::table, rows).find("        -         -  passed"), std::string::npos);
  EXPECT_NE(written(TableFormat::csv, rows).find("d,64,64,,,9,passed"), std::string::npos);
  EXPECT_NE(written(TableFormat::json, rows).find(R"("time_s":null,"error":null)"), std::string::npos);
}

TEST(Table, CsvHasAllColumnsInFullPrecision) {
  std::string notes;
  EXPECT_EQ(written(TableFormat::csv, {row(64, 0.1, 1.0 / 3)}, &notes),
            "type,m_f,n,time_s,error,sweeps,status\n"
            "d,64,64,0.1,0.3333333333333333,9,passed\n");
  EXPECT_EQ(notes, "2 passed  PASSED\n");
  EXPECT_EQ(written(TableFormat::json, {row(64, 0.1, 1.0 / 3)}, &notes),
            "[\n"
            R"(  {"type":"d","m_f":64,"n":64,"time_s":0.1,"error":0.3333333333333333,"sweeps":9,"status":"passed"})"
            "\n]\n");
  EXPECT_EQ(notes, "2 passed  PASSED\n");
}

TEST(Table, JsonHasTypedValues) {
  const std::vector<Column> kinds = {{.key = "flag", .heading = "flag"},
                                     {.key = "count", .heading = "count", .kind = ColumnKind::integer},
                                     {.key = "none", .heading = "none", .kind = ColumnKind::integer},
                                     {.key = "note", .heading = "note"}};
  const std::vector<TableRow> rows = {{true, std::int64_t{20}, {}, std::string()}};
  EXPECT_EQ(written(TableFormat::json, rows, nullptr, kinds),
            "[\n  {\"flag\":true,\"count\":20,\"none\":null,\"note\":null}\n]\n");
  EXPECT_EQ(written(TableFormat::csv, rows, nullptr, kinds), "flag,count,none,note\ntrue,20,,\n");
  EXPECT_NE(written(TableFormat::table, rows, nullptr, kinds).find("\ntrue     20     -\n"), std::string::npos);
}

TEST(Table, CsvAndJsonOmitPeopleOnlyColumns) {
  const std::vector<Field<int>> fields = {
      {{.key = "inertia", .heading = "inertia", .people_only = true}, [](int) -> Cell { return std::string("3 0 0"); }},
      {{.key = "positive", .heading = "+", .detail = true}, [](int n) -> Cell { return std::int64_t{n}; }}};
  for (const TableFormat format : {TableFormat::csv, TableFormat::json}) {
    const auto some = fields_for(format, fields);
    ASSERT_EQ(some.size(), 1u);
    EXPECT_EQ(some.front().column.key, "positive");
  }
  EXPECT_EQ(fields_for(TableFormat::table, fields).size(), 2u);
}

TEST(Table, CsvQuotesWhatWouldBreakALine) {
  EXPECT_NE(written(TableFormat::csv, {row(64, 1, 1, "said \"no\", twice")}).find("\"said \"\"no\"\", twice\"\n"),
            std::string::npos);
}

TEST(Table, TextCannotSteerTheTerminalInAnyFormat) {
  const std::vector<TableRow> rows = {row(64, 1, 1, "\033[2J\n\u009b31m \xff\u202e")};
  for (const auto format : {TableFormat::table, TableFormat::csv, TableFormat::json}) {
    const std::string text = written(format, rows);
    for (const char* part : {"\033", "\u009b", "\xff", "\u202e", "2J\n"})
      EXPECT_EQ(text.find(part), std::string::npos) << text;
  }
  EXPECT_NE(written(TableFormat::table, rows).find("\\x1b[2J\\n\\x9b31m \\xff\\u202e"), std::string::npos);
  EXPECT_NE(written(TableFormat::json, rows).find("\\u001b[2J\\n\\u009b31m"), std::string::npos);
}

TEST(Table, NoRowsMakeAnEmptyTableOfEveryFormat) {
  EXPECT_EQ(written(TableFormat::json, {}), "[]\n");
  EXPECT_EQ(written(TableFormat::csv, {}), "type,m_f,n,time_s,error,sweeps,status\n");
}

TEST(Table, ChosenColumnsAreShownWhateverTheyHold) {
  const std::vector<Field<int>> fields = {
      {{.key = "a", .heading = "a", .hide_constant = true}, [](int) -> Cell { return std::int64_t{1}; }},
      {{.key = "b", .heading = "b", .detail = true}, [](int value) -> Cell { return std::int64_t{value}; }}};
  const std::vector<std::string> names = {"b", "a"};
  const auto chosen = select_fields(fields, names);
  EXPECT_EQ(written(TableFormat::table, {row_of(chosen, 7)}, nullptr, columns_of(chosen)),
            "b  a\n-  -\n7  1\n\n2 passed  PASSED\n");
  const std::vector<std::string> unknown = {"c"};
  EXPECT_THROW(select_fields(fields, unknown), InputError);
}

TEST(Table, WidthCountsCharactersAndNotBytes) {
  EXPECT_EQ(display_width("σ‖F‖"), 4u);
}

TEST(Table, UnknownFormatIsRefusedByName) {
  const auto refusal = [](const char* name) -> std::string {
    try {
      table_format_from_string(name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("xml"), "--format: 'xml' is not a table format; choose table, csv or json");
  for (const std::string name : {"markdown", "latex"})
    EXPECT_EQ(refusal(name.c_str()),
              "--format: '" + name +
                  "' is not a table format; choose table, csv or json; pivotlab report DIR --tables " + name +
                  " writes the tables of a run");
}

}  // namespace
}  // namespace pivotlab::experiments::table_test
