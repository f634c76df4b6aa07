// SPDX-License-Identifier: BSD-3-Clause
// The symmetric indefinite factorization as a method: names, sources, and small cases from the spec to the record.
#include <experiments/ldlt/inertia_certificate.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <experiments/problems/symmetrics.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/io.hpp>
#include <tests/experiments/method_cases.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace pivotlab::experiments::ldlt_method_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Case canonical(Case changes) {
  return canonical_case(ldlt_method(), std::move(changes));
}
Value text(const char* value) {
  return std::string(value);
}

TEST(LdltCase, FillsInSymmetryStorageThreadsAndBackend) {
  const Case axes = canonical({{"n", std::int64_t{64}}, {"threads", std::int64_t{2}}});
  EXPECT_EQ(canonical_json(axes),
            "{\"backend\":\"host\",\"generator\":\"equidistant\",\"method\":\"ldlt\",\"n\":64,\"seed\":1,\"solver\":"
            "\"LDLT-BP\",\"storage\":\"packed\",\"symmetry\":\"symmetric\",\"threads\":2,\"tolerance\":"
            "2.220446049250313e-16,\"type\":\"d\"}");
  EXPECT_EQ(canonical({{"type", text("z")}}).at("symmetry"), text("hermitian"));
  EXPECT_EQ(ldlt_method().canonical(axes), axes);
  EXPECT_EQ(canonical({{"tolerance", 0.0}}), canonical({{"tolerance", std::int64_t{0}}}));
  EXPECT_EQ(canonical({{"solver", text("ldlt-rk;ALPHA=0.50")}}).at("solver"), text("LDLT-RK;alpha=0.5"));
}

TEST(LdltCase, NamesBaselinesByTypeAndSymmetry) {
  const auto baseline = [](const char* type, const char* symmetry, const char* solver) {
    return canonical({{"type", text(type)}, {"symmetry", text(symmetry)}, {"solver", text(solver)}});
  };
  EXPECT_EQ(baseline("d", "hermitian", "lapack:?sytrf_rook").at("solver"), text("lapack:dsytrf_rook"));
  EXPECT_EQ(baseline("z", "hermitian", "lapack:?sytrf_aa").at("solver"), text("lapack:zhetrf_aa"));
  EXPECT_EQ(baseline("z", "symmetric", "lapack:?hetrf").at("solver"), text("lapack:zsytrf"));
  EXPECT_EQ(baseline("z", "hermitian", "lapack:?sptrf").at("solver"), text("lapack:zhptrf"));
  EXPECT_EQ(baseline("z", "hermitian", "lapack:?sptrf").at("storage"), text("packed"));
  EXPECT_EQ(baseline("d", "hermitian", "lapack:?sytrf").at("storage"), text("full"));
  EXPECT_EQ(baseline("d", "hermitian", "cusolver:?sytrf").at("backend"), text("cusolver"));
  EXPECT_GE(ldlt_method().estimate(baseline("d", "hermitian", "cusolver:?sytrf")).gpu_bytes, 8.0 * 512 * 512);
}

TEST(LdltCase, NamesTheAxisOfAMistake) {
  const auto error = [](Case changes) { return input_error([&] { canonical(std::move(changes)); }); };
  EXPECT_EQ(error({{"type", text("s")}}), "type: there is no 's'; choose from d, z");
  EXPECT_EQ(error({{"symmetry", text("skew")}}), "symmetry: there is no 'skew'; choose from hermitian, symmetric");
  EXPECT_EQ(error({{"storage", text("rfp")}}), "storage: there is no 'rfp'; choose from packed, full");
  EXPECT_EQ(error({{"tolerance", 1.0}}), "tolerance: 1 is not in [0, 1); it is relative to max|A|");
  EXPECT_EQ(error({{"n", std::int64_t{-1}}}), "n: is -1, must be at least 0");
  EXPECT_TRUE(error({{"solver", text("LDLT-BQ")}}).starts_with("solver: variant 'LDLT-BQ'"));
  EXPECT_TRUE(error({{"solver", text("LDLT-BP;alpha=1")}}).starts_with("solver: variant 'LDLT-BP;alpha=1'"));
  EXPECT_TRUE(error({{"generator", text("hadamart")}}).starts_with("generator: "));
  EXPECT_EQ(error({{"backend", text("gpu")}}), "backend: unknown backend 'gpu'; take host, emulation or cuda");
  EXPECT_TRUE(
      error({{"type", text("z")}, {"solver", text("cusolver:?sytrf")}}).starts_with("solver: unknown baseline"));
}

TEST(LdltCase, KeyWithoutGjgIsUnchanged) {
  EXPECT_FALSE(canonical({{"gjg", false}}).contains("gjg"));
  EXPECT_EQ(canonical({{"gjg", true}}).at("gjg"), Value(true));
  const Case axes = canonical({{"gjg", true}});
  EXPECT_EQ(ldlt_method().canonical(axes), axes);
  EXPECT_FALSE(canonical({{"gjg", true}, {"solver", text("lapack:dsytrf")}}).contains("gjg"));
  EXPECT_EQ(input_error([&] {
              canonical({{"gjg", true}, {"type", text("z")}, {"symmetry", text("symmetric")}});
            }),
            "gjg: a complex symmetric matrix has no signs for J; take hermitian, or leave it out");
}

TEST(LdltMethod, SharesProblemAmongSolvers) {
  const Case one = canonical({});
  const Case other = canonical({{"threads", std::int64_t{2}},
                                {"solver", text("lapack:?sytrf")},
                                {"storage", text("full")},
                                {"tolerance", 1e-12}});
  EXPECT_EQ(ldlt_method().problem(one), ldlt_method().problem(canonical({{"gjg", true}})));
  EXPECT_EQ(ldlt_method().problem(one), ldlt_method().problem(other));
  EXPECT_NE(ldlt_method().problem(one), ldlt_method().problem(canonical({{"seed", std::int64_t{2}}})));
}

TEST(LdltMethod, EstimatesGrowWithTheOrder) {
  const auto estimate = [](std::int64_t n) { return ldlt_method().estimate(canonical({{"n", n}})); };
  EXPECT_GT(estimate(1024).solve_s, 7 * estimate(512).solve_s);
  EXPECT_GT(estimate(1024).bytes, 3 * estimate(512).bytes);
  EXPECT_GT(estimate(1024).bytes, 8.0 * 3 * 1024 * 1024);
}

class LdltRun : public testing::Test {
 protected:
  LdltRun() { ::setenv("PIVOTLAB_TEST_DATA", scratch_.path().c_str(), 1); }
  ~LdltRun() override { ::unsetenv("PIVOTLAB_TEST_DATA"); }

  std::vector<json> run_all(std::vector<Axis> axes) {
    options_.out = scratch_.path() / "runs";
    options_.fresh = true;
    const Plan plan = make_plan(small_spec(ldlt_method(), std::move(axes)));
    return read_records(run_quietly(plan, options_).directory);
  }
  /// diag(2, 1, −1, 0) with its inertia in a manifest.
  void write_diagonal(const char* manifest) {
    Matrix<double> A(4, 4);
    A(0, 0) = 2;
    A(1, 1) = 1;
    A(2, 2) = -1;
    write_matrix_market(scratch_.path() / "A.mtx.gz", A);
    put(scratch_.path() / "MANIFEST.csv", manifest);
  }

  const ScratchFolder scratch_;
  RunOptions options_;
};

TEST_F(LdltRun, FactorsAndJudgesByAllSolvers) {
  for (const auto& [type, symmetry] : {std::pair("d", "symmetric"), {"z", "hermitian"}, {"z", "symmetric"}}) {
    const auto records = run_all({{"type", texts({type})},
                                  {"symmetry", texts({symmetry})},
                                  {"n", integers({24})},
                                  {"generator", texts({"random", "clement", "lowrank"})},
                                  {"tolerance", {1e-12}},
                                  {"solver", texts({"LDLT-BP", "LDLT-RK;alpha=0.3", "LDLT-BK", "lapack:?sytrf",
                                                    "lapack:?sytrf_rook", "lapack:?sytrf_aa", "lapack:?sptrf"})}});
    ASSERT_EQ(records.size(), 21u);
    for (const json& record : records) {
      SCOPED_TRACE(record["case"].dump());
      const bool is_baseline = record["case"]["backend"] == "lapack";
      const json& metrics = record["metrics"];
      EXPECT_EQ(record["status"], "passed") << record["message"];
      EXPECT_LT(metrics["residual"], 1e-14);
      EXPECT_EQ(record["variant"].is_null(), is_baseline);
      EXPECT_TRUE(record["convergence"].is_null());
      EXPECT_EQ(metrics["stages"].is_null(), is_baseline);
      EXPECT_GT(record["time"]["compute_s"]["median"], 0);
      EXPECT_EQ(metrics["flops"], (std::string(type) == "z" ? 4 : 1) * 24 * 24 * 24 / 3);
      EXPECT_GT(record["time"]["gflops"], 0);
      if (record["case"]["solver"].get<std::string>().ends_with("_aa")) continue;
      const int pivots = metrics["pivots_1x1"].get<int>() + 2 * metrics["pivots_2x2"].get<int>();
      EXPECT_EQ(pivots, record["case"]["solver"] == "LDLT-BP" ? metrics["rank"].get<int>() : 24);
      EXPECT_EQ(metrics["inertia"].is_null(), std::string(symmetry) == "symmetric" && std::string(type) == "z");
    }
  }
}

TEST_F(LdltRun, TellsWhetherRookPivotingReplacedAnEliminationWithoutSearch) {
  const auto records = run_all({{"n", integers({70})},
                                {"generator", texts({"fiedler", "clement"})},
                                {"solver", texts({"LDLT-RBT", "LDLT-RK"})}});
  ASSERT_EQ(records.size(), 4u);
  for (const json& record : records) {
    SCOPED_TRACE(record["case"].dump());
    const json& metrics = record["metrics"];
    const bool unsearched = record["case"]["solver"] == "LDLT-RBT", hollow = record["case"]["generator"] == "fiedler";
    EXPECT_EQ(record["status"], "passed") << record["message"];
    ASSERT_EQ(metrics.contains("refusal"), unsearched);
    EXPECT_EQ(metrics["certificate"]["status"], "certified");
    EXPECT_EQ(metrics["certificate"]["without_search"], unsearched && hollow);
    if (unsearched) {
      EXPECT_EQ(metrics["refusal"], hollow ? "" : "pivot 1 is zero or overflows");
      EXPECT_EQ(metrics["max_multiplier"].is_null(), false);
    }
  }
}

TEST_F(LdltRun, ComparesGjgWithQuadWhereItIsAskedTo) {
  const auto records = run_all({{"type", texts({"d", "z"})},
                                {"n", integers({24})},
                                {"gjg", {true}},
                                {"solver", texts({"LDLT-BP", "lapack:?sytrf"})}});
  ASSERT_EQ(records.size(), 4u);
  for (const json& record : records) {
    EXPECT_EQ(record["status"], "passed") << record["message"];
    EXPECT_EQ(record["metrics"].contains("gjg"), record["case"]["solver"] == "LDLT-BP");
    if (!record["metrics"].contains("gjg")) continue;
    const json& gjg = record["metrics"]["gjg"];
    EXPECT_LT(gjg["residual"], 24 * 0x1p-53);
    EXPECT_LT(gjg["residual_quad"], 24 * 0x1p-113);
    EXPECT_TRUE(gjg["inertia_agrees"]);
  }
}

TEST_F(LdltRun, CertifiesTheInertiaWhateverTheToleranceSays) {
  const auto records = run_all({{"n", integers({20})},
                                {"generator", texts({"lowrank;rank=0.5"})},
                                {"tolerance", {0.0, 0x1p-52}},
                                {"solver", texts({"LDLT-RK", "lapack:dsytrf"})}});
  ASSERT_EQ(records.size(), 4u);
  std::set<json> inertias;
  for (const json& record : records) {
    const json& metrics = record["metrics"];
    ASSERT_EQ(metrics.contains("certificate"), record["case"]["solver"] == "LDLT-RK");
    inertias.insert(metrics["inertia"]);
    if (!metrics.contains("certificate")) continue;
    const json& certificate = metrics["certificate"];
    EXPECT_EQ(certificate["status"], "certified_near_zero") << certificate["reason"];
    EXPECT_EQ(certificate["inertia"], record["problem"]["inertia"]);
    EXPECT_GT(certificate["clear"], 1000 * certificate["above"].get<double>());
    EXPECT_EQ(metrics["inertia_agrees"], true);
  }
  EXPECT_GT(inertias.size(), 1u);  // of D
}

TEST(InertiaAgreement, IsThatOfWhatIsCertain) {
  InertiaReport report{.status = InertiaStatus::certified, .inertia = {3, 2, 0}};
  EXPECT_EQ(agrees(report, {3, 2, 0}), true);
  EXPECT_EQ(agrees(report, {2, 2, 1}), false);
  report = {.status = InertiaStatus::certified_near_zero, .inertia = {3, 1, 1}};
  EXPECT_EQ(agrees(report, {3, 1, 1}), true);
  EXPECT_EQ(agrees(report, {3, 2, 0}), true);
  EXPECT_EQ(agrees(report, {2, 2, 1}), false);
  report.status = InertiaStatus::undetermined;
  EXPECT_EQ(agrees(report, {3, 2, 0}), std::nullopt);
  EXPECT_EQ(agrees(report, {2, 2, 1}), false);
}

TEST_F(LdltRun, TellsTheFactsOfTheSource) {
  const auto records = run_all({{"n", integers({64})}, {"generator", texts({"hadamard", "clement"})}});
  ASSERT_EQ(records.size(), 2u);
  const json &hadamard = records[0]["metrics"], &clement = records[1]["metrics"];
  EXPECT_EQ(hadamard["residual"], 0);
  EXPECT_EQ(hadamard["pivots_1x1"], 64);
  EXPECT_EQ(hadamard["swaps_1x1"].get<int>() + hadamard["swaps_2x2"].get<int>(), 0);
  EXPECT_EQ(hadamard["max_growth"], 64);
  EXPECT_EQ(hadamard["stages"]["growth"].back(), 64);
  EXPECT_EQ(hadamard["stages"]["count"], 64);
  EXPECT_EQ(clement["pivots_2x2"], 32);
  EXPECT_EQ(clement["stages"]["size"], json(std::vector<int>(32, 2)));
  for (const json& record : records) EXPECT_TRUE(record["metrics"]["inertia_agrees"]);
  EXPECT_EQ(records[1]["problem"]["largest_eigenvalue"], 63);
}

TEST_F(LdltRun, DoesOrdersZeroAndOne) {
  const auto records =
      run_all({{"n", integers({0, 1})},
               {"generator", texts({"equidistant", "hilbert"})},
               {"solver", texts({"LDLT-BP", "LDLT-BK", "LDLT-RK", "lapack:?sytrf", "lapack:?sytrf_aa"})}});
  ASSERT_EQ(records.size(), 20u);
  for (const json& record : records) EXPECT_EQ(record["status"], "passed") << record["case"] << record["message"];
}

TEST_F(LdltRun, StoragesGiveTheSameFactors) {
  const auto records = run_all({{"n", integers({40})}, {"storage", texts({"packed", "full"})}});
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]["metrics"], records[1]["metrics"]);
}

TEST_F(LdltRun, RecordsThatThereIsNoDeviceAndGoesOn) {
  const auto records = run_all({{"n", integers({16})},
                                {"solver", texts({"LDLT-BP", "LDLT-RK", "LDLT-BK", "cusolver:?sytrf"})},
                                {"backend", texts({"host", "emulation", "cuda"})}});
  ASSERT_EQ(records.size(), 10u);
  for (const json& record : records) {
    const bool on_gpu = record["case"]["backend"] == "cuda" || record["case"]["backend"] == "cusolver";
    EXPECT_EQ(record["status"], on_gpu ? "not_supported" : "passed") << record["case"] << record["message"];
    EXPECT_TRUE(record["environment"]["gpu"].is_null());
    EXPECT_EQ(record["message"].get<std::string>().find(why_no_device()) != std::string::npos, on_gpu);
  }
}

TEST_F(LdltRun, BackendsAgreeForCompletePivoting) {
  for (const char* type : {"d", "z"}) {
    const auto records = run_all({{"type", texts({type})},
                                  {"n", integers({40})},
                                  {"generator", texts({"random"})},
                                  {"backend", texts({"host", "emulation"})}});
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0]["metrics"], records[1]["metrics"]);
  }
}

TEST_F(LdltRun, SaysWhatIsWrongWithAProblem) {
  const auto records = run_all({{"n", integers({3})}, {"generator", texts({"hadamard"})}});
  EXPECT_EQ(records.at(0)["status"], "failed");
  EXPECT_EQ(records.at(0)["message"].get<std::string>().find("making the problem: "), 0u);
}

TEST_F(LdltRun, ReadsFileAndStatedInertia) {
  write_diagonal("name,comment,npos,nneg,nzero\nB,,1,1,2\nA,\"commas, protected\",2,1,1\n");
  const auto records = run_all({{"generator", texts({"file:$PIVOTLAB_TEST_DATA/A.mtx.gz"})}});
  ASSERT_EQ(records.size(), 1u);
  const json& record = records.front();
  EXPECT_EQ(record["status"], "passed") << record["message"];
  EXPECT_EQ(record["case"]["n"], 4);
  EXPECT_EQ(record["case"]["digest"], digest(content_of(scratch_.path() / "A.mtx.gz")));
  EXPECT_EQ(record["problem"]["inertia"], (json{{"positive", 2}, {"negative", 1}, {"zero", 1}}));
  EXPECT_TRUE(record["metrics"]["inertia_agrees"]);
}

TEST_F(LdltRun, DoesNotTakeAManifestForMoreThanItSays) {
  for (const char* manifest :
       {"", "name,npos,nneg,nzero\nA,,,\n", "name,npos,nneg,nzero\nA,5,1,1\n", "name,npos\nA,2\n"}) {
    write_diagonal(manifest);
    const AnySymmetric any = symmetrics().load({.generator = "file:$PIVOTLAB_TEST_DATA/A.mtx.gz"});
    EXPECT_FALSE(std::get<SymmetricMatrix<double>>(any).inertia) << manifest;
  }
}

TEST_F(LdltRun, PermutesAMatrixFromAFileByTheSeed) {
  write_diagonal("name,npos,nneg,nzero\nA,2,1,1\n");
  const auto diagonal = [](const char* generator, std::uint64_t seed) {
    const auto A = std::get<SymmetricMatrix<double>>(symmetrics().load({.generator = generator, .seed = seed})).A;
    std::vector<double> d;
    for (Index i = 0; i < A.rows(); ++i) d.push_back(A(i, i));
    return d;
  };
  const auto own = diagonal("file:$PIVOTLAB_TEST_DATA/A.mtx.gz", 0);
  std::set<std::vector<double>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto d = diagonal("permuted:$PIVOTLAB_TEST_DATA/A.mtx.gz", seed);
    EXPECT_TRUE(std::ranges::is_permutation(d, own));
    orders.insert(d);
  }
  EXPECT_GT(orders.size(), 5u);
  const auto records =
      run_all({{"generator", texts({"permuted:$PIVOTLAB_TEST_DATA/A.mtx.gz"})}, {"seed", integers({1, 2})}});
  ASSERT_EQ(records.size(), 2u);
  for (const json& record : records) {
    EXPECT_EQ(record["status"], "passed") << record["message"];
    EXPECT_TRUE(record["metrics"]["inertia_agrees"]);
  }
}

TEST_F(LdltRun, NamesFilesThatCannotBeUsed) {
  const auto error = [](const std::string& generator) {
    return input_error([&] { canonical({{"generator", generator}}); });
  };
  EXPECT_NE(error("file:$NO_SUCH_VARIABLE/K.mtx").find("variable NO_SUCH_VARIABLE is not set"), std::string::npos);
  EXPECT_NE(error("file:$PIVOTLAB_TEST_DATA/none.mtx").find("none.mtx"), std::string::npos);
  write_matrix_market(scratch_.path() / "wide.mtx", Matrix<double>(3, 4));
  EXPECT_NE(error("file:$PIVOTLAB_TEST_DATA/wide.mtx").find("is 3 x 4"), std::string::npos);
}

TEST_F(LdltRun, KeepsLargeMatricesWithTheirTruth) {
  for (int run = 0; run < 2; ++run) {
    const json record =
        run_all({{"n", integers({400})}, {"generator", texts({"lowrank"})}, {"tolerance", {1e-12}}}).at(0);
    EXPECT_EQ(record["status"], "passed") << record["message"];
    EXPECT_TRUE(record["metrics"]["inertia_agrees"]);
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch_.path() / "runs" / "cache"), fs::directory_iterator()), 1);
  }
}

}  // namespace
}  // namespace pivotlab::experiments::ldlt_method_test
