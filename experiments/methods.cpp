// The methods of the program. A new method is added here and nowhere else.
#include <experiments/eig/eig_method.hpp>
#include <experiments/eigh/eigh_method.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/ghsvd/ghsvd_method.hpp>
#include <experiments/gsvd/gsvd_method.hpp>
#include <experiments/hsvd/hsvd_method.hpp>
#include <experiments/ldlt/ldlt_method.hpp>

namespace pivotlab::experiments {

const std::vector<const Method*>& all_methods() {
  static const std::vector<const Method*> methods = {&gsvd_method(), &ldlt_method(), &eig_method(),
                                                     &eigh_method(), &hsvd_method(), &ghsvd_method()};
  return methods;
}

}  // namespace pivotlab::experiments
