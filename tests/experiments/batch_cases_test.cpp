// SPDX-License-Identifier: BSD-3-Clause
// Batches in sweeps: the axis and its keys, what is refused, and small runs from the spec to the record.
#include <experiments/common/axes.hpp>
#include <experiments/eig/eig.hpp>
#include <experiments/eigh/eigh.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/generic/batch.hpp>
#include <experiments/ghsvd/ghsvd.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/hsvd/hsvd.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <pivotlab/baselines.hpp>
#include <tests/experiments/method_cases.hpp>

#include <string>
#include <vector>

namespace pivotlab::experiments::batch_cases_test {
namespace {

using nlohmann::json;

Value text(const char* value) {
  return std::string(value);
}

std::vector<json> run_batches(const Method& method, const std::vector<Axis>& axes) {
  const ScratchFolder scratch;
  RunOptions options;
  options.out = scratch.path();
  return read_records(run_quietly(make_plan(small_spec(method, axes)), options).directory);
}

TEST(BatchCase, HasTheAxisAboveOneOnly) {
  const auto canonical = [](std::int64_t batch) {
    return canonical_case(eigh_method(), {{"batch", batch}, {"solver", text("HEV-RK-ME-PT")}});
  };
  EXPECT_FALSE(canonical(1).contains("batch"));
  EXPECT_EQ(canonical(1), canonical_case(eigh_method(), {{"solver", text("HEV-RK-ME-PT")}}));
  EXPECT_EQ(canonical(3).at("batch"), Value(std::int64_t{3}));
  EXPECT_EQ(eigh_method().canonical(canonical(3)), canonical(3));
  EXPECT_NE(eigh_method().problem(canonical(3)), eigh_method().problem(canonical(4)));
  EXPECT_GT(eigh_method().estimate(canonical(1000)).bytes, 100 * eigh_method().estimate(canonical(1)).bytes);
}

TEST(BatchCase, RefusesWhatNoBatchHas) {
  const auto error = [](const Method& method, Case changes) {
    changes.try_emplace("batch", std::int64_t{3});
    return input_error([&] { canonical_case(method, changes); });
  };
  EXPECT_EQ(error(eigh_method(), {{"solver", text("HEV-RK-ME-BO")}}),
            "solver: HEV-RK-ME-BO has no batches on the backend host; take HEV-RK-ME-PT or a baseline");
  EXPECT_EQ(error(eigh_method(), {{"n", std::int64_t{0}}}), "batch: its problems have order 0; take a larger n");
  EXPECT_EQ(error(eigh_method(), {{"batch", std::int64_t{0}}}), "batch: is 0, must be at least 1");
  EXPECT_EQ(error(eigh_method(), {{"solver", text("cmd:true {input} {output}")}}),
            "batch: cmd:true {input} {output} solves one problem at a time; leave it out, or take batch 1");
  EXPECT_TRUE(error(hsvd_method(), {{"solver", text("HSVD-ME-PT;qrp")}}).starts_with("solver: HSVD-ME-PT;qrp has no"));
  EXPECT_TRUE(error(ldlt_method(), {{"solver", text("LDLT-BP;equilibrate=on")}}).starts_with("solver: batches have"));
  EXPECT_TRUE(error(ldlt_method(), {{"tolerance", 1e-12}}).starts_with("tolerance: batches decide"));
  EXPECT_TRUE(error(ldlt_method(), {{"gjg", true}}).starts_with("gjg: batches do not have it"));
  EXPECT_TRUE(error(ldlt_method(), {{"type", text("z")}, {"symmetry", text("symmetric")}}).starts_with("symmetry: "));
  EXPECT_TRUE(error(eig_method(), {{"vectors", text("both")}}).starts_with("vectors: batches have right"));
  EXPECT_TRUE(
      error(eig_method(), {{"solver", text("QR")}}).starts_with("solver: QR has no batches on the backend host"));
  EXPECT_TRUE(error(eig_method(), {{"solver", text("QR")}, {"batch", std::int64_t{1}}}).starts_with("solver: variant"));
  EXPECT_NE(error(gsvd_method(), {{"solver", text("A")}, {"type", text("z")}}).find("has no batches"),
            std::string::npos);
  EXPECT_TRUE(error(gsvd_method(), {{"backend", text("emulation")}}).ends_with("take HZ or a baseline"));
  EXPECT_TRUE(error(gsvd_method(), {{"generator", text("ranks")}, {"m_f", std::int64_t{9}}, {"n", std::int64_t{12}}})
                  .starts_with("batch: its pairs have"));
  EXPECT_NE(error(ghsvd_method(), {}).find("has no axis 'batch'"), std::string::npos);
}

void expect_judged(const std::vector<json>& records, int count) {
  for (const json& record : records) {
    const std::string where = record["case"].dump();
    EXPECT_EQ(record["status"], "passed") << where << record["message"];
    EXPECT_EQ(record["batch"], json({{"judged", 4}, {"different", 0}, {"statuses", {{"passed", count}}}})) << where;
    EXPECT_DOUBLE_EQ(record["time"]["problem_s"].get<double>() * count,
                     record["time"]["compute_s"]["median"].get<double>());
    EXPECT_TRUE(record["convergence"].is_null());
    EXPECT_FALSE(find_defect(record)) << where;
  }
}

/// A batch of six problems of order 5, real on the host and complex by kernels.
std::vector<Axis> small_batch(const char* backend, std::vector<Axis> more) {
  more.insert(more.end(), {{"batch", integers({6})},
                           {"n", integers({5})},
                           {"backend", texts({backend})},
                           {"type", texts({backend == std::string("host") ? "d" : "z"})}});
  return more;
}

/// The backends with kernels that this machine can run.
std::vector<const char*> kernels() {
  if (find_gpus().devices.empty()) return {"emulation"};
  return {"emulation", "cuda"};
}

TEST(BatchRun, SolvesAndJudgesOnHostAndByKernels) {
  std::vector<const char*> backends = kernels();
  backends.push_back("host");
  for (const char* backend : backends) {
    expect_judged(run_batches(eigh_method(), small_batch(backend, {{"solver", texts({"HEV-RK-ME-PT"})}})), 6);
    expect_judged(run_batches(hsvd_method(), small_batch(backend, {{"m", integers({7})},
                                                                   {"signs", texts({"positive", "halves"})},
                                                                   {"solver", texts({"HSVD-ME-PT"})}})),
                  6);
    const auto ldlt = run_batches(ldlt_method(), small_batch(backend, {{"solver", texts({"LDLT-RK"})}}));
    expect_judged(ldlt, 6);
    EXPECT_EQ(ldlt.front()["metrics"]["inertia_agrees"], true);
    EXPECT_TRUE(ldlt.front()["metrics"]["dpot02"].is_number());
  }
}

double severity_of(const json& record) {
  Judgement judgement;
  judgement.metrics = record["metrics"];
  return severity(judgement);
}

TEST(BatchRun, RecordsTheWorstOfFourSeeds) {
  const auto run = [](const char* seeds, std::int64_t batch) {
    return run_batches(eigh_method(), {{"seed", parse_values(seed_axis_info(), seeds)},
                                       {"batch", {batch}},
                                       {"n", integers({5})},
                                       {"backend", texts({"host"})},
                                       {"solver", texts({"HEV-RK-ME-PT"})}});
  };
  const auto singles = run("7:10", 1);
  const auto worst = std::ranges::max_element(singles, {}, [](const json& record) { return severity_of(record); });
  const json batch = run("7", 9).front();
  EXPECT_EQ(batch["problem"], (*worst)["problem"]);
  EXPECT_EQ(batch["metrics"], (*worst)["metrics"]);
}

TEST(BatchRun, HasAlgorithmsOfKernelsThatAreNoVariants) {
  for (const Method* method : {&eig_method(), &gsvd_method()})
    expect_judged(run_batches(*method, small_batch("host", {})), 6);
  for (const char* backend : kernels()) {
    const auto eig = run_batches(eig_method(), small_batch(backend, {{"solver", texts({"qr"})}}));
    expect_judged(eig, 6);
    EXPECT_EQ(eig.front()["case"]["solver"], "QR");
    EXPECT_TRUE(eig.front()["variant"].is_null());
    expect_judged(run_batches(gsvd_method(), small_batch(backend, {{"solver", texts({"HZ"})}})), 6);
  }
}

TEST(BatchRun, LoopsOverABaseline) {
  if (list_eigh_baselines(ScalarType::d).size() < 3) GTEST_SKIP() << "this build has no LAPACK";
  const auto records = run_batches(
      eigh_method(), {{"batch", integers({6})}, {"n", integers({5})}, {"solver", texts({"lapack:?syevd"})}});
  EXPECT_EQ(records.front()["status"], "passed") << records.front()["message"];
  EXPECT_EQ(records.front()["batch"], json({{"judged", 4}, {"different", nullptr}, {"statuses", {{"passed", 6}}}}));
}

TEST(BatchRun, OfMoreColumnsThanKernelsHaveIsNotSupported) {
  const auto records = run_batches(hsvd_method(), {{"batch", integers({2})},
                                                   {"n", integers({257})},
                                                   {"generator", texts({"lowrank"})},
                                                   {"backend", texts({"emulation"})},
                                                   {"solver", texts({"HSVD-ME-PT"})}});
  EXPECT_EQ(records.front()["status"], "not_supported") << records.front()["message"];
}

TEST(BatchArrays, FindProblemsWithOtherBitsThanThoseWithTheSameInput) {
  BatchArrays arrays({}, 5, 2);
  const double* const given = arrays.given_numbers<double>(1, [](Index k, double* to) { *to = 10.0 * double(k); });
  double* const results = arrays.numbers<double>(1);
  int* const status = arrays.status();
  arrays.run([&] {
    for (Index k = 0; k < 5; ++k) results[k] = given[k], status[k] = 0;
  });
  EXPECT_EQ(arrays.values(results, 3), std::vector<double>{10});
  EXPECT_EQ(arrays.count_different(), 0);
  arrays.run([&] { results[3] = -0.0, results[4] = -0.0, status[2] = int(Status::failed); });
  EXPECT_EQ(arrays.count_different(), 3);  // 3: another number, 4: another sign of zero, 2: another status
  Judgement judgement;
  describe_batch({Status::passed, Status::passed}, 2, &arrays, judgement);
  EXPECT_EQ(judgement.status, Status::incorrect);
}

TEST(BatchStatus, IsWorseForMetricsNearerToTheirBounds) {
  Judgement judgement;
  judgement.metrics = {{"a", 3}, {"b", nullptr}, {"c", 9}, {"verdict_bounds", {{"a", 4}, {"b", 1}, {"c", nullptr}}}};
  EXPECT_EQ(severity(judgement), 0.75);
  judgement.status = Status::incorrect;
  EXPECT_GT(severity(judgement), 1e300);
}

TEST(BatchStatus, IsThatOfTheFirstProblemThatHasNotPassed) {
  Solution solution;
  set_status(solution, {Status::passed, Status::not_converged, Status::failed, Status::failed});
  EXPECT_EQ(solution.status, Status::not_converged);
  EXPECT_EQ(solution.message, "4 problems: 2 failed, 1 not_converged, 1 passed");
}

}  // namespace
}  // namespace pivotlab::experiments::batch_cases_test
