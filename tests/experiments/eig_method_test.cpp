// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition as a method: names, sources, and small cases from the spec to the record.
#include <experiments/eig/eig.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>
#include <tests/experiments/method_cases.hpp>

#include <cstdlib>

namespace pivotlab::experiments::eig_method_test {
namespace {

using nlohmann::json;

Case canonical(Case changes) {
  return canonical_case(eig_method(), std::move(changes));
}
Value text(const char* value) {
  return std::string(value);
}

TEST(EigCase, FillsInWhatIsNotGiven) {
  const Case axes = canonical({{"n", std::int64_t{64}}, {"threads", std::int64_t{2}}});
  EXPECT_EQ(canonical_json(axes),
            "{\"backend\":\"host\",\"generator\":\"random\",\"method\":\"eig\",\"n\":64,\"seed\":1,\"solver\":"
            "\"ZEIG-(RR);b=16;finish\",\"threads\":2,\"type\":\"z\",\"vectors\":\"right\"}");
  EXPECT_EQ(eig_method().canonical(axes), axes);
  EXPECT_EQ(canonical({{"solver", text("zeig-(me);FUSED")}}).at("solver"), text("ZEIG-(ME);fused"));
  const auto baseline = [](const char* type, const char* solver) {
    return canonical({{"type", text(type)}, {"solver", text(solver)}});
  };
  EXPECT_EQ(baseline("d", "lapack:?geev").at("solver"), text("lapack:dgeev"));
  EXPECT_EQ(baseline("z", "cusolver:?geev").at("backend"), text("cusolver"));
}

TEST(EigCase, NamesTheAxisOfAMistake) {
  const auto error = [](Case changes) { return input_error([&] { canonical(std::move(changes)); }); };
  EXPECT_EQ(error({{"type", text("s")}}), "type: there is no 's'; choose from d, z");
  EXPECT_EQ(error({{"vectors", text("left")}}), "vectors: there is no 'left'; choose from right, both");
  EXPECT_EQ(error({{"n", std::int64_t{-1}}}), "n: is -1, must be at least 0");
  EXPECT_TRUE(error({{"solver", text("ZEIG-(RR);b=17")}}).starts_with("solver: variant 'ZEIG-(RR);b=17'"));
  EXPECT_TRUE(error({{"generator", text("grcarr")}}).starts_with("generator: "));
  EXPECT_TRUE(error({{"solver", text("lapack:?geevy")}}).starts_with("solver: unknown baseline"));
}

TEST(EigMethod, SharesAProblemAmongSolversAndVectors) {
  const Case one = canonical({}),
             other =
                 canonical({{"threads", std::int64_t{2}}, {"solver", text("lapack:?geev")}, {"vectors", text("both")}});
  EXPECT_EQ(eig_method().problem(one), eig_method().problem(other));
  EXPECT_NE(eig_method().problem(one), eig_method().problem(canonical({{"seed", std::int64_t{2}}})));
}

TEST(EigMethod, EstimatesGrowWithTheOrder) {
  const auto estimate = [](std::int64_t n) { return eig_method().estimate(canonical({{"n", n}})); };
  EXPECT_GT(estimate(1024).solve_s, 7 * estimate(512).solve_s);
  EXPECT_GT(estimate(1024).bytes, 3 * estimate(512).bytes);
}

class EigRun : public testing::Test {
 protected:
  EigRun() { ::setenv("PIVOTLAB_TEST_DATA", scratch_.path().c_str(), 1); }
  ~EigRun() override { ::unsetenv("PIVOTLAB_TEST_DATA"); }

  std::vector<json> run_all(std::vector<Axis> axes) {
    options_.out = scratch_.path() / "runs";
    options_.fresh = true;
    const Plan plan = make_plan(small_spec(eig_method(), std::move(axes)));
    return read_records(run_quietly(plan, options_).directory);
  }

  const ScratchFolder scratch_;
  RunOptions options_;
};

TEST_F(EigRun, DecomposesAndJudgesByAllSolvers) {
  for (const char* type : {"d", "z"}) {
    const auto records =
        run_all({{"type", texts({type})},
                 {"n", integers({20})},
                 {"generator", texts({"random", "similarity", "cyclic"})},
                 {"vectors", texts({"right", "both"})},
                 {"solver", texts({"ZEIG-(RR)", "ZEIG-(RR);fused", "ZEIG-(RR);b=8", "lapack:?geev"})}});
    ASSERT_EQ(records.size(), 24u);
    for (const json& record : records) {
      SCOPED_TRACE(record["case"].dump());
      const bool is_baseline = record["case"]["backend"] == "lapack", both = record["case"]["vectors"] == "both";
      const json& metrics = record["metrics"];
      EXPECT_EQ(record["status"], "passed") << record["message"];
      EXPECT_LT(metrics["residual"], 1e-13);
      EXPECT_LT(metrics["eigenvalue_error"], 1e-11);
      EXPECT_EQ(metrics["left_residual"].is_null(), !both);
      EXPECT_EQ(metrics["eigenvalues"]["re"].size(), 20u);
      EXPECT_EQ(record["problem"]["eigenvalues"]["im"].size(), 20u);
      EXPECT_EQ(record["variant"].is_null(), is_baseline);
      EXPECT_EQ(record["convergence"].is_null(), is_baseline);
      if (!is_baseline) {
        const json& convergence = record["convergence"];
        EXPECT_EQ(convergence["lower"].size(), convergence["sweeps"].get<std::size_t>() + 1);
      }
    }
  }
}

TEST_F(EigRun, NeverPassesWhatDoesNotConverge) {
  const auto records = run_all(
      {{"n", integers({12})}, {"generator", texts({"random"})}, {"solver", texts({"ZEIG-(RR);fused;unitary=off"})}});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["status"], "not_converged");
  EXPECT_EQ(records[0]["convergence"]["sweeps"], 100);
}

TEST_F(EigRun, DoesOrdersZeroToTwo) {
  const auto records = run_all({{"n", integers({0, 1, 2})},
                                {"generator", texts({"random", "hermitian"})},
                                {"solver", texts({"ZEIG-(RR)", "ZEIG-(RR);b=16", "lapack:?geev"})}});
  ASSERT_EQ(records.size(), 18u);
  for (const json& record : records) EXPECT_EQ(record["status"], "passed") << record["case"] << record["message"];
}

TEST_F(EigRun, ReadsAMatrixFromAFile) {
  const auto matrix = generate_general({.generator = "companion", .type = ScalarType::d, .n = 10});
  write_matrix_market(scratch_.path() / "A.mtx.gz", std::get<GeneralMatrix<double>>(matrix).A);
  const auto records = run_all({{"generator", texts({"file:$PIVOTLAB_TEST_DATA/A.mtx.gz"})}});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["status"], "passed") << records[0]["message"];
  EXPECT_EQ(records[0]["case"]["type"], "d");
  EXPECT_EQ(records[0]["case"]["n"], 10);
  EXPECT_TRUE(records[0]["problem"]["truth"]);
  EXPECT_LT(records[0]["metrics"]["eigenvalue_error"], 1e-13);
}

}  // namespace
}  // namespace pivotlab::experiments::eig_method_test
