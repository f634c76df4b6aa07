// SPDX-License-Identifier: BSD-3-Clause
#include "tests/io/fuzz/sound_files.hpp"

#include <hdf5.h>

#include <pivotlab/io.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>

namespace pivotlab::fuzz {
namespace {

using Complex = std::complex<double>;

/// A diagonally dominant Hermitian matrix, which every reader accepts.
template <class T>
Matrix<T> some_matrix(Index rows, Index cols) {
  Matrix<T> A(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i)
      A(i, j) = i == j ? T(4.0 + 0.5 * static_cast<double>(i)) : T(1.0 / static_cast<double>(1 + i + j));
  return A;
}

template <class T>
Pair<T> some_pair() {
  return {some_matrix<T>(7, 5), some_matrix<T>(6, 5), {5, 4, 3, 2, 1}, "some pair"};
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Layouts in which other programs store a matrix.
struct Layout {
  const char* name;
  hid_t type;
  std::function<void(hid_t)> set = [](hid_t) {};
};

void set_chunks(hid_t creation) {
  constexpr std::array<hsize_t, 2> chunk{3, 2};
  H5Pset_chunk(creation, 2, chunk.data());
}

/// 5 × 5, symmetric, of small integers, as the only matrix or as F and G.
void write_foreign(const std::filesystem::path& file, const Layout& layout, bool latest, bool pair) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
  if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  layout.set(creation);
  const hid_t opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  constexpr std::array<hsize_t, 2> shape{5, 5};
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  std::array<double, 25> values{};
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = k % 6 == 0 ? 9 : static_cast<double>(k / 5 * (k % 5)) - 3;
  for (const char* name : pair ? std::vector<const char*>{"F", "G"} : std::vector<const char*>{"A"}) {
    const hid_t dataset = H5Dcreate2(opened, name, layout.type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
  }
  H5Sclose(space);
  H5Fclose(opened);
  H5Pclose(creation);
  H5Pclose(access);
}

std::vector<Layout> layouts() {
  return {{"contiguous", H5T_IEEE_F64LE},
          {"float", H5T_IEEE_F32BE},
          {"int64", H5T_STD_I64LE},
          {"int16", H5T_STD_I16BE},
          {"compact", H5T_IEEE_F64LE, [](hid_t creation) { H5Pset_layout(creation, H5D_COMPACT); }},
          {"chunked", H5T_IEEE_F64LE, set_chunks},
          {"packed", H5T_IEEE_F64LE, [](hid_t creation) {
             set_chunks(creation);
             H5Pset_shuffle(creation);
             H5Pset_deflate(creation, 6);
             H5Pset_fletcher32(creation);
           }}};
}

template <class T>
void write_own(const std::function<std::filesystem::path(const std::string&)>& file, const std::string& type) {
  write_pair(file("pair_" + type + ".h5"), some_pair<T>());
  write_pair(file("pair_plain_" + type + ".h5"), some_pair<T>(), {.compression = 0});
  write_general(file("general_" + type + ".h5"), GeneralMatrix<T>{.A = some_matrix<T>(5, 5), .provenance = "general"});
  SymmetricMatrix<T> symmetric{.A = some_matrix<T>(5, 5), .provenance = "symmetric"};
  symmetric.eigenvalues = {1, 2, 3, 4, 5};
  symmetric.inertia = Inertia{5, 0, 0};
  write_symmetric(file("symmetric_" + type + ".h5"), symmetric);
  write_matrix_market(file("dense_" + type + ".mtx"), some_matrix<T>(6, 5));
  write_matrix_market(file("symmetric_" + type + ".mtx"), some_matrix<T>(5, 5));
  write_matrix_market(file("sparse_" + type + ".mtx"), Matrix<T>::identity(6));
}

}  // namespace

std::vector<SoundFile> sound_files(const std::filesystem::path& folder,
                                   const std::vector<std::filesystem::path>& corpus) {
  const auto in_folder = [&](const std::string& name) { return folder / name; };
  write_own<double>(in_folder, "d");
  write_own<Complex>(in_folder, "z");
  for (const auto& layout : layouts())
    for (const bool latest : {false, true})
      for (const bool pair : {false, true})
        write_foreign(folder / (std::string(layout.name) + (latest ? "_new" : "_old") + (pair ? "_pair.h5" : ".h5")),
                      layout, latest, pair);
  std::vector<std::filesystem::path> folders = corpus;
  folders.push_back(folder);
  std::vector<SoundFile> files;
  for (const auto& one : folders)
    for (const auto& entry : std::filesystem::directory_iterator(one)) {
      auto bytes = bytes_of(entry.path());
      const bool is_hdf5 = bytes.find("\x89HDF") != bytes.npos || one.filename().string().starts_with("hdf5");
      files.push_back({entry.path().filename().string(), std::move(bytes), is_hdf5});
    }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

}  // namespace pivotlab::fuzz
