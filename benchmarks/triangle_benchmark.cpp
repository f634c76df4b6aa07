// SPDX-License-Identifier: BSD-3-Clause
// One triangle of a symmetric matrix in an HDF5 file, read by hyperslabs, against the whole matrix, into packed
// storage.
//
//   triangle_benchmark --benchmark_filter='/warm'      from the page cache
//   triangle_benchmark --benchmark_filter='/cold'      from the disk, as far as the system drops a file on request
//   triangle_benchmark --benchmark_filter=contiguous   a layout: contiguous, chunks of 128 x 128, deflate
//
// Benchmarks:
//
//   Triangle<lower>, <upper>   read_triangle()
//   Whole                      both triangles into a square, then one packed, without checks
//   Symmetric                  read_symmetric(), which compares the triangles, and pack()
//   Columns                    upper triangle row by row with HDF5's own driver, Listing 3.3 of the thesis
//
// The files are made in the folder for temporary files, 8·n² bytes each, and removed at the end. The counter bytes is
// that of the packed triangle a second.
#include "generators/io/hdf5.hpp"
#include "support/timer.hpp"
#include "tests/scratch_folder.hpp"

#include <pivotlab/io.hpp>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace {

using namespace pivotlab;
using benchmark::Counter;
namespace hdf5 = io::hdf5;

enum class Layout { contiguous, chunked, deflate };

class Files {
 public:
  const std::filesystem::path& get(Layout layout, Index n) {
    auto& file = files_[{layout, n}];
    if (file.empty()) {
      file = folder_.path() / (std::to_string(static_cast<int>(layout)) + "-" + std::to_string(n) + ".h5");
      write(file, layout, n);
    }
    return file;
  }

 private:
  static Matrix<double> symmetric(Index n) {
    Matrix<double> A(n, n);
    std::uint64_t state = 1;
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) {
        state = state * 6364136223846793005 + 1442695040888963407;
        A(i, j) = A(j, i) = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
      }
    return A;
  }

  static void write(const std::filesystem::path& file, Layout layout, Index n) {
    const Matrix<double> A = symmetric(n);
    const hdf5::FileHandle opened(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const std::array<hsize_t, 2> shape{static_cast<hsize_t>(n), static_cast<hsize_t>(n)};
    constexpr std::array<hsize_t, 2> chunk{128, 128};
    const hdf5::PropertyList creation(H5Pcreate(H5P_DATASET_CREATE));
    if (layout != Layout::contiguous) H5Pset_chunk(creation, 2, chunk.data());
    if (layout == Layout::deflate) H5Pset_deflate(creation, 4);
    const hdf5::Dataspace space(H5Screate_simple(2, shape.data(), nullptr));
    const hdf5::Dataset dataset(H5Dcreate2(opened, "A", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    if (H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, A.data()) < 0)
      throw std::runtime_error("cannot write " + file.string());
  }

  test::ScratchFolder folder_;
  std::map<std::pair<Layout, Index>, std::filesystem::path> files_;
};

Files& files() {
  static Files all;
  return all;
}

/// Writes the file's pages back and asks the system to drop them from the page cache.
void forget(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  ::fsync(descriptor);
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  ::close(descriptor);
}

PackedTriangle<double> read_triangle_of(const std::filesystem::path& file, InputTriangle triangle) {
  return std::get<PackedTriangle<double>>(read_triangle(file, triangle));
}

PackedTriangle<double> read_lower(const std::filesystem::path& file) {
  return read_triangle_of(file, InputTriangle::lower);
}
PackedTriangle<double> read_upper(const std::filesystem::path& file) {
  return read_triangle_of(file, InputTriangle::upper);
}
PackedTriangle<double> read_whole(const std::filesystem::path& file) {
  return pack<double>(std::get<Matrix<double>>(read_matrix(file)), InputTriangle::lower);
}
PackedTriangle<double> read_checked(const std::filesystem::path& file) {
  return pack<double>(std::get<SymmetricMatrix<double>>(read_symmetric(file)).A, InputTriangle::lower);
}

PackedTriangle<double> read_by_columns(const std::filesystem::path& file) {
  const hdf5::FileHandle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  const hdf5::Dataset dataset(H5Dopen2(opened, "A", H5P_DEFAULT));
  const hdf5::Dataspace space(H5Dget_space(dataset));
  std::array<hsize_t, 2> shape{};
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  const hsize_t n = shape[0], size = n * (n + 1) / 2;
  PackedTriangle<double> A(static_cast<Index>(n));
  const hdf5::Dataspace memory(H5Screate_simple(1, &size, nullptr));
  for (hsize_t i = 0, at = 0; i < n; at += n - i, ++i) {
    const std::array<hsize_t, 2> start{i, i}, count{1, n - i};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    H5Sselect_hyperslab(memory, H5S_SELECT_SET, &at, nullptr, &count[1], nullptr);
    H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, A.elements().data());
    A.diagonal(static_cast<Index>(i)) = std::exchange(A.elements()[at], 0.0);
  }
  return A;
}

void read(benchmark::State& state, PackedTriangle<double> (*reader)(const std::filesystem::path&), Layout layout,
          bool cold) {
  const Index n = state.range(0);
  const auto& file = files().get(layout, n);
  if (!cold) benchmark::DoNotOptimize(reader(file).order());
  for (auto _ : state) {
    if (cold) forget(file);
    const Timer timer;
    const auto A = reader(file);
    benchmark::DoNotOptimize(A.elements().data());
    state.SetIterationTime(timer.seconds());
  }
  const double bytes = 8.0 * static_cast<double>(n * (n + 1) / 2) * static_cast<double>(state.iterations());
  state.counters["bytes"] = Counter(bytes, Counter::kIsRate);
}

void add(const char* name, PackedTriangle<double> (*reader)(const std::filesystem::path&)) {
  for (const auto& [layout, word] :
       {std::pair(Layout::contiguous, "contiguous"), {Layout::chunked, "chunked"}, {Layout::deflate, "deflate"}})
    for (const bool cold : {false, true})
      benchmark::RegisterBenchmark((std::string(name) + "/" + word + (cold ? "/cold" : "/warm")).c_str(), read, reader,
                                   layout, cold)
          ->Arg(2000)
          ->Arg(8000)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  add("Triangle<lower>", read_lower);
  add("Triangle<upper>", read_upper);
  add("Whole", read_whole);
  add("Symmetric", read_checked);
  add("Columns", read_by_columns);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
