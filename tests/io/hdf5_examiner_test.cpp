// SPDX-License-Identifier: BSD-3-Clause
// libhdf5 in a separate process gives the same results, and one line if it crashes.
#include <sys/stat.h>

#include <cstdlib>

#include <pivotlab/by_columns.hpp>

#include "tests/io/fuzz/readers.hpp"
#include "tests/io/support.hpp"
#include "tests/programs.hpp"

namespace pivotlab::io_test::hdf5_examiner_test {
namespace {

/// Lets a program examine files while it lives.
class Examiner {
 public:
  explicit Examiner(const std::string& program) { ::setenv("PIVOTLAB_EXAMINER", program.c_str(), 1); }
  ~Examiner() { ::unsetenv("PIVOTLAB_EXAMINER"); }
};

class Hdf5Examiner : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "A.h5";

  std::string script(const std::string& lines) {
    const auto path = directory / "examiner";
    write_text(path, "#!/bin/sh\n" + lines + "\n");
    ::chmod(path.c_str(), 0700);
    return path.string();
  }
  std::string error() {
    return message(directory, [&] { read_pair(file); });
  }
};

TEST_F(Hdf5Examiner, GivesWhatTheProcessItselfFinds) {
  const auto pair = any_pair<Complex>(200, 150, 140, 3);
  write_pair(file, pair);
  const Examiner examiner(test::beside("../../bin/pivotlab"));
  EXPECT_TRUE(same_bits(std::get<Pair<Complex>>(read_pair(file)), pair));
  EXPECT_EQ(read_pair_head(file).sigma, pair.sigma);
  EXPECT_TRUE(same_bits(std::get<Matrix<Complex>>(read_matrix(file.string() + ":/G")), pair.G));
  EXPECT_EQ(message(directory, [&] { read_matrix(file.string() + ":/C"); }),
            "A.h5: /C: there is no such dataset; the file has /F, /G, /sigma_exact");
  write_text(file, read_bytes(file).substr(0, 2000));
  EXPECT_EQ(error(),
            "A.h5: cannot be opened (HDF5: truncated file); the file is damaged or still being written; copy or write "
            "it again");
}

TEST_F(Hdf5Examiner, ACrashIsOneLine) {
  write_pair(file, any_pair<double>(3, 3, 3, 1));
  const Examiner examiner(script("kill -SEGV $$"));
  EXPECT_EQ(error(),
            "A.h5: crashes the HDF5 library (Segmentation fault); the file is damaged; copy or write it again");
}

TEST_F(Hdf5Examiner, AnEndlessLoopIsOneLine) {
  write_pair(file, any_pair<double>(3, 3, 3, 1));
  const Examiner examiner(script("kill -XCPU $$"));
  EXPECT_EQ(error(),
            "A.h5: keeps the HDF5 library busy for more than 8 s; the file is damaged; copy or write it again");
}

TEST_F(Hdf5Examiner, AnAnswerThatIsNoneIsRefused) {
  write_pair(file, any_pair<double>(3, 3, 3, 1));
  for (const char* answer : {"true", "exit 1", "printf M", "printf Mpivotlab", "printf M; head -c 100000 /dev/zero"}) {
    const Examiner examiner(script(answer));
    EXPECT_TRUE(error().starts_with("A.h5: ")) << answer;
  }
}

TEST_F(Hdf5Examiner, AProgramThatIsNotThereIsNamed) {
  write_pair(file, any_pair<double>(3, 3, 3, 1));
  const Examiner examiner((directory / "none").string());
  EXPECT_EQ(error(),
            "none: cannot be started to examine HDF5 files (No such file or directory); let PIVOTLAB_EXAMINER name the "
            "program pivotlab");
}

// With sanitizers a crash would take a second for the names of its functions.
TEST_F(Hdf5Examiner, HandlesFilesThatCrashLibhdf5) {
  const Examiner examiner(test::beside("../../bin/pivotlab"));
  const char* const options = std::getenv("ASAN_OPTIONS");
  ::setenv("ASAN_OPTIONS", ((options ? options : "") + std::string(":symbolize=0")).c_str(), 1);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PIVOTLAB_CORPUS "/hdf5_contained")) {
    EXPECT_NO_THROW(fuzz::check_any(entry.path())) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 10);
}

}  // namespace
}  // namespace pivotlab::io_test::hdf5_examiner_test
