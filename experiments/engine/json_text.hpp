// JSON from people, from disk and from other processes: errors that tell where.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// Objects and lists inside one another that JSON from outside may have. Ours have less than ten; what walks over JSON
/// calls itself once a level.
inline constexpr std::size_t deepest_json = 100;

/// The content of a file; throws InputError naming it.
std::string read_text(const std::filesystem::path& file);

/// Parses JSON (nlohmann::json, or ordered_json where the order of keys has a meaning). The only way in for JSON that
/// this process has not written. Throws InputError "<origin>:<line>:<column>: …" for a syntax error, a number beyond
/// double precision, text that is not UTF-8 and more than deepest_json levels, and "<origin>: …" for a key that an
/// object has twice. An integer beyond 64 bits with sign becomes a floating-point number, as one beyond 64 bits does.
template <class Json>
Json parse_json(std::string_view text, std::string_view origin);

/// A value as messages quote it: on one line, of at most some 60 characters.
template <class Json>
std::string quoted(const Json& value);

/// The text of a document that is committed: one line for each object or list that holds no others, or few.
std::string to_lines(const nlohmann::ordered_json& document);

}  // namespace pivotlab::experiments
