// SPDX-License-Identifier: BSD-3-Clause
// Digests of the kernels' results at small n. results/digests/<method>.txt has a case per line, with the digest at its
// end. The emulation (<method>_digest_test) and the GPU (<method>_gpu_test) must both give the committed ones.
#pragma once

#include <pivotlab/variant.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::test {

struct DigestCase {
  std::string name;  ///< the words of the line, as the method reads them
  std::uint64_t digest = 0;
};

/// Lines "name digest", 16 hexadecimal digits; the digest may be missing. Lines "# …" are comments.
std::vector<DigestCase> read_digests(std::string_view text);
/// Returns the text with these digests.
std::string write_digests(std::string_view text, const std::vector<DigestCase>& cases);

/// Returns the text that was compiled into the program.
std::string_view committed_digests();

/// Defined by each method: computes the named case on a problem that is the same on all machines, and returns the
/// digest of the result's bits. Throws InputError for an invalid name, and std::runtime_error if the event that the
/// case tests does not occur.
std::uint64_t compute_digest(const std::string& name, Backend backend);

}  // namespace pivotlab::test
