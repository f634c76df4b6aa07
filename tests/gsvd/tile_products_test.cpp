// SPDX-License-Identifier: BSD-3-Clause
// Products beside a step: launches after finish_products() read their results.
#include "kernels/gsvd/device/tile_products.hpp"
#include "kernels/exec/host_executor.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pivotlab::tile_products_test {
namespace {

using Shape = device::TileShape<false, 32>;

struct CopyColumn {
  struct Arguments {
    const double* from;
    double* to;
  };
  static constexpr int threads = Shape::order, min_blocks = 1;

  template <class Context>
  static void run(Context& context, const Arguments& a) {
    a.to[context.thread()] = a.from[context.thread()];
  }
};

TEST(TileProducts, AreReadByLaunchesAfterTheirEnd) {
  constexpr int n = Shape::order;
  HostExecutor executor;
  const device::PlaneMatrix<HostExecutor> F(executor, false, n, n), Z(executor, false, n, n);
  std::vector<double> ones(Z.planes().rows * n, 1.0);
  executor.upload(Z.planes().re, ones.data(), ones.size());
  device::TileProducts<HostExecutor, Shape> products(executor, device::FactorKind::cholesky, 1, {F.planes()},
                                                     {F.planes(), Z.planes()});
  using Layout = device::TransformationLayout<Shape>;
  std::vector<double> twice(Layout::elements);
  for (int j = 0; j < n; ++j) twice[Layout::element(j, j)] = 2;
  const device::Transformations by = products.transformations();
  executor.upload(by.elements, twice.data(), twice.size());
  *by.moved = 1;

  const PivotPair pair{0, 1};
  std::vector<double> column(n);
  const auto step = executor.record([&] {
    products.begin_products(&pair);
    products.finish_products();
    executor.launch<CopyColumn>(1, 0, {Z.planes().re, column.data()});
  });
  executor.replay(step);
  EXPECT_EQ(column, std::vector<double>(n, 2.0));
}

}  // namespace
}  // namespace pivotlab::tile_products_test
