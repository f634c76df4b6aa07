// SPDX-License-Identifier: BSD-3-Clause
// Names of the GSVD by tangent reduction.
#include <pivotlab/tangent_variant.hpp>
#include <variants/gsvd_rows.hpp>
#include <variants/names.hpp>

#include <array>

namespace pivotlab {
namespace {

constexpr std::array paths{
    Choice{TangentPath::automatic, "auto", "", "One QR of F·R⁻¹, or two where the diagonal of its factor spans 1e7."},
    Choice{TangentPath::r1, "R1", "", "One QR of F·R⁻¹."},
    Choice{TangentPath::l, "L", "", "Two QRs: of F·R⁻¹, then of the adjoint of its triangular factor."}};

constexpr std::array groupings{Choice{TangentGroups::automatic, "auto"}, Choice{TangentGroups::off, "off"},
                               Choice{TangentGroups::on, "on"}};

constexpr std::array factorizations{Choice{TangentQr::sorted, "sorted"}, Choice{TangentQr::pivoted, "pivoted"}};

std::vector<VariantRow<TangentVariant>> tangent_rows() {
  return {
      {choice(&TangentVariant::path, paths),
       {.name = "path", .option = "--path", .help = "QR factorizations of F·R⁻¹", .listed = true}},
      {choice(&TangentVariant::groups, groupings),
       {.name = "groups",
        .key = "groups",
        .option = "--groups",
        .help = "First vectors from Gram matrices of groups of columns"}},
      {number(&TangentVariant::ratio, left_open(1, 1e15)),
       {.name = "ratio", .key = "ratio", .option = "--ratio", .help = "Largest ratio of the column norms of a group"}},
      {number(&TangentVariant::tail, closed(0, 1)),
       {.name = "tail",
        .key = "tail",
        .option = "--tail",
        .help = "Fraction of the columns whose Gram matrix is diagonalized once more"}},
      {choice(&TangentVariant::qr, factorizations),
       {.name = "qr", .key = "qr", .option = "--qr", .help = "Order of the columns in QR factorizations"}},
      refine_row(&TangentVariant::refine)};
}

}  // namespace

const Grammar<NamedTangentVariant>& tangent_names() {
  static const Grammar<NamedTangentVariant> grammar(
      "{type}GT-({path})",
      joined<NamedTangentVariant>({type_row<NamedTangentVariant>()},
                                  within(&NamedTangentVariant::variant, tangent_rows())),
      [](const NamedTangentVariant& named) { return std::string(choice_of(paths, named.variant.path).summary); });
  return grammar;
}

std::string_view to_string(TangentPath path) {
  return choice_of(paths, path).spelling;
}

std::string to_string(const TangentVariant& variant, ScalarType type) {
  return tangent_names().print({type, variant});
}

NamedTangentVariant parse_tangent_variant(std::string_view name) {
  return tangent_names().parse(name);
}

void require_valid(const TangentVariant& variant) {
  tangent_names().require_valid({ScalarType::d, variant});
}

}  // namespace pivotlab
