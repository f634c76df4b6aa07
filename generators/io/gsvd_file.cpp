// A decomposition in one HDF5 file.
//
//   /U, /V, /Z, /X            what of them the result has
//   /sigma, /sigma_f, /sigma_g
//   /sweeps/<counter>         one vector a counter, an entry a sweep
//   attributes                schema, type, status, message, compute_seconds, and those of the caller
#include <array>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab {
namespace {

using io::hdf5::Place;

constexpr std::array<std::string_view, 5> reserved{"schema", "type", "status", "message", "compute_seconds"};

/// One vector of a member of all sweeps.
template <class Value, class Member>
std::vector<Value> column(const std::vector<SweepCounters>& sweeps, Member member) {
  std::vector<Value> values;
  for (const auto& sweep : sweeps) values.push_back(static_cast<Value>(sweep.*member));
  return values;
}

void write_sweeps(hid_t file, const std::filesystem::path& name, const std::vector<SweepCounters>& sweeps) {
  const auto group = io::hdf5::create_group(file, Place{name, "sweeps"});
  const auto counter = [&](const char* dataset, auto member) {
    io::hdf5::write_vector(group, Place{name, dataset}, column<std::uint64_t>(sweeps, member));
  };
  counter("transformations", &SweepCounters::transformations);
  counter("big", &SweepCounters::big);
  counter("swaps", &SweepCounters::swaps);
  counter("skipped_tiles", &SweepCounters::skipped_tiles);
  counter("qr_tiles", &SweepCounters::qr_tiles);
  counter("max_inner_sweeps", &SweepCounters::max_inner_sweeps);
  io::hdf5::write_vector(group, Place{name, "seconds"}, column<double>(sweeps, &SweepCounters::seconds));
}

}  // namespace

template <class T>
void write_gsvd(const std::filesystem::path& file, const GsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes) {
  for (const auto name : reserved)
    if (attributes.contains(std::string(name)))
      io::fail(file, "attribute " + std::string(name), "is written from the result", "choose another name");
  const io::hdf5::Silence silence;
  const Place root{file, ""};
  io::hdf5::NewFile output(file);

  using io::hdf5::write_attribute;
  write_attribute(output, root, "schema", std::string("pivotlab/gsvd/1"));
  write_attribute(output, root, "type", std::string(1, static_cast<char>(scalar_type<T>)));
  write_attribute(output, root, "status", std::string(to_string(result.status)));
  write_attribute(output, root, "message", result.message);
  write_attribute(output, root, "compute_seconds", result.compute_seconds);
  for (const auto& [name, text] : attributes) write_attribute(output, root, name.c_str(), text);

  const auto matrix = [&](const char* name, const Matrix<T>& A) {
    if (A.size() > 0) io::hdf5::write_matrix(output, Place{file, name}, A.view(), {});
  };
  matrix("/U", result.U);
  matrix("/V", result.V);
  matrix("/Z", result.Z);
  matrix("/X", result.X);
  io::hdf5::write_vector(output, Place{file, "/sigma"}, result.sigma);
  io::hdf5::write_vector(output, Place{file, "/sigma_f"}, result.sigma_f);
  io::hdf5::write_vector(output, Place{file, "/sigma_g"}, result.sigma_g);
  write_sweeps(output, file, result.sweeps);

  output.commit();
}

template void write_gsvd(const std::filesystem::path&, const GsvdResult<double>&,
                         const std::map<std::string, std::string>&);
template void write_gsvd(const std::filesystem::path&, const GsvdResult<std::complex<double>>&,
                         const std::map<std::string, std::string>&);

}  // namespace pivotlab
