// SPDX-License-Identifier: BSD-3-Clause
// If writing fails, the old file is unchanged, or there is no file.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include <pivotlab/generate.hpp>

#include "generators/io/matrix_file.hpp"
#include "tests/io/support.hpp"

namespace pivotlab::io_test::writing_test {
namespace {

struct Writer {
  const char* name;
  std::vector<std::string> files;
  std::function<void(const std::filesystem::path&)> write;
};

/// All writers, each with more than 100 kB.
const std::vector<Writer>& writers() {
  static const auto pair = any_pair<double>(120, 110, 100, 1);
  static const std::vector<Writer> all{
      {"pair", {"x"}, [](const auto& file) { write_pair(file, pair); }},
      {"gsvd",
       {"x"},
       [](const auto& file) {
         GsvdResult<double> result;
         result.U = pair.F;
         result.V = pair.G;
         write_gsvd(file, result);
       }},
      {"symmetric",
       {"x"},
       [](const auto& file) {
         write_symmetric(file, generate_symmetric({"random", ScalarType::d, Symmetry::hermitian, 200}));
       }},
      {"matrix_market", {"x"}, [](const auto& file) { write_matrix_market(file, pair.F); }},
      {"raw", {"x.Y", "x.W"}, [](const auto& file) { write_raw_pair(file, pair); }}};
  return all;
}

// The next two run in a child process and exit with 2 on InputError, by std::exit: that runs the handlers in which HDF5
// would crash over a file that it could not close.

[[noreturn]] void write_and_exit(const Writer& writer, const std::filesystem::path& file) {
  try {
    writer.write(file);
  } catch (const InputError& error) {
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &none);  // standard error is a file here
    std::fprintf(stderr, "%s\n", error.what());
    std::_Exit(2);  // without the leak check, which fails for the user nobody
  }
  std::_Exit(0);
}

/// No file may grow beyond the limit, as on a full disk.
[[noreturn]] void write_with_limit(const Writer& writer, const std::filesystem::path& file, rlim_t limit) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit bound{limit, RLIM_INFINITY};
  ::setrlimit(RLIMIT_FSIZE, &bound);
  write_and_exit(writer, file);
}

/// Runs as another user, because permissions do not stop the superuser.
[[noreturn]] void write_as_nobody(const Writer& writer, const std::filesystem::path& file) {
  constexpr uid_t nobody = 65534;
  if (::geteuid() == 0 && ::seteuid(nobody) != 0) std::exit(1);
  write_and_exit(writer, file);
}

class Writing : public ::testing::TestWithParam<std::size_t> {
 protected:
  Writing() {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    directory.share_with_children();
  }

  const Writer& writer = writers()[GetParam()];
  TemporaryDirectory directory;
};
INSTANTIATE_TEST_SUITE_P(Every, Writing, ::testing::Range<std::size_t>(0, 5),
                         [](const auto& test) { return writers()[test.param].name; });

TEST_P(Writing, OnAFullDiskLeavesNothingAndSaysSo) {
  for (const rlim_t limit : {0, 100, 2000, 50000})
    EXPECT_EXIT(write_with_limit(writer, directory / "x", limit), ::testing::ExitedWithCode(2),
                "x[.YW]*: cannot be written: .*; free space there or write elsewhere")
        << limit;
  EXPECT_EQ(directory.files(), 0u);
}

TEST_P(Writing, FailureKeepsExistingFile) {
  for (const auto& name : writer.files) write_text(directory / name, "precious");
  EXPECT_EXIT(write_with_limit(writer, directory / "x", 2000), ::testing::ExitedWithCode(2), "cannot be written");
  for (const auto& name : writer.files) EXPECT_EQ(read_bytes(directory / name), "precious");
  EXPECT_EQ(directory.files(), writer.files.size());
}

TEST_P(Writing, ReplacesTheFileThatWasThere) {
  for (const auto& name : writer.files) write_text(directory / name, "old");
  writer.write(directory / "x");
  for (const auto& name : writer.files) EXPECT_GT(std::filesystem::file_size(directory / name), 10000u);
  EXPECT_EQ(directory.files(), writer.files.size());
}

TEST_P(Writing, IntoADirectoryThatIsNotThereSaysSo) {
  const auto text = message(directory, [&] { writer.write(directory / "none/x"); });
  EXPECT_EQ(text, "none/" + writer.files.front() +
                      ": cannot be written: No such file or directory; create the directory first");
}

TEST_P(Writing, IntoAReadOnlyDirectorySaysSo) {
  using std::filesystem::perms;
  std::filesystem::permissions(directory.path(), perms::owner_read | perms::owner_exec | perms::group_read |
                                                     perms::group_exec | perms::others_read | perms::others_exec);
  EXPECT_EXIT(write_as_nobody(writer, directory / "x"), ::testing::ExitedWithCode(2),
              "x[.YW]*: cannot be written: Permission denied; write to a directory that you may write to");
  std::filesystem::permissions(directory.path(), perms::owner_all);
  EXPECT_EQ(directory.files(), 0u);
}

TEST_P(Writing, OverADirectoryIsRefused) {
  for (const auto& name : writer.files) std::filesystem::create_directory(directory / name);
  const auto text = message(directory, [&] { writer.write(directory / "x"); });
  EXPECT_EQ(text, writer.files.front() + ": cannot be written: is not a regular file; give the name of a file");
  EXPECT_EQ(directory.files(), writer.files.size());
}

TEST(WritingAMatrixWithoutElements, IsRefusedAsItsReadingWouldBe) {
  const TemporaryDirectory directory;
  const auto file = directory / "x";
  const std::string reason = "the matrix is empty (0 x 0); give one with at least one row and one column";
  const Matrix<double> none(0, 0);
  EXPECT_EQ(message(directory, [&] { write_matrix_market(file, none); }), "x: " + reason);
  EXPECT_EQ(message(directory, [&] { io::write_matrix_file(file, "A", none); }), "x: /A: " + reason);
  EXPECT_EQ(message(directory, [&] { write_raw_pair(file, Pair<double>{none, none, {}, {}}); }), "x.Y: " + reason);
  EXPECT_EQ(message(directory, [&] { write_symmetric(file, SymmetricMatrix<double>{}); }), "x: matrix A: " + reason);
  EXPECT_EQ(message(directory, [&] { write_general(file, GeneralMatrix<double>{}); }), "x: matrix A: " + reason);
  EXPECT_NE(message(directory, [&] { write_pair(file, Pair<double>{none, none, {}, {}}); }), "");
  EXPECT_EQ(directory.files(), 0u);
}

TEST(WritingToADevice, IsRefusedInsteadOfReplacingIt) {
  EXPECT_THROW(write_matrix_market("/dev/null", any_matrix<double>(2, 2, 1)), InputError);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace pivotlab::io_test::writing_test
