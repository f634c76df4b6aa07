// A decomposition in one HDF5 file.
//
//   /U, /V, /Z, /X            as far as the result has them
//   /sigma, /sigma_f, /sigma_g
//   /sweeps/<counter>         one vector per counter, one entry per sweep
//   /R, /Q                    of a pair that was reduced: X = [0 R]·Qᴴ
//   attributes                schema, type, status, message, compute_seconds, and those of the caller; of any pair also
//                             k, l and, if it was reduced, tolerance_f, tolerance_g
#include <pivotlab/by_columns.hpp>
#include <pivotlab/gsvd_any.hpp>

#include <optional>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab {
namespace {

using io::hdf5::Place;

/// Writes one member of all sweeps as a vector.
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

/// Writes everything except the matrices and the caller's attributes. Result is GsvdResult<T> or a rank's
/// GsvdStripes<T>.
template <class T, class Result>
void write_rest(hid_t output, const std::filesystem::path& file, const Result& result) {
  using io::hdf5::write_attribute;
  const Place root{file, ""};
  write_attribute(output, root, "schema", std::string("pivotlab/gsvd/1"));
  write_attribute(output, root, "type", std::string(1, static_cast<char>(scalar_type<T>)));
  write_attribute(output, root, "status", std::string(to_string(result.status)));
  write_attribute(output, root, "message", result.message);
  write_attribute(output, root, "compute_seconds", result.compute_seconds);
  io::hdf5::write_vector(output, Place{file, "/sigma"}, result.sigma);
  io::hdf5::write_vector(output, Place{file, "/sigma_f"}, result.sigma_f);
  io::hdf5::write_vector(output, Place{file, "/sigma_g"}, result.sigma_g);
  write_sweeps(output, file, result.sweeps);
}

/// The file of rank 0, which receives columns from all ranks.
template <class T>
class FileOfColumns {
 public:
  FileOfColumns(const std::filesystem::path& file, const GsvdStripes<T>& part,
                const std::map<std::string, std::string>& attributes)
      : name_(file), file_(file) {
    write_rest<T>(file_, name_, part);
    io::hdf5::write_attributes(file_, Place{name_, ""}, attributes);
    const auto n = static_cast<Index>(part.sigma.size());
    for (const auto& [name, rows] : {std::pair{"/U", part.U.rows()}, {"/V", part.V.rows()}, {"/Z", part.Z.rows()}})
      matrices_.push_back(io::hdf5::create_columns<T>(file_, Place{name_, name}, rows, n));
  }
  void write(std::size_t matrix, Index column, std::span<const T> values) {
    io::hdf5::write_column(matrices_[matrix], Place{name_, "U, V, Z"}, column, values);
  }
  void commit() {
    matrices_.clear();
    file_.commit();
  }

 private:
  io::hdf5::Silence silence_;
  std::filesystem::path name_;
  io::hdf5::NewFile file_;
  std::vector<io::hdf5::Dataset> matrices_;  // U, V, Z
};

template <class T>
void write_if_any(hid_t output, const std::filesystem::path& file, const char* name, const Matrix<T>& A) {
  if (A.size() > 0) io::hdf5::write_matrix(output, Place{file, name}, A.view(), {});
}

/// write_more(output) writes what the result has besides.
template <class T, class WriteMore>
void write_file(const std::filesystem::path& file, const GsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes, const WriteMore& write_more) {
  const io::hdf5::Silence silence;
  io::hdf5::NewFile output(file);
  write_if_any(output, file, "/U", result.U);
  write_if_any(output, file, "/V", result.V);
  write_if_any(output, file, "/Z", result.Z);
  write_if_any(output, file, "/X", result.X);
  write_rest<T>(output, file, result);
  write_more(output);
  io::hdf5::write_attributes(output, Place{file, ""}, attributes);
  output.commit();
}

}  // namespace

template <class T>
void write_gsvd(const std::filesystem::path& file, const GsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes) {
  write_file(file, result, attributes, [](hid_t) {});
}

template <class T>
void write_gsvd(const std::filesystem::path& file, const AnyGsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes) {
  write_file<T>(file, result, attributes, [&](hid_t output) {
    const Place root{file, ""};
    write_if_any(output, file, "/R", result.R);
    write_if_any(output, file, "/Q", result.Q);
    io::hdf5::write_attribute(output, root, "k", std::int64_t{result.k});
    io::hdf5::write_attribute(output, root, "l", std::int64_t{result.l});
    if (result.tolerance_f) io::hdf5::write_attribute(output, root, "tolerance_f", *result.tolerance_f);
    if (result.tolerance_g) io::hdf5::write_attribute(output, root, "tolerance_g", *result.tolerance_g);
  });
}

template <class T>
void write_gsvd(Transport& transport, const std::filesystem::path& file, const GsvdStripes<T>& part,
                const std::map<std::string, std::string>& attributes) {
  const bool writes = transport.rank() == 0;
  std::optional<FileOfColumns<T>> output;
  in_agreement(transport, [&] {
    if (writes) output.emplace(file, part, attributes);
  });
  for_columns_on_first_rank(transport, part, [&](std::size_t matrix, Index column, std::span<const T> values) {
    output->write(matrix, column, values);
  });
  in_agreement(transport, [&] {
    if (writes) output->commit();
  });
}

template void write_gsvd(const std::filesystem::path&, const GsvdResult<double>&,
                         const std::map<std::string, std::string>&);
template void write_gsvd(const std::filesystem::path&, const GsvdResult<std::complex<double>>&,
                         const std::map<std::string, std::string>&);
template void write_gsvd(const std::filesystem::path&, const AnyGsvdResult<double>&,
                         const std::map<std::string, std::string>&);
template void write_gsvd(const std::filesystem::path&, const AnyGsvdResult<std::complex<double>>&,
                         const std::map<std::string, std::string>&);
template void write_gsvd(Transport&, const std::filesystem::path&, const GsvdStripes<double>&,
                         const std::map<std::string, std::string>&);
template void write_gsvd(Transport&, const std::filesystem::path&, const GsvdStripes<std::complex<double>>&,
                         const std::map<std::string, std::string>&);

}  // namespace pivotlab
