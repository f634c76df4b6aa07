// SPDX-License-Identifier: BSD-3-Clause
// Checks of a generalized hyperbolic SVD that all its tests share.
#pragma once

#include "pairs.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace pivotlab::test {

/// Variants by tangent reduction.
inline const char* const ghsvd_forms[] = {"GHSVD-TR-ME-BO;w=8", "GHSVD-TR-ME-PT", "GHSVD-TR-MM-FB;w=8",
                                          "GHSVD-TR-RR-BO;w=4;factor=qr"};

template <class T>
GhsvdResult<T> solve_pair(const SignedPair<T>& pair, const char* name = ghsvd_forms[0], int threads = 1,
                          Backend backend = Backend::host) {
  return ghsvd<T>(pair.F, pair.G, pair.J,
                  {.variant = parse_ghsvd_variant(name), .backend = backend, .threads = threads});
}

/// Errors of eigenvalues.
struct GhsvdErrors {
  double largest = 0;   ///< largest relative error of the eigenvalues that are not noise
  double estimate = 0;  ///< largest error/estimate of these
  int noise = 0;        ///< number of eigenvalues that are noise
};

template <class T>
GhsvdErrors errors_of(const GhsvdResult<T>& r, const std::vector<Quad>& truth) {
  GhsvdErrors result;
  const auto errors = relative_errors(r.eigenvalues, truth);
  for (std::size_t j = 0; j < errors.size(); ++j) {
    if (r.noise[j]) {
      ++result.noise;
      continue;
    }
    EXPECT_EQ(r.eigenvalues[j] > 0, truth[j] > Quad(0)) << "a wrong sign is not noise";
    result.largest = std::max(result.largest, errors[j]);
    result.estimate = std::max(result.estimate, errors[j] / r.estimate[j]);
  }
  return result;
}

/// Checks what every result must have. `u` bounds max|U*JU − J'|/max‖u‖².
template <class T>
void check_pair(const SignedPair<T>& pair, const GhsvdResult<T>& r, double u) {
  const auto n = static_cast<std::size_t>(pair.F.cols());
  ASSERT_EQ(r.status, Status::passed) << r.message;
  EXPECT_TRUE(std::ranges::is_sorted(r.eigenvalues, std::ranges::greater()));
  EXPECT_EQ(r.inertia.positive + r.inertia.negative + r.inertia.zero, pair.F.cols());
  const GhsvdDefects d = defects(pair, r);
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double unit = static_cast<double>(n) * eps;
  EXPECT_LE(d.u, u);
  EXPECT_LE(d.v, 4 * unit);
  EXPECT_LE(d.f, 256 * eps);  // the reduction takes the better of two forms of Z from this ratio of sizes on
  EXPECT_LE(d.g, unit);
  EXPECT_LE(d.residual, unit);
  for (std::size_t j = 0; j < n; ++j) {
    const double ratio = r.sigma_f[j] / r.sigma_g[j];
    EXPECT_NEAR(r.J[j] * ratio * ratio, r.eigenvalues[j], 8 * eps * std::abs(r.eigenvalues[j]));
    EXPECT_NEAR(r.sigma_f[j] * r.sigma_f[j] + r.sigma_g[j] * r.sigma_g[j], 1, 4 * eps);
  }
}

/// Compares the result of a backend with the host's, and checks what every result must have.
template <class T>
void expect_the_hosts(const SignedPair<T>& pair, const char* name, Backend backend) {
  const auto host = solve_pair(pair, name), r = solve_pair(pair, name, 1, backend);
  check_pair(pair, r, 64 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(r.rank, host.rank);
  EXPECT_EQ(r.inertia, host.inertia);
  EXPECT_EQ(r.tangent_bits, host.tangent_bits);
  EXPECT_EQ(r.factored_on, r.tangent_bits == 53 ? backend : Backend::host);
  for (std::size_t j = 0; j < r.eigenvalues.size(); ++j) {
    EXPECT_NEAR(r.eigenvalues[j], host.eigenvalues[j],
                10 * (r.estimate[j] + host.estimate[j]) * std::abs(host.eigenvalues[j]));
    EXPECT_LE(r.estimate[j], 8 * host.estimate[j]);
    EXPECT_LE(host.estimate[j], 8 * r.estimate[j]);
  }
}

}  // namespace pivotlab::test
