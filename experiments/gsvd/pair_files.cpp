// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/variant.hpp>

#include <charconv>
#include <experiments/commands/command_options.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <experiments/problems/pairs.hpp>
#include <generators/io/check.hpp>

namespace pivotlab::experiments {
namespace {

double bytes(const MatrixShape& shape) {
  return (shape.type == ScalarType::z ? 16.0 : 8.0) * static_cast<double>(shape.rows) * static_cast<double>(shape.cols);
}

Index parse_extent(const std::string& text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1)
    throw InputError(fmt::format("--raw: '{}' is not a size; write m_F,m_G,n,type, for example 128,128,64,d", text));
  return value;
}

}  // namespace

AnyPair read_input_pair(const std::string& f, const std::string& g) {
  if (g.empty()) return read_pair(f);
  MatrixFile file_of_f(f), file_of_g(g);
  const Index columns_of_f = file_of_f.shape().cols, columns_of_g = file_of_g.shape().cols;
  if (columns_of_f != columns_of_g)
    throw InputError(
        fmt::format("{}: has {} columns where {} has {}; F and G need equally many", g, columns_of_g, f, columns_of_f));
  io::require_memory(f, "", "the pair", bytes(file_of_f.shape()) + bytes(file_of_g.shape()));
  AnyPair pair = pair_of(file_of_f.read(), file_of_g.read());
  std::visit([&](auto& made) { made.provenance = fmt::format("files {} and {}", f, g); }, pair);
  return pair;
}

AnyPair read_input_raw_pair(const std::string& stem, const std::string& shape) {
  const std::vector<std::string> parts = with_option_context("--raw", [&] { return split_list(shape); });
  if (parts.size() != 4)
    throw InputError(fmt::format("--raw: '{}' is not a shape; write m_F,m_G,n,type, for example 128,128,64,d", shape));
  return read_raw_pair(stem, parse_scalar_type("--raw", parts[3]), parse_extent(parts[0]), parse_extent(parts[1]),
                       parse_extent(parts[2]));
}

}  // namespace pivotlab::experiments
