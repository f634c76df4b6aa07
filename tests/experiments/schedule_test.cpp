// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/gpu.hpp>
#include <experiments/engine/schedule.hpp>
#include <tests/experiments/scratch.hpp>

#include <fmt/format.h>

#include <numeric>

namespace pivotlab::experiments::schedule_test {
namespace {

WorkerHost host(int cores, int gpus = 0, const std::string& name = "a") {
  WorkerHost result;
  result.name = name;
  result.available_bytes = 1e9;
  result.cores.resize(static_cast<std::size_t>(cores));
  std::iota(result.cores.begin(), result.cores.end(), 0);
  for (int k = 0; k < gpus; ++k) result.gpus.emplace_back().bus_id = std::to_string(k);
  return result;
}

Plan plan_of(std::vector<Axis> axes) {
  return make_plan(fake_spec(std::move(axes)), find_fake);
}

std::vector<const PlannedCase*> all(const Plan& plan) {
  std::vector<const PlannedCase*> cases;
  for (const PlannedCase& planned : plan.cases) cases.push_back(&planned);
  return cases;
}

std::int64_t none(const PlannedCase&) {
  return 0;
}

std::vector<std::size_t> sizes(const std::vector<Job>& jobs) {
  std::vector<std::size_t> result;
  for (const Job& job : jobs) result.push_back(job.cases.size());
  return result;
}

TEST(Jobs, OfOneWorkerAreTheProblemsInTheOrderOfThePlan) {
  Plan plan = plan_of({{"size", integers({1, 2})}, {"solver", texts({"quick", "sleeps", "noisy"})}});
  plan.cases[3].estimate.solve_s = 100;
  const auto jobs = make_jobs(all(plan), plan, 1, none);
  EXPECT_EQ(sizes(jobs), (std::vector<std::size_t>{3, 3}));
  EXPECT_EQ(jobs[0].cases[0], &plan.cases[0]);
}

TEST(Jobs, OfSeveralWorkersBeginWithTheLongest) {
  Plan plan = plan_of({{"size", integers({1, 2, 3})}});
  for (PlannedCase& planned : plan.cases) planned.estimate = {.generate_s = 1, .solve_s = 1};
  plan.cases[1].estimate.solve_s = 5;
  const auto jobs = make_jobs(all(plan), plan, 2, none);
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].cases[0], &plan.cases[1]);
  EXPECT_EQ(jobs[0].seconds, 6);
}

TEST(Jobs, DivideAProblemOnlyIfThatSavesTime) {
  Plan plan = plan_of({{"threads", integers({1, 2, 3, 4, 5, 6, 7, 8})}});
  const auto jobs_with = [&](double generate_s, bool interleave) {
    for (PlannedCase& planned : plan.cases) planned.estimate = {.generate_s = generate_s, .solve_s = 1};
    plan.spec.timing.interleave = interleave;
    return sizes(make_jobs(all(plan), plan, 2, none));
  };
  EXPECT_EQ(jobs_with(0, false), (std::vector<std::size_t>(8, 1)));
  EXPECT_EQ(jobs_with(4, false), (std::vector<std::size_t>{4, 4}));
  EXPECT_EQ(jobs_with(20, false), (std::vector<std::size_t>{8}));
  EXPECT_EQ(jobs_with(0, true), (std::vector<std::size_t>{8}));
}

TEST(Jobs, AreWholeProblemsIfTheseOccupyAllWorkers) {
  const auto jobs_of = [](int problems, int workers) {
    const Plan plan =
        plan_of({{"size", expand_values(fmt::format("1:{}", problems))}, {"threads", integers({1, 2, 3, 4})}});
    return sizes(make_jobs(all(plan), plan, workers, none));
  };
  EXPECT_EQ(jobs_of(4, 2), (std::vector<std::size_t>(4, 4)));
  EXPECT_EQ(jobs_of(3, 2), (std::vector<std::size_t>{2, 2, 2, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(jobs_of(41, 2), (std::vector<std::size_t>(41, 4)));
}

TEST(Jobs, NeedWhatTheirMostDemandingCaseNeeds) {
  Plan plan = plan_of({{"threads", integers({2, 3})}});
  plan.cases[0].estimate.bytes = 7;
  plan.cases[1].estimate = {.bytes = 5, .gpu_bytes = 1};
  const Need need = make_jobs(all(plan), plan, 1, none)[0].need;
  EXPECT_EQ(need.cores, 3);
  EXPECT_EQ(need.gpus, 1);
  EXPECT_EQ(need.bytes, 7);
}

TEST(Occupancy, GivesACoreToOneJobAtATime) {
  Occupancy occupancy;
  const WorkerHost machine = host(4);
  const auto first = occupancy.occupy(machine, {.cores = 3}, 4, 1e9);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->cores, (std::vector<int>{0, 1, 2}));
  EXPECT_FALSE(occupancy.occupy(machine, {.cores = 2}, 4, 1e9));
  const auto second = occupancy.occupy(machine, {.cores = 1}, 4, 1e9);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->cores, (std::vector<int>{3}));
  occupancy.release(machine, *first);
  EXPECT_TRUE(occupancy.occupy(machine, {.cores = 2}, 4, 1e9));
}

TEST(Occupancy, LetsACaseOnAllCoresRunAlone) {
  Occupancy occupancy;
  const WorkerHost machine = host(4);
  const auto small = occupancy.occupy(machine, {.cores = 1}, 4, 1e9);
  EXPECT_FALSE(occupancy.occupy(machine, {.cores = 4}, 4, 1e9));
  occupancy.release(machine, *small);
  const auto large = occupancy.occupy(machine, {.cores = 64}, 4, 1e9);  // more than there are
  ASSERT_TRUE(large);
  EXPECT_EQ(large->cores.size(), 4U);
  EXPECT_FALSE(occupancy.occupy(machine, {.cores = 1}, 4, 1e9));
}

TEST(Occupancy, GivesAJobOnAGpuItsShareOfTheCores) {
  Occupancy occupancy;
  const WorkerHost machine = host(8, 2);
  const auto first = occupancy.occupy(machine, {.cores = 1, .gpus = 1}, 2, 1e9);
  const auto second = occupancy.occupy(machine, {.cores = 1, .gpus = 1}, 2, 1e9);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->gpus, (std::vector<int>{0}));
  EXPECT_EQ(second->gpus, (std::vector<int>{1}));
  EXPECT_EQ(second->cores, (std::vector<int>{4, 5, 6, 7}));
  EXPECT_FALSE(occupancy.occupy(machine, {.cores = 1, .gpus = 1}, 2, 1e9));
  occupancy.release(machine, *first);
  occupancy.release(machine, *second);
  const auto ranks = occupancy.occupy(machine, {.cores = 1, .gpus = 4}, 2, 1e9);
  ASSERT_TRUE(ranks);
  EXPECT_EQ(ranks->gpus, (std::vector<int>{0, 1}));
}

TEST(Occupancy, KeepsTheSumOfTheMemoryBelowItsLimit) {
  Occupancy occupancy;
  const WorkerHost machine = host(4);
  const auto first = occupancy.occupy(machine, {.cores = 1, .bytes = 6}, 4, 10);
  EXPECT_FALSE(occupancy.occupy(machine, {.cores = 1, .bytes = 5}, 4, 10));
  EXPECT_TRUE(occupancy.occupy(machine, {.cores = 1, .bytes = 4}, 4, 10));
  EXPECT_TRUE(occupancy.occupy(host(4, 0, "b"), {.cores = 1, .bytes = 5}, 4, 10)) << "another host";
  EXPECT_TRUE(first);
}

TEST(VisibleDevices, AreThoseThatThisProcessSees) {
  EXPECT_EQ(visible_devices(nullptr, {1, 3}), "1,3");
  EXPECT_EQ(visible_devices("", {0}), "0");
  EXPECT_EQ(visible_devices("4,GPU-5a,6", {1, 2}), "GPU-5a,6");
}

TEST(Ranges, AreWrittenAsTheSystemDoes) {
  EXPECT_EQ(to_ranges({}), "");
  EXPECT_EQ(to_ranges({5}), "5");
  EXPECT_EQ(to_ranges({0, 1, 2, 7, 9, 10}), "0-2,7,9-10");
}

}  // namespace
}  // namespace pivotlab::experiments::schedule_test
