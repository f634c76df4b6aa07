// SPDX-License-Identifier: BSD-3-Clause
// Parses JSON from users, files and other processes; error messages give the place.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// The most levels of nested objects and lists that input may have. Documents of pivotlab have less than ten; functions
/// over JSON recurse once per level.
inline constexpr std::size_t deepest_json = 100;

/// Returns the content of a file; throws InputError naming it.
std::string read_text(const std::filesystem::path& file);

/// Parses JSON (nlohmann::json, or ordered_json if the order of keys matters). All JSON that this process has not
/// written is parsed by this function. Throws InputError "<origin>:<line>:<column>: …" for a syntax error, a number
/// beyond double precision, text that is not UTF-8, and more than deepest_json levels; throws InputError "<origin>: …"
/// for a repeated key. An integer outside the range of std::int64_t becomes a floating-point number. `line`: number of
/// the text's first line.
template <class Json>
Json parse_json(std::string_view text, std::string_view origin, std::size_t line = 1);

/// Formats a value for a message: one line, about 60 characters at most.
template <class Json>
std::string quoted(const Json& value);

/// Formats a document for a committed file: one line for each object or list that contains no other ones, or few.
std::string to_lines(const nlohmann::ordered_json& document);

}  // namespace pivotlab::experiments
