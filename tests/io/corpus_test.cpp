// SPDX-License-Identifier: BSD-3-Clause
// Replays the corpus of the fuzz targets: files that once broke a reader, or that cover a branch of it.
#include <vector>

#include "tests/io/fuzz/readers.hpp"
#include "tests/io/fuzz/scratch_file.hpp"
#include "tests/io/support.hpp"

namespace pivotlab::io_test::corpus_test {
namespace {

std::vector<std::filesystem::path> corpus(const std::string& name) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(PIVOTLAB_CORPUS) / name))
    files.push_back(entry.path());
  return files;
}

TEST(Corpus, EveryMatrixMarketFileIsReadOrRefused) {
  const fuzz::ScratchFile copy("copy.mtx");
  const auto files = corpus("matrix_market");
  EXPECT_GT(files.size(), 10u);
  for (const auto& file : files) EXPECT_NO_THROW(fuzz::check_matrix_market(file, copy.path())) << file;
}

TEST(Corpus, EveryHdf5FileIsReadOrRefused) {
  const auto files = corpus("hdf5");
  EXPECT_GT(files.size(), 10u);
  for (const auto& file : files) EXPECT_NO_THROW(fuzz::check_any(file)) << file;
}

}  // namespace
}  // namespace pivotlab::io_test::corpus_test
