// SPDX-License-Identifier: BSD-3-Clause
// The generalized SVD as a method: names, sources, and a few small cases from the spec to the record.
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/problems/pairs.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/io.hpp>
#include <tests/distributed/failing_transport.hpp>
#include <tests/experiments/method_cases.hpp>

#include <cstdlib>

namespace pivotlab::experiments::gsvd_method_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Case canonical(Case changes) {
  return canonical_case(gsvd_method(), std::move(changes));
}

std::string solver(const char* type, const char* name) {
  return to_string(canonical({{"type", std::string(type)}, {"solver", std::string(name)}}).at("solver"));
}

TEST(GsvdCase, FillsInShapeThreadsAndBackend) {
  const Case axes = canonical({{"n", std::int64_t{64}}, {"m_g", std::int64_t{80}}, {"threads", std::int64_t{2}}});
  EXPECT_EQ(
      canonical_json(axes),
      "{\"backend\":\"host\",\"generator\":\"paper\",\"m_f\":64,\"m_g\":80,\"method\":\"gsvd\",\"n\":64,\"seed\":1,"
      "\"solver\":\"DHZ0-(ME-FB-ME)\",\"threads\":2,\"type\":\"d\"}");
  EXPECT_EQ(canonical({{"solver", std::string("lapack:?ggsvd3")}}).at("backend"), Value(std::string("lapack")));
  EXPECT_EQ(gsvd_method().canonical(axes), axes);
}

TEST(GsvdCase, OnTheGpuHasOneThreadAndNeedsItsMemory) {
  for (const auto& [solver, backend] : {std::pair{"?HZ0-(ME-FB-ME)", "cuda"}, {"cusolver:?sygvd", "cusolver"}}) {
    const Case axes = canonical({{"type", std::string("z")},
                                 {"n", std::int64_t{100}},
                                 {"solver", std::string(solver)},
                                 {"backend", std::string("cuda")},
                                 {"threads", std::int64_t{16}}});
    EXPECT_EQ(axes.at("backend"), Value(std::string(backend)));
    EXPECT_EQ(axes.at("threads"), Value(std::int64_t{1}));
    EXPECT_GE(gsvd_method().estimate(axes).gpu_bytes, 3 * 16.0 * 100 * 100);
    EXPECT_EQ(gsvd_method().canonical(axes), axes);
  }
  EXPECT_EQ(gsvd_method().estimate(canonical({{"backend", std::string("emulation")}})).gpu_bytes, 0);
}

TEST(GsvdCase, PutsTheLetterOfTheTypeIntoNames) {
  EXPECT_EQ(solver("d", "?HZ3-(MM-FB-ME)"), "DHZ3-(MM-FB-ME)");
  EXPECT_EQ(solver("z", "?HZ3-(MM-FB-ME);w=16"), "ZHZ3-(MM-FB-ME)");  // 16 is the default
  EXPECT_EQ(solver("d", "lapack:?sygvd"), "lapack:dsygvd");
  EXPECT_EQ(solver("z", "lapack:?sygvd"), "lapack:zhegvd");
  EXPECT_EQ(solver("z", "lapack:?hegvd"), "lapack:zhegvd");
  EXPECT_EQ(solver("z", "lapack:?geqrf+?gesdd"), "lapack:zgeqrf+zgesdd");
}

TEST(GsvdCase, SolverOverRanksHasRanksAndTransport) {
  const auto over_ranks = [](const char* solver, std::int64_t ranks, const char* backend, const char* transport) {
    return canonical({{"type", std::string("z")},
                      {"solver", std::string(solver)},
                      {"ranks", ranks},
                      {"backend", std::string(backend)},
                      {"transport", std::string(transport)}});
  };
  const Case axes = over_ranks("B", 4, "cuda", "nccl");
  EXPECT_EQ(axes.at("solver"), Value(std::string("ZHZ0-(ME-BO, ME-FB-ME)")));
  EXPECT_EQ(axes.at("ranks"), Value(std::int64_t{4}));
  EXPECT_EQ(axes.at("transport"), Value(std::string("nccl")));
  EXPECT_EQ(over_ranks("?HZ0-(ME-BO,ME-FB-ME)", 4, "cuda", "nccl"), axes);
  EXPECT_EQ(gsvd_method().problem(axes), gsvd_method().problem(over_ranks("C", 2, "host", "copy")));
  EXPECT_EQ(over_ranks("B", 2, "host", "nccl"),
            over_ranks("B", 2, "host", "copy"));  // on the host there is only "copy"
  for (const char* other : {"?HZ0-(ME-FB-ME)", "lapack:?ggsvd3"}) {
    EXPECT_FALSE(over_ranks(other, 4, "host", "copy").contains("ranks"));
    EXPECT_FALSE(over_ranks(other, 4, "host", "copy").contains("transport"));
  }
}

TEST(GsvdCase, OverRanksTellsTheMemoryOfEach) {
  const auto estimate = [](std::int64_t ranks, const char* transport) {
    return gsvd_method().estimate(canonical({{"type", std::string("z")},
                                             {"n", std::int64_t{36864}},
                                             {"solver", std::string("B")},
                                             {"ranks", ranks},
                                             {"generator", std::string("random")},
                                             {"backend", std::string("cuda")},
                                             {"transport", std::string(transport)}}));
  };
  const double matrices = 3 * 16.0 * 36864 * 36864;
  EXPECT_GE(estimate(4, "nccl").gpu_bytes, 1.5 * matrices / 4);  // and a stripe for received data
  EXPECT_LE(estimate(4, "nccl").gpu_bytes, 1.6 * matrices / 4);
  EXPECT_LE(estimate(4, "host").gpu_bytes, 1.1 * matrices / 4);
  EXPECT_LT(estimate(4, "copy").solve_s, estimate(2, "copy").solve_s);
}

TEST(GsvdCase, HasFewRowsIfItsGeneratorTakesThem) {
  const Case axes = canonical({{"n", std::int64_t{8}},
                               {"m_f", std::int64_t{5}},
                               {"m_g", std::int64_t{3}},
                               {"generator", std::string("lapack;type=2")}});
  EXPECT_EQ(axes.at("m_f"), Value(std::int64_t{5}));
  EXPECT_EQ(axes.at("m_g"), Value(std::int64_t{3}));
  EXPECT_EQ(gsvd_method().canonical(axes), axes);
}

TEST(GsvdCase, NamesTheAxisOfAMistake) {
  const auto error = [](Case changes) { return input_error([&] { canonical(std::move(changes)); }); };
  EXPECT_EQ(error({{"type", std::string("s")}}), "type: there is no 's'; choose from d, z");
  EXPECT_TRUE(error({{"type", std::string("z")}, {"solver", std::string("DHZ0-(ME-FB-ME)")}})
                  .starts_with("solver: 'DHZ0-(ME-FB-ME)' is not of type z"));
  EXPECT_TRUE(error({{"solver", std::string("?HZ9-(ME-FB-ME)")}}).starts_with("solver: "));
  EXPECT_TRUE(error({{"solver", std::string("?HZ0-(ME-BX, ME-FB-ME)")}}).starts_with("solver: variant 'DHZ0-(ME-BX"));
  EXPECT_TRUE(error({{"solver", std::string("B")}}).starts_with("solver: 'B' is not of type d"));
  const Value over_ranks = std::string("?HZ0-(ME-BO, ME-FB-ME)");
  EXPECT_EQ(error({{"solver", over_ranks}, {"ranks", std::int64_t{0}}}), "ranks: is 0, must be at least 1");
  EXPECT_EQ(error({{"solver", over_ranks}, {"transport", std::string("ucx")}}),
            "transport: there is no 'ucx'; choose from copy, nccl, mpi, host");
  EXPECT_TRUE(
      error({{"solver", std::string("lapack:dggsvd")}}).starts_with("solver: unknown baseline 'lapack:dggsvd'"));
  EXPECT_TRUE(error({{"generator", std::string("papre")}}).starts_with("generator: "));
  EXPECT_EQ(error({{"n", std::int64_t{0}}}), "n: is 0, must be at least 1");
  EXPECT_EQ(error({{"n", std::int64_t{8}}, {"m_f", std::int64_t{7}}}),
            "m_f: is 7, must be at least n = 8 (or 0 for n) with generator 'paper'");
  EXPECT_EQ(error({{"threads", std::int64_t{-1}}}), "threads: is -1, must be at least 0");
  EXPECT_EQ(error({{"backend", std::string("gpu")}}), "backend: unknown backend 'gpu'; take host, emulation or cuda");
  EXPECT_TRUE(
      error({{"solver", std::string("cusolver:dsygv")}}).starts_with("solver: unknown baseline 'cusolver:dsygv'"));
  EXPECT_TRUE(error({{"solver", std::string("magma:dsygvd")}}).starts_with("solver: unknown baseline 'magma:dsygvd'"));
}

TEST(GsvdMethod, SharesProblemAmongSolvers) {
  const Case hz = canonical({{"threads", std::int64_t{1}}});
  const Case baseline = canonical({{"threads", std::int64_t{2}}, {"solver", std::string("lapack:?ggsvd3")}});
  EXPECT_EQ(gsvd_method().problem(hz), gsvd_method().problem(baseline));
  EXPECT_NE(gsvd_method().problem(hz), gsvd_method().problem(canonical({{"seed", std::int64_t{2}}})));
}

TEST(GsvdMethod, EstimatesGrowWithTheOrder) {
  const auto estimate = [](std::int64_t n) { return gsvd_method().estimate(canonical({{"n", n}})); };
  EXPECT_GT(estimate(1024).solve_s, 7 * estimate(512).solve_s);
  EXPECT_GT(estimate(1024).bytes, 3 * estimate(512).bytes);
  EXPECT_GT(estimate(1024).bytes, 8.0 * 5 * 1024 * 1024);
}

class PairFiles : public testing::Test {
 protected:
  PairFiles() {
    Matrix<double> stiffness(3, 3), mass = Matrix<double>::identity(3);
    for (Index i = 0; i < 3; ++i) {
      stiffness(i, i) = 2;
      mass(i, i) = 4;
      if (i > 0) stiffness(i, i - 1) = stiffness(i - 1, i) = -1;
    }
    write_matrix_market(scratch_.path() / "K.mtx", stiffness);
    write_matrix_market(scratch_.path() / "M.mtx", mass);
    ::setenv("PIVOTLAB_TEST_DATA", scratch_.path().c_str(), 1);
  }
  ~PairFiles() override { ::unsetenv("PIVOTLAB_TEST_DATA"); }
  const ScratchFolder scratch_;
};

TEST_F(PairFiles, MakePairsOfEveryKind) {
  const auto load = [](const char* generator) {
    return std::get<Pair<double>>(pairs().load({.generator = generator}));
  };
  const auto cholesky = load("cholesky:$PIVOTLAB_TEST_DATA/K.mtx,$PIVOTLAB_TEST_DATA/M.mtx");
  EXPECT_DOUBLE_EQ(cholesky.F(0, 0), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(cholesky.F(0, 1), -1 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(cholesky.G(1, 1), 2);
  EXPECT_EQ(cholesky.provenance, "cholesky:$PIVOTLAB_TEST_DATA/K.mtx,$PIVOTLAB_TEST_DATA/M.mtx");
  EXPECT_EQ(load("cholesky:$PIVOTLAB_TEST_DATA/K.mtx").G(2, 2), 1);
  const auto difference = load("difference:$PIVOTLAB_TEST_DATA/K.mtx");
  EXPECT_EQ(difference.F(0, 0), 2);
  EXPECT_EQ(difference.G.rows(), 3);
  const auto plain = load("files:$PIVOTLAB_TEST_DATA/K.mtx,$PIVOTLAB_TEST_DATA/M.mtx");
  EXPECT_EQ(plain.G(0, 0), 4);
  write_pair(scratch_.path() / "pair.h5", plain);
  EXPECT_EQ(load("file:$PIVOTLAB_TEST_DATA/pair.h5").F(1, 0), -1);
}

TEST_F(PairFiles, TellShapeAndContentToTheCase) {
  const std::string generator = "difference:$PIVOTLAB_TEST_DATA/K.mtx";
  const Case axes = canonical({{"generator", generator}, {"type", std::string("z")}, {"n", std::int64_t{512}}});
  EXPECT_EQ(axes.at("n"), Value(std::int64_t{3}));
  EXPECT_EQ(axes.at("type"), Value(std::string("d")));
  EXPECT_EQ(axes.at("generator"), Value(generator));
  EXPECT_EQ(axes.at("digest"), Value(digest(content_of(scratch_.path() / "K.mtx"))));
}

TEST_F(PairFiles, MayHaveFewerRowsThanColumns) {
  write_matrix_market(scratch_.path() / "wide.mtx", Matrix<double>(3, 4));
  const Case axes = canonical({{"generator", std::string("difference:$PIVOTLAB_TEST_DATA/wide.mtx")}});
  EXPECT_EQ(axes.at("m_f"), Value(std::int64_t{3}));
  EXPECT_EQ(axes.at("m_g"), Value(std::int64_t{4}));
  EXPECT_EQ(axes.at("n"), Value(std::int64_t{4}));
  EXPECT_EQ(gsvd_method().canonical(axes), axes);
}

TEST_F(PairFiles, AreNamedWhenTheyCannotBeUsed) {
  const auto error = [](const std::string& generator) {
    return input_error([&] { canonical({{"generator", generator}}); });
  };
  EXPECT_TRUE(error("difference:$NO_SUCH_VARIABLE/K.mtx").find("variable NO_SUCH_VARIABLE is not set") !=
              std::string::npos);
  EXPECT_TRUE(error("files:$PIVOTLAB_TEST_DATA/K.mtx").find("names 1 files, must name 2") != std::string::npos);
  EXPECT_TRUE(error("file:$PIVOTLAB_TEST_DATA/none.h5").find("none.h5") != std::string::npos);
  write_matrix_market(scratch_.path() / "wide.mtx", Matrix<double>(3, 4));
  EXPECT_TRUE(error("files:$PIVOTLAB_TEST_DATA/K.mtx,$PIVOTLAB_TEST_DATA/wide.mtx").find("a pair needs equally many") !=
              std::string::npos);
}

class GsvdRun : public PairFiles {
 protected:
  static Spec spec(std::vector<Axis> axes) { return small_spec(gsvd_method(), std::move(axes)); }
  std::vector<json> run_all(const Spec& wanted) {
    options_.out = scratch_.path() / "runs";
    return read_records(run_quietly(make_plan(wanted), options_).directory);
  }
  RunOptions options_;
};

TEST_F(GsvdRun, SolvesAndJudgesSmallPairsByAllSolvers) {
  const auto records = run_all(spec({{"type", texts({"d", "z"})},
                                     {"n", integers({16})},
                                     {"solver", texts({"?HZ0-(ME-FB-ME)", "?HZ7-(MM-BO-ME)", "lapack:?ggsvd3",
                                                       "lapack:?sygvd", "lapack:?geqrf+?gesdd"})}}));
  ASSERT_EQ(records.size(), 10u);
  for (const json& record : records) {
    const bool is_baseline = record["case"]["backend"] == "lapack";
    // Baselines may be too inaccurate to pass, but must be solved and judged.
    EXPECT_TRUE(is_baseline || record["status"] == "passed") << record["case"] << record["message"];
    EXPECT_LT(record["metrics"]["residual_f"], 1e-10) << record["case"] << record["message"];
    EXPECT_GT(record["time"]["compute_s"]["median"], 0);
    EXPECT_GE(record["time"]["wall_s"]["median"], record["time"]["compute_s"]["median"]);
    EXPECT_GT(record["problem"]["kappa_f"], 1);
    EXPECT_EQ(record["metrics"]["dgsvts3"].size(), 6u);
    EXPECT_EQ(record["variant"].is_null(), is_baseline);
    EXPECT_EQ(record["convergence"].is_null(), is_baseline);
    EXPECT_EQ(record["time"].contains("gflops"), !is_baseline);
    if (is_baseline) continue;
    const double complex = record["case"]["type"] == "z" ? 4 : 1, sweeps = record["convergence"]["sweeps"];
    EXPECT_EQ(record["convergence"]["flops"], complex * sweeps * 16 * 16 * 16 * 16);  // 16·n³ for each sweep
    EXPECT_EQ(record["convergence"]["per_sweep"].size(), record["convergence"]["sweeps"]);
    EXPECT_EQ(record["convergence"]["per_sweep"].back()["big"], 0);
  }
}

/// The pairs are rank-deficient, with many and with few rows, or only wide.
TEST_F(GsvdRun, ReducesPairsThatSolversDoNotTake) {
  Spec wanted = spec({{"type", texts({"d", "z"})},
                      {"n", integers({9})},
                      {"m_f", integers({12, 6})},
                      {"m_g", integers({9, 5})},
                      {"generator", texts({"ranks;k=2;l=4;truth=rounded", "random"})},
                      {"solver", texts({"?HZ0-(ME-FB-ME)", "?GT-(auto)", "lapack:?ggsvd3", "lapack:?geqrf+?gesdd",
                                        "?HZ0-(ME-BO, ME-FB-ME)"})}});
  wanted.zip = {{"m_f", "m_g"}};
  const auto records = run_all(wanted);
  ASSERT_EQ(records.size(), 40u);
  for (const json& record : records) {
    const json &solved = record["case"], &metrics = record["metrics"];
    const std::string name = solved["solver"], generator = solved["generator"];
    SCOPED_TRACE(solved.dump() + record["message"].dump());
    const bool few_rows = solved["m_g"] == 5, deficient = generator.starts_with("ranks");
    if (name.find(',') != std::string::npos || name.ends_with("gesdd")) {
      if (few_rows) {
        EXPECT_EQ(record["status"], "not_supported");
        EXPECT_NE(record["message"].get<std::string>().find("fewer rows than columns"), std::string::npos);
      }
      continue;
    }
    EXPECT_EQ(record["status"], "passed");
    EXPECT_EQ(metrics.contains("reduction"), few_rows || deficient);
    for (const double ratio : metrics["dgsvts3"]) EXPECT_LE(ratio, 20);
    EXPECT_LT(metrics["sigma_error"], 1e-12);
    EXPECT_EQ(record["problem"].contains("k"), few_rows || deficient);
    if (!few_rows && !deficient) continue;
    const json& reduction = metrics["reduction"];
    EXPECT_EQ(reduction["k"], deficient ? 2 : 4);
    EXPECT_EQ(reduction["l"], deficient ? 4 : 5);
    EXPECT_EQ(reduction["k"], record["problem"]["k"]);
    EXPECT_EQ(reduction["l"], record["problem"]["l"]);
    EXPECT_EQ(reduction["tolerance_g"].is_null(), solved["backend"] == "lapack");
    if (!reduction["rejected_g"].is_null()) {
      EXPECT_LE(reduction["rejected_g"], reduction["tolerance_g"]);
    }
    if (!reduction["accepted_g"].is_null()) {
      EXPECT_GT(reduction["accepted_g"], reduction["tolerance_g"]);
    }
  }
}

TEST_F(GsvdRun, SolvesOverRanksAndTellsWhereTheirTimeWent) {
  const auto records = run_all(spec({{"type", texts({"z"})},
                                     {"n", integers({40})},
                                     {"solver", texts({"A", "B", "?HZ0-(ME-FB-ME)"})},
                                     {"ranks", integers({1, 3})}}));
  ASSERT_EQ(records.size(), 5u);
  for (const json& record : records) {
    EXPECT_EQ(record["status"], "passed") << record["case"] << record["message"];
    const json &solved = record["case"], &convergence = record["convergence"];
    EXPECT_EQ(convergence.contains("by_rank"), solved.contains("ranks"));
    if (!solved.contains("ranks")) continue;
    EXPECT_EQ(record["variant"]["outermost"], "ME");
    EXPECT_EQ(record["variant"]["stripes"], solved["solver"] == "ZHZ0-(ME-FB, ME-FB-ME)" ? "FB" : "BO");
    ASSERT_EQ(convergence["by_rank"].size(), solved["ranks"]);
    const std::size_t steps = solved["ranks"] == 1 ? 0 : 5 * convergence["sweeps"].get<std::size_t>();
    for (const json& rank : convergence["by_rank"]) {
      EXPECT_TRUE(rank["device"].is_null());
      for (const char* list : {"compute_s", "exchange_s", "bytes_sent"}) EXPECT_EQ(rank[list].size(), steps) << list;
    }
  }
}

TEST_F(GsvdRun, ResumesOverRanksFromCheckpoint) {
  const Spec wanted = spec({{"type", texts({"z"})},
                            {"n", integers({40})},
                            {"generator", texts({"random"})},
                            {"solver", texts({"B"})},
                            {"ranks", integers({2})}});
  const fs::path checkpoints = scratch_.path() / "runs" / "small" / "checkpoints";
  fs::create_directories(checkpoints);
  const AnyPair any = generate_pair({.generator = "random", .type = ScalarType::z, .n = 40, .m_f = 40, .m_g = 40});
  const auto& pair = std::get<Pair<std::complex<double>>>(any);
  DistributedGsvdOptions options{.variant = parse_distributed_variant("B").variant};
  options.checkpoint.path = checkpoints / make_plan(wanted).cases.at(0).key;
  const auto interrupted = [&](Transport& transport) {
    test::FailingTransport failing(transport, 45, [] { throw std::domain_error("interrupted"); });
    const auto mine = stripe_columns(40, options.variant, 2, transport.rank());
    gsvd_distributed<std::complex<double>>(failing, columns_of(pair.F, mine), columns_of(pair.G, mine), 40, options);
  };
  EXPECT_THROW(run_on_threads(2, interrupted), std::domain_error);
  ASSERT_FALSE(fs::is_empty(checkpoints));

  options_.checkpoint_s = 1e-9;
  const json resumed = run_all(wanted).at(0);
  EXPECT_TRUE(fs::is_empty(checkpoints));
  const auto was_resumed = [](const json& record) {  // a busy machine may flag its times as noisy, too
    return std::ranges::count(record["time"]["flags"], json("resumed")) == 1;
  };
  EXPECT_TRUE(was_resumed(resumed));
  options_.fresh = true;
  const json whole = run_all(wanted).at(0);
  EXPECT_FALSE(was_resumed(whole));
  EXPECT_EQ(whole["metrics"], resumed["metrics"]);
  EXPECT_EQ(whole["convergence"]["transformations"], resumed["convergence"]["transformations"]);
  EXPECT_EQ(whole["status"], "passed");
}

TEST_F(GsvdRun, TakesTheMemoryThatItIsTold) {
  const Spec wanted = spec({{"n", integers({16})}});
  options_.memory_bytes = 100;
  EXPECT_EQ(run_all(wanted).at(0)["status"], "out_of_memory");
  options_.memory_bytes = 1e9;
  options_.only = "failed";
  EXPECT_EQ(run_all(wanted).at(0)["status"], "passed");
}

TEST_F(GsvdRun, RecordsThatThereIsNoGpuAndGoesOn) {
  const auto records = run_all(spec({{"n", integers({16})},
                                     {"solver", texts({"?HZ0-(ME-FB-ME)", "cusolver:?sygvd", "lapack:?ggsvd3"})},
                                     {"backend", texts({"host", "cuda"})}}));
  ASSERT_EQ(records.size(), 4u);  // the baselines have backends of their own
  for (const json& record : records) {
    const bool on_gpu = record["case"]["backend"] == "cuda" || record["case"]["backend"] == "cusolver";
    EXPECT_EQ(record["status"], on_gpu ? "not_supported" : "passed") << record["case"] << record["message"];
    EXPECT_TRUE(record["environment"]["gpu"].is_null());
    EXPECT_EQ(record["message"].get<std::string>().find(why_no_device()) != std::string::npos, on_gpu);
  }
}

TEST_F(GsvdRun, KnowsTheTruthOfRealPairs) {
  const auto records = run_all(spec({{"n", integers({16})}}));
  EXPECT_TRUE(records.at(0)["problem"]["truth"]);
  EXPECT_LT(records.at(0)["metrics"]["sigma_error"], 1e-11);
}

TEST_F(GsvdRun, SolvesPairsFromFiles) {
  const auto records =
      run_all(spec({{"generator", texts({"cholesky:$PIVOTLAB_TEST_DATA/K.mtx,$PIVOTLAB_TEST_DATA/M.mtx",
                                         "difference:$PIVOTLAB_TEST_DATA/K.mtx"})}}));
  ASSERT_EQ(records.size(), 2u);
  for (const json& record : records) EXPECT_EQ(record["status"], "passed") << record["message"];
}

TEST_F(GsvdRun, KeepsLargePairsAndMistrustsDamagedOnes) {
  EXPECT_EQ(run_all(spec({{"n", integers({256})}, {"generator", texts({"random"})}})).at(0)["status"], "passed");
  EXPECT_FALSE(fs::exists(scratch_.path() / "runs" / "cache")) << "random numbers are made faster than they are read";
  options_.fresh = true;
  const Spec wanted = spec({{"n", integers({256})}});
  EXPECT_EQ(run_all(wanted).at(0)["status"], "passed");
  const fs::path cache = scratch_.path() / "runs" / "cache";
  ASSERT_EQ(std::distance(fs::directory_iterator(cache), fs::directory_iterator()), 1);
  const fs::path kept = *fs::directory_iterator(cache);
  const auto made = fs::last_write_time(kept);
  options_.fresh = true;
  const json again = run_all(wanted).at(0);
  EXPECT_EQ(again["status"], "passed");
  EXPECT_TRUE(again["problem"]["truth"]);
  EXPECT_EQ(fs::last_write_time(kept), made);
  put(kept, "nonsense");
  EXPECT_EQ(run_all(wanted).at(0)["status"], "passed");
  EXPECT_GT(fs::file_size(kept), 1'000'000u);
}

}  // namespace
}  // namespace pivotlab::experiments::gsvd_method_test
