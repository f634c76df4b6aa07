// A generalized hyperbolic singular value decomposition in one HDF5 file.
//
//   /eigenvalues, /J, /sigma_f, /sigma_g   n each: λ = J'·Σ_F²·Σ_G⁻² descends; the diagonal of J', 0 for λ = 0
//   /estimate, /noise                      n each, if there are any: estimated relative errors of λ; 1 where the sign
//                                          is not determined
//   /U, /V, /Z                             m_F × n, m_G × n, n × n, columns in this order
//   attributes                             schema, status, message, m_f, m_g, n, positive, negative, zero, sweeps,
//                                          tangent_bits, compute_seconds, and those of the caller
#include <pivotlab/io.hpp>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab {

template <class T>
void write_ghsvd(const std::filesystem::path& file, const GhsvdResult<T>& result,
                 const std::map<std::string, std::string>& attributes) {
  using io::hdf5::Place, io::hdf5::write_attribute, io::hdf5::write_vector;
  if (result.eigenvalues.empty())
    io::fail(file, "eigenvalues", "there are none", "give a result of one column or more");
  const io::hdf5::Silence silence;
  const Place root{file, ""};
  io::hdf5::NewFile output(file);
  write_attribute(output, root, "schema", std::string("pivotlab/ghsvd/1"));
  write_attribute(output, root, "status", std::string(to_string(result.status)));
  write_attribute(output, root, "message", result.message);
  for (const auto& [name, count] : {std::pair<const char*, Index>("m_f", result.U.rows()),
                                    {"m_g", result.V.rows()},
                                    {"n", std::ssize(result.eigenvalues)},
                                    {"positive", result.inertia.positive},
                                    {"negative", result.inertia.negative},
                                    {"zero", result.inertia.zero},
                                    {"sweeps", std::ssize(result.sweeps)},
                                    {"tangent_bits", result.tangent_bits}})
    write_attribute(output, root, name, std::int64_t{count});
  write_attribute(output, root, "compute_seconds", result.compute_seconds);
  io::hdf5::write_attributes(output, root, attributes);

  write_vector(output, Place{file, "/eigenvalues"}, result.eigenvalues);
  write_vector(output, Place{file, "/J"}, std::vector<double>(result.J.begin(), result.J.end()));
  write_vector(output, Place{file, "/sigma_f"}, result.sigma_f);
  write_vector(output, Place{file, "/sigma_g"}, result.sigma_g);
  if (!result.estimate.empty()) write_vector(output, Place{file, "/estimate"}, result.estimate);
  if (!result.noise.empty())
    write_vector(output, Place{file, "/noise"}, std::vector<std::uint64_t>(result.noise.begin(), result.noise.end()));
  if (result.U.size() > 0) io::hdf5::write_matrix(output, Place{file, "/U"}, result.U.view(), {});
  io::hdf5::write_matrix(output, Place{file, "/V"}, result.V.view(), {});
  io::hdf5::write_matrix(output, Place{file, "/Z"}, result.Z.view(), {});
  output.commit();
}

template void write_ghsvd(const std::filesystem::path&, const GhsvdResult<double>&,
                          const std::map<std::string, std::string>&);
template void write_ghsvd(const std::filesystem::path&, const GhsvdResult<std::complex<double>>&,
                          const std::map<std::string, std::string>&);

}  // namespace pivotlab
