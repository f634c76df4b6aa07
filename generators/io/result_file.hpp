// SPDX-License-Identifier: BSD-3-Clause
// A new HDF5 file of a result. Numbers, texts, statuses and inertias become attributes; vectors, matrices and groups of
// vectors become datasets. Include this header in .cpp files only.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "generators/io/hdf5.hpp"
#include "generators/io/members.hpp"

namespace pivotlab::io {

/// A visitor (members.hpp) that writes what it sees. Without commit() no file remains.
class ResultFile {
 public:
  ResultFile(const std::filesystem::path& name, const std::map<std::string, std::string>& attributes)
      : root_{name, ""}, attributes_(attributes), file_(name) {}

  void operator()(const char* name, const auto& member) { write(name, member); }
  void optional(const char* name, const auto& member, bool = true) {
    if (member.size() > 0) write(name, member);
  }
  void file(const char* name, const auto& value) { write(name, value); }
  void python(const char*, const auto&, bool = true) {}
  void callers() { hdf5::write_attributes(file_, root_, attributes_); }

  /// Returns a dataset of a matrix that is written column by column.
  template <class T>
  hdf5::Dataset columns(const char* name, Index rows, Index cols) {
    return hdf5::create_columns<T>(file_, at(name), rows, cols);
  }
  const std::filesystem::path& name() const { return root_.file; }
  void commit() { file_.commit(); }

 private:
  hdf5::Place at(const char* name) const { return {root_.file, std::string("/") + name}; }

  void write(const char* name, const std::string& text) { hdf5::write_attribute(file_, root_, name, text); }
  void write(const char* name, Status status) { write(name, std::string(to_string(status))); }
  void write(const char* name, std::floating_point auto number) { hdf5::write_attribute(file_, root_, name, number); }
  void write(const char* name, std::integral auto count) {
    hdf5::write_attribute(file_, root_, name, std::int64_t{count});
  }
  void write(const char* name, const std::optional<double>& number) {
    if (number) write(name, *number);
  }
  void write(const char*, const Inertia& inertia) {
    write("positive", inertia.positive);
    write("negative", inertia.negative);
    write("zero", inertia.zero);
  }
  template <class T>
  void write(const char* name, MatrixView<const T> A) {
    hdf5::write_matrix(file_, at(name), A, {});
  }
  template <class T>
  void write(const char* name, const Matrix<T>& A) {
    write(name, A.view());
  }
  void write(const char* name, const std::vector<std::complex<double>>& values) {
    const Index n = std::ssize(values);
    write(name, MatrixView<const std::complex<double>>{values.data(), n, 1, n});
  }
  /// Indices and flags become integers, all else double: also signs and exponents, which are int.
  template <class Number>
  void write(const char* name, const std::vector<Number>& numbers) {
    constexpr bool is_double = std::floating_point<Number> || std::same_as<Number, int>;
    const std::vector<std::conditional_t<is_double, double, std::uint64_t>> stored(numbers.begin(), numbers.end());
    hdf5::write_vector(file_, at(name), stored);
  }
  template <Record R>
  void write(const char* name, const std::vector<R>& records) {
    const hdf5::Group group = hdf5::create_group(file_, {root_.file, name});
    for_each_field<R>([&]<class Number>(const char* field, Number R::*member) {
      using Stored = std::conditional_t<std::floating_point<Number>, double, std::uint64_t>;
      std::vector<Stored> column;
      for (const R& record : records) column.push_back(static_cast<Stored>(record.*member));
      hdf5::write_vector(group, {root_.file, field}, column);
    });
  }

  const hdf5::Silence silence_;
  hdf5::Place root_;
  const std::map<std::string, std::string>& attributes_;
  hdf5::NewFile file_;
};

/// Writes a result that members.hpp describes.
template <class Result>
void write_result(const std::filesystem::path& name, const Result& result,
                  const std::map<std::string, std::string>& attributes) {
  ResultFile file(name, attributes);
  Members<Result>::of(result, file);
  file.commit();
}

}  // namespace pivotlab::io
