// SPDX-License-Identifier: BSD-3-Clause
// The usual run of a case: what the case wants, interpreted once, and a problem that computes it.
#pragma once

#include <experiments/engine/judgement.hpp>
#include <experiments/engine/method.hpp>
#include <filesystem>
#include <memory>
#include <utility>

namespace pivotlab::experiments {

/// Returns the run of a problem that has solve(wanted) and judge(wanted, solution). What is wanted may have a member
/// `checkpoint`, of the type CheckpointOptions.
template <class P, class Wanted>
std::unique_ptr<Run> prepared(const P& problem, Wanted wanted) {
  class Prepared final : public Run {
   public:
    Prepared(const P& problem, Wanted wanted) : problem_(problem), wanted_(std::move(wanted)) {}
    std::unique_ptr<Solution> solve() const override { return problem_.solve(wanted_); }
    Judgement judge(const Solution& solution) const override { return problem_.judge(wanted_, solution); }
    void keep_checkpoints(const std::filesystem::path& path, double every_s) override {
      if constexpr (requires { wanted_.checkpoint; })
        wanted_.checkpoint.path = path.string(), wanted_.checkpoint.every_seconds = every_s;
      else
        Run::keep_checkpoints(path, every_s);
    }

   private:
    const P& problem_;
    Wanted wanted_;
  };
  return std::make_unique<Prepared>(problem, std::move(wanted));
}

}  // namespace pivotlab::experiments
