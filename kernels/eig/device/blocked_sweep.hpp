// SPDX-License-Identifier: BSD-3-Clause
// A sweep of the blocked form: its memory and its launches, four per round. R is the type of A and E.
#pragma once

#include "kernels/eig/device/apply.hpp"
#include "kernels/eig/device/device_solver.hpp"
#include "kernels/eig/device/gram.hpp"
#include "kernels/eig/device/tile_sweep.hpp"
#include "kernels/eig/device/uploaded.hpp"

#include <algorithm>
#include <type_traits>

namespace pivotlab::eig_device {

template <class Executor, int b, class R = double>
class BlockedSweep {
 public:
  using Real = R;

  BlockedSweep(Executor& executor, const SolverPlan& plan, const PlanesOf<R>& A, const PlanesOf<R>& E,
               const PlanesOf<R>& inverse_transposed)
      : executor_(executor),
        plan_(plan),
        A_(A),
        E_(E),
        inverse_transposed_(inverse_transposed),
        tiles_(static_cast<int>(plan.order / (2 * b))),
        steps_(static_cast<int>(plan.inner.size()) / b),
        outer_(uploaded(executor, plan.outer)),
        inner_(uploaded(executor, std::is_same_v<R, double> ? plan.inner : plan.inner_of_floats)),
        sums_(executor.template allocate<double>(std::size_t(2 * tiles_ * chunks()) * GramLayout<b>::elements)),
        transformations_(
            executor.template allocate<R>(std::size_t(tiles_) * plan.inner.size() * transformation_numbers)),
        moved_(executor.template allocate<int>(tiles_)),
        taus_squared_(executor.template allocate<double>(tiles_)) {
    for (int i = 0; i < (inverse_transposed.re != nullptr ? 3 : 2); ++i)
      multipliers_[i] = executor.template allocate<double>(std::size_t(tiles_) * Multipliers<b>::elements);
  }

  const Buffer<double>& taus_squared() const { return taus_squared_; }
  int rounds() const { return static_cast<int>(plan_.outer.size()) / tiles_; }

  void run() {
    executor_.fill_zero(taus_squared_.data(), taus_squared_.size());
    for (int r = 0; r < rounds(); ++r) {
      form_gram(r);
      sweep_tiles(r);
      accumulate();
      apply(r);
    }
  }

  void form_gram(int round) {
    executor_.template launch<FormGram<b, R>>(2 * tiles_ * chunks(), FormGram<b, R>::shared_bytes,
                                              {A_, pairs(round), chunks(), strips(), sums_.data()});
  }
  void sweep_tiles(int round) {
    executor_.template launch<SweepTile<b, R>>(tiles_, SweepTile<b, R>::shared_bytes,
                                               {A_,
                                                pairs(round),
                                                sums_.data(),
                                                chunks(),
                                                inner_.data(),
                                                steps_,
                                                {plan_.rules.shear, plan_.rules.unitary, R(plan_.rules.damping)},
                                                transformations_.data(),
                                                moved_.data(),
                                                taus_squared_.data()});
  }
  void accumulate() {
    using Body = AccumulateTile<b, R>;
    executor_.template launch<Body>(2 * Body::slices * tiles_, Body::shared_bytes,
                                    {inner_.data(), steps_, transformations_.data(), multipliers()});
  }
  void apply(int round) {
    using Body = ApplyTransformations<b, R>;
    const int bases = (E_.re != nullptr) + (inverse_transposed_.re != nullptr);
    executor_.template launch<Body>(Body::blocks(tiles_, bases), Body::shared_bytes,
                                    {A_,
                                     {E_.re != nullptr ? E_ : inverse_transposed_, inverse_transposed_},
                                     bases,
                                     E_.re == nullptr,
                                     pairs(round),
                                     tiles_,
                                     moved_.data(),
                                     multipliers()});
  }

 private:
  const Pair* pairs(int round) const { return outer_.data() + std::int64_t(round) * tiles_; }

  /// Returns the number of strips of 8 in a chunk: at least two for each warp, so that all chunks run in one wave of
  /// blocks on 132 multiprocessors.
  int strips() const {
    const auto all = static_cast<int>(plan_.order / 8);
    const int at_once = 2 * FormGram<b>::strips_at_once;
    const int wanted = std::clamp(132 / (2 * tiles_), 1, 8);
    const int per_chunk = (all + wanted - 1) / wanted;
    return (per_chunk + at_once - 1) / at_once * at_once;
  }
  int chunks() const { return (static_cast<int>(plan_.order / 8) + strips() - 1) / strips(); }

  Multipliers<b> multipliers() const {
    return {multipliers_[0].data(), multipliers_[1].data(), multipliers_[2].data()};
  }

  Executor& executor_;
  const SolverPlan& plan_;
  PlanesOf<R> A_, E_, inverse_transposed_;
  int tiles_, steps_;
  Buffer<Pair> outer_, inner_;
  Buffer<double> sums_;
  Buffer<R> transformations_;
  Buffer<int> moved_;
  Buffer<double> taus_squared_;
  Buffer<double> multipliers_[3];
};

}  // namespace pivotlab::eig_device
