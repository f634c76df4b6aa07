// SPDX-License-Identifier: BSD-3-Clause
// Names of the Jacobi-like eigendecomposition.
#include <pivotlab/eig_variant.hpp>
#include <variants/gsvd_rows.hpp>
#include <variants/names.hpp>

#include <array>

namespace pivotlab {
namespace {

/// A form and, for the blocked form, the order of its blocks: one choice in a name, two values in a record.
struct FormAndBlock {
  EigForm form;
  int block = 0;
  friend bool operator==(const FormAndBlock&, const FormAndBlock&) = default;
};

constexpr std::array forms{
    Choice{EigForm::steps, "steps", "", "Pair by pair: all shears of a round, then all its unitary transformations."},
    Choice{EigForm::fused, "fused", "",
           "Pair by pair, shear and unitary transformation as one, applied to each tile of two pairs in place."},
    Choice{EigForm::blocked, "blocked", "",
           "By blocks: an inner sweep on 2b x 2b data, exact parameters, then matrix products."}};

constexpr std::array forms_and_blocks{Choice{FormAndBlock{EigForm::steps}, "", "steps", "", "steps"},
                                      Choice{FormAndBlock{EigForm::fused}, "fused", "fused"},
                                      Choice{FormAndBlock{EigForm::blocked, 8}, "b=8", "blocked", "", "b8"},
                                      Choice{FormAndBlock{EigForm::blocked, 16}, "b=16", "blocked", "", "b16"},
                                      Choice{FormAndBlock{EigForm::blocked, 32}, "b=32", "blocked", "", "b32"}};

FormAndBlock form_of(const EigVariant& variant) {
  return {variant.form, variant.form == EigForm::blocked ? variant.block : 0};
}

void set_form(EigVariant& variant, const FormAndBlock& chosen) {
  variant.form = chosen.form;
  if (chosen.form == EigForm::blocked) variant.block = chosen.block;
}

std::vector<VariantRow<EigVariant>> eig_rows() {
  return {{strategy_choice(&EigVariant::strategy),
           {.name = "strategy", .option = "--strategy", .help = "Order of the pairs"}},
          {choice<EigVariant, FormAndBlock>(form_of, set_form, forms_and_blocks),
           {.name = "form",
            .option = "--form",
            .help = "Pair by pair in steps, pair by pair in one pass, or by blocks of this order",
            .listed = true}},
          {integers(&EigVariant::block, {8, 16, 32}),
           {.name = "block",
            .description = "Rows and columns of a block; null of the other forms",
            .applies = {{"form", "blocked", ""}},
            .in_name = false}},
          {on_off(&EigVariant::balance),
           {.name = "balance", .key = "balance", .help = "Diagonal transformations before the first sweep"}},
          {on_off(&EigVariant::shear), {.name = "shear", .key = "shear", .help = "Shears"}},
          {on_off(&EigVariant::unitary), {.name = "unitary", .key = "unitary", .help = "Unitary transformations"}},
          {on_off(&EigVariant::diagonal),
           {.name = "diagonal", .key = "diagonal", .help = "Diagonal transformations in sweeps"}},
          {number(&EigVariant::damping, left_open(0, 1)),
           {.name = "damping", .key = "damping", .help = "Factor of the shears' parameter"}},
          {number(&EigVariant::exponent, left_open(0, 0.5)),
           {.name = "exponent", .key = "exponent", .help = "Exponent of the diagonal transformations"}},
          {flag(&EigVariant::refine),
           {.name = "refine", .key = "refine", .help = "Newton steps on eigenvalues and vectors at the end"}},
          {flag(&EigVariant::extended),
           {.name = "extended",
            .key = "extended",
            .help = "Residuals of the Newton steps in double-double",
            .written = Written::if_not_default,
            .applies = {{"refine", "on", "only Newton steps have residuals in double-double"}}}},
          {flag(&EigVariant::finish),
           {.name = "finish",
            .key = "finish",
            .help = "Where sweeps stagnate or leave large residuals, a Schur form by the QR algorithm",
            .description = "Absent in records made before there was this option: false",
            .added_later = true}},
          {flag(&EigVariant::mixed),
           {.name = "mixed",
            .key = "mixed",
            .help = "On a GPU, too, the first sweeps in single precision",
            .written = Written::if_not_default,
            .applies = {{"form", "blocked", "only sweeps by blocks (b=8, 16, 32) have a form in single precision"}}}}};
}

std::string describe_usual(const EigVariant& variant) {
  const bool usual = variant.form != EigForm::blocked || variant.block == EigVariant{}.block;
  return usual ? std::string(describe(variant.form)) : "";
}

}  // namespace

const Grammar<EigVariant>& eig_names() {
  static const Grammar<EigVariant> grammar("ZEIG-({strategy})", eig_rows(), describe_usual);
  return grammar;
}

std::string to_string(const EigVariant& variant) {
  return eig_names().print(variant);
}

EigVariant parse_eig_variant(std::string_view name) {
  return eig_names().parse(name);
}

void require_valid(const EigVariant& variant) {
  eig_names().require_valid(variant);
}

std::string_view describe(EigForm form) {
  return choice_of(forms, form).summary;
}

}  // namespace pivotlab
