// Digests of what the kernels compute at small n: results/digests/<method>.txt holds a case a line, the digest last.
// The emulation (<method>_digest_test) and the GPU (<method>_gpu_test) must both give the committed ones.
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
/// The same text with these digests.
std::string write_digests(std::string_view text, const std::vector<DigestCase>& cases);

/// The text that the program was built with.
std::string_view committed_digests();

/// Of the method: computes the case of that name on a problem that is the same everywhere, and digests the bits of the
/// result. Throws InputError for a name that it cannot read, std::runtime_error if what the case is there for does not
/// happen.
std::uint64_t compute_digest(const std::string& name, Backend backend);

}  // namespace pivotlab::test
