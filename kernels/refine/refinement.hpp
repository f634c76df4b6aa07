// SPDX-License-Identifier: BSD-3-Clause
// Newton steps on approximate vectors X in two limbs, for a pair of forms S = XᴴA₁X and M = XᴴA₂X of which one is
// positive definite, or their sum, and bounds of the values s_i/m_i from what S and M lack to be diagonal.
//
// A step: compute the forms in double-double with bounds of their errors; bound all values; X := X·(I + E)·D with the
// corrections E and the scaling D of K to unit diagonal (elements.hpp); within clusters X := X·W (clusters.hpp).
// Source of the corrections: Ogita & Aishima, Japan J. Indust. Appl. Math. 35 (2018), 36 (2019) for clusters.
//
// Bounds. K = D(I + R)D and S = D(Λ + N)D exactly, D and Λ diagonal, and λ̃ descending eigenvalues of (S, K). For any
// t ≥ 0, T = |Λ| + t·I and η = ‖T^(−1/2)·N·T^(−1/2)‖ give |xᴴNx| ≤ η·xᴴTx, so the eigenvalues of Λ + N, in order,
// are within η(|λ_i| + t) of λ_i; Ostrowski's theorem for ρ = ‖R‖ < 1 changes them by factors between 1/(1 + ρ) and
// 1/(1 − ρ). So, with ρ' = ρ/(1 − ρ),
//
//   |λ̃_i − λ_i| ≤ η(|λ_i| + t)(1 + ρ') + ρ'|λ_i|.
//
// t = 0 is best for graded forms, a large t where a λ is zero; every value has the least bound of several t. No gap of
// values appears, so multiple and clustered ones are bounded, too. Norms are largest sums of columns.
#pragma once

#include "kernels/refine/clusters.hpp"
#include "kernels/refine/forms.hpp"

#include <chrono>
#include <limits>
#include <numeric>
#include <optional>
#include <pivotlab/interrupt.hpp>
#include <utility>

namespace pivotlab::refine {

/// Machine is HostMachine (host_machine.hpp), or one with its interface.
template <class Machine, class T>
class Refinement {
  using E = Extended<T>;
  template <class X>
  using Owned = typename Machine::template Owned<X>;

 public:
  Refinement(Machine& machine, const Problem<T>& problem)
      : machine_(machine),
        problem_(problem),
        numerator_(machine.upload(problem.numerator.A)),
        denominator_(machine.upload(problem.denominator.A)) {}

  /// Refines approximate vectors, n × n, in at most this many steps.
  Outcome<T> run(const Matrix<T>& approximate, int most_steps) {
    const auto start = machine_.upload(approximate);
    Outcome<T> result;
    const auto clock = [] { return std::chrono::steady_clock::now(); };
    const auto begin = clock();
    const State state = refined(start, most_steps, result.steps);
    result.seconds = std::chrono::duration<double>(clock() - begin).count();
    result.value = state.value, result.s = state.s.in_order(state.order), result.m = state.m.in_order(state.order);
    if (problem_.wants_vectors) finish(state, result);
    return result;
  }

 private:
  struct Form {
    Owned<E> S;
    Owned<double> error;  ///< bounds of |errors| of S, entry by entry
    Owned<E> Y;           ///< A·X of a Gram form
  };
  struct State {
    Owned<E> X;
    Form numerator, denominator, sum;  ///< the sum is empty where the denominator is K
    std::vector<DoubleDouble> k;       ///< diagonal of K
    double rho = 0;                    ///< ‖R‖, how far K is from its diagonal
    std::vector<Index> order;          ///< the column of each value
    Values s, m;                       ///< eigenvalues of (S, K) and (M, K); those of M = K are 1
    Values value;                      ///< λ = s/m, or √(s/m), in descending order
  };

  /// Refines X (n × n) by at most this many `steps`, whose number is set. Returns the state with the best vectors; of
  /// every value it has the best approximation of all states.
  State refined(const Owned<T>& start, int most_steps, int& steps) {
    constexpr double converged = 0x1p-70;  // a change of X that shows in small values of graded forms only
    constexpr int patience = 3;            // steps without progress before noise is left alone, and then the end
    Owned<E> X = machine_.template matrix<E>(start.rows(), start.cols());
    machine_.for_each(X.rows(), X.cols(), extended::Extend<T>{start, X});
    State best = evaluate(std::move(X));
    std::optional<State> latest;
    const State* current = &best;
    Values known = best.value;  // of every value what the best state tells
    int idle = 0;
    for (steps = 0; steps < most_steps && idle < 2 * patience; ++steps) {
      auto [next, change] = improved(*current, idle >= patience);
      if (!(change > (known.all_determined() ? converged : 0))) break;
      latest = evaluate(std::move(next));
      current = &*latest;
      const double before = known.unknown_bits(), best_before = best.value.unknown_bits();
      known.improve(latest->value);
      idle = known.unknown_bits() < before - 1 ? 0 : idle + 1;
      const double bits = latest->value.unknown_bits();
      if (bits < best_before || (bits == best_before && latest->rho < best.rho))
        best = std::move(*latest), current = &best;
    }
    best.value = std::move(known);
    return best;
  }

  const Form& k_form(const State& state) const { return problem_.is_pair() ? state.sum : state.denominator; }

  Form form_of(Kind kind, const Owned<T>& A, const Owned<E>& X) {
    throw_if_interrupted();
    Form form;
    Owned<double> delta;
    if (kind != Kind::identity) std::tie(form.Y, delta) = machine_.multiply(A, false, X);
    const Owned<E>& right = kind == Kind::identity ? X : form.Y;
    std::tie(form.S, form.error) = machine_.multiply(kind == Kind::hermitian ? X : right, true, right);
    const Index n = form.S.cols();
    if (kind == Kind::gram) {
      const auto norms = column_norms(form.Y), errors = column_norms(delta);
      machine_.for_each(n, n, AddErrorsOfFactor{norms, errors, form.error});
    } else if (kind == Kind::hermitian) {
      const auto product = machine_.multiply_sizes(X, true, delta);
      machine_.for_each(n, n, Add<double>{product, form.error, form.error});
    }
    machine_.for_each(n, n, Symmetrize<E>{form.S, form.error});
    return form;
  }

  /// Returns values in the order of columns.
  Values values_of(const State& state) const {
    return problem_.has_roots() ? root_of_quotient(state.s, state.m) : state.s;
  }

  template <class X>
  Owned<double> column_norms(const Owned<X>& A) {
    auto result = machine_.template matrix<double>(A.cols(), 1);
    machine_.reduce_columns(A.rows(), A.cols(), ColumnNorms<X>{A, result});
    return result;
  }
  std::vector<DoubleDouble> diagonal(const Owned<E>& S) {
    auto result = machine_.template matrix<DoubleDouble>(S.cols(), 1);
    machine_.for_each(S.cols(), 1, Diagonal<E>{S, result});
    return machine_.vector(result);
  }
  /// Returns max_j Σ_i w_i(|S_ij|, i ≠ j, + error_ij)w_j.
  double weighted_norm(const Form& form, const std::vector<double>& weights) {
    const auto weight = machine_.upload(weights);
    auto sums = machine_.template matrix<double>(form.S.cols(), 1);
    machine_.reduce_columns(form.S.rows(), form.S.cols(), WeightedColumns<E>{form.S, form.error, weight, sums});
    return largest(sums);
  }
  double largest(const Owned<double>& column) {
    double result = 0;
    for (const double x : machine_.vector(column)) result = Largest()(result, x);
    return result;
  }
  template <class X>
  double largest_element(const Owned<X>& A) {
    auto columns = machine_.template matrix<double>(A.cols(), 1);
    machine_.reduce_columns(A.rows(), A.cols(), LargestSizes<X>{A, columns});
    return largest(columns);
  }

  State evaluate(Owned<E> X) {
    State state;
    state.numerator = form_of(problem_.numerator.kind, numerator_, X);
    state.denominator = form_of(problem_.denominator.kind, denominator_, X);
    state.X = std::move(X);
    if (problem_.is_pair()) state.sum = sum_of(state.numerator, state.denominator);
    const Form& K = k_form(state);
    state.k = diagonal(K.S);
    std::vector<double> weights;
    for (const DoubleDouble& k : state.k) weights.push_back(1 / std::sqrt(k.hi()));
    state.rho = weighted_norm(K, weights);
    state.s = bounded(state.numerator, state.k, state.rho);
    state.m = problem_.is_pair()
                  ? bounded(state.denominator, state.k, state.rho)
                  : Values{std::vector<DoubleDouble>(state.k.size(), 1.0), std::vector<double>(state.k.size())};
    if (!state.s.all_numbers() || !state.m.all_numbers())  // then there are no ranks, and the state counts nothing
      for (Values* values : {&state.s, &state.m}) *values = Values::unknown(state.k.size());
    state.order = descending(state.s, state.m);
    state.value = values_of(state).in_order(state.order);
    return state;
  }

  Form sum_of(const Form& A, const Form& B) {
    const Index n = A.S.cols();
    Form sum{machine_.template matrix<E>(n, n), machine_.template matrix<double>(n, n), {}};
    machine_.for_each(n, n, Add<E>{A.S, B.S, sum.S});
    machine_.for_each(n, n, Add<double>{A.error, B.error, sum.error});
    return sum;
  }

  /// Returns the eigenvalues of (S, K), as the comment at the top says.
  Values bounded(const Form& form, const std::vector<DoubleDouble>& k, double rho) {
    constexpr int levels = 12;
    constexpr double step = 0x1p-24, rounding = 0x1p-98;
    Values result;
    const std::vector<DoubleDouble> s = diagonal(form.S);
    double t = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      result.value.push_back(s[i] / k[i]);
      t = std::max(t, std::fabs(result.value[i].hi()));
    }
    result.bound.assign(s.size(), std::numeric_limits<double>::infinity());
    if (!(rho < 0.5)) return result;
    const double relative = rho / (1 - rho) + rounding;
    std::vector<double> weights(s.size());
    for (int level = 1; level <= levels; ++level) {
      if (level == levels) t = 0;
      for (std::size_t i = 0; i < s.size(); ++i)
        weights[i] = 1 / std::sqrt(std::max(std::fabs(s[i].hi()), t * k[i].hi()));
      const double eta = weighted_norm(form, weights) * (1 + relative);
      for (std::size_t i = 0; i < s.size() && eta < 1; ++i) {
        const double size = std::fabs(result.value[i].hi());
        result.bound[i] = std::min(result.bound[i], (eta * (size + t) + relative * size) * (1 + 0x1p-20));
      }
      t *= step;
    }
    return result;
  }

  /// Returns whether the host would have to solve a cluster of many columns, which takes it minutes, for values alone
  /// or for vectors so far from those of the problem that nothing is known.
  bool takes_too_long(const State& state, const std::vector<std::vector<Index>>& clusters) const {
    constexpr std::size_t most_columns = 512;
    return (!problem_.wants_vectors || state.value.unknown_bits() == 0) &&
           std::ranges::any_of(clusters,
                               [](const std::vector<Index>& cluster) { return cluster.size() > most_columns; });
  }

  /// Returns the next X, and how much it changes: not at all where that takes too long. `calm` leaves vectors of
  /// values alone that are nothing but noise, as of zeros, so that their corrections no longer disturb others.
  std::pair<Owned<E>, double> improved(const State& state, bool calm) {
    const Index n = state.X.cols();
    const Owned<E>&S = state.numerator.S, &M = state.denominator.S, &K = k_form(state).S;
    const Values values = values_of(state);
    std::vector<int> component(n);
    std::iota(component.begin(), component.end(), 0);
    const auto join_noise = [&] {  // without a rotation
      for (std::size_t i = 0, first = component.size(); i < component.size() && calm; ++i)
        if (values.relative(i) > 0.5) component[i] = static_cast<int>(first = std::min(first, i));
    };
    join_noise();
    auto corrections = machine_.template matrix<T>(n, n);
    auto linked = machine_.template matrix<unsigned char>(n, n);
    const auto correct = [&] {
      const auto cluster = machine_.upload(component);
      machine_.for_each(
          n, n, Correct<T>{S, M, K, state.numerator.error, state.denominator.error, cluster, corrections, linked});
    };
    correct();
    std::vector<std::vector<Index>> clusters;
    if (largest_element(linked) > 0) {
      component = components(machine_.download(linked).view());
      clusters = clusters_of(component);
      if (takes_too_long(state, clusters)) return {};
      join_noise();
      correct();
    }
    constexpr double negligible = 0x1p-40;  // of lengths, on which no bound depends
    std::vector<double> factors;
    double change = largest_element(corrections);
    for (std::size_t i = 0; i < state.k.size(); ++i) {
      factors.push_back(1 / std::sqrt(state.k[i].hi()));
      if (size_of(state.k[i] + -1.0) > negligible) change = 1;
    }
    auto X = machine_.template matrix<E>(state.X.rows(), n);
    auto rounded = machine_.template matrix<T>(state.X.rows(), n);
    machine_.for_each(X.rows(), n, extended::Round<T>{state.X, rounded});
    const auto XE = machine_.multiply_rounded(rounded, corrections);
    const auto factor = machine_.upload(factors);
    machine_.for_each(X.rows(), n, Move<T>{state.X, XE, factor, X});
    if (clusters.empty()) return {std::move(X), change};
    const auto s = machine_.download(S), m = machine_.download(M), k = machine_.download(K);
    for (const auto& cluster : clusters) {
      const bool all_known = std::ranges::all_of(cluster, [&](Index i) { return values.determined(i); });
      if (!all_known) change = 1;
      rotate(X, cluster, cluster_vectors<T>(cluster, s, m, k));
    }
    return {std::move(X), change};
  }

  /// Multiplies the columns of a cluster by W.
  void rotate(Owned<E>& X, const std::vector<Index>& cluster, const Matrix<E>& W) {
    const auto c = static_cast<Index>(cluster.size());
    const auto list = machine_.upload(cluster);
    auto columns = machine_.template matrix<E>(X.rows(), c);
    machine_.for_each(X.rows(), c, Gather<E>{X, list, columns});
    const auto small = machine_.upload(W);
    const auto turned = machine_.multiply(columns, false, small).first;
    machine_.for_each(X.rows(), c, Scatter<E>{turned, list, X});
  }

  /// Rounds vectors and left vectors, with lengths as Outcome says.
  void finish(const State& state, Outcome<T>& result) {
    const std::size_t n = state.k.size();
    const int a = problem_.numerator.exponent, b = problem_.denominator.exponent;
    const int exponent = problem_.is_pair() ? std::max(a, b) : 0;
    const int below_a = a - exponent, below_b = b - exponent;
    std::vector<DoubleDouble> length(n), left(n), right(n);
    for (std::size_t place = 0; place < n; ++place) {
      const Index i = state.order[place];
      left[i] = inverse_root(state.s.value[i] * state.k[i]), right[i] = inverse_root(state.m.value[i] * state.k[i]);
      length[i] = inverse_root(state.k[i]);
      if (!problem_.is_pair()) continue;
      const auto size = [](const DoubleDouble& square, int below) {
        return square.hi() > 0 ? below + std::ilogb(square.hi()) / 2 : -10000;
      };
      const auto [s, m] = squares_of_value(state, place);
      const int top = std::max(size(s, below_a), size(m, below_b));  // squares relative to it do not all underflow
      length[i] *= ldexp(inverse_root(ldexp(s, 2 * (below_a - top)) + ldexp(m, 2 * (below_b - top))), -top);
    }
    result.vectors = ordered(state.X, state.order, length, -exponent);
    if (problem_.has_roots()) result.left = ordered(state.numerator.Y, state.order, left, 0);
    if (!problem_.is_pair()) return;
    result.right = ordered(state.denominator.Y, state.order, right, 0);
    for (std::size_t place = 0; place < n; ++place) {
      const Index i = state.order[place];
      const DoubleDouble whole = length[i] * sqrt(state.k[i]);
      const auto part = [&](const DoubleDouble& square, int below) {
        return std::ldexp((sqrt(square.hi() > 0 ? square : DoubleDouble(0)) * whole).hi(), below);
      };
      const auto [s, m] = squares_of_value(state, place);
      double f = part(s, below_a), g = part(m, below_b);
      const double value = state.value.value[place].hi();
      if (s.hi() == 0) f = std::ldexp(value * g, a - b);  // where the square underflows
      result.sigma_f.push_back(f), result.sigma_g.push_back(g);
    }
  }
  /// Returns the squares of ‖F·x‖ and ‖G·x‖, whose quotient is that of the value: another state may have told a value
  /// that is not determined, and the square with less digits follows it.
  static std::pair<DoubleDouble, DoubleDouble> squares_of_value(const State& state, std::size_t place) {
    const Index i = state.order[place];
    const DoubleDouble s = state.s.value[i], m = state.m.value[i], value = state.value.value[place];
    if (state.value.determined(place)) return {s, m};
    const DoubleDouble square = value * value;
    if (!(m.hi() > 0 && square.hi() < std::numeric_limits<double>::infinity())) return {s, m};
    if (!(state.s.relative(i) <= state.m.relative(i))) return {square * m, m};
    return {s, square.hi() > 0 ? s / square : m};
  }
  static DoubleDouble inverse_root(const DoubleDouble& x) { return x.hi() > 0 ? 1.0 / sqrt(x) : DoubleDouble(0); }
  Matrix<T> ordered(const Owned<E>& X, const std::vector<Index>& order, const std::vector<DoubleDouble>& factors,
                    int exponent) {
    auto result = machine_.template matrix<T>(X.rows(), X.cols());
    const auto list = machine_.upload(order);
    const auto factor = machine_.upload(factors);
    machine_.for_each(X.rows(), X.cols(), Finish<T>{X, list, factor, exponent, result});
    return machine_.download(result);
  }

  Machine& machine_;
  const Problem<T>& problem_;
  Owned<T> numerator_, denominator_;
};

}  // namespace pivotlab::refine
