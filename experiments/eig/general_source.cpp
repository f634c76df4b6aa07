#include <experiments/common/file_source.hpp>
#include <experiments/eig/general_source.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

#include <map>

namespace pivotlab::experiments {
namespace {

constexpr FileSource source{
    "file", "A", "Matrix Market or HDF5 (a.h5, a.h5:/dataset); a path may begin with $NAME, an environment variable"};

std::string path_of(const std::string& generator) {
  return expand_variable(std::string_view(generator).substr(file_prefix.size()), generator);
}

GeneralIdentity identify(const std::string& generator) {
  const std::string path = path_of(generator);
  const MatrixShape shape = read_general_shape(path);
  return {shape.type, shape.rows, digest_of_files({path})};
}

}  // namespace

std::span<const FileSource> general_sources() {
  return {&source, 1};
}

bool is_general_file(std::string_view generator) {
  return find_source(general_sources(), generator) != nullptr;
}

const GeneralIdentity& identify_general(const std::string& generator) {
  static std::map<std::string, GeneralIdentity> seen;
  const auto known = seen.find(generator);
  return known != seen.end() ? known->second : seen.emplace(generator, identify(generator)).first->second;
}

AnyGeneral load_general(const std::string& generator) {
  AnyGeneral any = read_general(path_of(generator));
  std::visit(
      [&]<class T>(GeneralMatrix<T>& matrix) {
        matrix.provenance = generator;
        if (matrix.eigenvalues.empty() && matrix.A.rows() <= file_truth_order)
          matrix.eigenvalues = extended_eigenvalues<T>(matrix.A);
      },
      any);
  return any;
}

}  // namespace pivotlab::experiments
