// SPDX-License-Identifier: BSD-3-Clause
// The methods of the program `toy`: those that the project has and the toy.
#include <experiments/eig/eig.hpp>
#include <experiments/engine/method.hpp>
#include <tests/toy/power_method.hpp>

namespace pivotlab::experiments {

const std::vector<const Method*>& all_methods() {
  static const std::vector<const Method*> methods = {&power_method(), &eig_method()};
  return methods;
}

}  // namespace pivotlab::experiments
