// SPDX-License-Identifier: BSD-3-Clause
#include <poll.h>
#include <experiments/engine/messages.hpp>
#include <experiments/engine/order.hpp>
#include <experiments/engine/supervisor.hpp>
#include <tests/experiments/scratch.hpp>

#include <chrono>

namespace pivotlab::experiments::messages_test {
namespace {

using nlohmann::json;

class Messages : public testing::Test {
 protected:
  Messages() : report_(make_report(plan_.cases[0].key, Status::passed, "")) {
    for (const PlannedCase& planned : plan_.cases) cases_.push_back(&planned);
  }

  std::optional<Message> read(const json& line) const { return read_message(line.dump(), cases_); }

  const Plan plan_ = make_plan(fake_spec({{"seed", integers({1, 2})}}), find_fake);
  std::vector<const PlannedCase*> cases_;
  json report_;
};

TEST_F(Messages, AreTurnsAndReportsOfTheCasesAtWork) {
  const auto turn = read({{"turn", plan_.cases[1].key}});
  ASSERT_TRUE(turn);
  EXPECT_EQ(turn->key, plan_.cases[1].key);
  EXPECT_FALSE(turn->report);
  const auto done = read({{"done", report_}});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->key, plan_.cases[0].key);
  EXPECT_EQ(done->report->dump(), report_.dump());
  EXPECT_EQ(read({{"ended", "well"}})->ended, "well");
  EXPECT_EQ(read({{"killed", "by others"}})->killed, "by others");
}

TEST_F(Messages, AreNotWhatOthersPrint) {
  for (const std::string& line : {std::string(),
                                  std::string("Rank 0 on host a"),
                                  std::string("5"),
                                  std::string("[1]"),
                                  std::string("{}"),
                                  std::string(R"({"hello":1})"),
                                  std::string(R"({"turn":5})"),
                                  std::string(R"({"turn":null})"),
                                  std::string(R"({"turn":""})"),
                                  std::string(R"({"ended":1})"),
                                  std::string(R"({"turn":"unknown"})"),
                                  std::string(R"({"done":1})"),
                                  std::string(R"({"done":{}})"),
                                  std::string(R"({"done":{"key":"unknown"}})"),
                                  std::string(R"({"turn":1e999})"),
                                  std::string(R"({"turn":)"),
                                  R"({"turn":")" + plan_.cases[0].key + R"(","done":1})",
                                  "{\"done\":" + std::string(100'000, '['),
                                  "{\"done\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
                                  std::string("{\"turn\":\"\xff\"}")})
    EXPECT_FALSE(read_message(line, cases_)) << line.substr(0, 100);
}

TEST_F(Messages, NeedReportsOfWhichARecordCanBeMade) {
  for (const auto& [name, value] : report_.items()) {
    json damaged = report_;
    damaged.erase(name);
    EXPECT_FALSE(read({{"done", damaged}})) << "without " << name;
    damaged[name] = 5;
    EXPECT_FALSE(read({{"done", damaged}})) << name;
  }
  for (const auto& [pointer, value] : {std::pair<const char*, json>{"/time/compute_s/samples", {"x"}},
                                       {"/time/compute_s/median", "x"},
                                       {"/time/flags", 5},
                                       {"/status", "well"},
                                       {"/key", "unknown"},
                                       {"/machine/host", "mine"},
                                       {"/machine/load_before", "high"},
                                       {"/gpu/name", "mine"}}) {
    json damaged = report_;
    damaged[json::json_pointer(pointer)] = value;
    EXPECT_FALSE(read({{"done", damaged}})) << pointer;
  }
}

/// Launches a command that prints `lines` and ends, until no case is left; returns the reports.
std::vector<json> reports_of(const Plan& plan, const std::string& lines) {
  const ScratchFolder scratch;
  put(scratch.path() / "lines", lines);
  WorkOrder order{.method = plan.method,
                  .timing = plan.spec.timing,
                  .cache = scratch.path(),
                  .checkpoints = scratch.path(),
                  .cases = {}};
  for (const PlannedCase& planned : plan.cases) order.cases.push_back(&planned);
  std::vector<json> reports;
  const Watch watch{.timeout_s = 20,
                    .on_case = [](const std::string&) {},
                    .on_report =
                        [&](const json& report) {
                          reports.push_back(report);
                          return true;
                        }};
  while (!order.cases.empty()) {
    auto worker = std::make_unique<WorkerProcess>(WorkerStart{"cat " + (scratch.path() / "lines").string()});
    Supervisor supervisor(order, watch, std::move(worker), true);
    while (!supervisor.finished()) {
      pollfd poll{supervisor.process().socket(), POLLIN, 0};
      if (::poll(&poll, 1, 100) > 0) supervisor.read();
      supervisor.check_time();
    }
    order.cases = supervisor.cases_without_report();
  }
  return reports;
}

TEST_F(Messages, ForeignOutputFailsTheCases) {
  for (const char* line : {"{\"hello\":1}", "{\"turn\":5}", "{\"turn\":\"unknown\"}", "{\"done\":{}}"}) {
    const std::vector<json> reports = reports_of(plan_, line + std::string("\n"));
    ASSERT_EQ(reports.size(), plan_.cases.size()) << line;
    for (const json& report : reports) {
      EXPECT_EQ(report["status"], "failed");
      EXPECT_NE(report["message"].get<std::string>().find("exit status 0"), std::string::npos) << report["message"];
    }
  }
}

TEST_F(Messages, SkipForeignLines) {
  std::string lines = "Welcome\n{\"hello\":1}\n";
  for (const PlannedCase& planned : plan_.cases) {
    lines += json{{"turn", planned.key}}.dump() + "\n{\"turn\":5}\n";
    lines += json{{"done", make_report(planned.key, Status::passed, "")}}.dump() + "\n[[\n";
  }
  const std::vector<json> reports = reports_of(plan_, lines);
  ASSERT_EQ(reports.size(), plan_.cases.size());
  for (const json& report : reports) EXPECT_EQ(report["status"], "passed");
}

TEST(Order, IsRefusedWithItsPlaceWhereItIsNone) {
  const Plan plan = make_plan([] {
    Spec spec = fake_spec({{"n", integers({8})}});
    spec.method = "gsvd";
    return spec;
  }());
  WorkOrder whole{.method = plan.method, .timing = {}, .cache = "c", .checkpoints = "c", .cases = {&plan.cases[0]}};
  const std::string line = to_line(whole);
  const ReadOrder read(line);
  ASSERT_EQ(read.order().cases.size(), 1u);
  EXPECT_EQ(read.order().cases[0]->axes, plan.cases[0].axes);

  const auto damaged = [&](const char* pointer, const json& value) {
    json order = json::parse(line);
    order["order"][json::json_pointer(pointer)] = value;
    return input_error([&] { ReadOrder(order.dump()); });
  };
  const std::string origin = "standard input: the order of pivotlab run: ";
  EXPECT_TRUE(damaged("/hello", 1).starts_with(origin + "order: unknown key 'hello'"));
  EXPECT_TRUE(damaged("/method", 5).starts_with(origin + "order.method: expected a text, found 5"));
  EXPECT_TRUE(damaged("/cases/0/key", "x").starts_with(origin + "order.cases[0].key: is not the hash of its case"));
  EXPECT_TRUE(damaged("/cases", json::array()).starts_with(origin + "order.cases: there is none"));
  EXPECT_TRUE(damaged("/timing/warmup", "x").starts_with(origin + "order.timing.warmup: expected an integer"));
  EXPECT_TRUE(damaged("/timing", nullptr).starts_with(origin + "order.timing: key 'warmup' is missing"));
  for (const std::string& text :
       {std::string(), std::string("{"), std::string(R"({"hello":1})"), std::string(100'000, '[')})
    EXPECT_TRUE(input_error([&] { ReadOrder{text}; }).starts_with("standard input: the order of pivotlab run"));
}

}  // namespace
}  // namespace pivotlab::experiments::messages_test
