// SPDX-License-Identifier: BSD-3-Clause
// Names of the Hari–Zimmermann GSVD.
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <support/text/nearest.hpp>
#include <variants/gsvd_rows.hpp>
#include <variants/names.hpp>

#include <fmt/format.h>

#include <array>

namespace pivotlab {
namespace {

constexpr int ids = 8;
constexpr std::array factors{Choice{TileFactor::cholesky, "cholesky"}, Choice{TileFactor::pivoted, "pivoted"},
                             Choice{TileFactor::qr, "qr"}};
constexpr std::array backends{Choice{Backend::host, "host"}, Choice{Backend::emulation, "emulation"},
                              Choice{Backend::cuda, "cuda"}};

}  // namespace

std::vector<VariantRow<GsvdVariant>> gsvd_rows() {
  const auto set_id = [](GsvdVariant& variant, int id) { variant = variant.with_id(id); };
  return {
      {integer<GsvdVariant>(&GsvdVariant::id, set_id, 0, ids - 1),
       {.name = "id", .option = "--variant", .help = "ID of Table 1", .listed = true}},
      {strategy_choice(&GsvdVariant::outer),
       {.name = "outer", .option = "--outer", .help = "Strategy of the block columns"}},
      {choice(&GsvdVariant::blocking, blockings),
       {.name = "blocking", .option = "--block", .help = "Full block or block-oriented"}},
      {strategy_choice(&GsvdVariant::inner), {.name = "inner", .option = "--inner", .help = "Strategy inside a tile"}},
      {integer(&GsvdVariant::width, 2, 128, 2),
       {.name = "width", .key = "w", .option = "-w,--width", .help = "Block width"}},
      {on_off(&GsvdVariant::sorting),
       {.name = "sorting", .key = "sort", .option = "--sort", .help = "Sorting of the columns"}},
      {choice(&GsvdVariant::factor, factors),
       {.name = "factor",
        .key = "factor",
        .option = "--factor",
        .help = "Factorization that replaces the columns of a tile by a square factor"}}};
}

const Grammar<NamedGsvdVariant>& gsvd_names() {
  static const Grammar<NamedGsvdVariant> grammar(
      "{type}HZ{id}-({outer}-{blocking}-{inner})",
      joined<NamedGsvdVariant>(
          {type_row<NamedGsvdVariant>()},
          within(&NamedGsvdVariant::variant,
                 joined<GsvdVariant>(
                     gsvd_rows(),
                     {{flag(&GsvdVariant::mixed),
                       {.name = "mixed",
                        .key = "mixed",
                        .help = "On a GPU, the first sweeps in single precision, Newton steps for the last",
                        .written = Written::if_not_default,
                        .applies = {{"factor", "cholesky", "sweeps in single precision factor tiles by Cholesky"}}}},
                      refine_row(&GsvdVariant::refine)}))),
      [](const NamedGsvdVariant& named) { return describe(named.variant.id(), named.type); });
  return grammar;
}

int GsvdVariant::id() const {
  return (enhanced_dots ? 1 : 0) + (prescaled ? 0 : 2) + (criterion == Criterion::C2 ? 4 : 0);
}

GsvdVariant GsvdVariant::with_id(int id) const {
  if (id < 0 || id >= ids)
    throw InputError(fmt::format("variant: ID {} does not exist; choose 0 to {} (Table 1)", id, ids - 1));
  GsvdVariant result = *this;
  result.enhanced_dots = (id & 1) != 0;
  result.prescaled = (id & 2) == 0;
  result.criterion = (id & 4) != 0 ? Criterion::C2 : Criterion::C1;
  return result;
}

std::string_view to_string(Strategy strategy) {
  const std::string_view own = spelling_of_own(strategy);
  return own.empty() ? choice_of(strategies, strategy).spelling : own;
}

std::string_view to_string(Blocking blocking) {
  return choice_of(blockings, blocking).spelling;
}

std::string_view to_string(TileFactor factor) {
  return choice_of(factors, factor).spelling;
}

std::string_view to_string(Backend backend) {
  return choice_of(backends, backend).spelling;
}

Backend parse_backend(std::string_view name) {
  for (const auto& backend : backends)
    if (lower_case(backend.spelling) == lower_case(name)) return backend.value;
  throw InputError(fmt::format("unknown backend '{}'; take host, emulation or cuda", name));
}

std::string to_string(const GsvdVariant& variant, ScalarType type) {
  return gsvd_names().print({type, variant});
}

NamedGsvdVariant parse_gsvd_variant(std::string_view name) {
  return gsvd_names().parse(name);
}

void require_valid(const GsvdVariant& variant) {
  gsvd_names().require_valid({ScalarType::d, variant});
}

std::string describe(int id, ScalarType type) {
  const GsvdVariant variant = GsvdVariant{}.with_id(id);
  const std::string_view enhanced =
      type == ScalarType::z ? "enhanced norms and ordinary dot products" : "enhanced dot products";
  return fmt::format("Convergence by {}, columns of G {}, {}.",
                     variant.criterion == Criterion::C1 ? "C1 (cos φ/t = cos ψ/t = 1)" : "C2 (cos φ = cos ψ = 1)",
                     variant.prescaled ? "prescaled to unit norm" : "not scaled",
                     variant.enhanced_dots ? enhanced : "ordinary dot products");
}

}  // namespace pivotlab
