// The GSVD by tangent reduction as a sequence of operations on a machine (section 2 of the specification, as section 0
// amends it). The host driver decides and sorts; the machine has the matrices. It offers
//
//   for_each(rows, cols, f)             f(i, j) of elements.hpp for all elements
//   reduce_columns(rows, cols, f)       f.store(j, combined f.term(i, j)) for all columns
//   upload(to, from, count), download(to, from, count)   between arrays of the host and its memory
//   mark(step, flops)                   names the step that was enqueued last, for measurements of time
//
// and routines of a library, for T = double and std::complex<double> (products of doubles too), lower triangles:
//
//   work_elements<T>(shape)             elements of work space that the routines want, given by
//                                       set_work<T>(p, count, shape)
//   reflector_elements<T>(n)            elements of tau for n reflectors
//   qr(A, tau), apply_q(A, tau, C)      A = Q·R as reflectors, with scalars or triangles in tau, and R; C := Q·C
//   qr_pivoted(A, tau)                  the same of A·P, returns the original place of each column
//   gram(A, C)                          C := AᴴA
//   eigenvectors(C, lambda)             C := eigenvectors of the Hermitian C
//   cholesky(C)                         C = L·Lᴴ, returns false if a pivot is not positive
//   solve_right_adjoint(L, X)           X := X·L⁻ᴴ
//   solve_left_upper(R, X), solve_right_upper(R, X)      X := R⁻¹·X, X·R⁻¹
//   multiply(A, B, C)                   C := A·B
//   multiply_left(upper, M, X, Y), multiply_right_upper(X, R, Y)   Y := M·X, X·R with a triangular M, R
//
// Plain: a device compiler reads it, too.
#pragma once

#include "kernels/exec/arena.hpp"
#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/gsvd/tangent/shared/orders.hpp"
#include "kernels/gsvd/tangent/shared/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <pivotlab/interrupt.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pivotlab::tangent {

template <class T, class Machine>
class Pipeline {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;

 public:
  Pipeline(Machine& machine, const Shape& shape, const TangentVariant& variant)
      : machine_(machine), shape_(shape), n_(shape.n), variant_(variant) {
    library_elements_ = static_cast<Index>(machine.template work_elements<T>(shape));
    Arena counting(nullptr);
    lay_out(counting);
    bytes_ = counting.used();
  }

  /// Returns the bytes of the workspace that run() takes; its address is aligned to 256.
  std::size_t workspace_bytes() const { return bytes_; }

  /// F, G, the factors and the workspace are in the machine's memory. F and G are not changed, and may not overlap with
  /// the factors.
  Outcome run(ConstView F, ConstView G, const Factors<T>& factors, bool estimate_errors, void* workspace) {
    Arena arena(workspace);
    lay_out(arena);
    machine_.template set_work<T>(library_work_, library_elements_, shape_);
    out_ = {};
    if (!reduce(F, G, factors) || !first_vectors() || !newton_steps()) return std::move(out_);
    Factors<T> all = factors;
    if (estimate_errors && all.X.cols == 0) all.X = E_;
    if (finish(all) && estimate_errors) estimate(F, G, all);
    return std::move(out_);
  }

 private:
  // ---- Memory ----

  void lay_out(Arena& arena) {
    const Index m_f = shape_.m_f, m_g = shape_.m_g, tallest = std::max(m_f, m_g);
    const auto matrix = [&](Index rows) { return View{arena.take<T>(rows * n_), rows, n_, rows}; };
    qr_g_ = matrix(m_g), qr_f_ = matrix(m_f), tall_ = matrix(tallest);
    for (View* square : {&qr_2_, &M_, &A_, &V_, &C_, &E_, &Q_, &T_}) *square = matrix(n_);
    for (T** tau : {&tau_g_, &tau_f_, &tau_2_}) *tau = arena.take<T>(machine_.template reflector_elements<T>(n_));
    for (double** reals : {&scale_, &norms_, &vector_, &divisor_}) *reals = arena.take<double>(n_);
    rows_ = arena.take<double>(tallest);
    partial_ = {arena.take<double>(tallest * row_parts), tallest, row_parts, tallest};
    for (int** integers : {&columns_, &shift_}) *integers = arena.take<int>(n_);
    row_order_ = arena.take<int>(tallest);
    statistics_ = arena.take<PairStatistics>(n_);
    library_work_ = arena.take<T>(library_elements_);
  }

  template <class X>
  void upload(X* to, const std::vector<X>& from) {
    machine_.upload(to, from.data(), from.size());
  }
  template <class X>
  std::vector<X> download(const X* from, Index count) {
    std::vector<X> to(static_cast<std::size_t>(count));
    machine_.download(to.data(), from, to.size());
    return to;
  }

  static View top(View A, Index rows) { return A.block(0, 0, rows, A.cols); }
  static MatrixView<double> reals_in(View A) { return {reinterpret_cast<double*>(A.data), A.rows, A.cols, A.rows}; }
  double cube() const {
    const auto n = static_cast<double>(n_);
    return n * n * n * (is_complex<T> ? 4 : 1);
  }
  double volume(Index rows) const {
    return static_cast<double>(rows) * static_cast<double>(n_) * static_cast<double>(n_) * (is_complex<T> ? 4 : 1);
  }
  /// Counts the flops of the QR factorization of a rows × n matrix.
  double qr_flops(Index rows) const { return 2 * volume(rows) - 2 * cube() / 3; }

  // ---- Norms and orders ----

  /// Computes the norms of the columns of A, which stay on the machine in norms_, too.
  Reals column_norms(ConstView A) {
    machine_.reduce_columns(A.rows, A.cols, ColumnScale<T>{A, scale_});
    machine_.reduce_columns(A.rows, A.cols, ColumnNorm<T>{A, scale_, norms_});
    return download(norms_, A.cols);
  }

  /// Computes the largest part of each row of A, with columns scaled by powers of two (shift_) if `shift`.
  Reals row_magnitudes(ConstView A, bool shift) {
    const MatrixView<double> partial{partial_.data, A.rows, row_parts, A.rows};
    machine_.for_each(A.rows, row_parts, PartialRowLargest<T>{A, shift ? shift_ : nullptr, partial});
    machine_.for_each(A.rows, 1, RowLargest{partial, rows_});
    return download(rows_, A.rows);
  }

  bool fail(Breakdown breakdown, std::string reason) {
    out_.breakdown = breakdown;
    out_.reason = std::move(reason);
    return false;
  }

  // ---- Steps 1 to 5: M ----

  bool reduce(ConstView F, ConstView G, const Factors<T>& factors) {
    const Reals g = column_norms(G), f = column_norms(F);
    for (std::size_t j = 0; j < g.size(); ++j)
      if (!(g[j] > 0) || !std::isfinite(g[j]))
        return fail(Breakdown::no_reduction,
                    "G: column " + std::to_string(j + 1) + " has the norm " + (g[j] == 0 ? "0" : "infinity"));
    if (!all_finite(f)) return fail(Breakdown::no_reduction, "F: a column norm is not finite");
    scale_and_order(f, g);

    // G·D⁻¹·2^−exponent_of_g with sorted rows, D = diag 2^exponents, columns in the order of the ratios.
    upload(shift_, negated(exponents_));
    rows_of_g_ = descending(row_magnitudes(G, true));
    upload(shift_, negated(permuted(exponents_, order_)));
    upload(columns_, order_);
    upload(row_order_, rows_of_g_);
    machine_.for_each(shape_.m_g, n_,
                      Arrange<T>{.from = G,
                                 .to = qr_g_,
                                 .rows = row_order_,
                                 .cols = columns_,
                                 .col_shift = shift_,
                                 .shift = -exponent_of_g_});
    machine_.mark("scale and order", 0);
    factor(qr_g_, tau_g_, order_);
    machine_.mark("QR of G", qr_flops(shape_.m_g));
    const Reals r = diagonal(qr_g_);
    for (std::size_t j = 0; j < r.size(); ++j)
      if (!(r[j] > 0) || !std::isfinite(r[j]))
        return fail(Breakdown::no_reduction, "QR of G: diagonal element " + std::to_string(j + 1) + " of R is " +
                                                 (r[j] == 0 ? "0" : "not finite"));

    const View B = factors.U;  // F·D⁻¹·2^−exponent_of_f·R⁻¹
    upload(shift_, negated(permuted(exponents_, order_)));
    upload(columns_, order_);
    machine_.for_each(shape_.m_f, n_,
                      Arrange<T>{.from = F, .to = B, .cols = columns_, .col_shift = shift_, .shift = -exponent_of_f_});
    machine_.solve_right_upper(ConstView(top(qr_g_, n_)), B);
    machine_.mark("B = F/R", volume(shape_.m_f));
    exponent_ = exponent_of_f_ - exponent_of_g_;

    const Reals b = column_norms(B);
    if (!all_finite(b)) return fail(Breakdown::no_reduction, "B = F/R overflows");
    const double most = *std::max_element(b.begin(), b.end());
    const int b_exponent = most > 0 ? std::ilogb(most) : 0;
    exponent_ += b_exponent;
    order_of_b_ = descending(b);
    rows_of_b_ = descending(row_magnitudes(B, false));
    upload(columns_, order_of_b_);
    upload(row_order_, rows_of_b_);
    machine_.for_each(shape_.m_f, n_,
                      Arrange<T>{.from = B, .to = qr_f_, .rows = row_order_, .cols = columns_, .shift = -b_exponent});
    machine_.mark("order B", 0);
    factor(qr_f_, tau_f_, order_of_b_);
    machine_.mark("QR of B", qr_flops(shape_.m_f));

    const Reals d = diagonal(qr_f_);
    if (!all_finite(d)) return fail(Breakdown::no_reduction, "QR of B: the diagonal of the factor is not finite");
    const auto [smallest_d, largest_d] = std::minmax_element(d.begin(), d.end());
    constexpr double widest = 1e7;
    TangentReport& report = out_.report;
    report.diagonal_span = *smallest_d > 0 ? *largest_d / *smallest_d : std::numeric_limits<double>::infinity();
    report.path = variant_.path != TangentPath::automatic ? variant_.path
                  : report.diagonal_span < widest         ? TangentPath::r1
                                                          : TangentPath::l;
    two_qrs_ = report.path == TangentPath::l;
    if (two_qrs_) {
      machine_.for_each(n_, n_, AdjointOfUpper<T>{top(qr_f_, n_), qr_2_});
      machine_.qr(qr_2_, tau_2_);
      machine_.mark("QR of the adjoint factor", qr_flops(n_));
      machine_.for_each(n_, n_, AdjointOfUpper<T>{qr_2_, M_});
    } else {
      machine_.for_each(n_, n_, UpperTriangle<T>{top(qr_f_, n_), M_});
    }
    return true;
  }

  /// Chooses the powers of two that scale the columns of the pair, and orders the columns by ‖f_j‖/‖g_j‖, ascending.
  /// With pivoting, the columns of F get norms next to 1, so that the norms of G's columns decide as the ratios do.
  void scale_and_order(const Reals& f, const Reals& g) {
    const bool by_f = variant_.qr == TangentQr::pivoted;
    constexpr int none = std::numeric_limits<int>::min();
    Reals ratio(g.size());  // in logarithms, whose range holds all quotients
    int largest = none, least = std::numeric_limits<int>::max();
    for (std::size_t j = 0; j < g.size(); ++j) {
      ratio[j] = std::log2(f[j]) - std::log2(g[j]);
      if (f[j] == 0) continue;
      const int exponent = std::ilogb(f[j]) - std::ilogb(g[j]);
      largest = std::max(largest, exponent), least = std::min(least, exponent);
    }
    order_ = ascending(ratio);
    if (largest == none) largest = least = 0;  // F = 0
    least -= 64;                               // so that pivoting takes zero columns first
    exponents_.clear();
    for (std::size_t j = 0; j < g.size(); ++j)
      exponents_.push_back(!by_f ? std::ilogb(g[j]) : f[j] == 0 ? std::ilogb(g[j]) + least : std::ilogb(f[j]));
    exponent_of_f_ = by_f ? 0 : largest;
    exponent_of_g_ = by_f ? -least : 0;
  }

  /// Computes the QR factorization of A, whose columns are in an order that pivoting changes.
  void factor(View A, T* tau, Order& order) {
    if (variant_.qr == TangentQr::pivoted)
      order = permuted(order, machine_.qr_pivoted(A, tau));
    else
      machine_.qr(A, tau);
  }

  static std::vector<int> negated(std::vector<int> values) {
    for (int& value : values) value = -value;
    return values;
  }

  Reals diagonal(ConstView A) {
    machine_.for_each(n_, 1, DiagonalMagnitude<T>{A, vector_});
    return download(vector_, n_);
  }

  // ---- Step 6: the first vectors ----

  bool first_vectors() {
    const Reals c = column_norms(M_);
    if (!all_finite(c)) return fail(Breakdown::no_reduction, "M: a column norm is not finite");
    const Order order = descending(c);
    upload(columns_, order);
    machine_.for_each(n_, n_, Arrange<T>{.from = M_, .to = A_, .cols = columns_});
    upload(row_order_, inverse(order));
    norm_ = permuted(c, order);
    vectors_are_permutation_ = true;

    TangentReport& report = out_.report;
    report.column_span = norm_.back() > 0 ? norm_.front() / norm_.back() : std::numeric_limits<double>::infinity();
    constexpr double wide = 1e9;
    const bool groups = variant_.groups == TangentGroups::on ||
                        (variant_.groups == TangentGroups::automatic && !(report.column_span < wide));
    report.groups = split(groups ? variant_.ratio : std::numeric_limits<double>::infinity(), false);
    vectors_are_permutation_ = false;
    machine_.mark("eigenvectors of Gram matrices", 0);
    if (!sort_by_norm()) return false;
    if (groups && norm_.front() > variant_.ratio * norm_.back()) {
      split(variant_.ratio, true);
      machine_.mark("eigenvectors of Gram matrices, shifted groups", 0);
      if (!sort_by_norm()) return false;
    }
    const auto tail = static_cast<Index>(variant_.tail * static_cast<double>(n_));
    if (!groups && tail > 1 && tail < n_) {
      diagonalize_range(n_ - tail, n_);
      machine_.mark("eigenvectors of the tail's Gram matrix", 0);
      if (!sort_by_norm()) return false;
    }
    return true;
  }

  /// Diagonalizes the Gram matrices of groups of columns of similar norm, and returns the groups' orders. `shifted`
  /// groups begin with one of a smaller ratio, so that their cuts lie elsewhere.
  std::vector<std::int64_t> split(double ratio, bool shifted) {
    std::vector<std::int64_t> orders;
    constexpr double zero = 1e-290;
    Index first = 0;
    while (first < n_ && norm(first) > zero) {
      const double least = norm(first) / (shifted && first == 0 ? std::sqrt(ratio) : ratio);
      Index end = first;
      while (end < n_ && norm(end) >= least && norm(end) > zero) ++end;
      diagonalize_range(first, end);
      orders.push_back(end - first);
      first = end;
    }
    if (vectors_are_permutation_ && first < n_) place_identity(first, n_);
    return orders;
  }

  double norm(Index j) const { return norm_[static_cast<std::size_t>(j)]; }

  /// V's columns from `first` on are those of the permutation that sorted M's.
  void place_identity(Index first, Index end) {
    const View identity{T_.data, end - first, end - first, end - first};
    machine_.for_each(end - first, end - first, SetIdentity<T>{identity});
    place_vectors(identity, first, end);
  }
  void place_vectors(ConstView W, Index first, Index end) {
    machine_.for_each(n_, end - first,
                      Arrange<T>{.from = W,
                                 .to = V_.cols_range(first, end - first),
                                 .rows = row_order_,
                                 .row_offset = static_cast<int>(first)});
  }

  /// Multiplies columns [first, end) of A and V by the eigenvectors of their Gram matrix, made orthonormal by a
  /// Newton–Schulz step.
  void diagonalize_range(Index first, Index end) {
    const Index k = end - first;
    if (k == 1) {
      if (vectors_are_permutation_) place_identity(first, end);
      return;
    }
    const auto square = [k](View A) { return View{A.data, k, k, k}; };
    const View scaled{T_.data, n_, k, n_}, C = square(C_), S = square(E_), full = square(Q_), W = square(T_);
    const View block = A_.cols_range(first, k), vectors = V_.cols_range(first, k);
    machine_.for_each(n_, k, Arrange<T>{.from = block, .to = scaled, .shift = -std::ilogb(norm(first))});
    machine_.gram(ConstView(scaled), C);
    machine_.eigenvectors(C, vector_);
    machine_.gram(ConstView(C), S);
    machine_.for_each(k, k, NewtonSchulzFactor<T>{S, full});
    machine_.multiply(ConstView(C), ConstView(full), W);
    const View product{Q_.data, n_, k, n_};
    machine_.multiply(ConstView(block), ConstView(W), product);
    replace(A_, product, first);
    if (vectors_are_permutation_) return place_vectors(W, first, end);
    const View rotated{k == n_ ? E_.data : Q_.data, n_, k, n_};
    machine_.multiply(ConstView(vectors), ConstView(W), rotated);
    if (k == n_)
      std::swap(V_, E_);
    else
      machine_.for_each(n_, k, Arrange<T>{.from = rotated, .to = vectors});
  }
  /// `product` lies in Q.
  void replace(View& target, View product, Index first) {
    if (product.cols == n_)
      std::swap(target, Q_);
    else
      machine_.for_each(n_, product.cols, Arrange<T>{.from = product, .to = target.cols_range(first, product.cols)});
  }

  /// Orders the columns of A and V by the norms of A's, which go to norm_ and, on the machine, to norms_.
  bool sort_by_norm() {
    norm_ = column_norms(A_);
    if (!all_finite(norm_)) return fail(Breakdown::no_reduction, "M·V: a column norm is not finite");
    if (std::is_sorted(norm_.rbegin(), norm_.rend())) return true;
    const Order order = descending(norm_);
    upload(columns_, order);
    for (View* matrix : {&A_, &V_}) {
      machine_.for_each(n_, n_, Arrange<T>{.from = *matrix, .to = T_, .cols = columns_});
      std::swap(*matrix, T_);
    }
    norm_ = permuted(norm_, order);
    upload(norms_, norm_);
    return true;
  }

  // ---- Step 7: Newton steps ----

  /// The largest cosine of columns that count as orthogonal.
  double tolerance() const { return 8 * unit_roundoff<double>() * std::sqrt(static_cast<double>(n_)); }

  bool newton_steps() {
    constexpr int most_steps = 12, most_intervals = 2;
    int intervals = 0;
    for (;;) {
      machine_.for_each(n_, n_, Arrange<T>{.from = A_, .to = T_, .col_divisor = norms_});
      machine_.gram(ConstView(T_), C_);
      machine_.mark("AᴴA", cube());
      machine_.for_each(n_, n_, Angles<T>{C_, norms_, tolerance(), E_});
      machine_.reduce_columns(n_, n_, ColumnStatistics<T>{C_, E_, tolerance(), statistics_});
      const std::vector<PairStatistics> columns = download(statistics_, n_);
      machine_.mark("angles", 0);

      throw_if_interrupted();
      TangentStep step;
      for (const PairStatistics& column : columns) {
        step.largest_cosine = larger(step.largest_cosine, column.largest_cosine);
        step.largest_angle = larger(step.largest_angle, column.largest_angle);
        step.norm = larger(step.norm, column.sum);
        step.pairs += static_cast<std::uint64_t>(column.pairs);
        step.strong += static_cast<std::uint64_t>(column.strong);
      }
      if (!std::isfinite(step.largest_cosine))
        return fail(Breakdown::no_reduction, "M·V: a cosine of two columns is not finite");
      const bool converged = step.largest_cosine <= tolerance();
      if (converged || out_.report.newton_steps() == most_steps) {
        out_.report.steps.push_back(step);
        return converged || fail(Breakdown::not_converged, "the columns of M·V are not orthogonal after " +
                                                               std::to_string(most_steps) + " Newton steps");
      }
      const bool by_intervals = step.strong > 0 && intervals < most_intervals;
      step.kind = by_intervals ? TangentStep::Kind::interval : TangentStep::Kind::newton;
      out_.report.steps.push_back(step);
      if (by_intervals) {
        ++intervals;
        diagonalize_intervals(columns);
        machine_.mark("eigenvectors of intervals", 0);
      } else if (!newton_step(step)) {
        return false;
      }
      if (!sort_by_norm()) return false;
    }
  }

  /// Diagonalizes the Gram matrices of unions of intervals; an interval reaches from a column to the last one that is
  /// strongly coupled to it.
  void diagonalize_intervals(const std::vector<PairStatistics>& columns) {
    for (Index first = 0; first < n_; ++first) {
      Index last = first;
      for (Index j = first; j <= last; ++j) last = std::max<Index>(last, columns[static_cast<std::size_t>(j)].last);
      if (last == first) continue;
      diagonalize_range(first, last + 1);
      first = last;
    }
  }

  /// A := A·Q, V := V·Q with an orthogonal Q next to I + E; on path l, A is the product M·V afresh, because M is
  /// row-graded and the roundoff of Q is not relative to its elements. With a tiny E, A·Q has no such errors, whereas
  /// cosines after a product afresh stagnate at the roundoff times the condition of M's scaled rows.
  bool newton_step(const TangentStep& step) {
    if (step.strong > 0) machine_.for_each(n_, n_, KeepMutual<T>{E_, statistics_});
    double size = step.norm, factor = 1;
    constexpr double largest_norm = 2;
    if (size > largest_norm) size = norm_of_e();
    if (size > largest_norm) factor = largest_norm / size;
    const bool afresh = two_qrs_ && size > tiny;
    return 4 * step.pairs < static_cast<std::uint64_t>(n_) ? rotate_coupled(factor, size, afresh)
                                                           : rotate_all(factor, size, afresh);
  }

  bool rotate_all(double factor, double size, bool afresh) {
    if (!make_orthogonal(E_, factor, size, Q_)) return false;
    machine_.multiply(ConstView(V_), ConstView(Q_), T_);
    std::swap(V_, T_);
    machine_.mark("V·Q", 2 * cube());
    if (afresh) {
      machine_.multiply_left(false, ConstView(M_), ConstView(V_), A_);
      machine_.mark("A = M·V", cube());
    } else {
      machine_.multiply(ConstView(A_), ConstView(Q_), T_);
      std::swap(A_, T_);
      machine_.mark("A·Q", 2 * cube());
    }
    return true;
  }

  /// The same for the columns alone that have a cosine above the tolerance with another one, where these are few.
  bool rotate_coupled(double factor, double size, bool afresh) {
    machine_.reduce_columns(n_, n_, CoupledColumns<T>{C_, tolerance(), columns_});
    std::vector<int> coupled;
    const std::vector<int> flags = download(columns_, n_);
    for (std::size_t j = 0; j < flags.size(); ++j)
      if (flags[j]) coupled.push_back(static_cast<int>(j));
    const auto k = static_cast<Index>(coupled.size());
    upload(columns_, coupled);
    const View E{T_.data, k, k, k}, Q{Q_.data, k, k, k};
    machine_.for_each(k, k, Arrange<T>{.from = E_, .to = E, .rows = columns_, .cols = columns_});
    if (!make_orthogonal(E, factor, size, Q)) return false;

    const View before{T_.data, n_, k, n_}, after{E_.data, n_, k, n_};
    const auto rotate = [&](View matrix) {
      machine_.for_each(n_, k, Arrange<T>{.from = matrix, .to = before, .cols = columns_});
      machine_.multiply(ConstView(before), ConstView(Q), after);
      machine_.for_each(n_, k, PlaceColumns<T>{after, matrix, columns_});
    };
    rotate(V_);
    if (afresh) {
      machine_.multiply_left(false, ConstView(M_), ConstView(after), before);
      machine_.for_each(n_, k, PlaceColumns<T>{before, A_, columns_});
    } else {
      rotate(A_);
    }
    machine_.mark("rotation of coupled columns", 0);
    return true;
  }

  /// Q := an orthogonal matrix next to I + factor·E, to the second order. A norm `size` up to `tiny` or `small` leaves
  /// an error of orthogonality below the roundoff to I + E (size²) or I + E + E²/2 (size⁴/4); a larger one has
  /// Q = (I + factor·E)·L⁻ᴴ with L·Lᴴ = (I + factor·E)ᴴ(I + factor·E), which is orthogonal whatever E is. Uses C.
  bool make_orthogonal(View E, double factor, double size, View Q) {
    constexpr double small = 1e-4;
    const Index k = E.rows;
    const View C{C_.data, k, k, k};
    const double cubed = cube() * std::pow(static_cast<double>(k) / static_cast<double>(n_), 3);
    if (size > tiny && size <= small) {
      machine_.gram(ConstView(E), C);
      machine_.for_each(k, k, SecondOrderExponential<T>{E, C, Q});
      machine_.mark("Q of I + E", cubed);
      return true;
    }
    machine_.for_each(k, k, IdentityPlus<T>{E, factor, Q});
    if (size <= tiny) return true;
    machine_.gram(ConstView(Q), C);
    if (!machine_.cholesky(C)) return fail(Breakdown::not_converged, "(I+E)ᴴ(I+E) is not positive definite");
    machine_.solve_right_adjoint(ConstView(C), Q);
    machine_.mark("Q of I + E", 7 * cubed / 3);
    return true;
  }

  /// An estimate of ‖E‖₂ by eight steps of the power method, with a fifth of reserve.
  double norm_of_e() {
    View x{T_.data, n_, 1, n_}, y{C_.data, n_, 1, n_};
    const std::vector<T> start(static_cast<std::size_t>(n_), T(1 / std::sqrt(static_cast<double>(n_))));
    upload(x.data, start);
    double size = 0;
    for (int step = 0; step < 8; ++step) {
      machine_.multiply(ConstView(E_), ConstView(x), y);
      machine_.reduce_columns(n_, 1, ColumnScale<T>{y, scale_});
      machine_.reduce_columns(n_, 1, ColumnNorm<T>{y, scale_, vector_});
      size = download(vector_, 1).front();
      machine_.for_each(n_, 1, Arrange<T>{.from = y, .to = x, .col_divisor = vector_});
    }
    return 1.2 * size;
  }

  // ---- Step 8: the factors ----

  bool finish(const Factors<T>& factors) {
    Reals h;
    for (const double s : norm_) {
      const double sigma = std::ldexp(s, exponent_), hypotenuse = std::hypot(1.0, sigma);
      out_.sigma.push_back(sigma);
      out_.sigma_f.push_back(sigma / hypotenuse);
      out_.sigma_g.push_back(1 / hypotenuse);
      h.push_back(hypotenuse);
    }
    if (!all_finite(out_.sigma)) return fail(Breakdown::no_reduction, "a generalized singular value overflows");

    const View tall_f = top(View{tall_.data, shape_.m_f, n_, shape_.m_f}, shape_.m_f);
    machine_.for_each(shape_.m_f, n_, Arrange<T>{.from = A_, .to = tall_f, .col_divisor = norms_});
    machine_.apply_q(ConstView(qr_f_), tau_f_, tall_f);
    machine_.mark("U = Q₁·(A/s)", 4 * volume(shape_.m_f) - 2 * cube());
    rows_back(tall_f, rows_of_b_, factors.U);
    machine_.mark("rows of U", 0);

    if (two_qrs_) {
      machine_.apply_q(ConstView(qr_2_), tau_2_, V_);
      machine_.mark("W = Q₂·V", 2 * cube());
    }
    const View W = Q_;
    rows_back(V_, order_of_b_, W);
    const View tall_g{tall_.data, shape_.m_g, n_, shape_.m_g};
    machine_.for_each(shape_.m_g, n_, Arrange<T>{.from = W, .to = tall_g});
    machine_.apply_q(ConstView(qr_g_), tau_g_, tall_g);
    machine_.mark("V = Q_G·W", 4 * volume(shape_.m_g) - 2 * cube());
    rows_back(tall_g, rows_of_g_, factors.V);
    machine_.mark("rows of V", 0);

    upload(columns_, inverse(order_));
    upload(norms_, h);
    if (factors.X.cols > 0) {
      machine_.for_each(n_, n_, Adjoint<T>{W, T_});
      machine_.multiply_right_upper(ConstView(T_), ConstView(top(qr_g_, n_)), C_);
      upload(shift_, exponents_);
      machine_.for_each(n_, n_,
                        Arrange<T>{.from = C_,
                                   .to = factors.X,
                                   .cols = columns_,
                                   .col_shift = shift_,
                                   .row_factor = norms_,
                                   .shift = exponent_of_g_});
      machine_.mark("X", cube());
    }
    machine_.solve_left_upper(ConstView(top(qr_g_, n_)), W);
    upload(shift_, negated(exponents_));
    machine_.for_each(n_, n_,
                      Arrange<T>{.from = W,
                                 .to = factors.Z,
                                 .rows = columns_,
                                 .row_shift = shift_,
                                 .col_divisor = norms_,
                                 .shift = -exponent_of_g_});
    machine_.mark("Z", cube());
    return true;
  }

  /// Row order[i] of `to` is row i of `from`.
  void rows_back(ConstView from, const Order& order, View to) {
    upload(row_order_, inverse(order));
    machine_.for_each(to.rows, n_, Arrange<T>{.from = from, .to = to, .rows = row_order_});
  }

  // ---- Step 9: error estimates ----

  void estimate(ConstView F, ConstView G, const Factors<T>& factors) {
    machine_.for_each(n_, n_, Absolute<T>{factors.Z, reals_in(C_)});
    const double own = static_cast<double>(n_) * unit_roundoff<double>();
    upload(vector_, Reals(static_cast<std::size_t>(n_), own));
    add_estimate(F, factors.U, out_.sigma_f, factors.X);
    add_estimate(G, factors.V, out_.sigma_g, factors.X);
    out_.sigma_error = download(vector_, n_);
    machine_.mark("error estimates", 4 * (volume(shape_.m_f) + volume(shape_.m_g)));
  }

  /// vector_ += |u_j|ᵀ·|F − U·diag(sigma)·X|·|z_j|/σ_j, |Z| in C.
  void add_estimate(ConstView F, ConstView U, const Reals& sigma, ConstView X) {
    upload(divisor_, sigma);
    const View scaled{tall_.data, F.rows, n_, F.rows}, product = F.rows == shape_.m_f ? qr_f_ : qr_g_;
    machine_.for_each(F.rows, n_, Arrange<T>{.from = U, .to = scaled, .col_factor = divisor_});
    machine_.multiply(ConstView(scaled), X, product);
    const MatrixView<double> residual = reals_in(scaled), weighted = reals_in(product);
    machine_.for_each(F.rows, n_, AbsoluteDifference<T>{F, product, residual});
    machine_.multiply(MatrixView<const double>(residual), MatrixView<const double>(reals_in(C_)), weighted);
    machine_.reduce_columns(F.rows, n_, WeightedColumnSum<T>{U, weighted, divisor_, vector_});
  }

  static constexpr Index row_parts = 32;
  static constexpr double tiny = 1e-8;  ///< norms of E whose square is below the roundoff

  Machine& machine_;
  Shape shape_;
  Index n_;
  TangentVariant variant_;
  Index library_elements_ = 0;
  std::size_t bytes_ = 0;

  // In the machine's memory.
  View qr_g_, qr_f_, qr_2_;  ///< reflectors of G, B, R₁ᴴ
  View tall_, M_, A_, V_, C_, E_, Q_, T_;
  T *tau_g_ = nullptr, *tau_f_ = nullptr, *tau_2_ = nullptr, *library_work_ = nullptr;
  double *scale_ = nullptr, *norms_ = nullptr, *vector_ = nullptr, *divisor_ = nullptr, *rows_ = nullptr;
  MatrixView<double> partial_;
  int *columns_ = nullptr, *shift_ = nullptr, *row_order_ = nullptr;
  PairStatistics* statistics_ = nullptr;

  // The state of one run.
  Outcome out_;
  std::vector<int> exponents_;                 ///< exponents of the powers of two that scale the columns of the pair
  int exponent_of_f_ = 0, exponent_of_g_ = 0;  ///< of the powers of two that scale F and G
  int exponent_ = 0;                           ///< σ = 2^exponent·‖column of A‖
  Order order_, order_of_b_, rows_of_g_, rows_of_b_;
  Reals norm_;  ///< norms of A's columns
  bool two_qrs_ = false, vectors_are_permutation_ = false;
};

}  // namespace pivotlab::tangent
