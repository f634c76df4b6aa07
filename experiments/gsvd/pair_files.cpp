#include <fmt/format.h>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <charconv>
#include <experiments/commands/command_options.hpp>
#include <experiments/engine/axis.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <generators/io/check.hpp>

namespace pivotlab::experiments {
namespace {

using Complex = std::complex<double>;

Matrix<Complex> to_complex(const Matrix<Complex>& matrix) {
  return matrix;
}
Matrix<Complex> to_complex(const Matrix<double>& matrix) {
  Matrix<Complex> result(matrix.rows(), matrix.cols());
  std::copy_n(matrix.data(), matrix.size(), result.data());
  return result;
}

template <class T>
Pair<T> make_pair(Matrix<T> F, Matrix<T> G, const std::string& provenance) {
  return {std::move(F), std::move(G), {}, provenance};
}

double bytes(const MatrixShape& shape) {
  return (shape.type == ScalarType::z ? 16.0 : 8.0) * static_cast<double>(shape.rows) * static_cast<double>(shape.cols);
}

Index parse_extent(const std::string& text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1)
    throw InputError(fmt::format("--raw: '{}' is no size; write m_F,m_G,n,type, for example 128,128,64,d", text));
  return value;
}

}  // namespace

AnyPair read_input_pair(const std::string& f, const std::string& g) {
  if (g.empty()) return read_pair(f);
  MatrixFile file_of_f(f), file_of_g(g);
  const std::string provenance = fmt::format("files {} and {}", f, g);
  const Index columns_of_f = file_of_f.shape().cols, columns_of_g = file_of_g.shape().cols;
  if (columns_of_f != columns_of_g)
    throw InputError(
        fmt::format("{}: has {} columns where {} has {}; F and G need equally many", g, columns_of_g, f, columns_of_f));
  io::require_memory(f, "", "the pair", bytes(file_of_f.shape()) + bytes(file_of_g.shape()));
  AnyMatrix F = file_of_f.read(), G = file_of_g.read();
  if (std::holds_alternative<Matrix<double>>(F) && std::holds_alternative<Matrix<double>>(G))
    return make_pair(std::get<Matrix<double>>(std::move(F)), std::get<Matrix<double>>(std::move(G)), provenance);
  const auto convert = [](const AnyMatrix& matrix) {
    return std::visit([](const auto& m) { return to_complex(m); }, matrix);
  };
  return make_pair(convert(F), convert(G), provenance);
}

AnyPair read_input_raw_pair(const std::string& stem, const std::string& shape) {
  const std::vector<std::string> parts = with_option_context("--raw", [&] { return split_list(shape); });
  if (parts.size() != 4)
    throw InputError(fmt::format("--raw: '{}' is no shape; write m_F,m_G,n,type, for example 128,128,64,d", shape));
  return read_raw_pair(stem, parse_scalar_type("--raw", parts[3]), parse_extent(parts[0]), parse_extent(parts[1]),
                       parse_extent(parts[2]));
}

std::string describe(const AnyPair& pair) {
  return std::visit(
      []<class T>(const Pair<T>& p) {
        return fmt::format("F {} x {}, G {} x {}, {}: {}", p.F.rows(), p.F.cols(), p.G.rows(), p.G.cols(),
                           is_complex<T> ? "complex" : "real", p.provenance);
      },
      pair);
}

}  // namespace pivotlab::experiments
