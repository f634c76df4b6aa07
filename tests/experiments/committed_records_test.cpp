// SPDX-License-Identifier: BSD-3-Clause
// The keys of published records never change: today's plan of a manifest's spec has the keys of its records.
#include <gtest/gtest.h>
#include <experiments/engine/method.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_sections.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/run.hpp>
#include <tests/scratch_folder.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace pivotlab::experiments::committed_records_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;  // keeps the order of axes, which is that of the cases

const fs::path results = fs::path(PIVOTLAB_SOURCE_DIR) / "results";

/// The run folders below results/, relative to it.
std::vector<std::string> committed_runs() {
  std::vector<std::string> runs;
  for (const auto& entry : fs::recursive_directory_iterator(results))
    if (entry.path().filename() == "manifest.json")
      runs.push_back(fs::relative(entry.path().parent_path(), results).string());
  std::ranges::sort(runs);
  return runs;
}

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Returns the first missing file of PIVOTLAB_DATA that a spec names, or nothing.
std::string missing_file(const std::string& spec) {
  const std::string variable = "$PIVOTLAB_DATA";
  const char* folder = std::getenv("PIVOTLAB_DATA");
  for (std::size_t at = spec.find(variable); at != std::string::npos; at = spec.find(variable, at + 1)) {
    const std::size_t first = at + variable.size();
    const std::string name = spec.substr(first, spec.find_first_of(",;\"", first) - first);
    if (folder == nullptr || !fs::exists(folder + name)) return variable + name;
  }
  return "";
}

std::set<std::string> keys_of(const std::vector<nlohmann::json>& records) {
  std::set<std::string> keys;
  for (const nlohmann::json& record : records) keys.insert(record.at("key").get<std::string>());
  return keys;
}

class CommittedRecords : public testing::TestWithParam<std::string> {
 protected:
  const fs::path run_ = results / GetParam();
  const std::vector<nlohmann::json> records_ = read_records(run_);
  const std::set<std::string> recorded_ = keys_of(records_);
};

/// They are valid, and have the keys of their cases, the variants of their solvers and the texts that were published:
/// committed_records.txt has, for each run, the number of its records and the digest of their texts.
TEST_P(CommittedRecords, AreThoseOfTheirCasesAndAsPublished) {
  std::string texts;
  for (const nlohmann::json& record : records_) {
    const std::string key = record.at("key");
    const Case axes = case_of(record.at("case")).value();
    const Method& method = find_method(to_string(axes.at("method")));
    EXPECT_EQ(canonical_json(method.canonical(axes)), canonical_json(axes)) << key;
    const nlohmann::json variant = variant_section(method, axes);
    nlohmann::json both = variant;  // a record from before an option was added lacks it
    if (!record.at("variant").is_null()) both.update(record.at("variant"));
    EXPECT_EQ(both, variant) << key;
    EXPECT_EQ(variant.is_null(), record.at("variant").is_null()) << key;
    texts += record_text(record);
  }
  const std::string line = GetParam() + ' ' + std::to_string(recorded_.size()) + ' ' + digest(texts) + '\n';
  EXPECT_NE(content_of(fs::path(PIVOTLAB_SOURCE_DIR) / "tests/experiments/committed_records.txt").find(line),
            std::string::npos)
      << line;
}

/// With the plan of the manifest's spec, if the data files that it names are there.
class CommittedRecordsPlanned : public CommittedRecords {
 protected:
  void SetUp() override {
    const std::string spec = manifest_["spec"].dump();
    if (const std::string file = missing_file(spec); !file.empty()) GTEST_SKIP() << file << " is not there";
    // The axis threads = 0 stands for all cores of the machine.
    ::setenv("OMP_NUM_THREADS", manifest_["environment"]["cores"].dump().c_str(), 1);
    plan_ = make_plan(parse_spec(spec, "manifest.json"));
  }

  const ordered_json manifest_ = ordered_json::parse(content_of(run_ / "manifest.json"));
  Plan plan_;
};

/// A part of the plan may have been left out by --filter when the records were made.
TEST_P(CommittedRecordsPlanned, HaveTheKeysOfTheirPlanAndAreReusedByARunOfIt) {
  std::vector<std::string> before, now;
  for (const ordered_json& one : manifest_["plan"]) before.push_back(one["key"]);
  for (const PlannedCase& planned : plan_.cases) now.push_back(planned.key);
  EXPECT_EQ(now, before);
  for (const std::string& key : recorded_) EXPECT_NE(std::ranges::find(now, key), now.end()) << key;

  const test::ScratchFolder scratch;
  const fs::path copy = run_directory(scratch.path(), plan_.spec);
  fs::copy(run_, copy, fs::copy_options::recursive);
  std::erase_if(plan_.cases, [&](const PlannedCase& planned) { return !recorded_.contains(planned.key); });
  ASSERT_EQ(plan_.cases.size(), recorded_.size());

  std::ostringstream progress;
  RunOptions options;
  options.out = scratch.path();
  options.quiet = true;
  const RunSummary summary = run(plan_, options, progress);
  EXPECT_EQ(summary.ran, 0u);
  EXPECT_EQ(summary.reused, recorded_.size());
}

std::string test_name(const testing::TestParamInfo<std::string>& run) {
  std::string name = run.param;
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Results, CommittedRecords, testing::ValuesIn(committed_runs()), test_name);
INSTANTIATE_TEST_SUITE_P(Results, CommittedRecordsPlanned, testing::ValuesIn(committed_runs()), test_name);

}  // namespace
}  // namespace pivotlab::experiments::committed_records_test
