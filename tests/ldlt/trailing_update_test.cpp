// SPDX-License-Identifier: BSD-3-Clause
// The update of the triangle by a panel, emulated: numbers so small that nothing is rounded, and so few blocks of
// threads that each has several tiles, with and without a change of rows between them.
#include "kernels/ldlt/device/trailing_update.hpp"
#include "kernels/exec/host_executor.hpp"
#include "tests/digests/exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <vector>

namespace pivotlab::trailing_update_test {
namespace {

using namespace ldlt_device;
using test::ExactNumbers;

/// Integers −4 … 4, and their complex numbers.
template <class T>
std::vector<T> small_integers(std::size_t count, ExactNumbers& numbers) {
  const auto integer = [&] { return static_cast<double>(static_cast<int>(4.5 * numbers.next())); };
  std::vector<T> x(count);
  for (T& element : x)
    if constexpr (is_complex<T>) {
      const double re = integer();
      element = T(re, integer());
    } else {
      element = integer();
    }
  return x;
}

/// Panels of one chunk of columns, or of two: those are factored without a search.
template <class Scalar_, int chunks_>
struct PanelOf {
  using Scalar = Scalar_;
  static constexpr int chunks = chunks_, columns = chunks * PanelColumns<Scalar>::count;
};

template <class Case>
class TrailingUpdate : public testing::Test {
 protected:
  using T = typename Case::Scalar;
  using Update = UpdateTrailing<T, true, Case::chunks>;

  TrailingUpdate() : strips_(Strips<T>::count(order)), stride_((strips_ + 1) * strip_rows) {
    ExactNumbers numbers;
    elements_ = small_integers<T>(static_cast<std::size_t>(Strips<T>::offset(strips_)), numbers);
    m_ = small_integers<double>(static_cast<std::size_t>(Case::chunks * PanelColumns<T>::planes * stride_), numbers);
    minus_w_ = small_integers<double>(m_.size(), numbers);
    for (auto* planes : {&m_, &minus_w_})
      for (std::size_t i = 0; i < planes->size(); ++i)
        if (static_cast<std::int64_t>(i) % stride_ >= order) (*planes)[i] = 0;
    for (std::int64_t i = order; i < strips_ * strip_rows; ++i)
      for (std::int64_t j = 0; j <= i; ++j) Strips<T>{elements_.data(), order}.at(i, j) = 0;
  }

  /// Updates the triangle; returns its largest element.
  double update(const Progress& progress, int blocks, LaneOrder lanes, std::vector<T>& elements) {
    HostExecutor executor(lanes);
    const auto on_device = [&]<class X>(const std::vector<X>& x) {
      auto buffer = executor.template allocate<X>(x.size());
      executor.upload(buffer.data(), x.data(), x.size());
      return buffer;
    };
    auto A = on_device(elements_);
    auto m = on_device(m_), minus_w = on_device(minus_w_);
    auto from = on_device(std::vector{progress}), to = on_device(std::vector{progress});
    auto front = on_device(std::vector<std::int32_t>(PanelColumns<T>::most));
    auto next_front = on_device(std::vector<std::int32_t>(PanelColumns<T>::most));
    auto largest = on_device(std::vector<Found>(static_cast<std::size_t>(blocks), Found::none()));
    executor.template launch<Update>(blocks, Update::shared_bytes,
                                     {{A.data(), order},
                                      {{m.data(), stride_}, {minus_w.data(), stride_}},
                                      {from.data(), front.data()},
                                      {to.data(), next_front.data()},
                                      largest.data(),
                                      Case::chunks == 1});
    elements.resize(elements_.size());
    executor.download(elements.data(), A.data(), elements.size());
    std::vector<Found> of_blocks(largest.size());
    executor.download(of_blocks.data(), largest.data(), of_blocks.size());
    return std::ranges::max_element(of_blocks, {}, &Found::size)->size;
  }

  T panel(const std::vector<double>& planes, int column, std::int64_t row) const {
    const double* x = planes.data() + column * PanelColumns<T>::parts * stride_ + row;
    if constexpr (is_complex<T>)
      return T(x[0], x[stride_]);
    else
      return *x;
  }

  /// Element (i, j) by definition.
  T expected(const Progress& progress, std::int64_t i, std::int64_t j) {
    const T old = Strips<T>{elements_.data(), order}.at(i, j);
    if (j < progress.begin) return old;
    // Without a search the rows below the panel have their M already.
    const bool is_m = i > j && (Case::chunks == 1 || i < progress.k);
    if (j < progress.k) return is_m ? panel(m_, static_cast<int>(j - progress.begin), i) : old;
    T x = old;
    for (int t = 0; t < Case::columns; ++t) x += panel(m_, t, i) * panel(minus_w_, t, j);
    return x;
  }

  static constexpr std::int64_t order = 7 * strip_rows - 30;
  std::int64_t strips_, stride_;
  std::vector<T> elements_;
  std::vector<double> m_, minus_w_;
};

using Complex = std::complex<double>;
using Panels = testing::Types<PanelOf<double, 1>, PanelOf<double, 2>, PanelOf<Complex, 1>, PanelOf<Complex, 2>>;
TYPED_TEST_SUITE(TrailingUpdate, Panels);

TYPED_TEST(TrailingUpdate, SubtractsProductsForAnyNumberOfBlocks) {
  using T = typename TypeParam::Scalar;
  for (const std::int64_t begin : {0, 64, 101}) {
    const Progress progress{.begin = begin, .k = begin + TypeParam::columns - 1, .phase = Phase::full};
    for (const int blocks : {1, 2, 3, 11})
      for (const LaneOrder lanes : {LaneOrder::forward, LaneOrder::reverse}) {
        SCOPED_TRACE(testing::Message() << "begin " << begin << ", " << blocks << " blocks");
        std::vector<T> elements;
        const double largest = this->update(progress, blocks, lanes, elements);
        double expected_largest = 0;
        const Strips<T> A{elements.data(), this->order};
        for (std::int64_t j = 0; j < this->order; ++j)
          for (std::int64_t i = j; i < this->order; ++i) {
            const T x = this->expected(progress, i, j);
            ASSERT_EQ(A.at(i, j), x) << i << ", " << j;
            if (j >= progress.k)
              expected_largest = std::max(expected_largest, i == j ? std::abs(std::real(x)) : std::abs(x));
          }
        EXPECT_NEAR(largest, expected_largest, 0x1p-50 * expected_largest);
      }
  }
}

}  // namespace
}  // namespace pivotlab::trailing_update_test
