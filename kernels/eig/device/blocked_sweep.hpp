// SPDX-License-Identifier: BSD-3-Clause
// A sweep of the blocked form: its memory and its launches, five per round. R is the type of A and E. SweepTile, bound
// by latency, leaves much of a GPU idle; E is multiplied meanwhile, by the transformations of the round before.
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
        taus_squared_(executor.template allocate<double>(tiles_)),
        inverse_(multiplier()) {
    for (int copy = 0; copy < 2; ++copy) {
      moved_[copy] = executor.template allocate<int>(tiles_);
      multipliers_[copy] = multiplier();
      if (inverse_transposed.re != nullptr) transposed_[copy] = multiplier();
    }
  }

  const Buffer<double>& taus_squared() const { return taus_squared_; }
  int rounds() const { return static_cast<int>(plan_.outer.size()) / tiles_; }

  /// The products with E and E⁻ᵀ in the last round run beside later launches.
  void run() {
    executor_.fill_zero(taus_squared_.data(), taus_squared_.size());
    for (int r = 0; r < rounds(); ++r) {
      form_gram(r);
      if (r > 0) apply_beside(r - 1);
      sweep_tiles(r);
      accumulate(r);
      apply(r, true, 0);
    }
    apply_beside(rounds() - 1);
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
                                                moved_[round % 2].data(),
                                                taus_squared_.data()});
  }
  void accumulate(int round) {
    using Body = AccumulateTile<b, R>;
    executor_.template launch<Body>(2 * Body::slices * tiles_, Body::shared_bytes,
                                    {inner_.data(), steps_, transformations_.data(), multipliers(round)});
  }
  void apply(int round) { apply(round, true, bases()); }

 private:
  void apply_beside(int round) {
    if (bases() > 0) executor_.beside([&] { apply(round, false, bases()); });
  }
  void apply(int round, bool with_a, int bases) {
    using Body = ApplyTransformations<b, R>;
    executor_.template launch<Body>(Body::blocks(tiles_, with_a, bases), Body::shared_bytes,
                                    {A_,
                                     with_a,
                                     {E_.re != nullptr ? E_ : inverse_transposed_, inverse_transposed_},
                                     bases,
                                     E_.re == nullptr,
                                     pairs(round),
                                     tiles_,
                                     moved_[round % 2].data(),
                                     multipliers(round)});
  }

  int bases() const { return (E_.re != nullptr) + (inverse_transposed_.re != nullptr); }
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

  Buffer<double> multiplier() {
    return executor_.template allocate<double>(std::size_t(tiles_) * Multipliers<b>::elements);
  }
  Multipliers<b> multipliers(int round) const {
    return {multipliers_[round % 2].data(), inverse_.data(), transposed_[round % 2].data()};
  }

  Executor& executor_;
  const SolverPlan& plan_;
  PlanesOf<R> A_, E_, inverse_transposed_;
  int tiles_, steps_;
  Buffer<Pair> outer_, inner_;
  Buffer<double> sums_;
  Buffer<R> transformations_;
  Buffer<double> taus_squared_;
  Buffer<double> inverse_;
  Buffer<int> moved_[2];  // of even and of odd rounds
  Buffer<double> multipliers_[2], transposed_[2];
};

}  // namespace pivotlab::eig_device
