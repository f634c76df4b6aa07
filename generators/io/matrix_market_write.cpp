// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "generators/io/check.hpp"
#include "generators/io/symmetry.hpp"
#include "support/files/atomic_file.hpp"

#include <pivotlab/io.hpp>

namespace pivotlab {
namespace {

using io::Symmetry;

/// Writes text to an AtomicFile, compressed on request.
class TextSink {
 public:
  TextSink(const AtomicFile& file, bool compressed)
      : file_(file), stream_(gzdopen(::dup(file.descriptor()), compressed ? "wb6" : "wbT")) {
    if (stream_ == nullptr) file_.fail(errno);
  }
  ~TextSink() {
    if (stream_ != nullptr) gzclose_w(stream_);
  }
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;

  void text(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > (std::size_t{1} << 18)) flush();
  }
  /// Writes the shortest digits that read back as the same number.
  void number(double x) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
    text({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  void number(const std::complex<double>& x) {
    number(x.real());
    text(" ");
    number(x.imag());
  }
  void close() {
    flush();
    const auto stream = std::exchange(stream_, nullptr);
    if (gzclose_w(stream) != Z_OK) file_.fail(errno);
  }

 private:
  void flush() {
    if (!buffer_.empty() && gzwrite(stream_, buffer_.data(), static_cast<unsigned>(buffer_.size())) == 0)
      file_.fail(errno);
    buffer_.clear();
  }

  const AtomicFile& file_;
  gzFile stream_;
  std::string buffer_;
};

template <class T>
Symmetry detect_symmetry(MatrixView<const T> A) {
  for (const auto symmetry : {Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric})
    if ((is_complex<T> || symmetry != Symmetry::hermitian) && io::has_symmetry(A, symmetry)) return symmetry;
  return Symmetry::general;
}

std::string_view name(Symmetry symmetry) {
  constexpr std::array<std::string_view, 4> names{"general", "symmetric", "hermitian", "skew-symmetric"};
  return names[static_cast<std::size_t>(symmetry)];
}

template <class T>
void write(TextSink& sink, MatrixView<const T> A) {
  const auto symmetry = detect_symmetry(A);
  Index stored = 0, nonzeros = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = io::first_row(j, symmetry); i < A.rows; ++i, ++stored)
      if (!io::same_bits(A(i, j), T(0))) ++nonzeros;
  const bool sparse = nonzeros < stored / 2;  // two indices are about as long as a number

  sink.text(fmt::format("%%MatrixMarket matrix {} {} {}\n", sparse ? "coordinate" : "array",
                        is_complex<T> ? "complex" : "real", name(symmetry)));
  sink.text(sparse ? fmt::format("{} {} {}\n", A.rows, A.cols, nonzeros) : fmt::format("{} {}\n", A.rows, A.cols));
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = io::first_row(j, symmetry); i < A.rows; ++i) {
      if (sparse && io::same_bits(A(i, j), T(0))) continue;
      if (sparse) sink.text(fmt::format("{} {} ", i + 1, j + 1));
      sink.number(A(i, j));
      sink.text("\n");
    }
}

}  // namespace

void write_matrix_market(const std::filesystem::path& file, const AnyMatrix& matrix) {
  std::visit(
      [&](const auto& A) {
        io::require_elements(file, "", A.rows(), A.cols());
        io::require_finite(file, "", A.view());
        AtomicFile atomic(file);
        TextSink sink(atomic, file.extension() == ".gz");
        write(sink, A.view());
        sink.close();
        atomic.commit();
      },
      matrix);
}

}  // namespace pivotlab
