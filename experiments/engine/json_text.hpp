// JSON from people and from disk: errors that tell where.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// The content of a file; throws InputError naming it.
std::string read_text(const std::filesystem::path& file);

/// Parses JSON (nlohmann::json, or ordered_json where the order of keys has a meaning). Throws InputError
/// "<origin>:<line>:<column>: …" for a syntax error and for a key that an object has twice.
template <class Json>
Json parse_json(std::string_view text, std::string_view origin);

}  // namespace pivotlab::experiments
