// SPDX-License-Identifier: BSD-3-Clause
// Names of the one-sided hyperbolic Jacobi methods.
#include <pivotlab/error.hpp>
#include <pivotlab/jacobi_variant.hpp>
#include <variants/gsvd_rows.hpp>
#include <variants/names.hpp>

#include <array>

namespace pivotlab {
namespace {

constexpr std::array jacobi_forms{
    Choice{JacobiForm::PT, "PT", "pointwise", "Pair by pair on whole columns."},
    Choice{JacobiForm::FB, "FB", "full block", "By tiles, each with inner sweeps until none is needed."},
    Choice{JacobiForm::BO, "BO", "block-oriented", "By tiles, each with one inner sweep."}};

constexpr std::array tile_factors{Choice{TileFactor::cholesky, "cholesky"}, Choice{TileFactor::qr, "qr"}};

constexpr std::array eigh_pivotings{
    Choice{Pivoting::complete, "CP", "complete", "Complete (Bunch–Parlett) pivoting: searches the whole matrix."},
    Choice{Pivoting::rook, "RK", "rook", "Rook (bounded Bunch–Kaufman) pivoting: searches for a local maximum."},
    Choice{Pivoting::none, "2STAGE", "none",
           "On a GPU in two stages, by a band and a tridiagonal matrix: fast, normwise accurate."}};

constexpr std::array ghsvd_methods{
    Choice{GhsvdMethod::tangent, "TR", "tangent", "Tangent reduction to one matrix, and the hyperbolic SVD of it."},
    Choice{GhsvdMethod::hari_zimmermann, "HZ", "hari-zimmermann", "Implicit Hari–Zimmermann on both matrices."}};

constexpr std::array tangent_precisions{Choice{TangentPrecision::extended, "extended"},
                                        Choice{TangentPrecision::working, "working"}};

std::vector<VariantRow<HsvdVariant>> hsvd_rows() {
  return {
      {strategy_choice(&HsvdVariant::strategy),
       {.name = "strategy", .option = "--strategy", .help = "Order of the pairs"}},
      {choice(&HsvdVariant::form, jacobi_forms),
       {.name = "form", .option = "--form", .help = "Pair by pair, full block or block-oriented", .listed = true}},
      {integer(&HsvdVariant::width, 2, 128, 2),
       {.name = "width", .key = "w", .option = "-w,--width", .help = "Block width"}},
      {on_off(&HsvdVariant::sorting),
       {.name = "sorting", .key = "sort", .option = "--sort", .help = "Sorting of the columns", .added_later = true}},
      {choice(&HsvdVariant::factor, tile_factors),
       {.name = "factor",
        .key = "factor",
        .option = "--factor",
        .help = "Factorization that replaces the columns of a tile by a square factor"}},
      {flag(&HsvdVariant::fix),
       {.name = "fix", .key = "fix", .help = "A Newton step makes each tile's transformation J-unitary"}}};
}

std::vector<VariantRow<EighVariant>> eigh_rows() {
  auto of_sweeps = joined<EighVariant>(
      within(&EighVariant::sweeps, hsvd_rows()),
      {{flag(&EighVariant::spectral),
        {.name = "spectral", .key = "spectral", .help = "Precondition G by LAPACK's eigenvectors"}}});
  for (auto& [field, row] : of_sweeps)
    row.applies = {{"pivoting", "2STAGE", "two stages have no factor G and no sweeps", true}};
  return joined<EighVariant>(
      joined<EighVariant>({{choice(&EighVariant::pivoting, eigh_pivotings),
                            {.name = "pivoting", .option = "--pivot", .help = "Pivoting", .listed = true}}},
                          of_sweeps),
      {refine_row(&EighVariant::refine)});
}

std::vector<VariantRow<GhsvdVariant>> ghsvd_rows() {
  return joined<GhsvdVariant>(
      joined<GhsvdVariant>({{choice(&GhsvdVariant::method, ghsvd_methods),
                             {.name = "method", .option = "--method", .help = "Method", .listed = true}}},
                           within(&GhsvdVariant::sweeps, hsvd_rows())),
      {{choice(&GhsvdVariant::precision, tangent_precisions),
        {.name = "tangent_precision", .key = "precision", .help = "Arithmetic of T = B*JB and its factorization"}}});
}

std::string describe_form(const HsvdVariant& variant) {
  return std::string(choice_of(jacobi_forms, variant.form).summary);
}

std::string describe_eigh(const EighVariant& variant) {
  if (is_two_stage(variant)) return std::string(choice_of(eigh_pivotings, variant.pivoting).summary);
  return describe_form(variant.sweeps);
}

/// Nothing of the direct method by tiles, which does not exist.
std::string describe_ghsvd(const GhsvdVariant& variant) {
  const std::string method(choice_of(ghsvd_methods, variant.method).summary);
  if (variant.method == GhsvdMethod::tangent) return method + " " + describe_form(variant.sweeps);
  return variant.sweeps.form == JacobiForm::PT ? method : "";
}

}  // namespace

const Grammar<HsvdVariant>& hsvd_names() {
  static const Grammar<HsvdVariant> grammar(
      "HSVD-{strategy}-{form}",
      joined<HsvdVariant>(
          hsvd_rows(),
          {{flag(&HsvdVariant::qrp),
            {.name = "qrp", .key = "qrp", .help = "Precondition by QR with column pivoting and LQ, for J = I"}},
           {flag(&HsvdVariant::exact),
            {.name = "exact",
             .key = "exact",
             .help = "Precondition by singular vectors in exact products, for J = I",
             .added_later = true}},
           {flag(&HsvdVariant::spectral),
            {.name = "spectral",
             .key = "spectral",
             .help = "With exact: singular vectors from LAPACK's eigenvectors of G*G",
             .added_later = true}},
           refine_row(&HsvdVariant::refine)}),
      describe_form);
  return grammar;
}

const Grammar<EighVariant>& eigh_names() {
  static const Grammar<EighVariant> grammar("HEV-{pivoting}-{strategy}-{form}", eigh_rows(), describe_eigh);
  return grammar;
}

const Grammar<GhsvdVariant>& ghsvd_names() {
  static const Grammar<GhsvdVariant> grammar("GHSVD-{method}-{strategy}-{form}", ghsvd_rows(), describe_ghsvd);
  return grammar;
}

std::string_view to_string(JacobiForm form) {
  return choice_of(jacobi_forms, form).spelling;
}

std::string to_string(const HsvdVariant& variant) {
  return hsvd_names().print(variant);
}
std::string to_string(const EighVariant& variant) {
  return eigh_names().print(variant);
}
std::string to_string(const GhsvdVariant& variant) {
  return ghsvd_names().print(variant);
}

HsvdVariant parse_hsvd_variant(std::string_view name) {
  const HsvdVariant variant = hsvd_names().parse(name);
  require_valid(variant);
  return variant;
}
EighVariant parse_eigh_variant(std::string_view name) {
  return eigh_names().parse(name);
}
GhsvdVariant parse_ghsvd_variant(std::string_view name) {
  const GhsvdVariant variant = ghsvd_names().parse(name);
  require_valid(variant);
  return variant;
}

void require_valid(const HsvdVariant& variant) {
  hsvd_names().require_valid(variant);
  if (variant.qrp && variant.exact) throw InputError("options qrp and exact: take one of them");
  if (variant.spectral && !variant.exact) throw InputError("option spectral: it is for exact; add exact");
}
void require_valid(const EighVariant& variant) {
  eigh_names().require_valid(variant);
  if (variant.sweeps.qrp) throw InputError("option qrp: it is for singular values alone; take spectral");
  if (variant.sweeps.exact || variant.sweeps.spectral)
    throw InputError("option exact: it is for singular values alone; take spectral");
  if (variant.sweeps.refine) throw InputError("option refine: it is the eigensolver's, not that of its sweeps");
}
void require_valid(const GhsvdVariant& variant) {
  ghsvd_names().require_valid(variant);
  if (variant.sweeps.qrp) throw InputError("option qrp: it is for singular values alone; omit it");
  if (variant.sweeps.exact || variant.sweeps.spectral)
    throw InputError("option exact: it is for singular values alone; omit it");
  if (variant.sweeps.refine) throw InputError("option refine: it is for singular values alone; omit it");
  if (variant.method == GhsvdMethod::hari_zimmermann && variant.sweeps.form != JacobiForm::PT)
    throw InputError("variant GHSVD-HZ: it has the form PT only; take PT, or the method TR");
}

}  // namespace pivotlab
