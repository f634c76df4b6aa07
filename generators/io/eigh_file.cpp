// An eigendecomposition of a Hermitian matrix in one HDF5 file.
//
//   /eigenvalues, /estimate, /noise   n each: descending; estimated relative errors; 1 where the sign is not determined
//   /U                                n × n, eigenvectors in this order, if there are any
//   attributes                        schema, status, message, n, rank, positive, negative, zero, sweeps,
//   preconditioner,
//                                     compute_seconds, and those of the caller
#include <pivotlab/io.hpp>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab {

template <class T>
void write_eigh(const std::filesystem::path& file, const EighResult<T>& result,
                const std::map<std::string, std::string>& attributes) {
  using io::hdf5::Place, io::hdf5::write_attribute;
  if (result.eigenvalues.empty()) io::fail(file, "eigenvalues", "there are none", "give a result of order 1 or more");
  const io::hdf5::Silence silence;
  const Place root{file, ""};
  io::hdf5::NewFile output(file);
  write_attribute(output, root, "schema", std::string("pivotlab/eigh/1"));
  write_attribute(output, root, "status", std::string(to_string(result.status)));
  write_attribute(output, root, "message", result.message);
  for (const auto& [name, count] : {std::pair<const char*, Index>("n", std::ssize(result.eigenvalues)),
                                    {"rank", result.rank},
                                    {"positive", result.inertia.positive},
                                    {"negative", result.inertia.negative},
                                    {"zero", result.inertia.zero},
                                    {"sweeps", std::ssize(result.sweeps)}})
    write_attribute(output, root, name, std::int64_t{count});
  write_attribute(output, root, "preconditioner",
                  result.spectral.used              ? std::string("spectral")
                  : result.spectral.refusal.empty() ? std::string("none")
                                                    : "refused: " + result.spectral.refusal);
  write_attribute(output, root, "compute_seconds", result.compute_seconds);
  io::hdf5::write_attributes(output, root, attributes);

  io::hdf5::write_vector(output, Place{file, "/eigenvalues"}, result.eigenvalues);
  if (!result.estimate.empty()) io::hdf5::write_vector(output, Place{file, "/estimate"}, result.estimate);
  if (!result.noise.empty()) {
    const std::vector<std::uint64_t> noise(result.noise.begin(), result.noise.end());
    io::hdf5::write_vector(output, Place{file, "/noise"}, noise);
  }
  if (result.U.size() > 0) io::hdf5::write_matrix(output, Place{file, "/U"}, result.U.view(), {});
  output.commit();
}

template void write_eigh(const std::filesystem::path&, const EighResult<double>&,
                         const std::map<std::string, std::string>&);
template void write_eigh(const std::filesystem::path&, const EighResult<std::complex<double>>&,
                         const std::map<std::string, std::string>&);

}  // namespace pivotlab
