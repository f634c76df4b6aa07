// SPDX-License-Identifier: BSD-3-Clause
// Reads mutated files: file_fuzz FILES [command] [FIRST [FOLDER]]
//
// Mutant k of the same program is the same everywhere. Each is read by all readers of the library, in a process that
// may crash; if it does, libhdf5 is to blame, so that it must be an answer where the program `pivotlab` examines the
// files. With `command` each is solved by that program instead, which must end by itself in time, with a code that it
// knows, and leave nothing but what it was asked for. A mutant that breaks a rule is written to FOLDER and ends in
// code 1.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "support/timer.hpp"
#include "tests/io/fuzz/mutator.hpp"
#include "tests/io/fuzz/readers.hpp"
#include "tests/io/fuzz/sound_files.hpp"
#include "tests/scratch_folder.hpp"

namespace pivotlab::fuzz {
namespace {

constexpr unsigned most_seconds = 10;
constexpr long most_kilobytes = 2'000'000;

struct Mutant {
  std::string bytes;
  bool is_hdf5 = false;
  std::uint64_t seed = 0;
};

Mutant mutant(const std::vector<SoundFile>& sound, std::uint64_t k) {
  Mutator mutator(k);
  const SoundFile& file = sound[mutator.below(sound.size())];
  return {file.is_hdf5 ? mutator.of_hdf5(file.bytes) : mutator.of_text(file.bytes), file.is_hdf5, k};
}

void write(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

void set_limit(__rlimit_resource resource, rlim_t most) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  limit.rlim_cur = std::min(limit.rlim_max, most);
  ::setrlimit(resource, &limit);
}

/// The end of a child process: its exit code, or 128 + its signal.
struct End {
  int code = 0;
  double seconds = 0;
  long kilobytes = 0;
};

template <class Work>
End in_child(Work work) {
  const Timer timer;
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    set_limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__
    set_limit(RLIMIT_AS, rlim_t{2} << 30);
#endif
    int code = 0;
    try {
      work();
    } catch (const std::exception& error) {
      std::cout << error.what() << std::endl;
      code = 3;
    }
    ::_exit(code);
  }
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), timer.seconds(), used.ru_maxrss};
}

/// Reads a mutant by all readers. The alarm ends an endless loop; if libhdf5 runs in separate processes, each one has
/// its own alarm.
void read_mutant(const Mutant& one, const std::filesystem::path& folder, unsigned seconds) {
  ::alarm(seconds);
  const auto file = folder / "mutant";
  write(file, one.bytes);
  check_any(file);
  if (!one.is_hdf5) check_matrix_market(file, folder / "copy.mtx");
  ::alarm(0);
}

/// Fails if libhdf5 printed anything.
void be_silent() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);
}

struct Tally {
  std::uint64_t contained = 0, broken = 0;
  std::array<std::uint64_t, 3> codes{};  // of the command
  double longest = 0;
  long most_kilobytes = 0;
  void add(const End& end) {
    longest = std::max(longest, end.seconds);
    most_kilobytes = std::max(most_kilobytes, end.kilobytes);
  }
};

class Run {
 public:
  Run(std::uint64_t first, std::uint64_t last, std::filesystem::path keep)
      : first_(first), last_(last), keep_(std::move(keep)), sound_(sound_files(made_.path(), corpora())) {
    void* shared = ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    done_ = static_cast<std::uint64_t*>(shared);
  }

  int by_library() {
    constexpr std::uint64_t batch = 1000;
    for (std::uint64_t k = first_; k < last_;) {
      *done_ = k;
      const End end = in_child([&] {
        be_silent();
        for (; *done_ < std::min(last_, k + batch); ++*done_)
          read_mutant(mutant(sound_, *done_), scratch_.path(), most_seconds);
      });
      tally_.most_kilobytes = std::max(tally_.most_kilobytes, end.kilobytes);
      if (end.code == 3) broken(*done_, "breaks a rule");
      if (end.code != 0 && end.code != 3) examine_apart(*done_);
      k = *done_ + (end.code != 0);
    }
    return report("crashes or endless loops of libhdf5, contained");
  }

  int by_command() {
    for (std::uint64_t k = first_; k < last_; ++k) solve(mutant(sound_, k));
    fmt::print("exit codes 0: {}, 1: {}, 2: {}\n", tally_.codes[0], tally_.codes[1], tally_.codes[2]);
    return report("contained");
  }

 private:
  /// Not hdf5_contained, which io_test replays: libhdf5 crashes on most of its mutants for the same reason.
  static std::vector<std::filesystem::path> corpora() {
    const std::filesystem::path corpus(PIVOTLAB_CORPUS);
    return {corpus / "hdf5", corpus / "matrix_market"};
  }

  /// Reads a mutant with libhdf5 in another process, and checks how this process ends.
  void examine_apart(std::uint64_t k) {
    const Mutant one = mutant(sound_, k);
    const End end = in_child([&] {
      be_silent();
      ::setenv("PIVOTLAB_EXAMINER", PIVOTLAB_PROGRAM, 1);
      read_mutant(one, scratch_.path(), 40 * most_seconds);
    });
    ++tally_.contained;
    tally_.add(end);
    if (end.code != 0) broken(k, fmt::format("ends with code {} also where libhdf5 is contained", end.code));
    if (const char* folder = std::getenv("PIVOTLAB_KEEP_CONTAINED"))
      write(std::filesystem::path(folder) / fmt::format("mutant_{}.h5", k), one.bytes);
  }

  void solve(const Mutant& one) {
    constexpr std::array<const char*, 3> methods{"gsvd", "ldlt", "eig"};
    const char* method = methods[one.seed % methods.size()];
    const test::ScratchFolder folder, output;
    const auto input = folder.path() / "mutant", result = folder.path() / "out.h5", said = output.path() / "stderr";
    write(input, one.bytes);
    const End end = in_child([&] {
      ::alarm(3 * most_seconds);
      const int out = ::open("/dev/null", O_WRONLY), err = ::open(said.c_str(), O_WRONLY | O_CREAT, 0600);
      ::dup2(out, STDOUT_FILENO);
      ::dup2(err, STDERR_FILENO);
      ::setenv("OMP_NUM_THREADS", "1", 1);
      ::setenv("GOMP_SPINCOUNT", "500", 1);
      ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
      if (std::strcmp(method, "gsvd") == 0 && !one.is_hdf5)
        ::execl(PIVOTLAB_PROGRAM, "pivotlab", "solve", method, input.c_str(), input.c_str(), "-o", result.c_str(),
                nullptr);
      ::execl(PIVOTLAB_PROGRAM, "pivotlab", "solve", method, input.c_str(), "-o", result.c_str(), nullptr);
    });
    tally_.add(end);
    const std::string error = text_of(said);
    const auto files = std::distance(std::filesystem::directory_iterator(folder.path()), {});
    const bool written = std::filesystem::exists(result);
    if (end.code > 2) return broken(one.seed, fmt::format("solve {} ends with code {}: {}", method, end.code, error));
    ++tally_.codes[static_cast<std::size_t>(end.code)];
    if (error.find("crashes the HDF5 library") != error.npos || error.find("busy") != error.npos) ++tally_.contained;
    if (files != 1 + written || (end.code == 2 && written)) broken(one.seed, "something is left behind");
    if (end.code == 2 && std::count(error.begin(), error.end(), '\n') != 1) broken(one.seed, "not one line: " + error);
    if (end.seconds > most_seconds) broken(one.seed, fmt::format("solve {} takes {:.1f} s", method, end.seconds));
    if (end.kilobytes > most_kilobytes) broken(one.seed, fmt::format("{} kB of memory", end.kilobytes));
  }

  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void broken(std::uint64_t k, const std::string& what) {
    ++tally_.broken;
    fmt::print("mutant {}: {}\n", k, what);
    if (!keep_.empty()) write(keep_ / fmt::format("mutant_{}", k), mutant(sound_, k).bytes);
  }

  int report(const char* contained) const {
    fmt::print("{} files, {} broke a rule; {} {}; at most {:.2f} s and {} kB\n", last_ - first_, tally_.broken,
               tally_.contained, contained, tally_.longest, tally_.most_kilobytes);
    return tally_.broken == 0 ? 0 : 1;
  }

  std::uint64_t first_, last_;
  std::filesystem::path keep_;
  test::ScratchFolder made_, scratch_;
  std::vector<SoundFile> sound_;
  std::uint64_t* done_;
  Tally tally_;
};

}  // namespace
}  // namespace pivotlab::fuzz

#ifdef __SANITIZE_ADDRESS__
// For damaged files libhdf5 leaks memory and requests more memory than available, which it handles.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=1024:detect_leaks=0:symbolize=0";
}
#endif

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) {
    std::cerr << "file_fuzz FILES [command] [FIRST [FOLDER]]\n";
    return 2;
  }
  const bool by_command = arguments.size() > 1 && arguments[1] == "command";
  const auto rest = arguments.begin() + 1 + by_command;
  const std::uint64_t first = rest == arguments.end() ? 0 : std::stoull(*rest);
  pivotlab::fuzz::Run run(first, first + std::stoull(arguments[0]), arguments.end() - rest > 1 ? rest[1] : "");
  return by_command ? run.by_command() : run.by_library();
}
