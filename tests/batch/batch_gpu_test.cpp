// SPDX-License-Identifier: BSD-3-Clause
// Batches on a GPU: the bits of the emulation for every kernel, in batches of another size and order, too.
#include "batches.hpp"
#include "tests/gpu_test.hpp"
#include "tests/jacobi/matrices.hpp"

#include <memory>

namespace pivotlab::batch_gpu_test {

/// Memory that host and GPU can use.
template <class T>
struct Managed {
  using value_type = T;
  T* allocate(std::size_t count) {
    void* memory = nullptr;
    if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { cudaFree(memory); }
  friend bool operator==(const Managed&, const Managed&) { return true; }
};

namespace {

using namespace test;
using Complex = std::complex<double>;

template <class T>
class BatchGpu : public GpuTest {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(BatchGpu, Scalars);

/// Random, graded, of rank 4 but for rounding, zero, not finite; repeated from the last to the first.
template <class T>
std::vector<Matrix<T>> some_matrices(Index n) {
  std::mt19937_64 generator(static_cast<unsigned>(n));
  std::vector<Matrix<T>> all;
  for (int kind = 0; kind < 5; ++kind) {
    Matrix<T> A = hermitian(random_matrix<T>(n, n, generator));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        if (kind == 1) A(i, j) *= std::pow(10.0, -8.0 * double(i + j) / double(n));
        if (kind == 2) A(i, j) = T((1 + 0.1 * double(i)) * (1 + 0.1 * double(j)) / double(1 + (i % 4) + (j % 4)));
        if (kind == 3) A(i, j) = T(0);
        if (kind == 4 && i + j == 1) A(i, j) = T(std::numeric_limits<double>::quiet_NaN());
      }
    all.push_back(std::move(A));
  }
  for (int k = 4; k >= 0; --k) all.push_back(all[k]);
  return all;
}

TYPED_TEST(BatchGpu, HasTheBitsOfTheEmulation) {
  using T = TypeParam;
  for (const Index n : {1, 7, 16, 32, 33, 64, 100, 128, 140}) {
    SCOPED_TRACE(n);
    auto A = some_matrices<T>(n);
    if (n > 64 && (is_complex<T> || n > 128)) A = {A[1], A[4], A[1]};  // their emulation takes seconds
    for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial}) {
      LdltBatchOptions options;
      options.variant.pivoting = pivoting, options.backend = Backend::cuda;
      FactoredBatch<T, Managed> device(A, options);
      Stored<T, Managed> X(std::vector<Matrix<T>>(A.size(), A[0]));
      solve_batch<T>(device.factors(), X.view, options);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      options.backend = Backend::emulation;
      FactoredBatch<T> emulated(A, options);
      Stored<T> Y(std::vector<Matrix<T>>(A.size(), A[0]));
      solve_batch<T>(emulated.factors(), Y.view, options);
      for (Index k = 0; k < device.count; ++k) {
        EXPECT_EQ(device.status[k], emulated.status[k]) << k;
        if (emulated.status[k] == int(Status::failed)) continue;  // NaN has many bits
        EXPECT_EQ(device.bits(k), emulated.bits(k)) << k;
        EXPECT_EQ(device.bits(k), device.bits(device.count - 1 - k)) << k;
        if (emulated.status[k] != int(Status::passed)) continue;
        EXPECT_EQ(bits_of(X[k].data(), n * n), bits_of(Y[k].data(), n * n)) << k;
      }
    }
    std::vector<int> J(A.size() * n);
    for (std::size_t j = 0; j < J.size(); ++j) J[j] = j % n % 3 == 0 ? -1 : 1;
    EighBatchOptions options;
    options.backend = Backend::cuda;
    const DecomposedBatch<T, Managed> eigen(A, options), singular(A, {}, options), hyperbolic(A, J, options);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    options.backend = Backend::emulation;
    const DecomposedBatch<T> emulated_eigen(A, options), emulated_singular(A, {}, options),
        emulated_hyperbolic(A, J, options);
    const auto compare = [](const auto& device, const auto& emulated) {
      for (Index k = 0; k < device.count; ++k) {
        EXPECT_EQ(device.status[k], emulated.status[k]) << k;
        if (emulated.status[k] == int(Status::failed)) continue;
        EXPECT_EQ(device.bits(k), emulated.bits(k)) << k;
        EXPECT_EQ(device.bits(k), device.bits(device.count - 1 - k)) << k;
      }
    };
    compare(eigen, emulated_eigen), compare(singular, emulated_singular), compare(hyperbolic, emulated_hyperbolic);
    options.variant = {.pivoting = Pivoting::none};
    const DecomposedBatch<T> emulated_stages(A, options);
    options.backend = Backend::cuda;
    const DecomposedBatch<T, Managed> in_stages(A, options);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    compare(in_stages, emulated_stages);
  }
}

TYPED_TEST(BatchGpu, ListsOfOtherShapesHaveTheBitsOfTheirBatches) {
  using T = TypeParam;
  LdltBatchOptions options;
  options.backend = Backend::cuda;
  std::vector<std::unique_ptr<FactoredBatch<T, Managed>>> list, single;
  std::vector<std::unique_ptr<Stored<T, Managed>>> given;
  for (Index n = 1; n <= 60; n += 3) {
    const auto A = some_matrices<T>(n);
    list.push_back(std::make_unique<FactoredBatch<T, Managed>>(std::vector(A.size(), Matrix<T>(n, n)), options));
    single.push_back(std::make_unique<FactoredBatch<T, Managed>>(A, options));
    given.push_back(std::make_unique<Stored<T, Managed>>(A));
  }
  for_batches(std::ssize(list), options, [&](Index k, const LdltBatchOptions& own) {
    EXPECT_NE(own.stream, nullptr);
    ldlt_batch<T>(given[k]->view, list[k]->factors(), own);
  });
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  for (std::size_t k = 0; k < list.size(); ++k)
    for (Index j = 0; j < list[k]->count; ++j) {
      EXPECT_EQ(list[k]->status[j], single[k]->status[j]) << k << " " << j;
      if (single[k]->status[j] != int(Status::passed)) continue;
      EXPECT_EQ(list[k]->bits(j), single[k]->bits(j)) << k << " " << j;
    }
}

TYPED_TEST(BatchGpu, PairsHaveTheBitsOfTheEmulation) {
  using T = TypeParam;
  for (const Index n : {1, 7, 16, 32, 33, 64, 65, 130}) {
    SCOPED_TRACE(n);
    auto F = some_matrices<T>(n);
    std::mt19937_64 generator(static_cast<unsigned>(n));
    std::vector<Matrix<T>> G;
    for (int k = 0; k < 5; ++k) G.push_back(random_matrix<T>(n + 2, n, generator));
    for (int k = 4; k >= 0; --k) G.push_back(G[k]);
    if (n > 65)  // their emulation takes seconds
      for (auto* all : {&F, &G}) all->erase(all->begin() + 1, all->end() - 1);
    GsvdBatchOptions options;
    options.backend = Backend::cuda;
    const DecomposedPairs<T, Managed> device(F, G, options);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    options.backend = Backend::emulation;
    const DecomposedPairs<T> emulated(F, G, options);
    for (Index k = 0; k < device.count; ++k) {
      EXPECT_EQ(device.status[k], emulated.status[k]) << k;
      if (emulated.status[k] == int(Status::failed)) continue;
      EXPECT_EQ(device.bits(k), emulated.bits(k)) << k;
      EXPECT_EQ(device.bits(k), device.bits(device.count - 1 - k)) << k;
    }
  }
}

TYPED_TEST(BatchGpu, EigenpairsHaveTheBitsOfTheEmulation) {
  using T = TypeParam;
  for (const Index n : {1, 7, 16, 32, 33, 64, 65, 100, 130}) {
    SCOPED_TRACE(n);
    auto A = some_matrices<T>(n);
    if (n > 64) A = {A[0], A[4], A[0]};  // their emulation takes seconds
    for (std::size_t k = 0; k < A.size(); ++k)
      for (Index i = 0; i < n; ++i) A[k](i, (i + 1) % n) *= 3;  // not Hermitian
    const EigenpairsOfBatch<T, Managed> device(A, Backend::cuda);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const EigenpairsOfBatch<T> emulated(A, Backend::emulation);
    for (Index k = 0; k < device.count; ++k) {
      EXPECT_EQ(device.status[k], emulated.status[k]) << k;
      if (emulated.status[k] != int(Status::passed)) continue;
      EXPECT_EQ(device.bits(k), emulated.bits(k)) << k;
      EXPECT_EQ(device.bits(k), device.bits(device.count - 1 - k)) << k;
    }
  }
}

}  // namespace
}  // namespace pivotlab::batch_gpu_test
