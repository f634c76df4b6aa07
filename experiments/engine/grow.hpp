// SPDX-License-Identifier: BSD-3-Clause
// The manifest of a folder to which a sweep adds cases.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pivotlab::experiments {

/// Returns the manifest `now` with the cases of `before`, then those that are new, and with the values of both on every
/// axis; axes of a zip have the rows of both. Names `file` in its errors: InputError if axes advance together in one
/// sweep only, and if a file has changed from which cases of `before` come.
nlohmann::ordered_json grown_manifest(const nlohmann::ordered_json& before, const nlohmann::ordered_json& now,
                                      const std::string& file);

}  // namespace pivotlab::experiments
