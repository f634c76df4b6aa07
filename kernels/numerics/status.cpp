// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/error.hpp>
#include <pivotlab/status.hpp>

#include <array>
#include <string>
#include <utility>

namespace pivotlab {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 8> names{{
    {Status::passed, "passed"},
    {Status::incorrect, "incorrect"},
    {Status::not_converged, "not_converged"},
    {Status::failed, "failed"},
    {Status::out_of_memory, "out_of_memory"},
    {Status::timeout, "timeout"},
    {Status::not_supported, "not_supported"},
    {Status::skipped, "skipped"},
}};

}  // namespace

std::string_view to_string(Status status) {
  return names[static_cast<std::size_t>(status)].second;
}

Status status_from_string(std::string_view name) {
  for (const auto& [status, text] : names)
    if (text == name) return status;
  throw InputError("unknown status '" + std::string(name) + "'");
}

}  // namespace pivotlab
