// SPDX-License-Identifier: BSD-3-Clause
// Names in committed records never change their meaning: parse and print give the same name, and the record's section
// `variant` is what the rows give today.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <variants/names.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace pivotlab::committed_variants_test {
namespace {

struct Committed {
  std::string name, section;
};

std::vector<Committed> committed_variants() {
  std::vector<Committed> all;
  std::ifstream file(COMMITTED_VARIANTS);
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    all.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return all;
}

const VariantNames& names_for(const std::string& name) {
  if (name.starts_with("LDLT")) return ldlt_names();
  if (name.starts_with("ZEIG")) return eig_names();
  if (name.starts_with("HEV")) return eigh_names();
  if (name.starts_with("HSVD")) return hsvd_names();
  if (name.starts_with("GHSVD")) return ghsvd_names();
  if (name.substr(1).starts_with("GT-")) return tangent_names();
  if (name.find(',') != std::string::npos) return distributed_names();
  return gsvd_names();
}

std::string to_json(const OptionValue& value) {
  struct Printer {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t integer) const { return fmt::format("{}", integer); }
    std::string operator()(double number) const {
      const std::string text = fmt::format("{}", number);
      return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    }
    std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
  };
  return std::visit(Printer(), value);
}

/// One line with sorted keys; without values that the committed section lacks, made before there was their row.
std::string section_as_json(const VariantNames& names, const std::string& name, const std::string& committed) {
  std::vector<VariantNames::Entry> entries = names.section(name);
  std::erase_if(entries, [&](const VariantNames::Entry& entry) {
    const auto row = std::ranges::find(names.rows(), entry.name, &OptionRow::name);
    const bool lacking = committed.find(fmt::format("\"{}\"", entry.name)) == std::string::npos;
    return row->added_later && entry.value == row->default_value && lacking;
  });
  std::ranges::sort(entries, {}, &VariantNames::Entry::name);
  std::string json;
  for (const auto& [key, value] : entries)
    json += fmt::format("{}\"{}\":{}", json.empty() ? "" : ",", key, to_json(value));
  return "{" + json + "}";
}

TEST(CommittedVariants, KeepTheirNames) {
  const std::vector<Committed> all = committed_variants();
  EXPECT_GT(all.size(), 150u);
  for (const auto& [name, section] : all) EXPECT_EQ(names_for(name).canonical(name), name);
}

TEST(CommittedVariants, KeepTheirSections) {
  for (const auto& [name, section] : committed_variants()) {
    if (section == "null") continue;  // no case of this name was solved
    EXPECT_EQ(section_as_json(names_for(name), name, section), section) << name;
  }
}

}  // namespace
}  // namespace pivotlab::committed_variants_test
