// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>
#include <experiments/engine/prepared.hpp>
#include <pivotlab/error.hpp>
#include <tests/experiments/fake_method.hpp>
#include <tests/programs.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <new>
#include <thread>

namespace pivotlab::experiments {
namespace {

constexpr const char* log_variable = "PIVOTLAB_FAKE_LOG";

/// The file's name; null if none is set.
const char* log_file() {
  return std::getenv(log_variable);
}

const std::string& text(const Case& axes, const char* name) {
  return std::get<std::string>(axes.at(name));
}

void behave(const std::string& how) {
  using namespace std::chrono_literals;
  if (how == "throws") throw std::runtime_error("as asked:\ntwo lines");
  if (how == "unsupported") throw NotSupported("no such accelerator");
  if (how == "exhausted") throw std::bad_alloc();
  if (how == "crashes") {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn it into an exit
    std::raise(SIGSEGV);
  }
  static bool spoilt = false;
  if (how == "gpu-works" && spoilt) throw std::runtime_error("CUDA is spoilt in this process");
  if (how == "gpu-fails") {
    spoilt = true;
    throw std::runtime_error("an illegal address");
  }
  if (how == "gpu-exhausted") throw std::bad_alloc();
  if (how == "exits") ::_exit(3);
  if (how == "hangs") std::this_thread::sleep_for(1h);
  if (how == "is-killed") std::raise(SIGKILL);
  if (how == "loses-worker") ::kill(::getppid(), SIGKILL);
  if (how == "loses-worker" || how == "sleeps") std::this_thread::sleep_for(20ms);
}

std::string log_line(const Case& axes) {
  return text(axes, "solver") + ' ' + to_string(axes.at("size")) + ' ' + to_string(axes.at("seed")) + '\n';
}

/// Returns whether solve() has begun this case before.
bool is_logged(const Case& axes) {
  std::ifstream stream(log_file());
  const std::string log(std::istreambuf_iterator<char>(stream), {});
  return log.find(log_line(axes)) != std::string::npos;
}

void log_solve(const Case& axes) {
  if (log_file() == nullptr) return;
  const std::string line = log_line(axes);
  const int fd = ::open(log_file(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (::write(fd, line.data(), line.size()) < 0) std::abort();
  ::close(fd);
}

class FakeProblem final : public Problem {
 public:
  std::unique_ptr<Run> prepare(const Case& axes) const override {
    if (text(axes, "solver") == "unprepared") throw InputError("solver: as asked");
    return prepared(*this, axes);
  }

  std::unique_ptr<Solution> solve(const Case& axes) const {
    const bool kill_it = text(axes, "solver") == "is-killed-once" && !is_logged(axes);
    log_solve(axes);
    behave(kill_it ? "is-killed" : text(axes, "solver"));
    auto solution = std::make_unique<Solution>();
    solution->compute_s = text(axes, "solver") == "noisy" ? ++solved_ : 1e-3;
    const char* slowed = std::getenv("PIVOTLAB_FAKE_SLOWED");
    if (slowed != nullptr && to_string(axes.at("size")) == slowed) solution->compute_s *= 1.05;
    if (text(axes, "solver") == "unconverged") {
      solution->status = Status::not_converged;
      solution->message = "no end in sight";
    }
    return solution;
  }

  Judgement judge(const Case& axes, const Solution&) const {
    Judgement judgement;
    judgement.problem = {{"provenance", "fake"}};
    judgement.metrics = {{"residual", 1e-16}, {"undefined", std::nan("")}};
    if (text(axes, "solver") == "noisy") judgement.flops = 11e9;
    if (text(axes, "solver") == "incorrect") {
      judgement.status = Status::incorrect;
      judgement.message = "residual above its bound";
    }
    return judgement;
  }

 private:
  mutable int solved_ = 0;
};

class FakeMethod final : public Method {
 public:
  std::string_view name() const override { return "fake"; }
  std::string_view title() const override { return "Solvers that do as their names say"; }
  std::string_view summary() const override { return ""; }
  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        {"size", "of the problem", std::int64_t{8}},
        {"seed", "of the problem", std::int64_t{1}},
        {"problem", "how its making ends", std::string("good")},
        {.name = "solver", .summary = "how it ends", .default_value = std::string("quick"), .role = AxisRole::solution},
        {"scale", "a real number", 1.0},
        {.name = "threads", .summary = "as if", .default_value = std::int64_t{1}, .role = AxisRole::solution}};
    return infos;
  }
  Case canonical(const Case& axes) const override {
    if (std::get<std::int64_t>(axes.at("size")) < 1) throw InputError("size: must be positive");
    Case result = axes;
    result["method"] = std::string("fake");
    return result;
  }
  Estimate estimate(const Case& axes) const override {
    return {.generate_s = 1,
            .solve_s = 0.5,
            .judge_s = 0.25,
            .bytes = text(axes, "solver") == "greedy" ? 1e18 : 1e6,
            .gpu_bytes = text(axes, "solver").starts_with("gpu-") ? 2e9 : 0};
  }
  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path&) const override {
    behave(text(axes, "problem"));
    return std::make_unique<FakeProblem>();
  }
};

}  // namespace

const Method& fake_method() {
  static const FakeMethod method;
  return method;
}

const Method& find_fake(std::string_view name) {
  if (name != "fake") throw InputError("method: unknown");
  return fake_method();
}

std::string fake_worker() {
  return test::beside("test_victim") + " work";
}

void log_solves_to(const std::filesystem::path& file) {
  if (file.empty())
    ::unsetenv(log_variable);
  else
    ::setenv(log_variable, file.c_str(), 1);
}

}  // namespace pivotlab::experiments
