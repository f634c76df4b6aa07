// SPDX-License-Identifier: BSD-3-Clause
// The methods of the program. A new method is added here and nowhere else.
#include <experiments/eig/eig.hpp>
#include <experiments/eigh/eigh.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/ghsvd/ghsvd.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/hsvd/hsvd.hpp>
#include <experiments/ldlt/ldlt.hpp>

namespace pivotlab::experiments {

const std::vector<const Method*>& all_methods() {
#if PIVOTLAB_ALL_METHODS
  static const std::vector<const Method*> methods = {&gsvd_method(), &ldlt_method(), &eig_method(),
                                                     &eigh_method(), &hsvd_method(), &ghsvd_method()};
#else
  static const std::vector<const Method*> methods = {&ldlt_method()};
#endif
  return methods;
}

}  // namespace pivotlab::experiments
