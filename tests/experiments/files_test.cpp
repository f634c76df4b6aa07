// SPDX-License-Identifier: BSD-3-Clause
// Files of a run: other objects at their paths are neither followed nor changed, and never block the run.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/merge.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/run_folder.hpp>
#include <tests/experiments/scratch.hpp>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments::files_test {
namespace {

namespace fs = std::filesystem;

/// Objects at the path of a file that pivotlab has not made.
struct Foreign {
  const char* name;
  void (*make)(const fs::path& place, const fs::path& victim);
};
void make_socket(const fs::path& place, const fs::path&) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(place.string(), address.sun_path);
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}
const Foreign links[] = {
    {"symbolic link", [](const fs::path& place, const fs::path& victim) { fs::create_symlink(victim, place); }},
    {"hard link", [](const fs::path& place, const fs::path& victim) { fs::create_hard_link(victim, place); }}};
const Foreign others[] = {
    {"fifo", [](const fs::path& place, const fs::path&) { ASSERT_EQ(::mkfifo(place.c_str(), 0666), 0); }},
    {"socket", make_socket},
    {"folder", [](const fs::path& place, const fs::path&) { fs::create_directory(place); }}};

class Files : public testing::Test {
 protected:
  Files() {
    put(victim_, "precious");
    fs::create_directories(run_ / "records");
  }
  void expect_refused(const Foreign& foreign, const fs::path& place, const std::function<void()>& action) {
    fs::remove(place);
    foreign.make(place, victim_);
    const std::string message = input_error(action);
    EXPECT_TRUE(message.starts_with(place.string() + ": ")) << foreign.name << ": " << message;
    EXPECT_TRUE(fs::exists(fs::symlink_status(place))) << foreign.name;
    EXPECT_EQ(content_of(victim_), "precious") << foreign.name;
    fs::remove(place);
  }

  const ScratchFolder scratch_;
  const fs::path run_ = scratch_.path() / "runs" / "fake", victim_ = scratch_.path() / "victim";
};

TEST_F(Files, ForeignLockFilesAreKept) {
  const auto open = [&] { RunFolder folder(run_); };
  for (const Foreign& foreign : links) expect_refused(foreign, run_ / ".lock", open);
  for (const Foreign& foreign : others) expect_refused(foreign, run_ / ".lock", open);
  put(run_ / ".lock", "a diary");
  EXPECT_TRUE(input_error(open).starts_with((run_ / ".lock").string() + ": is not a lock of pivotlab"));
  EXPECT_EQ(content_of(run_ / ".lock"), "a diary");
  put(run_ / ".lock", "4711");  // of a process that has ended
  open();
  EXPECT_EQ(content_of(run_ / ".lock"), std::to_string(::getpid()));
}

TEST_F(Files, KeepOthersOutOfAFolderWhoseLockIsDeleted) {
  const RunFolder first(run_);
  const auto second = [&] { RunFolder folder(run_); };
  const std::string who = run_.string() + ": another pivotlab",
                    what = " is running here; wait for it or choose another --out";
  EXPECT_EQ(input_error(second), who + fmt::format(" (process {})", ::getpid()) + what);
  fs::remove(run_ / ".lock");
  EXPECT_EQ(input_error(second), who + what);
  EXPECT_FALSE(fs::exists(run_ / ".lock"));
  put(run_ / ".lock", "");
  EXPECT_EQ(input_error(second), who + what);
}

TEST_F(Files, RefuseNonRegularFiles) {
  const Spec spec = fake_spec({{"solver", texts({"quick"})}});
  const Plan plan = make_plan(spec, find_fake);
  RunOptions options;
  options.out = scratch_.path() / "runs";
  run_quietly(plan, options);
  const fs::path record = unpack(run_) / (plan.cases[0].key + ".json"), manifest = run_ / "manifest.json";
  const std::string written = content_of(record);
  for (const Foreign& foreign : others) {
    fs::rename(record, scratch_.path() / "record");
    expect_refused(foreign, record, [&] { run_quietly(plan, options); });
    expect_refused(foreign, record, [&] { case_states(plan, options.out); });
    expect_refused(foreign, record, [&] { read_records(run_); });
    fs::rename(scratch_.path() / "record", record);
    fs::rename(manifest, scratch_.path() / "manifest");
    expect_refused(foreign, manifest, [&] { run_quietly(plan, options); });
    expect_refused(foreign, manifest, [&] { read_records(run_); });
    expect_refused(foreign, manifest, [&] { read_text(manifest); });
    fs::rename(scratch_.path() / "manifest", manifest);
  }
  EXPECT_EQ(input_error([] { read_text("/dev/zero"); }), "/dev/zero: is not a regular file; name a file");
  EXPECT_EQ(content_of(record), written);
  EXPECT_EQ(run_quietly(plan, options).reused, 1U);
  for (const Foreign& foreign : others) {
    fs::rename(run_ / packed_records, scratch_.path() / "packed");
    expect_refused(foreign, run_ / packed_records, [&] { run_quietly(plan, options); });
    expect_refused(foreign, run_ / packed_records, [&] { read_records(run_); });
    fs::rename(scratch_.path() / "packed", run_ / packed_records);
  }
}

TEST_F(Files, InPlaceOfJournalsStay) {
  const Plan plan = make_plan(fake_spec({{"solver", texts({"quick"})}}), find_fake);
  RunOptions options;
  options.out = scratch_.path() / "runs";
  const auto run_first_case = [&] { run_quietly(plan, options); };
  for (const Foreign& foreign : links) expect_refused(foreign, run_ / "journal.run.jsonl", run_first_case);
  for (const Foreign& foreign : others) expect_refused(foreign, run_ / "journal.run.jsonl", run_first_case);
}

/// A folder that is no run's, by one foreign thing in it.
class ForeignFolder : public testing::TestWithParam<const char*> {};

TEST_P(ForeignFolder, IsRefusedAndKept) {
  const ScratchFolder scratch;
  const fs::path run = scratch.path() / "runs" / "fake", foreign = run / GetParam();
  fs::create_directories(foreign.parent_path());
  put(foreign, "precious");
  const Spec spec = fake_spec({{"solver", texts({"quick"})}});
  RunOptions options;
  options.out = scratch.path() / "runs";
  for (const bool fresh : {false, true})
    for (const bool is_shard : {false, true}) {
      options.fresh = fresh && !is_shard;
      options.shard = is_shard ? std::optional(Shard()) : std::nullopt;
      const std::string message = input_error([&] { run_quietly(make_plan(spec, find_fake), options); });
      EXPECT_TRUE(message.starts_with(run.string())) << message;
      EXPECT_EQ(content_of(foreign), "precious");
      EXPECT_FALSE(fs::exists(run / ".lock") && foreign.filename() != ".lock");
    }
}

INSTANTIATE_TEST_SUITE_P(Name, ForeignFolder,
                         testing::Values("notes.txt", ".thesis.tex.tmp", "shards/part1/measurements.txt",
                                         "shards/measurements.txt", "records/song.mp3", "records/a.json",
                                         "records/0123456789abcdef0123456789abcdef.json/x", "checkpoints/model.pt",
                                         "records/.0123456789abcdef0123456789abcdef.json.tmp", "checkpoints/a/b",
                                         "manifest.json", "manifest.json.bak", ".git/config", "journal.md.jsonl",
                                         "journal.run.jsonl.bak", "records.jsonl"));

TEST_F(Files, BesideTheManifestStay) {
  const Spec spec = fake_spec({{"solver", texts({"quick"})}});
  const Plan plan = make_plan(spec, find_fake);
  RunOptions options;
  options.out = scratch_.path() / "runs";
  run_quietly(plan, options);
  const std::vector<fs::path> foreign = {"report.html",       ".thesis.tex.tmp",      "shards/part1/data",
                                         "shards/notes",      "records/notes",        "records/.a.json.1.0.tmp",
                                         "journal.md.jsonl",  "checkpoints/model.pt", "checkpoints/old/data",
                                         "figures/fake/a.png"};
  for (const fs::path& file : foreign) {
    fs::create_directories((run_ / file).parent_path());
    put(run_ / file, "precious");
  }
  const std::string key = plan.cases[0].key;
  const std::vector<fs::path> own = {"checkpoints/" + key + ".sweep3.rank0", "shards/1-of-2",
                                     "records/." + key + ".json.1.0.tmp",    ".manifest.json.1.0.tmp",
                                     "journal.shard-1-of-2.jsonl",           ".records.jsonl.gz.1.0.tmp"};
  for (const fs::path& file : own) put(run_ / file, "left");
  const nlohmann::json claim_of_a_killed_process = {
      {"host", environment_json()["host"]}, {"process", 1}, {"running", nlohmann::json::array()}};
  put(run_ / "shards/1-of-2", claim_of_a_killed_process.dump());
  options.fresh = true;
  EXPECT_EQ(run_quietly(plan, options).ran, 1U);
  for (const fs::path& file : foreign) EXPECT_EQ(content_of(run_ / file), "precious") << file;
  for (const fs::path& file : own) EXPECT_FALSE(fs::exists(run_ / file)) << file;
}

TEST_F(Files, BehindLinksInPlaceOfFoldersStay) {
  const Spec spec = fake_spec({{"solver", texts({"quick"})}});
  const Plan plan = make_plan(spec, find_fake);
  RunOptions options;
  options.out = scratch_.path() / "runs";
  run_quietly(plan, options);
  const fs::path elsewhere = scratch_.path() / "elsewhere", file = elsewhere / (plan.cases[0].key + ".json");
  fs::create_directory(elsewhere);
  put(file, "precious");
  options.fresh = true;
  for (const char* part : {"checkpoints", "shards", "records"}) {
    fs::remove_all(run_ / part);
    fs::create_directory_symlink(elsewhere, run_ / part);
    const std::string message = input_error([&] { run_quietly(plan, options); });
    EXPECT_TRUE(message.starts_with((run_ / part).string() + ": is a link")) << message;
    EXPECT_EQ(content_of(file), "precious");
    fs::remove(run_ / part);
  }
}

TEST_F(Files, OfOthersKeepMergeAway) {
  const Spec spec = fake_spec({{"solver", texts({"quick"})}});
  RunOptions options;
  options.out = scratch_.path() / "runs";
  run_quietly(make_plan(spec, find_fake), options);
  const fs::path out = scratch_.path() / "data";
  fs::create_directories(out / "shards");
  put(out / "shards" / "notes", "precious");
  const std::string message = input_error([&] { merge({run_}, out); });
  EXPECT_TRUE(message.starts_with((out / "shards" / "notes").string() + ": was not made by pivotlab")) << message;
  EXPECT_FALSE(fs::exists(out / "records"));
  fs::remove(out / "shards" / "notes");
  EXPECT_EQ(merge({run_}, out).copied, 1U);
}

TEST_F(Files, DoNotFollowLinksOfTemporaries) {
  const fs::path file = run_ / "records" / "a.json";
  fs::create_symlink(victim_, file.parent_path() / fmt::format(".a.json.{}.tmp", ::getpid()));
  for (int count = 0; count < 50; ++count)
    fs::create_symlink(victim_, file.parent_path() / fmt::format(".a.json.{}.{}.tmp", ::getpid(), count));
  write_atomically(file, "text");
  EXPECT_EQ(content_of(file), "text");
  EXPECT_EQ(content_of(victim_), "precious");
}

}  // namespace
}  // namespace pivotlab::experiments::files_test
