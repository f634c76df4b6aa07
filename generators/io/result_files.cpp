// SPDX-License-Identifier: BSD-3-Clause
// The files of four decompositions. Members and their order are those of members.hpp.
#include <pivotlab/io.hpp>

#include "generators/io/check.hpp"
#include "generators/io/result_file.hpp"

namespace pivotlab {

using Attributes = std::map<std::string, std::string>;

template <class T>
void write_hsvd(const std::filesystem::path& file, const HsvdResult<T>& result, const Attributes& attributes) {
  if (result.sigma.empty()) io::fail(file, "sigma", "there is none", "give a result of one column or more");
  io::write_result(file, result, attributes);
}

template <class T>
void write_eigh(const std::filesystem::path& file, const EighResult<T>& result, const Attributes& attributes) {
  if (result.eigenvalues.empty()) io::fail(file, "eigenvalues", "there are none", "give a result of order 1 or more");
  io::write_result(file, result, attributes);
}

template <class T>
void write_ghsvd(const std::filesystem::path& file, const GhsvdResult<T>& result, const Attributes& attributes) {
  if (result.eigenvalues.empty())
    io::fail(file, "eigenvalues", "there are none", "give a result of one column or more");
  io::write_result(file, result, attributes);
}

void write_eig(const std::filesystem::path& file, const EigResult<double>& result, const Attributes& attributes) {
  if (result.eigenvalues.empty()) io::fail(file, "eigenvalues", "there are none", "give a result of order 1 or more");
  io::write_result(file, result, attributes);
}

template decltype(write_hsvd<double>) write_hsvd<double>;
template decltype(write_hsvd<std::complex<double>>) write_hsvd<std::complex<double>>;
template decltype(write_eigh<double>) write_eigh<double>;
template decltype(write_eigh<std::complex<double>>) write_eigh<std::complex<double>>;
template decltype(write_ghsvd<double>) write_ghsvd<double>;
template decltype(write_ghsvd<std::complex<double>>) write_ghsvd<std::complex<double>>;

}  // namespace pivotlab
