// SPDX-License-Identifier: BSD-3-Clause
// Matrices from practice: the directory that PIVOTLAB_DATA names, with MANIFEST.csv and <name>.mtx.gz.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "generators/io/matrix_market.hpp"
#include "tests/io/support.hpp"

#include <pivotlab/definite_pair.hpp>

namespace pivotlab::io_test::real_data_test {
namespace {

class RealData : public ::testing::Test {
 protected:
  std::filesystem::path directory;

  void SetUp() override {
    const char* set = std::getenv("PIVOTLAB_DATA");
    if (set == nullptr || *set == '\0') GTEST_SKIP() << "PIVOTLAB_DATA is not set";
    directory = set;
  }
  AnyMatrix read(const std::string& name) { return read_matrix(directory / (name + ".mtx.gz")); }
};

/// Nonzeros of the whole matrix, explicit zeros included.
template <class T>
std::size_t count(const io::Triplets<T>& sparse) {
  std::size_t result = 0;
  for (const auto& entry : sparse.entries)
    result += sparse.symmetry == io::Symmetry::general || entry.row == entry.col ? 1 : 2;
  return result;
}

TEST_F(RealData, EveryFileHasTheShapeAndEntriesOfTheManifest) {
  std::ifstream manifest(directory / "MANIFEST.csv");
  ASSERT_TRUE(manifest) << directory;
  std::string line;
  std::getline(manifest, line);
  int files = 0;
  while (std::getline(manifest, line)) {
    std::istringstream fields(line);
    std::string name, kind, rows, cols, nonzeros;
    for (auto* field : {&name, &kind, &rows, &cols, &nonzeros}) std::getline(fields, *field, ',');
    std::visit(
        [&](const auto& sparse) {
          EXPECT_EQ(std::to_string(sparse.rows), rows) << name;
          EXPECT_EQ(std::to_string(sparse.cols), cols) << name;
          EXPECT_EQ(std::to_string(count(sparse)), nonzeros) << name;
        },
        io::read_triplets(directory / (name + ".mtx.gz")));
    ++files;
  }
  EXPECT_GE(files, 20);
}

TEST_F(RealData, DenseMatricesSurviveBothFormatsBitForBit) {
  const TemporaryDirectory scratch;
  for (const char* name : {"lund_a", "heat_200", "shaw_200"}) {
    const auto A = std::get<Matrix<double>>(read(name));
    write_matrix_market(scratch / "a.mtx.gz", A);
    EXPECT_TRUE(same_bits(std::get<Matrix<double>>(read_matrix(scratch / "a.mtx.gz")), A)) << name;
    write_pair(scratch / "a.h5", Pair<double>{A, A, {}, name}, {.one_triangle = true});
    EXPECT_TRUE(same_bits(std::get<Matrix<double>>(read_matrix(scratch / "a.h5:/F")), A)) << name;
  }
}

TEST_F(RealData, LundIsADefinitePair) {
  const auto pair = std::get<Pair<double>>(definite_pair(read("lund_a"), read("lund_b")));
  EXPECT_EQ(pair.F.cols(), 147);
}

TEST_F(RealData, Bcsstm13IsSemidefiniteOnEitherSide) {
  const auto K = read("bcsstk13"), M = read("bcsstm13");
  const auto zero_rows = [](const Matrix<double>& factor) {
    Index count = 0;
    for (Index i = 0; i < factor.rows(); ++i) count += factor(i, i) == 0 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(zero_rows(std::get<Pair<double>>(definite_pair(M, K)).F), 762);
  EXPECT_EQ(zero_rows(std::get<Pair<double>>(definite_pair(K, M)).G), 762);
}

}  // namespace
}  // namespace pivotlab::io_test::real_data_test
