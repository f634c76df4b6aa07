// An eigendecomposition in one HDF5 file.
//
//   /eigenvalues          n × 1, complex, by descending modulus
//   /V, /W                right and left eigenvectors in this order, as far as requested
//   /conditions           of the eigenvalues, if requested
//   /T, /E, /positions    E·T = A·E, eigenvalue k is element positions[k] of the diagonal of T, if requested
//   /history/norm, …/lower, …/departure, …/largest_tau, …/seconds   one entry per sweep, the first one before it
//   attributes            schema, status, message, n, sweeps, compute_seconds, and those of the caller
#include <pivotlab/io.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab {
namespace {

using Complex = std::complex<double>;
using io::hdf5::Place;
using io::hdf5::write_attribute;

void write_history(hid_t file, const std::filesystem::path& name, const std::vector<EigSweep<double>>& history) {
  const auto group = io::hdf5::create_group(file, Place{name, "history"});
  const auto column = [&](const char* what, double EigSweep<double>::*member) {
    std::vector<double> values;
    for (const auto& sweep : history) values.push_back(sweep.*member);
    io::hdf5::write_vector(group, Place{name, what}, values);
  };
  column("norm", &EigSweep<double>::norm);
  column("lower", &EigSweep<double>::lower);
  column("departure", &EigSweep<double>::departure);
  column("largest_tau", &EigSweep<double>::largest_tau);
  column("seconds", &EigSweep<double>::seconds);
}

}  // namespace

void write_eig(const std::filesystem::path& file, const EigResult<double>& result,
               const std::map<std::string, std::string>& attributes) {
  if (result.eigenvalues.empty()) io::fail(file, "eigenvalues", "there are none", "give a result of order 1 or more");
  const io::hdf5::Silence silence;
  const Place root{file, ""};
  io::hdf5::NewFile output(file);
  write_attribute(output, root, "schema", std::string("pivotlab/eig/1"));
  write_attribute(output, root, "status", std::string(to_string(result.status)));
  write_attribute(output, root, "message", result.message);
  write_attribute(output, root, "n", std::int64_t{std::ssize(result.eigenvalues)});
  write_attribute(output, root, "sweeps", std::int64_t{result.sweeps()});
  write_attribute(output, root, "compute_seconds", result.compute_seconds);
  io::hdf5::write_attributes(output, root, attributes);

  Matrix<Complex> values(std::ssize(result.eigenvalues), 1);
  std::ranges::copy(result.eigenvalues, values.data());
  io::hdf5::write_matrix(output, Place{file, "/eigenvalues"}, std::as_const(values).view(), {});
  for (const auto& [name, matrix] :
       {std::pair("/V", &result.V), {"/W", &result.W}, {"/T", &result.T}, {"/E", &result.E}})
    if (matrix->size() > 0) io::hdf5::write_matrix(output, Place{file, name}, matrix->view(), {});
  if (!result.conditions.empty()) io::hdf5::write_vector(output, Place{file, "/conditions"}, result.conditions);
  if (result.T.size() > 0) {
    const std::vector<std::uint64_t> positions(result.positions.begin(), result.positions.end());
    io::hdf5::write_vector(output, Place{file, "/positions"}, positions);
  }
  if (!result.history.empty()) write_history(output, file, result.history);
  output.commit();
}

}  // namespace pivotlab
