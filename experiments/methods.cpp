// The built-in methods: the only file that knows the engine and the methods. A new one is added here.
#include <fmt/format.h>
#include <experiments/eig/eig_method.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/gsvd/gsvd_method.hpp>
#include <experiments/ldlt/ldlt_method.hpp>
#include <pivotlab/error.hpp>
#include <support/text/nearest.hpp>

namespace pivotlab::experiments {

const std::vector<const Method*>& all_methods() {
  static const std::vector<const Method*> methods = {&gsvd_method(), &ldlt_method(), &eig_method()};
  return methods;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method* method : all_methods()) names.emplace_back(method->name());
  return names;
}

const Method& find_method(std::string_view name) {
  for (const Method* method : all_methods())
    if (method->name() == name) return *method;
  throw InputError(fmt::format("method: unknown method '{}'; {}", name, nearest_text(name, method_names())));
}

}  // namespace pivotlab::experiments
