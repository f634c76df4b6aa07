// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <experiments/engine/record.hpp>
#include <experiments/engine/report_rules.hpp>
#include <tests/experiments/scratch.hpp>

#include <nlohmann/json.hpp>

namespace pivotlab::experiments::run_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Statuses = std::map<std::string, std::size_t>;

class Run : public testing::Test {
 protected:
  Run() {
    options_.out = scratch_.path() / "runs";
    options_.worker = fake_worker();
    log_solves_to(scratch_.path() / "log");
  }
  ~Run() override { log_solves_to({}); }

  RunSummary execute(const Spec& spec) { return run_quietly(make_plan(spec, find_fake), options_); }

  /// Returns the calls of each solver since the previous call.
  std::map<std::string, int> solves() {
    std::ifstream log(scratch_.path() / "log");
    std::map<std::string, int> count;
    for (std::string line; std::getline(log, line);) ++count[line.substr(0, line.find(' '))];
    fs::remove(scratch_.path() / "log");
    return count;
  }

  json record_of(const Spec& spec, const std::string& solver) {
    for (const PlannedCase& planned : make_plan(spec, find_fake).cases)
      if (to_string(planned.axes.at("solver")) == solver)
        return RecordStore(run_directory(options_.out, spec)).find(planned.key).value_or(json());
    return {};
  }

  const ScratchFolder scratch_;
  RunOptions options_;
};

TEST_F(Run, GivesEveryEndItsStatusAndGoesOn) {
  Spec spec = fake_spec({{"solver", texts({"crashes", "quick", "incorrect", "throws", "unconverged", "exits",
                                           "unsupported", "exhausted", "hangs", "greedy", "sleeps"})}});
  spec.timing.timeout_s = 0.3;
  const RunSummary summary = execute(spec);
  EXPECT_EQ(summary.statuses, (Statuses{{"passed", 2},
                                        {"incorrect", 1},
                                        {"not_converged", 1},
                                        {"failed", 3},
                                        {"not_supported", 1},
                                        {"out_of_memory", 2},
                                        {"timeout", 1}}));
  EXPECT_EQ(summary.ran, 11u);
  EXPECT_EQ(summary.missing(), 0u);
  EXPECT_EQ(solves().count("greedy"), 0u);
  const auto message = [&](const char* solver) { return record_of(spec, solver)["message"].get<std::string>(); };
  EXPECT_EQ(message("crashes"), "the worker process was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(message("exits"), "the worker process ended with exit status 3");
  EXPECT_EQ(message("throws"), "as asked: two lines");
  EXPECT_EQ(message("hangs"), "took longer than 0.3 s");
  EXPECT_EQ(message("incorrect"), "residual above its bound");
  EXPECT_EQ(message("unconverged"), "no end in sight");
  EXPECT_EQ(message("quick"), "");
  for (const json& record : read_records(summary.directory)) EXPECT_EQ(find_defect(record), std::nullopt);
}

TEST_F(Run, FailedProblemFailsItsCases) {
  Spec spec =
      fake_spec({{"problem", texts({"throws", "crashes", "hangs", "good"})}, {"solver", texts({"quick", "noisy"})}});
  spec.timing.timeout_s = 2;
  EXPECT_EQ(execute(spec).statuses, (Statuses{{"failed", 4}, {"timeout", 2}, {"passed", 2}}));
  EXPECT_EQ(solves(), (std::map<std::string, int>{{"quick", 1}, {"noisy", 1}}));
}

TEST_F(Run, ACaseThatCannotBePreparedFailsAlone) {
  const Spec spec = fake_spec({{"solver", texts({"unprepared", "quick"})}});
  EXPECT_EQ(execute(spec).statuses, (Statuses{{"failed", 1}, {"passed", 1}}));
  EXPECT_EQ(solves(), (std::map<std::string, int>{{"quick", 1}}));
}

TEST_F(Run, RecordsTheVariantOfACaseThatIsNotSolved) {
  Spec spec = fake_spec({{"n", integers({8})}, {"solver", texts({"LDLT-RK", "lapack:dsytrf"})}});
  spec.method = "ldlt";
  options_.memory_bytes = 1;
  for (const json& record : read_records(run_quietly(make_plan(spec), options_).directory)) {
    EXPECT_EQ(record["status"], "out_of_memory");
    if (record["case"]["solver"] == "LDLT-RK")
      EXPECT_EQ(record["variant"]["pivoting"], "rook");
    else
      EXPECT_TRUE(record["variant"].is_null());
  }
}

TEST_F(Run, RunsNothingTwice) {
  const Spec spec = fake_spec({{"size", integers({1, 2})}, {"solver", texts({"quick", "throws"})}});
  EXPECT_EQ(execute(spec).ran, 4u);
  solves();
  const RunSummary again = execute(spec);
  EXPECT_EQ(again.ran, 0u);
  EXPECT_EQ(again.reused, 4u);
  EXPECT_EQ(again.statuses, (Statuses{{"passed", 2}, {"failed", 2}}));
  EXPECT_TRUE(solves().empty());
}

TEST_F(Run, RunsOnlyWhatIsAskedFor) {
  const Spec spec = fake_spec({{"solver", texts({"quick", "throws", "incorrect", "unsupported"})}});
  execute(spec);
  solves();
  options_.only = "failed";
  EXPECT_EQ(execute(spec).ran, 2u);
  EXPECT_EQ(solves(), (std::map<std::string, int>{{"throws", 1}, {"incorrect", 1}}));
  options_.only = "not_supported";
  EXPECT_EQ(execute(spec).ran, 1u);
  options_.only = "missing";
  EXPECT_EQ(execute(spec).ran, 0u);
  options_.only = "pased";
  EXPECT_TRUE(input_error([&] { execute(spec); }).starts_with("--only: "));
}

TEST_F(Run, RunsAgainWhoseRecordIsDamaged) {
  const Spec spec = fake_spec({{"solver", texts({"quick", "noisy", "sleeps"})}});
  const RunSummary first = execute(spec);
  const std::string key = record_of(spec, "noisy")["key"];
  const fs::path folder = unpack(first.directory), file = folder / (key + ".json"),
                 left = folder / ("." + key + ".json.1.tmp");
  const std::string whole = content_of(file);
  put(file, whole.substr(0, whole.size() / 2));
  put(left, "half");
  solves();
  EXPECT_EQ(execute(spec).ran, 1u);
  EXPECT_EQ(solves(), (std::map<std::string, int>{{"noisy", 1}}));
  EXPECT_EQ(record_of(spec, "noisy")["key"], key);
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(Run, RefusesAChangedSpecAndWritesNothing) {
  const Spec spec = fake_spec({{"size", integers({1, 2})}});
  const RunSummary first = execute(spec);
  const std::string manifest = content_of(first.directory / "manifest.json");

  Spec longer = fake_spec({{"size", integers({1, 2, 3})}});
  const std::string prefix = (first.directory / "manifest.json").string() + ": the run was started with another spec: ";
  EXPECT_EQ(input_error([&] { execute(longer); }),
            prefix + "axes.size was [1,2], is [1,2,3]; choose another --out, or start anew with --fresh");
  Spec patient = spec;
  patient.timing.budget_s = 30;
  EXPECT_EQ(input_error([&] { execute(patient); }),
            prefix + "timing.budget_s was 60.0, is 30.0; choose another --out, or start anew with --fresh");
  EXPECT_EQ(content_of(first.directory / "manifest.json"), manifest);
  EXPECT_EQ(read_records(first.directory).size(), 2u);

  options_.fresh = true;
  EXPECT_EQ(execute(longer).ran, 3u);
}

TEST_F(Run, AddsToTheFolderOfASweepWhatItLacks) {
  options_.plan = PlanOfFolder::grows;
  EXPECT_EQ(execute(fake_spec({{"size", integers({1, 2})}, {"solver", texts({"quick"})}})).ran, 2u);
  solves();
  const RunSummary wider = execute(fake_spec({{"size", integers({1, 3})}, {"solver", texts({"quick", "sleeps"})}}));
  EXPECT_EQ(wider.ran, 3u);
  EXPECT_EQ(wider.reused, 1u);
  EXPECT_EQ(solves(), (std::map<std::string, int>{{"quick", 1}, {"sleeps", 2}}));
  const json manifest = read_json(wider.directory / "manifest.json");
  EXPECT_EQ(manifest["spec"]["axes"]["size"], json({1, 2, 3}));
  EXPECT_EQ(manifest["spec"]["axes"]["solver"], json({"quick", "sleeps"}));
  EXPECT_EQ(manifest["plan"].size(), 5u);
  EXPECT_EQ(read_records(wider.directory).size(), 5u);
  EXPECT_EQ(execute(fake_spec({{"size", integers({2})}, {"solver", texts({"quick"})}})).ran, 0u);
  EXPECT_EQ(read_json(wider.directory / "manifest.json"), manifest);

  Spec other = fake_spec({{"size", integers({1})}});
  other.title = "An experiment";
  EXPECT_NE(input_error([&] { execute(other); }).find("started with another spec: title was"), std::string::npos);
}

TEST_F(Run, TakesSamplesOfASweepInPasses) {
  options_.plan = PlanOfFolder::grows;
  Spec spec = fake_spec({{"solver", texts({"noisy", "incorrect"})}});
  spec.timing = {.min_repeats = 5, .max_repeats = 6, .until = 0.01, .budget_s = 0};
  std::map<std::string, int> shown;
  options_.on_record = [&](const PlannedCase& planned, const json&) { ++shown[to_string(planned.axes.at("solver"))]; };
  const RunSummary summary = execute(spec);
  EXPECT_EQ(summary.ran, 2u);
  EXPECT_EQ(summary.reused, 0u);
  EXPECT_EQ(shown, (std::map<std::string, int>{{"noisy", 1}, {"incorrect", 1}}));
  const json time = record_of(spec, "noisy")["time"];
  EXPECT_EQ(time["passes"], json(std::vector<int>(passes_of_sweep, 5)));
  EXPECT_EQ(time["compute_s"]["samples"].size(), 5u * passes_of_sweep);
  EXPECT_EQ(find_defect(record_of(spec, "noisy")), std::nullopt);
  EXPECT_EQ(execute(spec).ran, 0u);

  json killed = record_of(spec, "noisy");  // after two passes
  killed["time"]["passes"] = {5, 5};
  put_record(run_directory(options_.out, spec), killed);
  EXPECT_EQ(execute(spec).ran, 1u);
  EXPECT_EQ(record_of(spec, "noisy")["time"]["passes"].size(), std::size_t{passes_of_sweep});
}

TEST_F(Run, AddsSamplesToRecordsOfASweep) {
  options_.plan = PlanOfFolder::grows;
  Spec spec = fake_spec({{"solver", texts({"noisy", "incorrect"})}});
  execute(spec);
  solves();
  const auto samples = [&](const char* solver) { return record_of(spec, solver)["time"]["compute_s"]["samples"]; };
  ASSERT_EQ(samples("noisy"), json({1.0}));
  spec.timing.min_repeats = spec.timing.max_repeats = 3;
  EXPECT_EQ(execute(spec).ran, 1u);
  EXPECT_EQ(solves(), (std::map<std::string, int>{{"noisy", 2}}));
  EXPECT_EQ(samples("noisy"), json({1.0, 1.0, 2.0}));  // the second process counts from 1
  EXPECT_EQ(samples("incorrect").size(), 1u);          // a wrong result needs no further samples
  EXPECT_EQ(record_of(spec, "noisy")["time"]["compute_s"]["median"], 1.0);
  EXPECT_EQ(record_of(spec, "noisy")["time"]["core_s"].size(), 3u);
  EXPECT_EQ(find_defect(record_of(spec, "noisy")), std::nullopt);
  EXPECT_EQ(execute(spec).ran, 0u);

  json foreign = record_of(spec, "noisy");
  foreign["environment"]["host"] = "elsewhere";
  put_record(run_directory(options_.out, spec), foreign);
  spec.timing.min_repeats = spec.timing.max_repeats = 4;
  EXPECT_NE(input_error([&] { execute(spec); }).find("adds no samples to those of another machine: host was"),
            std::string::npos);
  EXPECT_EQ(samples("noisy").size(), 3u);
}

TEST_F(Run, CountsExpectedDefeatsAsNoFailures) {
  Spec spec = fake_spec({{"solver", texts({"quick", "incorrect", "throws", "hangs"})}});
  spec.timing.timeout_s = 0.2;
  options_.max_failures = 1;
  spec.report = R"({"expect_defeats": ["inc*", "throws", "hangs"]})";
  const RunSummary summary = execute(spec);
  EXPECT_EQ(summary.expected, 2u);  // a time limit says nothing of the solver
  EXPECT_EQ(summary.failures, 1u);
  EXPECT_EQ(summary.missing(), 0u);
  spec.report = "null";
  EXPECT_EQ(execute(spec).failures, 3u);
}

TEST(ExpectedDefeats, AreThoseThatTheReportNames) {
  const Case own = {{"solver", std::string("DHZ0")}}, baseline = {{"solver", std::string("lapack:dsygvd")}};
  const ExpectedDefeats baselines(json{{"expect_incorrect", true}}), named(json{{"expect_defeats", {"DHZ?", 3}}});
  EXPECT_TRUE(baselines.contains(baseline, "incorrect"));
  EXPECT_TRUE(baselines.contains(baseline, "failed"));
  EXPECT_FALSE(baselines.contains(baseline, "timeout"));
  EXPECT_FALSE(baselines.contains(own, "incorrect"));
  EXPECT_TRUE(named.contains(own, "not_converged"));
  EXPECT_FALSE(named.contains(baseline, "not_converged"));
  for (const json& odd : {json(), json(3), json{{"expect_incorrect", "yes"}}, json{{"expect_defeats", "DHZ0"}}})
    EXPECT_FALSE(ExpectedDefeats(odd).contains(baseline, "incorrect"));
}

TEST_F(Run, ContinuesAfterMethodGainedAxis) {
  const Spec spec = fake_spec({{"size", integers({1, 2})}});
  const RunSummary first = execute(spec);
  auto manifest = nlohmann::ordered_json::parse(content_of(first.directory / "manifest.json"));
  const json whole = read_json(first.directory / "manifest.json");
  ASSERT_GT(manifest["spec"]["axes"].size(), 1u);
  for (auto it = manifest["spec"]["axes"].begin(); it != manifest["spec"]["axes"].end();)
    it = it.key() == "size" ? std::next(it) : manifest["spec"]["axes"].erase(it);
  put(first.directory / "manifest.json", manifest.dump());
  EXPECT_EQ(execute(spec).ran, 0u);
  EXPECT_EQ(read_json(first.directory / "manifest.json")["spec"], whole["spec"]);
}

TEST_F(Run, TakesANewTitleAndReport) {
  Spec spec = fake_spec({{"size", integers({1, 2})}});
  const RunSummary first = execute(spec);
  spec.title = "Better words";
  spec.report = R"({"tables":[]})";
  EXPECT_EQ(execute(spec).ran, 0u);
  const json manifest = read_json(first.directory / "manifest.json");
  EXPECT_EQ(manifest["spec"]["title"], "Better words");
  EXPECT_EQ(manifest["plan"].size(), 2u);
}

TEST_F(Run, WritesTheWholePlanWhenFiltered) {
  const Spec spec = fake_spec({{"size", integers({1, 2, 3})}});
  Plan plan = make_plan(spec, find_fake);
  filter(plan, {"size=2"});
  const RunSummary part = run_quietly(plan, options_);
  EXPECT_EQ(part.planned, 1u);
  EXPECT_EQ(read_json(part.directory / "manifest.json")["plan"].size(), 3u);
  EXPECT_EQ(execute(spec).ran, 2u);
}

TEST_F(Run, RefusesAForeignManifest) {
  const Spec spec = fake_spec({});
  const RunSummary first = execute(spec);
  for (const char* content : {"{}", "[]", "{\"schema\": 1}", "nonsense"}) {
    put(first.directory / "manifest.json", content);
    EXPECT_TRUE(input_error([&] { execute(spec); }).starts_with((first.directory / "manifest.json").string()))
        << content;
  }
}

TEST_F(Run, StopsAfterTooManyFailures) {
  options_.max_failures = 2;
  const RunSummary summary =
      execute(fake_spec({{"size", integers({1, 2, 3})}, {"solver", texts({"unsupported", "quick", "throws"})}}));
  EXPECT_TRUE(summary.too_many_failures);
  EXPECT_EQ(summary.ran, 6u);
  EXPECT_EQ(summary.missing(), 3u);
}

TEST_F(Run, SharesAFolderWithNobody) {
  const Spec spec = fake_spec({});
  fs::create_directories(options_.out / "fake");
  const int fd = ::open((options_.out / "fake" / ".lock").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  ASSERT_EQ(::write(fd, "4711", 4), 4);
  EXPECT_EQ(input_error([&] { execute(spec); }),
            (options_.out / "fake").string() +
                ": another pivotlab (process 4711) is running here; wait for it or choose another --out");
  ::close(fd);
  EXPECT_EQ(execute(spec).ran, 1u);
}

TEST_F(Run, NamesAFolderThatCannotBeWritten) {
  const Spec spec = fake_spec({});
  put(scratch_.path() / "file", "");
  for (const fs::path& out : {scratch_.path() / "file", fs::path("/proc")}) {
    options_.out = out;
    const std::string message = input_error([&] { execute(spec); });
    EXPECT_TRUE(message.starts_with(out.string())) << message;
    EXPECT_NE(message.find("--out"), std::string::npos) << message;
  }
}

TEST_F(Run, SamplesUntilTheSpreadIsSmallOrEnoughIsEnough) {
  Spec spec = fake_spec({{"solver", texts({"quick", "noisy", "incorrect"})}});
  spec.timing = {.warmup = 2, .min_repeats = 3, .max_repeats = 6, .relative_spread = 0.05};
  spec.timing.relative_spread = 1e9;  // wall times of empty solvers are all noise
  execute(spec);
  EXPECT_EQ(solves(), (std::map<std::string, int>{{"quick", 5}, {"noisy", 5}, {"incorrect", 3}}));
  spec.timing.relative_spread = 0.05;
  options_.fresh = true;
  execute(spec);
  EXPECT_EQ(solves()["noisy"], 2 + 6);
  const json time = record_of(spec, "noisy")["time"];
  EXPECT_EQ(time["compute_s"]["samples"], (json{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(time["compute_s"]["median"], 5.5);
  EXPECT_EQ(time["compute_s"]["q1"], 4.25);
  EXPECT_EQ(time["wall_s"]["samples"].size(), 6u);
  EXPECT_EQ(time["flags"][0], "noisy");
  EXPECT_EQ(time["gflops"], 11 / 5.5);
  EXPECT_FALSE(time.contains("of_peak"));  // of a host
  EXPECT_FALSE(record_of(spec, "quick")["time"].contains("gflops"));
}

TEST_F(Run, InterleavesSolversOfAProblem) {
  Spec spec = fake_spec({{"size", integers({1, 2})}, {"solver", texts({"quick", "throws", "noisy"})}});
  spec.timing = {.min_repeats = 2, .max_repeats = 2, .interleave = true};
  execute(spec);
  std::ifstream log(scratch_.path() / "log");
  std::string order;
  for (std::string line; std::getline(log, line);)
    order += line.substr(0, 1) + line.substr(line.find(' ') + 1, 1) + ' ';
  EXPECT_EQ(order, "q1 t1 n1 q1 n1 q2 t2 n2 q2 n2 ");
}

TEST_F(Run, SurvivesCrashesWhileInterleaving) {
  Spec spec = fake_spec({{"solver", texts({"quick", "crashes", "noisy", "hangs", "sleeps"})}});
  spec.timing = {.min_repeats = 2, .max_repeats = 2, .timeout_s = 0.5, .interleave = true};
  EXPECT_EQ(execute(spec).statuses, (Statuses{{"passed", 3}, {"failed", 1}, {"timeout", 1}}));
  EXPECT_EQ(record_of(spec, "sleeps")["time"]["wall_s"]["samples"].size(), 2u);
}

TEST_F(Run, RestartsWorkerAfterFailedKernel) {
  for (const bool interleave : {false, true}) {
    Spec spec = fake_spec({{"solver", texts({"gpu-fails", "gpu-works", "gpu-exhausted", "quick"})}});
    spec.name = interleave ? "interleaved" : "plain";
    spec.timing.interleave = interleave;
    EXPECT_EQ(execute(spec).statuses, (Statuses{{"passed", 2}, {"failed", 1}, {"out_of_memory", 1}}));
    EXPECT_EQ(record_of(spec, "gpu-fails")["message"], "an illegal address");
    EXPECT_EQ(record_of(spec, "gpu-exhausted")["message"],
              "memory could not be allocated; about 2 GB of the GPU's are needed");
    EXPECT_TRUE(record_of(spec, "quick")["environment"]["gpu"].is_null());
  }
}

TEST_F(Run, WritesAPlainLineForEveryCase) {
  std::ostringstream progress;
  run(make_plan(fake_spec({{"solver", texts({"quick", "throws"})}}), find_fake), options_, progress);
  const std::string text = progress.str();
  EXPECT_TRUE(text.starts_with("[1/2] passed solver=quick  0.001 s  ETA ")) << text;
  EXPECT_NE(text.find("[2/2] failed solver=throws: as asked: two lines\n"), std::string::npos) << text;
}

TEST_F(Run, TellsWhereItsRecordsComeFrom) {
  options_.command = "pivotlab run fake";
  const Spec spec = fake_spec({});
  execute(spec);
  const json record = record_of(spec, "quick");
  EXPECT_EQ(record["provenance"]["command"], "pivotlab run fake");
  EXPECT_EQ(record["provenance"]["started"].get<std::string>().size(), std::string("2026-11-21T09:00:00Z").size());
  EXPECT_GE(record["environment"]["cores"], 1);
  EXPECT_GT(record["environment"]["memory_bytes"], 1e8);
  EXPECT_FALSE(record["environment"]["cpu"].get<std::string>().empty());
}

}  // namespace
}  // namespace pivotlab::experiments::run_test
