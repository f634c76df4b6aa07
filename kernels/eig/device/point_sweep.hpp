// SPDX-License-Identifier: BSD-3-Clause
// A sweep of the point forms: its memory and its launches, two or four per round.
#pragma once

#include "kernels/eig/device/device_solver.hpp"
#include "kernels/eig/device/point.hpp"
#include "kernels/eig/device/uploaded.hpp"

namespace pivotlab::eig_device {

template <class Executor>
class PointSweep {
 public:
  using Real = double;

  PointSweep(Executor& executor, const SolverPlan& plan, const Planes& A, const Planes& E,
             const Planes& inverse_transposed)
      : executor_(executor),
        plan_(plan),
        A_(A),
        E_(E),
        inverse_transposed_(inverse_transposed),
        pairs_(static_cast<int>(std::max<std::int64_t>(2, plan.n + plan.n % 2) / 2)),
        outer_(uploaded(executor, plan.outer)),
        transformations_(executor.template allocate<double>(std::size_t(pairs_) * transformation_numbers)),
        taus_squared_(executor.template allocate<double>(pairs_)) {}

  const Buffer<double>& taus_squared() const { return taus_squared_; }
  int rounds() const { return static_cast<int>(plan_.outer.size()) / pairs_; }

  void run() {
    executor_.fill_zero(taus_squared_.data(), taus_squared_.size());
    for (int r = 0; r < rounds(); ++r) {
      if (plan_.form == Form::fused) {
        find<Part::both>(r);
        apply(r);
      } else {
        find<Part::shear>(r);
        apply(r);
        find<Part::unitary>(r);
        apply(r);
      }
    }
  }

  template <Part part>
  void find(int round) {
    using Body = FindPairs<part>;
    executor_.template launch<Body>(
        pairs_, Body::shared_bytes,
        {A_, pairs(round), pairs_, plan_.rules, transformations_.data(), taus_squared_.data()});
  }
  void apply(int round) {
    const int bases = (E_.re != nullptr) + (inverse_transposed_.re != nullptr);
    const int blocks = ApplyPairs::blocks_of_a(pairs_) + bases * ApplyPairs::blocks_of_base(pairs_, A_.order);
    executor_.template launch<ApplyPairs>(blocks, 0,
                                          {A_, E_, inverse_transposed_, pairs(round), pairs_, transformations_.data()});
  }

 private:
  const Pair* pairs(int round) const { return outer_.data() + std::int64_t(round) * pairs_; }

  Executor& executor_;
  const SolverPlan& plan_;
  Planes A_, E_, inverse_transposed_;
  int pairs_;
  Buffer<Pair> outer_;
  Buffer<double> transformations_, taus_squared_;
};

}  // namespace pivotlab::eig_device
