// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices without rounding errors but those that a bound tells, over an executor: scale, split into
// residues, multiply, rebuild. Its steps and the proof of the bound: docs/notebook/exact-products.md.
#pragma once

#include "kernels/exact/integer_products.hpp"
#include "kernels/exact/rebuild.hpp"
#include "kernels/exec/buffer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace pivotlab::exact {

struct Shape {
  Index m, n, k;
  int parts;          ///< 1 real, 2 complex
  bool gram = false;  ///< both factors have the same vectors, one perhaps conjugated
};

struct Settings {
  int moduli = 20;
  bool balance = false;
  bool unit_left = false;     ///< balances so that columns of A have norms near 1, whatever the rows of B have
  Index panel = 0;            ///< columns that are multiplied at once; 0: chosen
  Index inner_block = 65536;  ///< terms of a sum in 32 bits, a multiple of 128
};

/// Holds the bits that the norms of integer rows of A and columns of B may have.
struct Budgets {
  double a, b;
};

inline Budgets even_budgets(int moduli) {
  return {even_budget(moduli), even_budget(moduli)};
}

/// Returns the fewest moduli with which operands of these needs lose no bits, and what they leave to both; 0 moduli if
/// there are none.
inline std::pair<int, Budgets> exact_budgets(Budgets need) {
  constexpr double most_bits = 126;  // of an integer
  for (int moduli = fewest_moduli; moduli <= most_moduli; ++moduli)
    if (const double spare = even_budget(moduli) - (need.a + need.b) / 2; spare >= 0) {
      const Budgets budgets{need.a + spare, need.b + spare};
      if (std::max(budgets.a, budgets.b) <= most_bits) return {moduli, budgets};
    }
  return {0, {0, 0}};
}

/// Is given the name of a step: scales, residues, products, numbers.
using Observer = std::function<void(std::string_view)>;

inline Index padded(Index n, Index to) {
  return (n + to - 1) / to * to;
}

/// Computes products of one shape, with as many moduli as the settings tell or fewer. All memory is taken from the
/// executor by the constructor, so that it may come from a workspace. Integers has multiply(IntegerProducts), in the
/// order of the executor.
template <class Executor, class Integers>
class Product {
  static constexpr Index vector_unit = 32, inner_unit = 128;

 public:
  Product(Executor& executor, Integers& integers, const Shape& shape, const Settings& settings)
      : executor_(executor), integers_(integers), shape_(shape), settings_(settings) {
    const auto [m, n, k, parts, gram] = shape;
    const auto chunks = ReduceVectors<Squares>::most_chunks;
    partial_ = allocate<Square>(std::max({m * chunks(k), n * chunks(k), k * chunks(std::max(m, n))}));
    if (settings.balance && !gram) of_a_ = allocate<int>(k), scaling_ = allocate<int>(k);
    a_.allocate(*this, m, planes_of_operand());
    b_.allocate(*this, n, gram ? settings.moduli : planes_of_operand());
    report_ = allocate<SideReport>(2);
    panel_cols_ =
        std::min(padded(n, vector_unit), padded(settings.panel > 0 ? settings.panel : best_panel(), vector_unit));
    sums_ = allocate<std::int32_t>(planes_of_operand() * a_.planes.padded_vectors * panel_cols_);
    use_moduli(settings.moduli);
  }

  void use_moduli(int count) {
    settings_.moduli = count;
    system_ = residue_system(count);
  }

  /// Finds the scales of both operands.
  void measure(const Operand& A, const Operand& B) {
    if (A.vectors != shape_.m || B.vectors != shape_.n || A.inner != shape_.k || B.inner != shape_.k ||
        A.parts != shape_.parts || B.parts != shape_.parts)
      throw std::invalid_argument("exact product: operands of another shape");
    A_ = A, B_ = B;
    if (settings_.balance && !shape_.gram) {
      reduce(LargestExponents{A.across(), {}, of_a_.data()}, A.across());
      if (settings_.unit_left) {
        for_each(executor_, shape_.k, 1, ScaleToOne{of_a_.data(), scaling_.data()});
      } else {
        reduce(LargestExponents{B.across(), {}, scaling_.data()}, B.across());
        for_each(executor_, shape_.k, 1, Balance{of_a_.data(), scaling_.data()});
      }
    }
    measure(a_, A, scaling_of_a());
    if (!shape_.gram) measure(b_, B, scaling_of_b());
    tell("scales");
  }

  /// Returns the budgets with which no operand loses bits. Waits for the executor.
  Budgets needs() {
    const double a = need_of(a_, A_, scaling_of_a());
    return {a, shape_.gram ? a : need_of(b_, B_, scaling_of_b())};
  }

  /// Splits the measured operands into residues.
  void split(const Budgets& budgets) {
    split(a_, A_, scaling_of_a(), budgets.a);
    if (shape_.gram)
      add_parts(b_.planes.data, a_, B_);
    else
      split(b_, B_, scaling_of_b(), budgets.b);
    tell("residues");
  }

  /// Computes the product of what was split, by panels of columns.
  void multiply(const Update& update, const Target& C) {
    const Side& b = right();
    const Index all_rows = a_.planes.padded_vectors;
    for (Index col = 0; col < shape_.n; col += panel_cols_) {
      const Index row = update.lower ? col : 0;
      if (row >= shape_.m) break;
      const Index cols = std::min(panel_cols_, padded(shape_.n - col, vector_unit));
      const Panel panel{sums_.data(), all_rows - row, cols, (all_rows - row) * cols};
      const Index inner = a_.planes.padded_inner;
      multiply_panel(panel, row, col, update.right_is_upper ? std::min(inner, padded(col + cols, inner_unit)) : inner);
      tell("products");
      rebuild(panel, std::min(shape_.m - row, panel.rows), std::min(shape_.n - col, cols), row, col, b, update, C);
      tell("numbers");
    }
  }

  /// Bounds the errors of what was split, without the rounding of C.
  void bound_entries(MatrixView<double> result) {
    for_each(executor_, result.rows, result.cols, EntryBounds{entry_bound(), result});
  }
  /// Summarizes both operands. Waits for the executor.
  std::array<SideReport, 2> report() {
    executor_.template launch<Summarize>(1, 0, {{a_.scales()}, shape_.m, report_.data()});
    executor_.template launch<Summarize>(1, 0, {{right().scales()}, shape_.n, report_.data() + 1});
    std::array<SideReport, 2> result{};
    executor_.download(result.data(), report_.data(), 2);
    return result;
  }

  int moduli() const { return settings_.moduli; }
  Scales right_scales() { return right().scales(); }
  /// Returns the bound of what was split, which is valid as long as this object.
  EntryBound entry_bound(double rounding = 0) { return {{a_.scales()}, {right().scales()}, rounding}; }
  void observe(Observer observer) { observer_ = std::move(observer); }

 private:
  /// Holds the memory of one operand.
  struct Side {
    Buffer<int> exponent, shift, lost, lost_in_chunks;
    Buffer<double> square;
    Buffer<std::uint8_t> bytes;
    Planes planes{};

    void allocate(Product& p, Index vectors, Index count) {
      exponent = p.allocate<int>(vectors), shift = p.allocate<int>(vectors);
      square = p.allocate<double>(vectors);
      planes = {nullptr, padded(vectors, vector_unit), padded(p.shape_.k, inner_unit)};
      lost = p.allocate<int>(planes.padded_vectors);
      lost_in_chunks = p.allocate<int>(planes.padded_vectors * (planes.padded_inner / inner_unit));
      bytes = p.allocate<std::uint8_t>(count * planes.size());
      planes.data = bytes.data();
    }
    Scales scales() const { return {exponent.data(), square.data(), shift.data(), lost.data()}; }
  };

  template <class T>
  Buffer<T> allocate(Index count) {
    return executor_.template allocate<T>(static_cast<std::size_t>(count));
  }
  template <class F>
  void reduce(const F& f, const Operand& x) {
    using Body = ReduceVectors<F>;
    auto* partial = reinterpret_cast<typename F::Value*>(partial_.data());
    const Index blocks = Body::blocks(x);
    if (blocks > 0)
      executor_.template launch<Body>(static_cast<int>(blocks), Body::shared_bytes,
                                      {f, x.vectors, x.inner, x.inner_contiguous(), partial});
    for_each(executor_, x.vectors, 1, CombineChunks<F>{f, partial, x.vectors, Body::chunks(x)});
  }

  void tell(std::string_view step) const {
    if (observer_) observer_(step);
  }
  Side& right() { return shape_.gram ? a_ : b_; }
  Index planes_of_operand() const { return (shape_.parts == 1 ? 1 : 3) * settings_.moduli; }
  /// Widths that are fast on an H200; narrow panels compute less of a triangle.
  Index best_panel() const {
    const bool is_large = shape_.n > 4096;
    return shape_.gram ? (is_large ? 1536 : 1024) : is_large ? 2048 : 4096;
  }
  InnerScaling scaling_of_a() const { return {scaling_.data(), 1}; }
  InnerScaling scaling_of_b() const { return {scaling_.data(), -1}; }

  void measure(Side& side, const Operand& x, const InnerScaling& scaling) {
    reduce(Squares{x, scaling, side.exponent.data(), side.square.data()}, x);
  }

  double need_of(Side& side, const Operand& x, const InnerScaling& scaling) {
    reduce(LowestExponents{x, scaling, side.exponent.data(), side.shift.data()}, x);
    auto* needed = reinterpret_cast<double*>(partial_.data());
    for_each(executor_, x.vectors, 1, TakeNeeds{side.scales(), side.shift.data(), needed});
    std::vector<double> needs(x.vectors);
    executor_.download(needs.data(), needed, needs.size());
    return needs.empty() ? 0 : *std::max_element(needs.begin(), needs.end());
  }

  void split(Side& side, const Operand& x, const InnerScaling& scaling, double budget) {
    for_each(executor_, x.vectors, 1, TakeShifts{side.scales(), budget});
    const Planes& planes = side.planes;
    const Index chunks = planes.padded_inner / inner_unit, blocks = planes.padded_vectors / Split::tile * chunks;
    const int words = budget < 94 ? 3 : 4;  // numbers are below 2^budget, and digits have signs
    for (int p = 0; p < x.parts; ++p)
      executor_.template launch<Split>(
          static_cast<int>(blocks), Split::shared_bytes(x.has_low()),
          {system_, x.part[p], x.vectors, x.inner, x.vector_stride, x.inner_stride, x.inner_contiguous(), scaling,
           side.shift.data(), words, part_of(planes, p), side.lost_in_chunks.data(), p > 0});
    for_each(executor_, planes.padded_vectors, 1,
             SumLost{side.lost_in_chunks.data(), planes.padded_vectors, chunks, side.lost.data()});
    if (x.parts == 2) add_parts(part_of(planes, 2).data, side, x);
  }
  Planes part_of(const Planes& planes, int part) const {
    return {planes.data + part * settings_.moduli * planes.size(), planes.padded_vectors, planes.padded_inner};
  }

  void add_parts(std::uint8_t* to, const Side& side, const Operand& x) {
    if (x.parts == 1) return;
    const Index words = side.planes.size() / 4;
    const auto word = [](const Planes& planes) { return planes.word(0, 0, 0); };
    for_each(executor_, words, settings_.moduli,
             SumOfParts{system_, word(part_of(side.planes, 0)), word(part_of(side.planes, 1)), words, x.conjugated,
                        reinterpret_cast<uint32_t*>(to)});
  }

  void multiply_panel(const Panel& panel, Index row, Index col, Index inner) {
    const auto factor = [](const Planes& planes, Index vector, Index k) {
      return IntegerProducts::Factor{
          reinterpret_cast<const std::int8_t*>(planes.data) + vector * planes.padded_inner + k, planes.padded_inner,
          planes.size()};
    };
    // Sums to which others are added are residues themselves.
    const Index block = inner <= settings_.inner_block ? inner : settings_.inner_block - inner_unit;
    const int parts = shape_.parts == 1 ? 1 : 3;
    if (inner == 0) executor_.fill_zero(panel.sums, static_cast<std::size_t>(planes_of_operand() * panel.plane));
    for (Index k = 0; k < inner; k += block) {
      if (k > 0) for_each(executor_, panel.plane, planes_of_operand(), ReduceSums{system_, panel.sums, panel.plane});
      for (int p = 0; p < parts; ++p) {
        const Planes b = !shape_.gram ? part_of(b_.planes, p) : p < 2 ? part_of(a_.planes, p) : b_.planes;
        integers_.multiply({factor(part_of(a_.planes, p), row, k), factor(b, col, k),
                            panel.sums + p * settings_.moduli * panel.plane, panel.rows, panel.plane, panel.rows,
                            panel.cols, std::min(block, inner - k), settings_.moduli, k > 0});
      }
    }
  }

  void rebuild(const Panel& panel, Index rows, Index cols, Index row, Index col, const Side& b, const Update& update,
               const Target& C) {
    const auto with = [&]<int chunks>() {
      const auto launch = [&]<int parts>() {
        using Body = Rebuild<chunks, parts>;
        const Index blocks = (rows + Body::threads - 1) / Body::threads * cols;
        executor_.template launch<Body>(static_cast<int>(blocks), 0,
                                        {system_, panel, rows, cols, row, col, a_.shift.data(), b.shift.data(),
                                         A_.conjugated != B_.conjugated, update, C});
      };
      shape_.parts == 1 ? launch.template operator()<1>() : launch.template operator()<2>();
    };
    switch (system_.chunks) {
      case 2:
        return with.template operator()<2>();
      case 3:
        return with.template operator()<3>();
      case 4:
        return with.template operator()<4>();
      default:
        return with.template operator()<5>();
    }
  }

  Executor& executor_;
  Integers& integers_;
  Shape shape_;
  Settings settings_;
  ResidueSystem system_{};
  Operand A_{}, B_{};
  Side a_, b_;
  Buffer<Square> partial_;  // of reductions
  Buffer<int> of_a_, scaling_;
  Buffer<SideReport> report_;
  Buffer<std::int32_t> sums_;
  Index panel_cols_ = 0;
  Observer observer_;
};

}  // namespace pivotlab::exact
