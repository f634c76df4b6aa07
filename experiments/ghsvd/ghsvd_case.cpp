#include <experiments/common/axis_values.hpp>
#include <experiments/ghsvd/ghsvd_case.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <pivotlab/generate.hpp>

namespace pivotlab::experiments {
namespace {

void read_file(GhsvdCase& result, const Case& axes) {
  read_pair_file(result, axes);
  result.seed = seed_axis(axes);
}

void read_pair_generator(GhsvdCase& result, const Case& axes) {
  read_generated(result, axes, canonical_generator, 1);
  if (result.generator.find("truth=") != std::string::npos)
    throw InputError("generator: option truth: it is about sigma, which this decomposition does not have; omit it");
  read_row_counts(result, axes);
}

}  // namespace

GhsvdCase interpret_ghsvd(const Case& axes) {
  GhsvdCase result;
  const bool is_file = is_file_source(text_axis(axes, "generator"));
  (is_file ? read_file : read_pair_generator)(result, axes);
  if (result.m_g < result.n)
    throw InputError(fmt::format("{}: G is {} x {}, with fewer rows than columns; its columns must be independent",
                                 is_file ? "generator" : "m_g", result.m_g, result.n));
  result.signs = text_axis(axes, "signs");
  read_solver(result, axes, list_ghsvd_baselines(result.type), Symmetry::hermitian,
              [&](const std::string& name) { return to_string(*(result.variant = parse_ghsvd_variant(name))); });
  return result;
}

Case to_case(const GhsvdCase& interpreted) {
  Case axes = to_case("ghsvd", static_cast<const SolverCase&>(interpreted));
  axes["m_f"] = std::int64_t{interpreted.m_f};
  axes["m_g"] = std::int64_t{interpreted.m_g};
  axes["signs"] = interpreted.signs;
  return axes;
}

}  // namespace pivotlab::experiments
