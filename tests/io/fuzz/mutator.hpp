// SPDX-License-Identifier: BSD-3-Clause
// Mutations of valid files.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace pivotlab::fuzz {

/// The same seed gives the same files on every machine.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : generator_(seed) {}

  /// A few bytes, numbers of 1 to 8 bytes, copied, exchanged or cut blocks; most changes are in metadata, and the
  /// checksums of headers are corrected in every second file, so that readers accept the header.
  std::string of_hdf5(std::string bytes);
  /// Numbers, words and lines of a Matrix Market file, and bytes.
  std::string of_text(std::string text);
  /// Returns a number below `bound`, which is not 0.
  std::size_t below(std::size_t bound) { return generator_() % bound; }

 private:
  void change_byte(std::string& bytes, std::size_t at);
  void change_number(std::string& bytes, std::size_t at);
  void change_block(std::string& bytes);
  std::size_t interesting_place(const std::string& bytes);
  void change_token(std::string& text);
  void change_line(std::string& text);

  std::mt19937_64 generator_;
};

}  // namespace pivotlab::fuzz
