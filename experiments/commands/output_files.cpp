// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <experiments/commands/output_files.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/problems/file_source.hpp>
#include <filesystem>
#include <pivotlab/error.hpp>
#include <support/files/atomic_file.hpp>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

/// Returns whether two names denote the same file; the file need not exist.
bool same_file(const fs::path& a, const fs::path& b) {
  struct stat of_a {
  }, of_b{};
  if (::stat(a.c_str(), &of_a) == 0 && ::stat(b.c_str(), &of_b) == 0)
    return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(a), ignored) == fs::weakly_canonical(fs::absolute(b), ignored);
}

/// Returns true for dangling links, too; AtomicFile refuses everything that is neither a file nor a link.
bool would_be_replaced(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(file, ignored);
  return fs::is_regular_file(status) || fs::is_symlink(status);
}

}  // namespace

void require_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, bool force) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->empty()) continue;
    for (const std::string& input : inputs)
      if (!input.empty() && same_file(*output, without_dataset(input)))
        throw InputError(fmt::format("{}: is the input {}, which would be lost; give another name", *output, input));
    for (auto other = outputs.begin(); other != output; ++other)
      if (!other->empty() && same_file(*output, *other))
        throw InputError(fmt::format("{}: is named for two outputs; give each its own name", *output));
    if (!force && would_be_replaced(*output))
      throw InputError(fmt::format("{}: exists; add --force to replace it, or give another name", *output));
    const AtomicFile can_be_written(*output);
  }
}

void require_hdf5_name(const std::string& file) {
  if (file.empty() || file.ends_with(".h5") || file.ends_with(".hdf5")) return;
  throw InputError(fmt::format("-o: '{}': the result is an HDF5 file; end its name in .h5", file));
}

std::map<std::string, std::string> problem_attributes() {
  std::vector<std::string> command;
  bool is_output = false;
  for (const std::string& word : own_arguments()) {
    const bool follows = is_output;
    is_output = !follows && (word == "-o" || word == "--output");
    if (!follows && !is_output && !word.starts_with("--output=") && !word.starts_with("-o") && word != "--force")
      command.push_back(word);
  }
  return {{"version", build_info().version}, {"command", shell_line(command)}};
}

std::map<std::string, std::string> result_attributes(const std::string& output,
                                                     const std::vector<std::string>& inputs) {
  if (output.empty()) return {};
  std::map<std::string, std::string> attributes = problem_attributes();
  attributes["commit"] = build_info().commit + (build_info().clean ? "" : "-dirty");
  std::vector<std::string> given = inputs;
  std::erase(given, "");
  const auto is_file = [](const std::string& input) { return fs::is_regular_file(without_dataset(input)); };
  if (!given.empty() && std::ranges::all_of(given, is_file)) attributes["digest"] = digest_of_files(given);
  return attributes;
}

bool is_matrix_market(const std::string& file) {
  if (file.ends_with(".mtx") || file.ends_with(".mtx.gz")) return true;
  if (file.ends_with(".h5") || file.ends_with(".hdf5")) return false;
  throw InputError(fmt::format("-o: unknown extension of '{}'; use .h5, .mtx or .mtx.gz", file));
}

std::string matrix_market_output(const char* option, const std::string& file) {
  if (is_matrix_market(file)) return file;
  throw InputError(fmt::format("{}: {} is to be a Matrix Market file; end its name in .mtx or .mtx.gz", option, file));
}

}  // namespace pivotlab::experiments
