// SPDX-License-Identifier: BSD-3-Clause
// Names of the symmetric indefinite factorization.
#include <pivotlab/ldlt_variant.hpp>
#include <variants/names.hpp>

#include <array>

namespace pivotlab {
namespace {

constexpr std::array pivotings{
    Choice{Pivoting::complete, "BP", "complete",
           "Complete (Bunch–Parlett) pivoting: searches the whole reduced matrix; M bounded, D well conditioned."},
    Choice{Pivoting::rook, "RK", "rook",
           "Rook (bounded Bunch–Kaufman) pivoting: searches for a local maximum; M bounded, D well conditioned."},
    Choice{Pivoting::partial, "BK", "partial",
           "Partial (Bunch–Kaufman) pivoting: searches at most two columns; M not bounded."},
    Choice{Pivoting::none, "RBT", "none",
           "No search: a random butterfly mixes rows and columns; rook pivoting where that does not suffice."}};

std::vector<VariantRow<LdltVariant>> ldlt_rows() {
  return {{choice(&LdltVariant::pivoting, pivotings),
           {.name = "pivoting", .option = "--pivot", .help = "Pivoting", .listed = true}},
          {number(&LdltVariant::alpha, open(0, 1)),
           {.name = "alpha",
            .key = "alpha",
            .option = "--alpha",
            .help = "Threshold: how much smaller than other elements a 1x1 pivot may be; a0 = (1+sqrt(17))/8",
            .default_word = "a0"}},
          {on_off(&LdltVariant::equilibrate),
           {.name = "equilibrate",
            .key = "equilibrate",
            .option = "--equilibrate",
            .help = "Factor S A S, with powers of two in S that make its rows similar in size; errors are small "
                    "relative to S A S, not always to A",
            .written = Written::if_not_default,
            .description = "S·A·S was factored; missing where A was"}},
          {integers(&LdltVariant::depth, {0, 1, 2}),
           {.name = "depth",
            .key = "depth",
            .option = "--depth",
            .help = "Levels of the random butterfly, without a search",
            .written = Written::if_not_default,
            .description = "Levels of the random butterfly; missing where there are 2, and of other pivotings",
            .applies = {{"pivoting", "RBT", "only a factorization without a search has a butterfly"}}}}};
}

}  // namespace

const Grammar<LdltVariant>& ldlt_names() {
  static const Grammar<LdltVariant> grammar("LDLT-{pivoting}", ldlt_rows(), [](const LdltVariant& variant) {
    return std::string(describe(variant.pivoting));
  });
  return grammar;
}

std::string_view to_string(Pivoting pivoting) {
  return choice_of(pivotings, pivoting).spelling;
}

std::string_view describe(Pivoting pivoting) {
  return choice_of(pivotings, pivoting).summary;
}

std::string to_string(const LdltVariant& variant) {
  return ldlt_names().print(variant);
}

LdltVariant parse_ldlt_variant(std::string_view name) {
  return ldlt_names().parse(name);
}

void require_valid(const LdltVariant& variant) {
  ldlt_names().require_valid(variant);
}

}  // namespace pivotlab
