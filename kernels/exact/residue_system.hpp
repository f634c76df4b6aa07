// SPDX-License-Identifier: BSD-3-Clause
// Constants of the residue system in which exact products are computed: pairwise coprime moduli p_1, …, p_N, one byte a
// residue, and their product P. This header is plain C++, which a device compiler also reads.
#pragma once

#include <cstdint>

namespace pivotlab::exact {

inline constexpr int fewest_moduli = 8, most_moduli = 26;
inline constexpr int chunk_bits = 40;  ///< 26·255·2⁴⁰ < 2⁵³, so that sums of chunks times residues are exact in double
inline constexpr int most_chunks = 5;

/// Holds a modulus and its constants. Long integers are chunks of 40 bits in doubles, lowest first.
struct Modulus {
  std::uint32_t p;
  std::uint32_t floor_reciprocal, ceil_reciprocal;  ///< ⌊2³²/p⌋, ⌈2³²/p⌉
  std::uint32_t inverse;                            ///< of P/p modulo p
  std::uint32_t offset;                             ///< the least multiple of p that is at least 2³⁰
  std::int32_t powers[4];      ///< 2⁸ᵇ mod p between −p/2 and p/2, 0 ≤ b < 16, four bytes a word
  std::uint32_t half, bias;    ///< ⌊p/2⌋; a multiple of p that is at least 2¹⁸, plus half
  double weight[most_chunks];  ///< P/p
};

struct ResidueSystem {
  int moduli, chunks;
  double log2_product;    ///< log₂P, rounded down to a multiple of 2⁻¹²
  double quotient_scale;  ///< 2^(40·(chunks − 1))/P
  double product[most_chunks];
  Modulus modulus[most_moduli];
};

/// Makes the system of so many moduli, 8 to 26.
ResidueSystem residue_system(int moduli);

/// Returns log₂P, rounded down to a multiple of 2⁻¹².
double log2_product(int moduli);

/// Returns L, the number of bits that the 2-norm of a scaled row of A and column of B may have each: 2^(2L) is less
/// than P/2, by 2⁻⁹ in the logarithm, which covers the rounding of the norms' elements to integers.
inline double even_budget(int moduli) {
  return (log2_product(moduli) - 1) / 2 - 0x1p-10;
}

}  // namespace pivotlab::exact
