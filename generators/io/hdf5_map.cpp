// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_map.hpp"

#include <pivotlab/error.hpp>

#include <cstring>
#include <type_traits>

namespace pivotlab::io::hdf5 {
namespace {

constexpr std::string_view version = "pivotlab file map 1";

/// Appends values.
class Output {
 public:
  template <class T>
  void operator()(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      (*this)(std::uint64_t{value.size()});
      if constexpr (std::is_same_v<T, std::string>)
        bytes_ += value;
      else
        for (const auto& item : value) (*this)(item);
    }
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads values from the front.
class Input {
 public:
  Input(std::string_view bytes, const std::string& damaged) : rest_(bytes), damaged_(damaged) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    } else {
      std::uint64_t size = 0;
      (*this)(size);
      if (size > rest_.size()) throw InputError(damaged_);  // an item takes a byte at least
      if constexpr (std::is_same_v<T, std::string>) {
        value = take(size);
      } else {
        value.resize(size);
        for (auto& item : value) (*this)(item);
      }
    }
  }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > rest_.size()) throw InputError(damaged_);
    const auto front = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return front;
  }

  std::string_view rest_;
  const std::string& damaged_;
};

template <class Archive, class Matrix>
void members(Archive& archive, Matrix& m) {
  archive(m.rows), archive(m.cols), archive(m.number), archive(m.is_complex), archive(m.lower_triangle);
  archive(m.chunk_rows), archive(m.chunk_cols), archive(m.filters), archive(m.chunks), archive(m.inline_elements);
  archive(m.fill);
}

}  // namespace

std::string to_bytes(const FileMap& map) {
  Output output;
  output(std::string(version));
  output(map.matrices);
  output(std::uint64_t{map.texts.size()});
  for (const auto& [name, text] : map.texts) output(name), output(text);
  output(std::uint64_t{map.objects.size()});
  for (const auto& [name, found] : map.objects) {
    output(name), output(found.refusal), output(found.matrix.has_value());
    if (found.matrix) members(output, *found.matrix);
  }
  output(std::string(version));
  return output.bytes();
}

FileMap from_bytes(std::string_view bytes, const std::string& damaged) {
  Input input(bytes, damaged);
  FileMap map;
  std::string name;
  std::uint64_t count = 0;
  const auto require_version = [&] {
    input(name);
    if (name != version) throw InputError(damaged);
  };
  require_version();
  input(map.matrices);
  for (input(count); count > 0; --count) input(name), input(map.texts[name]);
  for (input(count); count > 0; --count) {
    input(name);
    Found& found = map.objects[name];
    bool is_matrix = false;
    input(found.refusal), input(is_matrix);
    if (is_matrix) members(input, found.matrix.emplace());
  }
  require_version();
  return map;
}

}  // namespace pivotlab::io::hdf5
