// SPDX-License-Identifier: BSD-3-Clause
// Tables of rows that write sections of records: each row is a description and the member that it describes.
//
//   const Rows<Metrics> rows = {
//       row(&Metrics::residual, "residual", "rel err", scientific, "‖A − M·D·M*‖∞/‖A‖∞")
//           .compared().precision("quad").bounded(&Bounds::residual, "30·n·2⁻⁵³", "LAPACK's threshold"),
//       row(&Metrics::device, "device", "judged on", plain, "where …").among({"host", "gpu"}).optional()};
//   nlohmann::json section = write_rows(rows, metrics);
#pragma once

#include <experiments/engine/quantity.hpp>

#include <cmath>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace pivotlab::experiments {
namespace detail {

template <class M>
struct OptionalValue {
  using Type = void;
};
template <class V>
struct OptionalValue<std::optional<V>> {
  using Type = V;
};
template <class M>
concept Optional = !std::is_void_v<typename OptionalValue<M>::Type>;
template <class M>
concept Text = std::convertible_to<M, std::string_view>;
template <class M>
concept List = !Text<M> && requires(const M& x) {
  x.begin();
}
&&!std::same_as<M, nlohmann::json>;

/// Returns null for NaN, infinity, and an empty optional.
template <class M>
nlohmann::json json_of(const M& x) {
  if constexpr (Optional<M>) {
    return x ? json_of(*x) : nlohmann::json();
  } else if constexpr (std::floating_point<M>) {
    return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json();
  } else if constexpr (std::is_enum_v<M>) {
    return std::string(to_string(x));
  } else if constexpr (List<M>) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& element : x) list.push_back(json_of(element));
    return list;
  } else {
    return x;
  }
}

template <class M>
Domain domain_of() {
  if constexpr (Optional<M>) {
    Domain domain = domain_of<typename OptionalValue<M>::Type>();
    domain.nullable = true;
    return domain;
  } else if constexpr (List<M>) {
    Domain domain = domain_of<std::remove_cvref_t<decltype(*std::declval<const M&>().begin())>>();
    domain.list = true;
    return domain;
  } else if constexpr (std::same_as<M, bool>) {
    return {.type = JsonType::boolean};
  } else if constexpr (std::unsigned_integral<M>) {
    return {.type = JsonType::integer, .minimum = 0};
  } else if constexpr (std::integral<M>) {
    return {.type = JsonType::integer};
  } else if constexpr (std::floating_point<M>) {
    return {.type = JsonType::number, .nullable = true};
  } else if constexpr (Text<M> || std::is_enum_v<M>) {
    return {.type = JsonType::text};
  } else {
    return {.type = JsonType::object, .nullable = true};
  }
}

}  // namespace detail

/// A description with a function that computes the value from an S.
template <class S>
struct Row {
  Quantity quantity;
  std::function<nlohmann::json(const S&)> value;
  std::function<std::optional<double>(const S&)> number = {};  ///< the value, NaN included; set for rows of numbers
  std::function<double(const S&)> bound = {};                  ///< bound of the value in a passed result

  Row shown() && { return std::move(*this).with_role(Role::shown); }
  Row compared() && { return std::move(*this).with_role(Role::compared); }
  /// Sets the heading; an object becomes one column, of data frames.
  Row heading(std::string text) && {
    return quantity.heading = std::move(text), quantity.column = quantity.at, std::move(*this).with_role(Role::frame);
  }
  Row hidden() && { return std::move(*this).with_role(Role::none); }
  Row source(std::string text) && { return quantity.source = std::move(text), std::move(*this); }
  Row unit(std::string text) && { return quantity.unit = std::move(text), std::move(*this); }
  /// Sets the name of the column; for an object, the prefix of its columns.
  Row column(std::string name) && { return quantity.column = std::move(name), std::move(*this); }
  /// The value may be missing in records of earlier versions.
  Row optional() && { return quantity.domain.optional = true, std::move(*this); }
  /// The member is left out if there is no value.
  Row only_if_any() && { return quantity.domain.nullable = false, std::move(*this).optional(); }
  Row among(std::vector<std::string> choices) && {
    return quantity.domain.choices = std::move(choices), std::move(*this);
  }
  Row at_least(double minimum) && { return quantity.domain.minimum = minimum, std::move(*this); }
  /// Sets the precision of the arithmetic that computes the value.
  Row precision(std::string text) && { return quantity.precision = std::move(text), std::move(*this); }
  /// Makes the number part of the verdict (metrics/judged_rows.hpp), with a member of S::bounds as bound; sets the
  /// bound's formula and the formula's source.
  template <class B>
  Row bounded(double B::*member, std::string formula, std::string origin) && {
    quantity.bounded = true;
    quantity.bound = std::move(formula), quantity.bound_source = std::move(origin);
    bound = [member](const S& object) { return object.bounds.*member; };
    return std::move(*this);
  }

 private:
  Row with_role(Role role) && { return quantity.role = role, std::move(*this); }
};

template <class S>
using Rows = std::vector<Row<S>>;

/// Returns the rows of all parts, in order.
template <class S>
Rows<S> joined(std::initializer_list<Rows<S>> parts) {
  Rows<S> all;
  for (const Rows<S>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Returns a row whose value is computed: a number, a flag, a text, an enumeration with to_string, a list of them, an
/// optional of these, or JSON for an object. NaN and infinity are null.
template <class S, std::invocable<const S&> Compute>
Row<S> computed(Compute compute, std::string at, std::string heading, NumberFormat format, std::string definition) {
  using M = std::remove_cvref_t<std::invoke_result_t<Compute, const S&>>;
  Quantity quantity{at, std::move(heading), format, std::move(definition), {}, Role::detail, at};
  quantity.domain = detail::domain_of<M>();
  if (quantity.domain.list) quantity.role = Role::frame;
  Row<S> result{std::move(quantity),
                [compute](const S& object) { return detail::json_of<M>(std::invoke(compute, object)); }};
  if constexpr (std::floating_point<M> || std::same_as<M, std::optional<double>>)
    result.number = [compute](const S& object) -> std::optional<double> { return std::invoke(compute, object); };
  return result;
}

/// Returns a row whose value is a member.
template <class S, class M>
Row<S> row(M S::*member, std::string at, std::string heading, NumberFormat format, std::string definition) {
  return computed<S>(member, std::move(at), std::move(heading), format, std::move(definition));
}

/// Returns the descriptions of one or more tables of rows.
template <class... S>
std::vector<Quantity> quantities_of(const Rows<S>&... tables) {
  std::vector<Quantity> quantities;
  const auto append = [&](const auto& rows) {
    for (const auto& one : rows) quantities.push_back(one.quantity);
  };
  (append(tables), ...);
  return quantities;
}

/// Returns the JSON object of all rows.
template <class S>
nlohmann::json write_rows(const Rows<S>& rows, const S& object) {
  nlohmann::json result = nlohmann::json::object();
  for (const Row<S>& one : rows) {
    nlohmann::json value = one.value(object);
    const Domain& domain = one.quantity.domain;
    const bool is_left_out = domain.optional && !domain.nullable && value.empty();
    if (!is_left_out) result[one.quantity.at] = std::move(value);
  }
  return result;
}

/// Returns a row for a nested object: compute(object) is a Part, or an optional one. Its columns are those of the rows;
/// with a heading it is one column.
template <class S, class Part, class Compute>
Row<S> object_row(Compute compute, Rows<Part> rows, std::string at, std::string definition) {
  using M = std::remove_cvref_t<std::invoke_result_t<Compute, const S&>>;
  Quantity quantity{std::move(at), {}, NumberFormat::plain, std::move(definition), {}, Role::detail, {}};
  quantity.domain = {.type = JsonType::object, .nullable = detail::Optional<M>};
  quantity.members = quantities_of(rows);
  return {std::move(quantity), [compute, rows = std::move(rows)](const S& object) -> nlohmann::json {
            const auto& part = std::invoke(compute, object);
            if constexpr (detail::Optional<M>)
              return part ? write_rows(rows, *part) : nlohmann::json();
            else
              return write_rows(rows, part);
          }};
}

/// Returns a row for a list of objects: compute(object) is a range of Parts. It is one column.
template <class S, class Part, class Compute>
Row<S> list_row(Compute compute, Rows<Part> rows, std::string at, std::string heading, std::string definition) {
  Quantity quantity{at, std::move(heading), NumberFormat::plain, std::move(definition), {}, Role::frame, at};
  quantity.domain = {.type = JsonType::object, .list = true};
  quantity.members = quantities_of(rows);
  return {std::move(quantity), [compute, rows = std::move(rows)](const S& object) {
            nlohmann::json list = nlohmann::json::array();
            for (const Part& part : std::invoke(compute, object)) list.push_back(write_rows(rows, part));
            return list;
          }};
}

/// Returns the JSON object of all rows with, as `verdict_bounds`, {name: bound} for rows that are part of the verdict.
template <class S>
nlohmann::json write_judged(const Rows<S>& rows, const S& object) {
  nlohmann::json result = write_rows(rows, object), bounds = nlohmann::json::object();
  for (const Row<S>& one : rows)
    if (one.bound) bounds[one.quantity.at] = detail::json_of(one.bound(object));
  result["verdict_bounds"] = std::move(bounds);
  return result;
}

}  // namespace pivotlab::experiments
