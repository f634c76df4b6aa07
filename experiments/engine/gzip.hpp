// SPDX-License-Identifier: BSD-3-Clause
// Members of gzip files (RFC 1952). Any program unpacks a file of several members; each can also be unpacked by itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// Returns the text as one member, with time 0. Its extra field has the subfield "PL": the length of the member in
/// 4 bytes, least significant first, and the label.
std::string gzip_member(std::string_view text, std::string_view label);

/// Length and label of a member.
struct GzipHeader {
  std::size_t length = 0;
  std::string_view label;
};

/// Returns the header of the member with which the bytes begin; nothing if gzip_member() has not made the member, or if
/// it is not whole.
std::optional<GzipHeader> gzip_header(std::string_view bytes);

struct GzipText {
  std::string text;
  std::size_t length = 0;  ///< of the member
};

/// Unpacks the member with which the bytes begin. Throws InputError "<origin>: …" if it is damaged or cut off.
GzipText gunzip_member(std::string_view bytes, std::string_view origin);

}  // namespace pivotlab::experiments
