// SPDX-License-Identifier: BSD-3-Clause
// One value of a record, described once: its place, type, definition, and format in tables. The schema of records, the
// columns of tables and data frames, what `compare` compares and docs/reference/metrics.md follow from these
// descriptions.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pivotlab::experiments {

enum class JsonType { boolean, integer, number, text, object };

/// How tables print a number. `plain` prints integers and texts as they are.
enum class NumberFormat { plain, scientific, seconds, ratio };

/// Selects the uses of a quantity beyond records.
enum class Role {
  none,      ///< no column
  frame,     ///< a column of the analysis' data frames
  detail,    ///< also a column of CSV and JSON; tables for people show it if it is named
  shown,     ///< also shown in tables for people
  compared,  ///< also compared by `compare`
};

/// The values that a record may hold at one place, in the terms of JSON Schema.
struct Domain {
  JsonType type = JsonType::number;
  bool list = false;                      ///< a list of such values
  bool nullable = false;                  ///< null if there is no value
  bool optional = false;                  ///< missing if it was not requested, and in records of earlier versions
  std::vector<std::string> choices = {};  ///< all possible texts, if they are few
  std::string pattern = {};               ///< regular expression that texts match
  std::optional<double> minimum = {}, maximum = {};
  bool open_minimum = false, open_maximum = false;  ///< the end is excluded
};

struct Quantity {
  std::string at;            ///< name in its object, "residual_f"
  std::string heading = {};  ///< heading of the column in tables
  NumberFormat format = NumberFormat::plain;
  std::string definition = {};  ///< formula or sentence, one line
  std::string source = {};      ///< paper and section, LAPACK routine; may be empty
  Role role = Role::detail;
  std::string column = {};  ///< name of the column; of an object the prefix of its columns
  std::string unit = {};
  bool bounded = false;  ///< part of the verdict: `verdict_bounds` has a bound of the same name
  Domain domain = {};
  std::vector<Quantity> members = {};         ///< members of an object, or of each object of a list
  std::string precision = {};                 ///< precision of the computation; empty for counts, flags, texts
  std::string bound = {}, bound_source = {};  ///< formula of the bound, and its derivation
};

/// One object of a record: problem, variant, convergence, metrics.
struct Section {
  std::string name;
  std::vector<Quantity> quantities = {};
};

/// A quantity that is a column, with its place in the record: "/metrics/certificate/below".
struct RecordColumn {
  std::string name, place;
  Quantity quantity;
};

/// The columns of quantities at `place`, those of nested objects in their order.
std::vector<RecordColumn> columns_of(const std::vector<Quantity>& quantities, const std::string& place,
                                     const std::string& prefix = "");

}  // namespace pivotlab::experiments
