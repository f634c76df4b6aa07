// SPDX-License-Identifier: BSD-3-Clause
// Names of variants, and everything else that follows from the rows of their options.
//
// This is the interface for code that knows no method by name (command line, records, schema, lists).
// variants/names.hpp declares one VariantNames for each family: ldlt_names(), eig_names(), gsvd_names(),
// distributed_names().
//
//   names.head()                                          "LDLT-{pivoting}"
//   names.rows()                                          all rows: name, domain, default, command-line option, help
//   names.canonical("ldlt-rk;ALPHA=0.50")                 "LDLT-RK;alpha=0.5"; throws InputError for an invalid name
//   names.section("LDLT-RK;alpha=0.5")                    {{"pivoting", "rook"}, {"alpha", 0.5}}, a record's `variant`
//   names.sweep({{"pivoting", "BP,RK"}, {"alpha", "0.1:0.9:0.4,a0"}})   {"LDLT-BP;alpha=0.1", …, "LDLT-RK"}
//   names.listed()                                        {{"LDLT-BP", "Complete (Bunch–Parlett) pivoting …"}, …}
//
// A sweep command: for every row with an option, add_option(row.option, lists[row.name], help_text(row)) with the
// default default_text(row), then names.sweep(lists). A schema: for every row with `written != Written::never`, the
// values written_choices(row) or the bounds of row.domain; null too if row.applies; not required if row.optional(). A
// list of options: usage(row) and row.help of every row that is an option of a name, is_option(row).
#pragma once

#include <variants/option_row.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pivotlab {

/// Grammar of the names of a family of variants, HEAD;OPTION;…;OPTION in any case, each option at most once.
/// An option that has its default value is not printed, so that print and parse are inverses.
class VariantNames {
 public:
  VariantNames(const VariantNames&) = delete;
  VariantNames& operator=(const VariantNames&) = delete;
  virtual ~VariantNames() = default;

  const std::vector<OptionRow>& rows() const { return rows_; }
  /// Returns literals and rows in braces: "LDLT-{pivoting}".
  const std::string& head() const { return head_text_; }

  /// Returns the canonical name. Throws InputError with the position and the nearest names for an invalid name.
  std::string canonical(std::string_view name) const;

  struct Entry {
    std::string name;
    OptionValue value;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// Returns the members of a record's section `variant` for the variant of that name.
  std::vector<Entry> section(std::string_view name) const;

  /// Returns the names for all combinations of lists of values, the first row slowest; rows without a list have their
  /// default. Lists are those of expand_list(), by the names of rows. Throws InputError for values out of a row's
  /// domain.
  std::vector<std::string> sweep(const std::map<std::string, std::string>& lists) const;

  struct Listed {
    std::string name, summary;
  };
  /// Returns the presets or, if there are none, one name for each combination of values of the listed rows, each with
  /// one sentence.
  std::vector<Listed> listed() const;

 protected:
  /// One value for each row; monostate for rows that a name does not give.
  using Values = std::vector<OptionValue>;

  /// A short name for a complete one.
  struct Preset {
    std::string name;
    Values values;
  };

  /// `head` is the text of head(); a space in a literal may be omitted in a name.
  VariantNames(std::string_view head, std::vector<OptionRow> rows);

  void add_preset(Preset preset) { presets_.push_back(std::move(preset)); }
  Values parse_values(std::string_view name) const;
  std::string print_values(const Values& values, bool wildcards = false) const;
  std::vector<Entry> section_of(const Values& values) const;
  /// Throws InputError for a value out of its domain.
  void require_valid_values(const Values& values) const;

 private:
  /// Returns the values of all rows of the variant with the given values.
  virtual Values complete(const Values& values) const = 0;
  /// Returns one sentence about a variant; may be empty.
  virtual std::string describe_values(const Values& values) const = 0;

  struct Part {
    std::string literal;
    std::size_t row;  ///< no_row for a literal
  };
  static constexpr std::size_t no_row = static_cast<std::size_t>(-1);

  std::size_t find_row(std::string_view name) const;
  bool applies(const OptionRow& row, const Values& values) const;
  /// Returns the value for a name that does not give the row.
  static OptionValue absent(const OptionRow& row);
  /// Returns whether heads with these values have a part: a row that applies, or a literal in front of one or at the
  /// end.
  bool has_part(std::size_t k, const Values& values) const;
  std::string print_head(const Values& values, bool wildcards) const;
  void parse_head(std::string_view head, std::string_view name, Values& values) const;
  std::size_t parse_option(std::string_view option, std::string_view name, Values& values) const;
  std::vector<std::string> all_heads() const;
  std::string nearest_options(std::string_view option) const;
  void require_applicable(std::string_view name, const Values& values) const;
  /// Returns all combinations of the lists, the first row slowest.
  std::vector<Values> product(const std::vector<Values>& lists) const;

  std::string head_text_;
  std::vector<Part> head_;
  std::vector<OptionRow> rows_;
  std::vector<Preset> presets_;
};

}  // namespace pivotlab
