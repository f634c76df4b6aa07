// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition of a matrix in device memory by the emulated kernels: the eigenvalues' bits of the host call.
#include "device.hpp"
#include "tests/guarded_workspace.hpp"

#include "kernels/eig/device/solver_plan.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

namespace pivotlab::eig_given_matrix_test {
namespace {

using namespace test;

eig_device::GivenMatrix given(MatrixView<const Complex> A) {
  return {reinterpret_cast<const double*>(A.data), A.stride, 2};
}
eig_device::GivenMatrix given(MatrixView<const double> A) {
  return {A.data, A.stride, 1};
}

Matrix<Complex> upper_triangle(Matrix<Complex> A) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j + 1; i < A.rows(); ++i) A(i, j) = 0;
  return A;
}

template <class T>
void expect_as_host_call(eig_device::DeviceSolver& solver, const eig_device::SolverPlan& plan, const Matrix<T>& A,
                         const EigOptions& options) {
  const auto expected = eig<T>(A, options);
  Surrounded<T> around(A);
  Surrounded<Complex> V(Matrix<Complex>(A.rows(), A.cols()));
  const auto r = eig_detail::solve_given(solver, plan, given(around.view()), reinterpret_cast<double*>(V.view().data),
                                         V.view().stride);
  EXPECT_EQ(r.status, expected.status);
  EXPECT_EQ(r.message, expected.message);
  EXPECT_EQ(r.eigenvalues, expected.eigenvalues);
  ASSERT_EQ(r.history.size(), expected.history.size());
  EXPECT_EQ(r.history.back().norm, expected.history.back().norm);
  EXPECT_EQ(r.history.front().departure, expected.history.front().departure);
  for (Index j = 0; options.right_vectors && j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) EXPECT_LE(std::abs(V.view()(i, j) - expected.V(i, j)), 1e-14) << i << " " << j;
}

TEST(EigGiven, OneSolverHasTheEigenvaluesOfTheHostCallForEveryMatrix) {
  // Two sweeps execute all code that can differ.
  for (const char* variant : {"ZEIG-(RR);b=16", "ZEIG-(RR);b=8;mixed", "ZEIG-(RR);fused;balance=off"})
    for (const bool vectors : {true, false}) {
      SCOPED_TRACE(variant);
      const EigOptions options{.variant = parse_eig_variant(variant),
                               .backend = Backend::emulation,
                               .right_vectors = vectors,
                               .max_sweeps = 2};
      const auto plan = eig_device::make_plan(20, options);
      GuardedWorkspace workspace(eig_device::workspace_bytes(plan));
      const auto solver = eig_device::make_emulated_solver(plan, LaneOrder::forward, workspace.data());
      Matrix<double> real(20, 20);
      const Matrix<Complex> A = gaussian(20, 3);
      for (Index k = 0; k < real.size(); ++k) real.data()[k] = A.data()[k].real();
      for (const auto& matrix : {A, badly_scaled(20, 10, 3).A, upper_triangle(A), Matrix<Complex>(20, 20), A})
        expect_as_host_call(*solver, plan, matrix, options);
      expect_as_host_call(*solver, plan, real, options);
      EXPECT_TRUE(workspace.intact());
      real(19, 2) = -std::numeric_limits<double>::infinity();
      EXPECT_THROW(eig_detail::solve_given(*solver, plan, given(real.view()), nullptr, 0), InputError);
      real(19, 2) = std::numeric_limits<double>::quiet_NaN();
      EXPECT_THROW(eig_detail::solve_given(*solver, plan, given(real.view()), nullptr, 0), InputError);
    }
}

}  // namespace
}  // namespace pivotlab::eig_given_matrix_test
