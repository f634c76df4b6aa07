// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gzip.hpp>
#include <experiments/engine/run_folder.hpp>
#include <tests/experiments/scratch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>

namespace pivotlab::experiments::record_store_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Returns a record of the fake method.
json some_record() {
  const ScratchFolder scratch;
  RunOptions options;
  options.out = scratch.path();
  return read_records(run_quietly(make_plan(fake_spec({{"solver", texts({"quick"})}}), find_fake), options).directory)
      .at(0);
}

/// Returns the record as that of another seed, started at this second.
json with_seed(json record, int seed, int second = 0) {
  record["case"]["seed"] = seed;
  record["key"] = case_key(case_of(record["case"]).value());
  record["provenance"]["started"] = fmt::format("2026-11-28T10:00:{:02}Z", second);
  return record;
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = ::popen(command.c_str(), "r");
  for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe)) text += static_cast<char>(byte);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return text;
}

class Store : public testing::Test {
 protected:
  static constexpr int cases = 70;  // two members of the packed file and a part of a third

  Store() {
    json plan = json::array();
    for (int seed = 1; seed <= cases; ++seed) {
      records_.push_back(with_seed(any_, seed));
      plan.push_back({{"key", records_.back()["key"]}});
    }
    fs::create_directory(run_);
    put(run_ / "manifest.json", json{{"schema", manifest_schema}, {"plan", plan}, {"spec", json::object()}}.dump());
  }

  std::string key_of(int seed) const { return records_.at(static_cast<std::size_t>(seed - 1))["key"]; }
  json find(int seed) const { return RecordStore(run_).find(key_of(seed)).value_or(nullptr); }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(run_)) names.insert(entry.path().filename());
    return names;
  }
  /// Writes all records to the journal of a run, the last ones first.
  void write_all_records() const {
    Journal journal(run_, "run");
    for (auto record = records_.rbegin(); record != records_.rend(); ++record) journal.append(*record);
  }

  const json any_ = some_record();
  const ScratchFolder scratch_;
  const fs::path run_ = scratch_.path() / "run", journal_ = run_ / "journal.run.jsonl", packed_ = run_ / packed_records;
  std::vector<json> records_;  ///< of the seeds 1, 2, …
};

TEST_F(Store, HasALineForEachRecord) {
  Journal(run_, "run").append(records_[0]);
  Journal(run_, "run").append(records_[1]);
  EXPECT_EQ(find(1), records_[0]);
  EXPECT_EQ(find(2), records_[1]);
  EXPECT_EQ(find(3), nullptr);
  EXPECT_EQ(content_of(journal_), record_line(records_[0]) + '\n' + record_line(records_[1]) + '\n');
  EXPECT_TRUE(content_of(journal_).starts_with("{\"key\":\"" + key_of(1) + "\",\"case\":{"));
}

TEST_F(Store, DoesNotCountALineWithoutItsEnd) {
  Journal(run_, "run").append(records_[0]);
  const std::string line = record_line(records_[1]);
  for (const std::size_t length : {std::size_t{1}, line.size() / 2, line.size()}) {
    std::ofstream(journal_, std::ios::app) << line.substr(0, length);
    EXPECT_EQ(find(1), records_[0]);
    EXPECT_EQ(find(2), nullptr);
    EXPECT_FALSE(RecordStore(run_).contains(key_of(2)));
    Journal(run_, "run").append(records_[2]);
    EXPECT_EQ(find(3), records_[2]);
    EXPECT_EQ(find(2), nullptr);
  }
  put(journal_, line);
  EXPECT_EQ(pack_records(run_), 0U);
  EXPECT_EQ(files(), (std::set<std::string>{"manifest.json"}));
}

TEST_F(Store, NamesALineThatIsNoRecord) {
  put(journal_, record_line(records_[0]) + "\nnonsense\n" + record_line(records_[1]) + '\n');
  EXPECT_EQ(find(2), records_[1]);
  const std::string message = journal_.string() + ":2: is not a record; remove the line and run again";
  EXPECT_EQ(input_error([&] { read_records(run_); }), message);
  EXPECT_EQ(input_error([&] { pack_records(run_); }), message);
  EXPECT_EQ(files(), (std::set<std::string>{"journal.run.jsonl", "manifest.json"}));

  const std::string line = record_line(records_[1]);
  put(journal_, record_line(records_[0]) + '\n' + line.substr(0, line.size() - 1) + '\n');
  EXPECT_EQ(find(2), nullptr);
  EXPECT_TRUE(
      input_error([&] { read_records(run_); }).starts_with(fmt::format("{}:2:{}: ", journal_.string(), line.size())));
  json damaged = records_[1];
  damaged["status"] = "fine";
  put(journal_, record_line(records_[0]) + '\n' + record_line(damaged) + '\n');
  EXPECT_EQ(input_error([&] { read_records(run_); }),
            journal_.string() + ":2: has an unknown status: \"fine\"; remove the line and run again");
}

TEST_F(Store, PrefersTheLaterLineOfAJournalAndTheLaterStartBetweenFiles) {
  Journal run(run_, "run"), shard(run_, "shard-1-of-2");
  run.append(with_seed(any_, 1, 5));
  run.append(with_seed(any_, 1, 3));
  EXPECT_EQ(find(1), with_seed(any_, 1, 3));
  shard.append(with_seed(any_, 1, 4));
  EXPECT_EQ(find(1), with_seed(any_, 1, 4));
  pack_records(run_);
  EXPECT_EQ(find(1), with_seed(any_, 1, 4));
  Journal(run_, "run").append(with_seed(any_, 1, 3));
  EXPECT_EQ(find(1), with_seed(any_, 1, 4));
  json failed = with_seed(any_, 1, 4);
  failed["status"] = "failed";
  Journal(run_, "run").append(failed);  // within the same second
  EXPECT_EQ(find(1), failed);
  fs::create_directory(run_ / "records");
  json newest = with_seed(any_, 1, 6);
  put(run_ / "records" / (key_of(1) + ".json"), record_text(newest));
  EXPECT_EQ(find(1), newest);
  put(run_ / "records" / (key_of(1) + ".json"), "half");
  EXPECT_EQ(find(1), failed);
}

TEST_F(Store, WritesOnWhereAJournalWasDeleted) {
  Journal journal(run_, "run");
  journal.append(records_[0]);
  fs::remove(journal_);
  journal.append(records_[1]);
  EXPECT_EQ(find(2), records_[1]);
}

TEST_F(Store, PacksInTheOrderOfThePlan) {
  write_all_records();
  EXPECT_EQ(pack_records(run_), std::size_t{cases});
  EXPECT_EQ(files(), (std::set<std::string>{"manifest.json", packed_records}));
  EXPECT_EQ(read_records(run_), records_);
  EXPECT_EQ(read_records(packed_), records_);
  for (const int seed : {70, 1, 33, 32}) EXPECT_EQ(find(seed), records_.at(static_cast<std::size_t>(seed - 1)));
  std::string lines;
  for (const json& record : records_) lines += record_line(record) + '\n';
  EXPECT_EQ(output_of("zcat " + packed_.string()), lines);

  const std::string bytes = content_of(packed_);
  std::size_t at = 0;
  std::vector<std::size_t> labels;
  while (const auto header = gzip_header(std::string_view(bytes).substr(at))) {
    EXPECT_EQ(bytes.substr(at + 4, 4), std::string(4, '\0')) << "the time of a member";
    labels.push_back(header->label.size());
    at += header->length;
  }
  EXPECT_EQ(at, bytes.size());
  EXPECT_EQ(labels, (std::vector<std::size_t>{32 * 16, 32 * 16, 6 * 16}));
  write_all_records();
  pack_records(run_);
  EXPECT_EQ(content_of(packed_), bytes);
}

TEST_F(Store, PacksFilesOfRecordsAndKeepsOthers) {
  write_all_records();
  const fs::path folder = unpack(run_), first = folder / (key_of(1) + ".json");
  fs::remove(journal_);
  EXPECT_EQ(read_records(run_), records_);
  const std::string whole = content_of(first);
  put(first, whole.substr(0, whole.size() / 2));
  put(folder / "notes", "precious");
  EXPECT_EQ(pack_records(run_), std::size_t{cases - 1});
  EXPECT_EQ(content_of(folder / "notes"), "precious");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2);
  EXPECT_EQ(find(1), nullptr);
  EXPECT_EQ(find(2), records_[1]);
  put(first, whole);
  EXPECT_EQ(pack_records(run_), std::size_t{cases});
  EXPECT_EQ(read_records(run_), records_);
}

TEST_F(Store, LosesNothingWhenAPackerIsKilledBetweenItsSteps) {
  write_all_records();
  Journal(run_, "shard-2-of-2").append(with_seed(any_, 1, 7));
  records_[0] = with_seed(any_, 1, 7);
  const fs::path other = run_ / "journal.shard-2-of-2.jsonl", left = run_ / ".records.jsonl.gz.1.0.tmp";
  const std::string first = content_of(journal_), second = content_of(other);
  put(left, "half");  // before the file is renamed
  EXPECT_EQ(read_records(run_), records_);
  EXPECT_EQ(pack_run(run_), std::size_t{cases});
  EXPECT_FALSE(fs::exists(left));
  const std::string bytes = content_of(packed_);
  const auto expect_repeated = [&] {
    EXPECT_EQ(read_records(run_), records_);
    EXPECT_EQ(find(1), records_[0]);
    EXPECT_EQ(pack_run(run_), std::size_t{cases});
    EXPECT_EQ(content_of(packed_), bytes);
    EXPECT_EQ(files(), (std::set<std::string>{".lock", "manifest.json", packed_records}));
  };
  put(journal_, first), put(other, second);  // before the journals are removed
  expect_repeated();
  put(journal_, first);  // and between them
  expect_repeated();
  put(other, second);
  expect_repeated();
}

TEST_F(Store, ReadsWhatOtherProgramsHavePacked) {
  write_all_records();
  pack_records(run_);
  const std::string file = packed_.string();
  output_of(fmt::format(
      "zcat {0} | sed 's/\"status\":\"passed\"/\"status\":\"failed\"/' | gzip > {0}.new; mv {0}.new {0}", file));
  ASSERT_EQ(read_records(run_).size(), records_.size());
  EXPECT_EQ(find(33)["status"], "failed");
  Journal(run_, "run").append(records_[0]);
  output_of(fmt::format("gzip -c {0} >> {1}", journal_.string(), file));  // the later line counts
  fs::remove(journal_);
  EXPECT_EQ(find(1)["status"], "passed");
  put(packed_, gzip_member(records_[0].dump() + '\n' + records_[1].dump(), ""));  // sorted, the last without its end
  output_of(fmt::format("zcat {0} | gzip > {0}.new; mv {0}.new {0}", file));
  EXPECT_EQ(read_records(run_), (std::vector<json>{records_[0], records_[1]}));
}

TEST_F(Store, NamesADamagedFileAndFindsTheRest) {
  write_all_records();
  pack_records(run_);
  const std::string bytes = content_of(packed_), place = packed_.string();
  put(packed_, bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(find(64), records_[63]);
  EXPECT_EQ(find(65), nullptr);
  const auto expect_refused = [&](const std::string& message) {
    EXPECT_EQ(input_error([&] { read_records(run_); }), place + message);
    Journal(run_, "run").append(records_[64]);
    EXPECT_EQ(input_error([&] { pack_records(run_); }), place + message);
    EXPECT_EQ(find(65), records_[64]);
    fs::remove(journal_);
  };
  expect_refused(": cannot be unpacked (it is cut off); restore the file, or run the missing cases");
  std::string damaged = bytes;
  damaged[700] = static_cast<char>(~damaged[700]);  // behind the header
  put(packed_, damaged);
  EXPECT_EQ(find(1), nullptr);
  EXPECT_EQ(find(33), records_[32]);
  EXPECT_TRUE(input_error([&] { read_records(run_); }).starts_with(place + ": cannot be unpacked ("));
  EXPECT_EQ(content_of(packed_), damaged);
}

TEST_F(Store, ReplacesADamagedFileOnceEveryCaseHasARecord) {
  write_all_records();
  pack_records(run_);
  const std::string bytes = content_of(packed_);
  std::string damaged = bytes;
  damaged[700] = static_cast<char>(~damaged[700]);  // in the first member, behind its header
  for (const std::string& left : {bytes.substr(0, bytes.size() / 3), bytes.substr(0, 100), damaged, bytes + "tail"}) {
    put(packed_, left);
    const RecordStore store(run_);
    const std::vector<std::string> damages = store.damages();
    EXPECT_EQ(damages.size(), 1U);
    std::vector<int> lost;
    for (int seed = 1; seed <= cases; ++seed)
      if (!store.find(records_[static_cast<std::size_t>(seed - 1)]["key"].get<std::string>())) lost.push_back(seed);
    EXPECT_EQ(store.damages(), damages);
    for (const int seed : lost) {
      Journal(run_, "run").append(records_[static_cast<std::size_t>(seed - 1)]);
      if (seed == lost.back()) break;
      EXPECT_THROW(pack_records(run_), InputError);
      EXPECT_EQ(content_of(packed_), left);
    }
    EXPECT_EQ(pack_records(run_), std::size_t{cases});
    EXPECT_EQ(read_records(run_), records_);
    EXPECT_EQ(RecordStore(run_).damages().size(), 0U);
    EXPECT_EQ(content_of(packed_), bytes);
  }
}

TEST_F(Store, KeepsTheTextOfRecords) {
  json record = records_[0];
  record["metrics"]["numbers"] = {
      0.1, 1e-300, 1.0, 5e-324, 1.7976931348623157e308, 100, -0.0, 1e22, 123456789012345678};
  record["message"] = "κ₂ \"quoted\" \\ \x01\n";
  EXPECT_EQ(record_text(json::parse(record_line(record))), record_text(record));
}

TEST_F(Store, ReadsTenThousandRecordsInASecond) {
  json record = read_records(fs::path(PIVOTLAB_SOURCE_DIR) / "results" / "host" / "speed").at(0);
  EXPECT_GT(record.dump().size(), 3000U);
  std::map<std::string, std::string> lines;
  for (int seed = 1; seed <= 10'000; ++seed) {
    const json one = with_seed(record, seed);
    lines.emplace(one["key"], record_line(one));
  }
  pack_records(run_, lines);
  // CPU time and not wall time, as others may use the cores; all cores parse. Of three reads the fastest counts.
  double fastest = INFINITY;
  for (int k = 0; k < 3; ++k) {
    const std::clock_t start = std::clock();
    EXPECT_EQ(read_records(run_).size(), lines.size());
    fastest = std::min(fastest, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  RecordProperty("cpu_seconds", std::to_string(fastest));

  const RecordStore store(run_);
  for (const auto& [key, line] : lines) ASSERT_TRUE(store.find(key));
  const std::clock_t start = std::clock();
  EXPECT_TRUE(store.damages().empty());  // reads none again
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 0.1);
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(fastest / default_threads(), 1);
#endif
}

}  // namespace
}  // namespace pivotlab::experiments::record_store_test
