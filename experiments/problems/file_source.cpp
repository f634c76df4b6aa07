// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/value.hpp>
#include <experiments/problems/file_source.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
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

std::string path_of(std::string_view generator) {
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
