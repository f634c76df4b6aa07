// SPDX-License-Identifier: BSD-3-Clause
#include <generators/random.hpp>
#include <kernels/numerics/threads.hpp>
#include <kernels/numerics/zeros.hpp>

#include <cmath>
#include <stdexcept>

namespace pivotlab {
namespace {

constexpr std::uint64_t multiplier = 33952834046453, mask = (std::uint64_t(1) << 48) - 1;
constexpr std::uint64_t stream_distance = 847288609443;  // 3²⁵
constexpr double two_pi = 6.28318530717958647692528676655900576839;

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

RandomStream::RandomStream(const std::array<int, 4>& iseed) : state_(0) {
  for (const int part : iseed) {
    if (part < 0 || part > 4095) throw std::invalid_argument("RandomStream: a part of iseed is not in 0…4095");
    state_ = state_ << 12 | static_cast<std::uint64_t>(part);
  }
  if (state_ % 2 == 0) throw std::invalid_argument("RandomStream: the last part of iseed is even");
}

RandomStream::RandomStream(std::uint64_t seed, int index) : state_((mixed(seed) >> 17) << 1 | 1) {
  skip(stream_distance * static_cast<std::uint64_t>(index));
}

std::array<int, 4> RandomStream::iseed() const {
  const auto part = [&](int shift) { return static_cast<int>(state_ >> shift & 4095); };
  return {part(36), part(24), part(12), part(0)};
}

void RandomStream::skip(std::uint64_t count) {
  for (std::uint64_t power = multiplier; count != 0; count >>= 1, power = power * power & mask)
    if (count & 1) state_ = state_ * power & mask;
}

double RandomStream::uniform() {
  state_ = state_ * multiplier & mask;
  return static_cast<double>(state_) * 0x1p-48;
}

template <class T>
T RandomStream::draw(Distribution distribution) {
  const double u = uniform();
  if constexpr (is_complex<T>) {
    const double v = uniform();
    if (distribution == Distribution::uniform) return {u, v};
    if (distribution == Distribution::symmetric) return {2 * u - 1, 2 * v - 1};
    const double r = std::sqrt(-2 * std::log(u));
    return {r * std::cos(two_pi * v), r * std::sin(two_pi * v)};
  } else {
    if (distribution == Distribution::uniform) return u;
    if (distribution == Distribution::symmetric) return 2 * u - 1;
    return std::sqrt(-2 * std::log(u)) * std::cos(two_pi * uniform());
  }
}

namespace {

template <class T>
std::uint64_t numbers_in_column(Index rows, Distribution distribution) {
  return static_cast<std::uint64_t>(rows * RandomStream::draws<T>(distribution));
}

/// Makes the columns place(0), place(1), … of a matrix that begins at the stream's position.
template <class T, class Place>
Matrix<T> columns_at(Index rows, Index count, const Place& place, Distribution distribution, const RandomStream& stream,
                     int threads) {
  Matrix<T> A = zeros<T>(rows, count, threads);
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
  for (Index j = 0; j < count; ++j) {
    RandomStream column = stream;
    column.skip(numbers_in_column<T>(rows, distribution) * static_cast<std::uint64_t>(place(j)));
    for (T& x : A.col(j)) x = column.draw<T>(distribution);
  }
  return A;
}

}  // namespace

template <class T>
Matrix<T> random_matrix(Index rows, Index cols, Distribution distribution, RandomStream& stream, int threads) {
  Matrix<T> A = columns_at<T>(
      rows, cols, [](Index j) { return j; }, distribution, stream, threads);
  stream.skip(numbers_in_column<T>(rows, distribution) * static_cast<std::uint64_t>(cols));
  return A;
}

template <class T>
Matrix<T> random_columns(Index rows, const std::vector<Index>& columns, Distribution distribution,
                         const RandomStream& stream, int threads) {
  return columns_at<T>(
      rows, static_cast<Index>(columns.size()), [&](Index j) { return columns[j]; }, distribution, stream, threads);
}

template double RandomStream::draw(Distribution);
template std::complex<double> RandomStream::draw(Distribution);
template Matrix<double> random_matrix(Index, Index, Distribution, RandomStream&, int);
template Matrix<std::complex<double>> random_matrix(Index, Index, Distribution, RandomStream&, int);
template Matrix<double> random_columns(Index, const std::vector<Index>&, Distribution, const RandomStream&, int);
template Matrix<std::complex<double>> random_columns(Index, const std::vector<Index>&, Distribution,
                                                     const RandomStream&, int);

}  // namespace pivotlab
