// Test pairs, made in quadruple precision and rounded once.
//
// A pair has a name: a kind and options, composable, the same dialect as the variants':
//
//   paper                          section 5.1.2: real F = UΣ_F·X, G = VΣ_G·X; complex Hermitian positive definite
//   paper;spectrum=geometric;cond_x=1e6
//   graded;side=right;g=8          (B·D, C), D from 1e-g to 1e+g; side=left: (D·B, C)
//   …                              list_pair_generators() tells them all
#pragma once

#include <pivotlab/pair.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {

struct PairRequest {
  std::string generator = "paper";  ///< name with options, see above
  ScalarType type = ScalarType::d;
  Index n = 0, m_f = 0, m_g = 0;  ///< m = 0 means n
  std::uint64_t seed = 1;
  int threads = 0;  ///< never changes a bit
};

/// Throws InputError for an unknown kind or option (naming the nearest), m < n or n < 1.
AnyPair generate_pair(const PairRequest& request);

struct GeneratorInfo {
  std::string name, summary;
  struct Option {
    std::string name, default_value, summary;
  };
  std::vector<Option> options;
};
std::vector<GeneratorInfo> list_pair_generators();

/// The canonical form of a generator name: options sorted, defaults left out.
std::string canonical_generator(std::string_view name);

}  // namespace pivotlab
