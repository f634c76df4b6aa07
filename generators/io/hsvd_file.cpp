// A hyperbolic or an ordinary singular value decomposition in one HDF5 file.
//
//   /sigma, /J, /estimate   k = min(m, n) each: J'·σ² descends; signs of J'; estimated relative errors of σ²
//   /U, /V                  m × k and n × k, columns in this order; V if it was computed
//   attributes              schema, status, message, m, n, sweeps, compute_seconds, and those of the caller
#include <pivotlab/io.hpp>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab {

template <class T>
void write_hsvd(const std::filesystem::path& file, const HsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes) {
  using io::hdf5::Place, io::hdf5::write_attribute;
  if (result.sigma.empty()) io::fail(file, "sigma", "there is none", "give a result of one column or more");
  const io::hdf5::Silence silence;
  const Place root{file, ""};
  io::hdf5::NewFile output(file);
  write_attribute(output, root, "schema", std::string("pivotlab/hsvd/1"));
  write_attribute(output, root, "status", std::string(to_string(result.status)));
  write_attribute(output, root, "message", result.message);
  for (const auto& [name, count] : {std::pair<const char*, Index>("m", result.U.rows()),
                                    {"n", result.V.size() > 0 ? result.V.rows() : std::ssize(result.sigma)},
                                    {"sweeps", std::ssize(result.sweeps)}})
    write_attribute(output, root, name, std::int64_t{count});
  write_attribute(output, root, "compute_seconds", result.compute_seconds);
  io::hdf5::write_attributes(output, root, attributes);

  io::hdf5::write_vector(output, Place{file, "/sigma"}, result.sigma);
  io::hdf5::write_vector(output, Place{file, "/J"}, std::vector<double>(result.J.begin(), result.J.end()));
  if (!result.estimate.empty()) io::hdf5::write_vector(output, Place{file, "/estimate"}, result.estimate);
  io::hdf5::write_matrix(output, Place{file, "/U"}, result.U.view(), {});
  if (result.V.size() > 0) io::hdf5::write_matrix(output, Place{file, "/V"}, result.V.view(), {});
  output.commit();
}

template void write_hsvd(const std::filesystem::path&, const HsvdResult<double>&,
                         const std::map<std::string, std::string>&);
template void write_hsvd(const std::filesystem::path&, const HsvdResult<std::complex<double>>&,
                         const std::map<std::string, std::string>&);

}  // namespace pivotlab
