// Digests of decompositions by the kernels at small n: results/digests/gsvd.txt holds a case a line, the digest last.
// The emulation (gsvd_digest_test) and the GPU (gsvd_gpu_test) must both give the committed ones.
#pragma once

#include <pivotlab/gsvd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::test {

struct DigestCase {
  std::string variant;
  Index m_f = 0, m_g = 0, n = 0;
  std::string pair;          ///< independent; dependent: Cholesky factorizations of F's tiles fail
  std::uint64_t digest = 0;  ///< of σ_F, σ_G, σ, U, V, Z

  std::string name() const;  ///< everything but the digest
};

/// Lines "variant m_f m_g n pair digest"; the digest may be missing. Lines "# …" are comments.
std::vector<DigestCase> read_digests(std::string_view text);
/// The same text with these digests.
std::string write_digests(std::string_view text, const std::vector<DigestCase>& cases);

/// The text that the program was built with.
std::string_view committed_digests();

/// Solves the case and digests the bits of the result. The pair is made from integers, so it is the same everywhere.
std::uint64_t compute_digest(const DigestCase& digest_case, Backend backend);

/// FNV-1a, 64 bits, of the bits of σ_F, σ_G, σ, U, V, Z. T is double or std::complex<double>.
template <class T>
std::uint64_t digest(const GsvdResult<T>& result);

}  // namespace pivotlab::test
