#include <experiments/cli/case_fields.hpp>
#include <experiments/cli/flagged_times.hpp>
#include <nlohmann/json.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::Column;
using experiments::ColumnKind;
using experiments::Field;

/// A list becomes its length.
Cell to_cell(const nlohmann::json& value) {
  if (value.is_array()) return static_cast<std::int64_t>(value.size());
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return std::monostate{};
}

struct RecordColumn {
  Column column;
  const char* place;  // JSON pointer into the record
};

using RecordColumns = std::vector<RecordColumn>;

/// Returns the cell for one place of a record; flagged times are marked.
Cell cell_at(const nlohmann::json& record, std::string_view place) {
  const nlohmann::json::json_pointer pointer{std::string(place)};
  if (!record.contains(pointer)) return {};
  if (place == "/time/flags") return list_of(flags_of(record));
  const bool is_measured = place.starts_with("/time/compute_s/") || place.starts_with("/time/wall_s/");
  return flagged_if(is_measured && !flags_of(record).empty(), to_cell(record.at(pointer)));
}

// What people see of a record, and what only CSV and JSON have, in this order. Every method has the times in its
// middle.
RecordColumns times() {
  return {
      {{"compute_s", "time s", ColumnKind::seconds}, "/time/compute_s/median"},
      {{"compute_q1_s", "q1 s", ColumnKind::seconds, false, true}, "/time/compute_s/q1"},
      {{"compute_q3_s", "q3 s", ColumnKind::seconds, false, true}, "/time/compute_s/q3"},
      {{"wall_s", "wall s", ColumnKind::seconds}, "/time/wall_s/median"},
      {{"generate_s", "generate s", ColumnKind::seconds, false, true}, "/time/generate_s"},
      {{"judge_s", "judge s", ColumnKind::seconds, false, true}, "/time/judge_s"},
      {{"samples", "samples", ColumnKind::integer, false, true}, "/time/compute_s/samples"},
      {{"flags", "flags", ColumnKind::text, false, true}, "/time/flags"},
      {{"load_before", "load before", ColumnKind::ratio, false, true}, "/environment/load_before"},
      {{"load_after", "load after", ColumnKind::ratio, false, true}, "/environment/load_after"},
  };
}

RecordColumns verdict() {
  return {
      {{"precision", "judged in", ColumnKind::text, false, true}, "/metrics/precision"},
      {{"status", "status", ColumnKind::text, false, false, {}, std::size("not_converged") - 1}, "/status"},
      {{"message", "note"}, "/message"},
      {{"key", "key", ColumnKind::text, false, true}, "/key"},
  };
}

RecordColumns gsvd_iteration() {
  return {
      {{"sweeps", "sweeps", ColumnKind::integer}, "/convergence/sweeps"},
      {{"transformations", "rotations", ColumnKind::integer, false, true}, "/convergence/transformations"},
      {{"big", "big", ColumnKind::integer, false, true}, "/convergence/big"},
  };
}

RecordColumns gsvd_metrics() {
  return {
      {{"kappa_f", "cond F", ColumnKind::scientific, false, true}, "/problem/kappa_f"},
      {{"kappa_g", "cond G", ColumnKind::scientific, false, true}, "/problem/kappa_g"},
      {{"residual_f", "res F", ColumnKind::scientific}, "/metrics/residual_f"},
      {{"residual_g", "res G", ColumnKind::scientific}, "/metrics/residual_g"},
      {{"residual_fz", "res FZ", ColumnKind::scientific, false, true}, "/metrics/residual_fz"},
      {{"residual_gz", "res GZ", ColumnKind::scientific, false, true}, "/metrics/residual_gz"},
      {{"orthogonality_u", "orth U", ColumnKind::scientific}, "/metrics/orthogonality_u"},
      {{"orthogonality_v", "orth V", ColumnKind::scientific}, "/metrics/orthogonality_v"},
      {{"sigma_sum", "sum err", ColumnKind::scientific, false, true}, "/metrics/sigma_sum"},
      {{"sigma_error", "sigma err", ColumnKind::scientific}, "/metrics/sigma_error"},
  };
}

RecordColumns ldlt_pivots() {
  return {
      {{"rank", "rank", ColumnKind::integer}, "/metrics/rank"},
      {{"positive", "+", ColumnKind::integer, false, true}, "/metrics/inertia/positive"},
      {{"negative", "-", ColumnKind::integer, false, true}, "/metrics/inertia/negative"},
      {{"zero", "0", ColumnKind::integer, false, true}, "/metrics/inertia/zero"},
      {{"inertia_agrees", "inertia", ColumnKind::text}, "/metrics/inertia_agrees"},
      {{"certificate", "certificate", ColumnKind::text, false, true}, "/metrics/certificate/status"},
      {{"certified_positive", "+", ColumnKind::integer, false, true}, "/metrics/certificate/inertia/positive"},
      {{"certified_negative", "-", ColumnKind::integer, false, true}, "/metrics/certificate/inertia/negative"},
      {{"certified_zero", "0", ColumnKind::integer, false, true}, "/metrics/certificate/inertia/zero"},
      {{"below", "below", ColumnKind::scientific, false, true}, "/metrics/certificate/below"},
      {{"above", "above", ColumnKind::scientific, false, true}, "/metrics/certificate/above"},
      {{"clear", "clear", ColumnKind::scientific, false, true}, "/metrics/certificate/clear"},
      {{"reason", "reason", ColumnKind::text, false, true}, "/metrics/certificate/reason"},
      {{"pivots_1x1", "1x1", ColumnKind::integer}, "/metrics/pivots_1x1"},
      {{"pivots_2x2", "2x2", ColumnKind::integer}, "/metrics/pivots_2x2"},
      {{"swaps_1x1", "1x1 swaps", ColumnKind::integer, false, true}, "/metrics/swaps_1x1"},
      {{"swaps_2x2", "2x2 swaps", ColumnKind::integer, false, true}, "/metrics/swaps_2x2"},
  };
}

RecordColumns ldlt_metrics() {
  return {
      {{"max_growth", "growth", ColumnKind::scientific}, "/metrics/max_growth"},
      {{"max_multiplier", "max |M|", ColumnKind::scientific}, "/metrics/max_multiplier"},
      {{"max_condition", "2x2 cond", ColumnKind::scientific, false, true}, "/metrics/max_condition"},
      {{"residual", "rel err", ColumnKind::scientific}, "/metrics/residual"},
      {{"dsyt01", "dsyt01", ColumnKind::scientific, false, true}, "/metrics/dsyt01"},
      {{"dpot02", "dpot02", ColumnKind::scientific, false, true}, "/metrics/dpot02"},
      {{"solve_error", "x err", ColumnKind::scientific, false, true}, "/metrics/solve_error"},
      {{"gjg_error", "GJG* err", ColumnKind::scientific, false, true}, "/metrics/gjg/residual"},
      {{"gjg_rounded", "rounded", ColumnKind::scientific, false, true}, "/metrics/gjg/residual_rounded"},
      {{"gjg_quad", "in quad", ColumnKind::scientific, false, true}, "/metrics/gjg/residual_quad"},
  };
}

RecordColumns eig_iteration() {
  return {
      {{"sweeps", "sweeps", ColumnKind::integer}, "/convergence/sweeps"},
      {{"refined", "refined", ColumnKind::integer, false, true}, "/convergence/refined"},
  };
}

RecordColumns eig_metrics() {
  return {
      {{"residual", "residual", ColumnKind::scientific}, "/metrics/residual"},
      {{"get22", "get22", ColumnKind::scientific, false, true}, "/metrics/get22"},
      {{"left_residual", "left res", ColumnKind::scientific, false, true}, "/metrics/left_residual"},
      {{"eigenvalue_error", "eig err", ColumnKind::scientific}, "/metrics/eigenvalue_error"},
      {{"relative_error", "rel err", ColumnKind::scientific, false, true}, "/metrics/relative_error"},
      {{"error_over_condition", "err/cond", ColumnKind::scientific}, "/metrics/error_over_condition"},
      {{"departure", "departure", ColumnKind::scientific}, "/metrics/departure"},
      {{"vector_condition", "cond V", ColumnKind::scientific, false, true}, "/metrics/vector_condition"},
      {{"trace_error", "trace err", ColumnKind::scientific, false, true}, "/metrics/trace_error"},
  };
}

/// Before the times, and after them.
std::pair<RecordColumns, RecordColumns> columns_of(std::string_view method) {
  if (method == "ldlt") return {ldlt_pivots(), ldlt_metrics()};
  if (method == "eig") return {eig_iteration(), eig_metrics()};
  return {gsvd_iteration(), gsvd_metrics()};
}

RecordColumns record_columns(std::string_view method) {
  const auto [before, after] = columns_of(method);
  RecordColumns columns;
  for (const RecordColumns& part : {before, times(), after, verdict()})
    columns.insert(columns.end(), part.begin(), part.end());
  return columns;
}

}  // namespace

namespace detail {

Column axis_column(const experiments::AxisInfo& axis) {
  const bool is_integer = std::holds_alternative<std::int64_t>(axis.default_value);
  const bool is_number = std::holds_alternative<double>(axis.default_value);
  Column column{axis.name, axis.name,
                is_integer  ? ColumnKind::integer
                : is_number ? ColumnKind::scientific
                            : ColumnKind::text};
  column.hide_constant = true;
  if (axis.name == "m_f" || axis.name == "m_g") column.redundant_with = "n";
  return column;
}

Cell axis_cell(const experiments::Case& axes, const std::string& name) {
  const auto found = axes.find(name);
  return found == axes.end() ? Cell{} : cli::to_cell(found->second);
}

}  // namespace detail

Cell to_cell(const experiments::Value& value) {
  return std::visit([](const auto& one) { return Cell(one); }, value);
}

std::vector<std::string> compared_metrics(const experiments::Method& method) {
  if (method.name() == "ldlt") return {"residual", "max_growth"};
  if (method.name() == "eig") return {"residual", "eigenvalue_error"};
  return {"residual_f", "residual_g", "sigma_error"};
}

std::vector<Field<CaseLine>> record_fields(const experiments::Method& method) {
  auto fields =
      axis_fields<CaseLine>(method, [](const CaseLine& line) -> const experiments::Case& { return *line.axes; });
  for (const RecordColumn& one : record_columns(method.name()))
    fields.push_back({one.column, [place = one.place](const CaseLine& line) {
                        return line.record == nullptr ? Cell{} : cell_at(*line.record, place);
                      }});
  return fields;
}

}  // namespace pivotlab::cli
