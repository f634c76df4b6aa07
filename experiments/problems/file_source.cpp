// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <glob.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/value.hpp>
#include <experiments/problems/collection.hpp>
#include <experiments/problems/file_source.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace pivotlab::experiments {

std::string expand_variable(std::string_view path, std::string_view generator) {
  if (!path.starts_with('$')) return std::string(path);
  const std::string name(path.substr(1, path.find('/') - 1));
  const char* value = std::getenv(name.c_str());
  if (value == nullptr)
    throw InputError(
        fmt::format("generator '{}': the environment variable {} is not set; set it to the folder of the "
                    "data",
                    generator, name));
  return value + std::string(path.substr(1 + name.size()));
}

namespace {

namespace fs = std::filesystem;

/// Returns the files of matrices in a folder, by name.
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (std::ranges::any_of(std::array{".mtx", ".mtx.gz", ".h5", ".hdf5"},
                            [&](const char* end) { return name.ends_with(end) && !name.starts_with('.'); }))
      files.push_back((fs::path(folder) / name).string());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> files_like(const std::string& pattern) {
  ::glob_t found{};
  std::vector<std::string> files;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return files;
}

}  // namespace

std::vector<std::string> expand_generator(std::string_view item) {
  const std::size_t colon = item.find(':');
  const std::string_view source = item.substr(0, colon);
  if (item.starts_with(collection_mark)) {
    std::vector<std::string> names, missing;
    for (const CollectionEntry& entry : find_in_collection(item.substr(colon + 1))) {
      names.push_back(std::string(collection_mark) + entry.name);
      if (find_in_data(entry.name).empty()) missing.push_back(entry.name);
    }
    if (names.size() > 1 && !missing.empty())  // a single one gives an error when it is read
      throw InputError(
          fmt::format("'{}': {} of {} matrices are not on this machine, {} among them; `pivotlab data fetch "
                      "'{}'` gets them, or put them at {}/suitesparse/GROUP/NAME.mtx or .mtx.gz",
                      item, missing.size(), names.size(), missing.front(), item, data_folder().string()));
    return names;
  }
  const std::string_view given = colon == std::string_view::npos ? "" : item.substr(colon + 1);
  const std::string variable(given.starts_with('$') ? given.substr(1, given.find('/') - 1) : "");
  const bool is_file = source == "file" || source == "permuted";
  if (is_file && given.empty()) throw InputError(fmt::format("'{}': names no file; write {}:FILE", item, source));
  if (!is_file || (!variable.empty() && std::getenv(variable.c_str()) == nullptr)) return expand_pattern(item);
  const std::string path = expand_variable(given, item);
  std::error_code error;
  if (fs::is_regular_file(without_dataset(path), error)) return {std::string(item)};
  const bool is_folder = fs::is_directory(path, error);
  if (!is_folder && path.find_first_of("*?[") == std::string::npos) return expand_pattern(item);
  std::vector<std::string> files = is_folder ? files_in(path) : files_like(path);
  if (files.empty())
    throw InputError(fmt::format("'{}': there is no file{}", item,
                                 is_folder ? " .mtx, .mtx.gz, .h5 or .hdf5 in the folder" : " of such a name"));
  for (std::string& file : files) {
    if (!variable.empty()) file = '$' + variable + file.substr(std::string(std::getenv(variable.c_str())).size());
    file = fmt::format("{}:{}", source, file);
  }
  return files;
}

std::string path_of(std::string_view generator) {
  if (generator.starts_with(collection_mark))
    return file_in_collection(generator.substr(collection_mark.size())).string();
  return expand_variable(generator.substr(generator.find(':') + 1), generator);
}

const FileSource* find_source(std::span<const FileSource> sources, std::string_view generator) {
  const std::size_t colon = generator.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const auto found = std::ranges::find(sources, generator.substr(0, colon), &FileSource::name);
  return found == sources.end() ? nullptr : &*found;
}

void require_no_files(std::span<const FileSource> sources, std::string_view generator) {
  if (find_source(sources, generator) != nullptr)
    throw InputError(
        fmt::format("generator '{}': reads files; give them to solve, or the generator to sweep", generator));
}

Matrix<std::complex<double>> to_complex(AnyMatrix matrix) {
  if (auto* complex = std::get_if<Matrix<std::complex<double>>>(&matrix)) return std::move(*complex);
  const auto& real = std::get<Matrix<double>>(matrix);
  Matrix<std::complex<double>> result(real.rows(), real.cols());
  std::copy_n(real.data(), real.size(), result.data());
  return result;
}

std::filesystem::path without_dataset(const std::string& path) {
  const std::size_t colon = path.rfind(":/");
  return colon == std::string::npos || std::filesystem::exists(path) ? path : path.substr(0, colon);
}

std::string digest_of_files(const std::vector<std::string>& paths) {
  std::string digests;
  for (const std::string& path : paths) digests += digest(read_text(without_dataset(path)));
  return paths.size() > 1 ? digest(digests) : digests;
}

}  // namespace pivotlab::experiments
