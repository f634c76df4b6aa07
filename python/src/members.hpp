// SPDX-License-Identifier: BSD-3-Clause
// Results as dictionaries of arrays, by the description of their members.
#pragma once

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <concepts>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "generators/io/members.hpp"
#include "python/src/arrays.hpp"
#include "python/src/calls.hpp"

namespace pivotlab::python {

/// A status or a backend.
template <class M>
concept Named = std::same_as<M, Status> || std::same_as<M, Backend>;

template <class M>
nb::object to_object(M member) {
  return nb::cast(std::move(member));
}
nb::object to_object(Named auto member) {
  return nb::cast(std::string(to_string(member)));
}
inline nb::object to_object(const Inertia& inertia) {
  return nb::make_tuple(inertia.positive, inertia.negative, inertia.zero);
}
template <class T>
nb::object to_object(Matrix<T> matrix) {
  return to_numpy(std::move(matrix));
}
template <class T>
nb::object to_object(std::vector<T> numbers) {
  return to_numpy(std::move(numbers));
}
inline nb::object to_object(const std::vector<int>& signs) {
  return to_numpy(std::vector<Index>(signs.begin(), signs.end()));
}
template <io::Record R>
nb::object to_object(R record) {
  nb::dict d;
  io::for_each_field<R>([&](const char* name, auto field) { d[name] = record.*field; });
  return d;
}
template <io::Record R>
nb::object to_object(std::vector<R> records) {
  nb::list list;
  for (const R& record : records) list.append(to_object(record));
  return list;
}

/// A visitor (generators/io/members.hpp) that moves what it sees into a dictionary.
struct IntoDict {
  nb::dict members;

  void operator()(const char* name, auto& member) { optional(name, member, true); }
  void optional(const char* name, auto& member, bool given) {
    members[name] = given ? to_object(std::move(member)) : nb::none();
  }
  void python(const char* name, auto& member, bool given = true) { optional(name, member, given); }
  void file(const char*, const auto&) {}
  void callers() {}
};

/// Returns the members of a result, of a matrix of the host or of a GPU, which are moved. Those that were not computed
/// are None.
template <class Result>
nb::dict to_dict(Result result, const std::string& variant) {
  IntoDict visit;
  io::Members<Result>::of(result, visit);
  visit.members["variant"] = variant;
  return visit.members;
}

/// The members of an EighSubset.
using SubsetMembers = std::tuple<Index, Index, double, double>;
inline EighSubset subset_of(const SubsetMembers& members) {
  const auto& [first, count, above, most] = members;
  return {first, count, above, most};
}

/// A visitor that reads members from a dictionary. What is missing or None stays as it is.
class FromDict {
 public:
  explicit FromDict(const nb::dict& members) : members_(members) {}

  void operator()(const char* name, auto& member) {
    if (const nb::object given = members_.get(name, nb::none()); !given.is_none()) read(given, member);
  }
  void optional(const char* name, auto& member, bool) { (*this)(name, member); }
  void python(const char* name, auto& member, bool = true) { (*this)(name, member); }
  void file(const char*, const auto&) {}
  void callers() {}

 private:
  template <class M>
  static void read(nb::handle given, M& member) {
    member = nb::cast<M>(given);
  }
  static void read(nb::handle given, Status& status) { status = status_from_string(nb::cast<std::string>(given)); }
  static void read(nb::handle given, Backend& backend) { backend = parse_backend(nb::cast<std::string>(given)); }
  static void read(nb::handle given, Inertia& inertia) {
    const auto [positive, negative, zero] = nb::cast<std::tuple<Index, Index, Index>>(given);
    inertia = {positive, negative, zero};
  }
  template <class T>
  static void read(nb::handle given, Matrix<T>& matrix) {
    matrix = matrix_of<T>(nb::cast<InMatrix<T>>(given));
  }
  template <class T>
  static void read(nb::handle given, std::vector<T>& numbers) {
    numbers = vector_of<T>(nb::cast<InVector<T>>(given));
  }
  static void read(nb::handle given, std::vector<int>& signs) { signs = signs_of(nb::cast<InVector<Index>>(given)); }
  template <io::Record R>
  static void read(nb::handle given, R& record) {
    FromDict visit(nb::cast<nb::dict>(given));
    io::for_each_field<R>([&](const char* name, auto field) { visit(name, record.*field); });
  }
  template <io::Record R>
  static void read(nb::handle given, std::vector<R>& records) {
    for (const nb::handle one : nb::cast<nb::list>(given)) read(one, records.emplace_back());
  }

  const nb::dict members_;
};

/// Returns the result with the members in a dictionary that a solver gave, or that a caller has filled with arrays of
/// his own. It has passed, unless a status is given; r and l of a GSVD follow from Z and k.
template <class Result>
Result result_of(const nb::dict& members) {
  Result result;
  result.status = Status::passed;
  FromDict visit(members);
  io::Members<Result>::of(result, visit);
  if constexpr (requires { result.noise; })
    for (const double estimate : result.estimate) result.noise.push_back(10 * estimate >= 1);
  if constexpr (requires { result.reduced; }) {
    if (result.r == 0) result.r = result.Z.cols();
    if (result.l == 0) result.l = result.r - result.k;
  }
  return result;
}

/// Binds the writer of the files of a result.
template <class Result, class Write>
void bind_write(nb::module_& module, const char* name, Write write) {
  module.def(
      name,
      [write](const std::string& file, const nb::dict& members, const std::map<std::string, std::string>& attributes) {
        const Result result = result_of<Result>(members);
        with_files([&] { write(file, result, attributes); });
      },
      nb::arg("file"), nb::arg("members"), nb::arg("attributes"));
}

}  // namespace pivotlab::python
