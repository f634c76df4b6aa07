#include <fmt/format.h>
#include <experiments/hsvd/rectangular_source.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <map>

namespace pivotlab::experiments {
namespace {

constexpr FileSource matrix_file{
    "file", "G", "Matrix Market or HDF5 (g.h5, g.h5:/dataset); a path may begin with $NAME, an environment variable"};

std::string file_of(const std::string& generator) {
  return expand_variable(std::string_view(generator).substr(file_prefix.size()), generator);
}

RectangularIdentity identify(const std::string& generator) {
  const std::string path = file_of(generator);
  const MatrixShape shape = read_matrix_shape(path);
  if (shape.cols < 1 || shape.rows < shape.cols)
    throw InputError(fmt::format("{}: is {} x {}; give a matrix with columns, and with as many rows or more", path,
                                 shape.rows, shape.cols));
  return {shape.type, shape.rows, shape.cols, digest_of_files({path})};
}

}  // namespace

std::span<const FileSource> rectangular_sources() {
  return {&matrix_file, 1};
}

bool is_rectangular_file(std::string_view generator) {
  return find_source(rectangular_sources(), generator) != nullptr;
}

const RectangularIdentity& identify_rectangular(const std::string& generator) {
  static std::map<std::string, RectangularIdentity> seen;
  const auto known = seen.find(generator);
  return known != seen.end() ? known->second : seen.emplace(generator, identify(generator)).first->second;
}

AnyMatrix load_rectangular(const std::string& generator) {
  return read_matrix(file_of(generator));
}

}  // namespace pivotlab::experiments
