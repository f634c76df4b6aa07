// SPDX-License-Identifier: BSD-3-Clause
#include <sys/resource.h>
#include <experiments/engine/own_files.hpp>
#include <experiments/engine/record.hpp>
#include <tests/experiments/scratch.hpp>

#include <csignal>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments::record_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(WriteAtomically, ReplacesTheContentAndLeavesNothingElse) {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "a.json";
  write_atomically(file, "first");
  write_atomically(file, "second");
  EXPECT_EQ(content_of(file), "second");
  EXPECT_EQ(files_in(scratch.path()), 1u);
}

// A limit on the size of the file simulates a full disk.
TEST(WriteAtomically, KeepsTheOldContentWhenThereIsNoSpace) {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "a.json";
  write_atomically(file, "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tight{1000, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &tight);
  const std::string message = input_error([&] { write_atomically(file, std::string(100'000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(message, file.string() + ": cannot be written: File too large; free space there or write elsewhere");
  EXPECT_EQ(content_of(file), "old");
  EXPECT_EQ(files_in(scratch.path()), 1u);
}

TEST(WriteAtomically, NamesAFolderThatCannotBeUsed) {
  const ScratchFolder scratch;
  put(scratch.path() / "file", "");
  for (const char* folder : {"none", "file"})
    EXPECT_TRUE(input_error([&] {
                  write_atomically(scratch.path() / folder / "a", "x");
                }).ends_with("; create the directory first"));
  // /proc stands for a file system without write permission, which root would ignore elsewhere.
  EXPECT_TRUE(
      input_error([] { write_atomically("/proc/a.json", "x"); }).starts_with("/proc/a.json: cannot be written"));
}

TEST(RemoveLeftovers, RemovesOnlyThose) {
  const ScratchFolder scratch;
  const fs::path records = scratch.path() / "records";
  fs::create_directory(records);
  const std::string record = std::string(32, 'a') + ".json";
  for (const std::string& left : {"." + record + ".123.tmp", "." + record + ".123.4.tmp"}) put(records / left, "half");
  for (const std::string& kept : {record, std::string("b.tmp"), std::string(".thesis.tex.tmp"), "." + record + ".tmp"})
    put(records / kept, "whole");
  put(scratch.path() / ".manifest.json.1.0.tmp", "half");
  put(scratch.path() / ".thesis.tex.tmp", "draft");
  remove_leftovers(scratch.path());
  EXPECT_EQ(files_in(records), 4u);
  EXPECT_EQ(files_in(scratch.path()), 2u);
  EXPECT_TRUE(fs::exists(scratch.path() / ".thesis.tex.tmp"));
}

class WrittenRecord : public testing::Test {
 protected:
  WrittenRecord() {
    const Plan plan = make_plan(fake_spec({{"solver", texts({"quick"})}}), find_fake);
    RunOptions options;
    options.out = scratch_.path();
    run_quietly(plan, options);
    key_ = plan.cases[0].key;
    run_ = scratch_.path() / "fake";
    record_ = RecordStore(run_).find(key_).value();
  }
  const ScratchFolder scratch_;
  fs::path run_;
  std::string key_;
  json record_;
};

TEST_F(WrittenRecord, IsWithoutDefectAndReadBack) {
  EXPECT_EQ(find_defect(record_), std::nullopt);
  const std::vector<json> all{record_};
  EXPECT_EQ(read_records(run_), all);
  EXPECT_EQ(read_records(run_ / packed_records), all);
  const fs::path folder = unpack(run_);
  EXPECT_EQ(RecordStore(run_).find(key_), record_);
  EXPECT_EQ(read_records(run_), all);
  EXPECT_EQ(read_records(folder), all);
  EXPECT_EQ(read_records(folder / (key_ + ".json")), all);
}

TEST_F(WrittenRecord, HoldsNullForWhatIsNoNumber) {
  EXPECT_TRUE(record_["metrics"]["undefined"].is_null());
}

TEST_F(WrittenRecord, IsRefusedByNameWhereItIsHostile) {
  const fs::path file = unpack(run_) / (key_ + ".json");
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string text = record_.dump();
  const auto with_metrics = [&](const std::string& metrics) {
    std::string hostile = text;
    return hostile.insert(hostile.find("\"metrics\":{") + std::size("\"metrics\":{") - 1, "\"x\":" + metrics + ",");
  };
  for (const std::string& content : {with_metrics(deep), with_metrics("1e999"), with_metrics("\"\xff\""), deep,
                                     std::string(), "\xEF\xBB\xBF" + text}) {
    put(file, content);
    EXPECT_EQ(RecordStore(run_).find(key_), std::nullopt);
    EXPECT_TRUE(input_error([&] { read_records(run_); }).starts_with(file.string() + ":1:"));
  }
  put(file, with_metrics("5"));
  EXPECT_NE(RecordStore(run_).find(key_), std::nullopt);
  put(run_ / "manifest.json", "{\"plan\":" + deep + "}");
  EXPECT_TRUE(input_error([&] { read_records(run_); }).starts_with((run_ / "manifest.json").string() + ":1:"));
}

/// Calls visit(pointer) for every property that the schema requires of the instance, following $ref.
template <class Visit>
void each_required(const json& root, const json& schema, const std::string& pointer, const json& instance,
                   Visit visit) {
  if (schema.contains("$ref"))
    return each_required(root, root.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))), pointer,
                         instance, visit);
  for (const json& name : schema.value("required", json::array())) visit(pointer + "/" + name.get<std::string>());
  const json properties = schema.value("properties", json::object());
  for (const auto& [name, property] : properties.items())
    if (instance.contains(name)) each_required(root, property, pointer + "/" + name, instance[name], visit);
}

TEST_F(WrittenRecord, HasAndNeedsWhatTheSchemaRequires) {
  const json schema = read_json(fs::path(PIVOTLAB_SOURCE_DIR) / "results" / "record.schema.json");
  int required = 0;
  each_required(schema, schema, "", record_, [&](const std::string& pointer) {
    ++required;
    const json::json_pointer place(pointer);
    ASSERT_TRUE(record_.contains(place)) << pointer;
    json damaged = record_;
    damaged.at(place.parent_pointer()).erase(place.back());
    EXPECT_NE(find_defect(damaged), std::nullopt) << pointer;
  });
  EXPECT_GT(required, 40);
}

TEST_F(WrittenRecord, HasADefectWhenItIsChanged) {
  const auto defect_after = [&](const char* pointer, const json& value) {
    json changed = record_;
    changed[json::json_pointer(pointer)] = value;
    return find_defect(changed).value_or("none");
  };
  EXPECT_EQ(defect_after("/case/size", 9), "has a key that is not the hash of its case");
  EXPECT_EQ(defect_after("/case/size", json::array()), "has a key that is not the hash of its case");
  EXPECT_EQ(defect_after("/status", "fine"), "has an unknown status: \"fine\"");
  EXPECT_EQ(defect_after("/schema", "pivotlab/record/0"), "follows another schema: \"pivotlab/record/0\"");
  EXPECT_EQ(defect_after("/time/wall_s/median", "fast"), "has a wrong value at /time/wall_s/median: \"fast\"");
  EXPECT_EQ(defect_after("/time/wall_s/samples/0", nullptr), "has a wrong value at /time/wall_s/samples/0: null");
  EXPECT_EQ(find_defect(json::array()), "is not a JSON object");
}

TEST_F(WrittenRecord, IsRefusedByNameWhenDamaged) {
  const fs::path file = unpack(run_) / (key_ + ".json");
  const std::string whole = content_of(file);
  for (const std::string& damaged : {whole.substr(0, whole.size() / 2), std::string(), std::string("{}")}) {
    put(file, damaged);
    EXPECT_EQ(RecordStore(run_).find(key_), std::nullopt);
    EXPECT_TRUE(input_error([&] { read_records(run_); }).starts_with(file.string() + ":"));
  }
}

TEST(ReadRecords, NamesAFolderWithoutRecords) {
  const ScratchFolder scratch;
  EXPECT_TRUE(
      input_error([&] { read_records(scratch.path() / "none"); }).starts_with((scratch.path() / "none").string()));
  fs::create_directory(scratch.path() / "records");
  EXPECT_TRUE(
      input_error([&] { read_records(scratch.path()); }).ends_with("holds no record; run the experiment first"));
}

}  // namespace
}  // namespace pivotlab::experiments::record_test
