// SPDX-License-Identifier: BSD-3-Clause
// Rows of records for the sweeps of a one-sided hyperbolic Jacobi iteration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <experiments/engine/section.hpp>
#include <pivotlab/jacobi.hpp>
#include <string>

namespace pivotlab::experiments {

/// Returns the rows of the counters of all sweeps. C has a member `sweeps`, a vector of HsvdSweep.
template <class C>
Rows<C> sweep_counter_rows() {
  using enum NumberFormat;
  const auto total = [](std::uint64_t HsvdSweep::*counter, std::string at, std::string heading,
                        std::string definition) {
    return computed<C>(
        [counter](const C& run) {
          std::uint64_t sum = 0;
          for (const HsvdSweep& sweep : run.sweeps) sum += sweep.*counter;
          return sum;
        },
        std::move(at), std::move(heading), plain, std::move(definition));
  };
  return {total(&HsvdSweep::transformations, "transformations", "transformations", "2×2 transformations of all sweeps"),
          total(&HsvdSweep::big, "big", "big", "Transformations of columns with |cos| > 2⁻²⁶·⁵"),
          total(&HsvdSweep::hyperbolic, "hyperbolic", "hyperbolic", "Transformations of columns of different signs"),
          total(&HsvdSweep::clamped, "clamped", "clamped", "Hyperbolic transformations whose |tanh φ| was limited"),
          total(&HsvdSweep::qr_tiles, "qr_tiles", "QR tiles", "Tiles factored by QR, because Cholesky lost a pivot"),
          computed<C>(
              [](const C& run) {
                double largest = 0;
                for (const HsvdSweep& sweep : run.sweeps) largest = std::max(largest, sweep.largest_tanh);
                return largest;
              },
              "largest_tanh", "max tanh", scientific, "Largest |tanh φ| of a hyperbolic transformation")
              .precision("double")};
}

}  // namespace pivotlab::experiments
