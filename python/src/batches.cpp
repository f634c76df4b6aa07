// SPDX-License-Identifier: BSD-3-Clause
// Batches of matrices in the memory of a GPU, which pivotlab/_gpu_stacks.py owns and passes as addresses.
#include <pivotlab/batch.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/ldlt_variant.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "python/src/arrays.hpp"
#include "python/src/calls.hpp"
#include "python/src/symmetry.hpp"

namespace pivotlab::python {
namespace {

using Address = std::uintptr_t;
/// Address, number of matrices, rows, columns; matrices are contiguous, by columns.
using Stack = std::tuple<Address, Index, Index, Index>;
/// Backend, GPU and stream.
using Place = std::tuple<std::string, int, Address>;

template <class T>
T* pointer(Address address) {
  return reinterpret_cast<T*>(address);
}

template <class T>
MatrixBatch<T> batch_of(const Stack& stack) {
  const auto& [address, count, rows, cols] = stack;
  return {pointer<T>(address), rows, cols, rows, rows * cols, count};
}

/// Calls launch(options) on the GPU of the place.
template <class Options, class Launch>
void on(const Place& place, Options options, const Launch& launch) {
  const auto& [backend, device, stream] = place;
  options.backend = parse_backend(backend);
  options.stream = pointer<void>(stream);
  without_lock([&] {
    std::optional<DeviceScope> scope;
    if (options.backend == Backend::cuda) scope.emplace(device);
    launch(options);
  });
}

template <class T>
LdltBatch<T> batch_factors_of(const Stack& M, Address diagonal, Address subdiagonal, Address permutation,
                              Address inertia, Address status, Address doubtful = 0) {
  return {batch_of<T>(M),        pointer<T>(diagonal), pointer<T>(subdiagonal), pointer<int>(permutation),
          pointer<int>(inertia), pointer<int>(status), pointer<int>(doubtful)};
}

template <class T>
void bind_batches_of(nb::module_& module) {
  const auto named = [](std::string name) { return name + (is_complex<T> ? "_z" : "_d"); };
  module.def(named("ldlt_batch").c_str(), [](const Stack& A, const std::string& variant, const std::string& triangle,
                                             const Stack& M, Address diagonal, Address subdiagonal, Address permutation,
                                             Address inertia, Address status, Address doubtful, const Place& place) {
    LdltBatchOptions options;
    options.variant = parse_ldlt_variant(variant), options.triangle = triangle_of(triangle);
    on(place, options, [&](const LdltBatchOptions& chosen) {
      ldlt_batch<T>(batch_of<const T>(A),
                    batch_factors_of<T>(M, diagonal, subdiagonal, permutation, inertia, status, doubtful), chosen);
    });
  });
  module.def(named("solve_batch").c_str(),
             [](const Stack& M, Address diagonal, Address subdiagonal, Address permutation, Address inertia,
                Address status, const Stack& B, const Place& place) {
               on(place, BatchOptions(), [&](const BatchOptions& chosen) {
                 solve_batch<T>(batch_factors_of<T>(M, diagonal, subdiagonal, permutation, inertia, status),
                                batch_of<T>(B), chosen);
               });
             });
  module.def(named("svd_batch").c_str(),
             [](const Stack& G, Address J, Address sigma, Address signs, Address estimate, const Stack& U,
                const Stack& V, Address status, int max_sweeps, const Place& place) {
               JacobiBatchOptions options;
               options.max_sweeps = max_sweeps;
               on(place, options, [&](const JacobiBatchOptions& chosen) {
                 hsvd_batch<T>(batch_of<const T>(G), pointer<int>(J),
                               {pointer<double>(sigma), pointer<int>(signs), pointer<double>(estimate), batch_of<T>(U),
                                batch_of<T>(V), pointer<int>(status)},
                               chosen);
               });
             });
  module.def(named("gsvd_batch").c_str(),
             [](const Stack& F, const Stack& G, Address sigma, Address sigma_f, Address sigma_g, const Stack& U,
                const Stack& V, const Stack& Z, Address status, const Place& place) {
               on(place, GsvdBatchOptions(), [&](const GsvdBatchOptions& chosen) {
                 gsvd_batch<T>(batch_of<const T>(F), batch_of<const T>(G),
                               {pointer<double>(sigma), pointer<double>(sigma_f), pointer<double>(sigma_g),
                                batch_of<T>(U), batch_of<T>(V), batch_of<T>(Z), pointer<int>(status)},
                               chosen);
               });
             });
  module.def(named("eigh_batch_workspace").c_str(), [](Index n, Index count, const std::string& variant) {
    return eigh_batch_workspace<T>(n, count, parse_eigh_variant(variant));
  });
  module.def(named("eigh_batch").c_str(), [](const Stack& A, const std::string& variant, Address eigenvalues,
                                             Address estimate, const Stack& U, Address status, Address workspace,
                                             int max_sweeps, const Place& place) {
    EighBatchOptions options;
    options.max_sweeps = max_sweeps, options.variant = parse_eigh_variant(variant);
    on(place, options, [&](const EighBatchOptions& chosen) {
      eigh_batch<T>(batch_of<const T>(A),
                    {pointer<double>(eigenvalues), pointer<double>(estimate), batch_of<T>(U), pointer<int>(status)},
                    pointer<void>(workspace), chosen);
    });
  });
  module.def(named("eig_batch").c_str(), [](const Stack& A, Address eigenvalues, const Stack& V, Address status,
                                            Address workspace, const Place& place) {
    on(place, BatchOptions(), [&](const BatchOptions& chosen) {
      eig_batch<T>(batch_of<const T>(A), {pointer<Complex>(eigenvalues), batch_of<Complex>(V), pointer<int>(status)},
                   pointer<void>(workspace), chosen);
    });
  });
}

}  // namespace

void bind_batches(nb::module_& module) {
  module.def("eig_batch_workspace", &eig_batch_workspace);
  bind_batches_of<double>(module);
  bind_batches_of<Complex>(module);
}

}  // namespace pivotlab::python
