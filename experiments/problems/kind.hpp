// SPDX-License-Identifier: BSD-3-Clause
// The four kinds of problems: pairs, symmetric, general and rectangular matrices. A kind is a table of the functions by
// which its problems are named, generated, read and kept in a cache; a method names its kind.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/problems/file_source.hpp>
#include <filesystem>
#include <pivotlab/any_matrix.hpp>
#include <pivotlab/general.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/pair.hpp>
#include <pivotlab/symmetric.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// The problem of a case, interpreted. Members that its kind does not have keep their defaults.
struct ProblemCase {
  ScalarType type = ScalarType::d;
  Symmetry symmetry = Symmetry::hermitian;  ///< of a symmetric matrix
  Index n = 0;
  Index m = 0;             ///< rows of a rectangular matrix
  Index m_f = 0, m_g = 0;  ///< rows of F and G of a pair
  std::string generator = {};
  std::uint64_t seed = 0;
  std::string digest = {};  ///< digest of the files' bytes, so that other content is another case
  std::string signs = {};   ///< pattern of J, one of sign_patterns; empty for methods without J

  bool is_from_files() const { return !digest.empty(); }
};

/// An axis for a number of rows, where 0 stands for n, and the option of `generate`.
struct RowCount {
  const char* axis;
  Index ProblemCase::*count;
  const char *option, *help;
};

/// The part of a kind that does not depend on the type of its problems.
struct KindOfProblem {
  std::span<const FileSource> sources;         ///< generators that read files
  std::vector<GeneratorInfo> (*generators)();  ///< all others
  std::string (*canonical)(std::string_view generator);
  std::int64_t least_order;
  std::vector<RowCount> rows;
  /// Returns whether a generator's problems may have fewer rows than columns; null: none.
  bool (*takes_few_rows)(std::string_view generator);
  /// Returns type, shape, symmetry and digest of a problem in files, without its elements. `symmetry` is that of a
  /// complex matrix whose file does not state it. Throws InputError for files that cannot be read, shapes that do not
  /// match, and a variable in a path that is not set.
  ProblemCase (*identify)(const std::string& generator, Symmetry symmetry);
  /// Returns whether reading a problem is faster than generating it, if it is large.
  bool (*is_slow_to_generate)(const ProblemCase&);

  bool is_file(std::string_view generator) const { return find_source(sources, generator) != nullptr; }
};

/// A kind of problems of the type P: AnyPair, AnySymmetric, AnyGeneral or AnyMatrix.
template <class P>
struct Kind : KindOfProblem {
  P (*generate)(const ProblemCase&, int threads);  ///< threads = 0: OpenMP's choice; does not change a bit
  P (*load)(const ProblemCase&);                   ///< from the files that the generator names
  P (*read)(const std::filesystem::path&);
  void (*write)(const std::filesystem::path&, const P&);
};

const Kind<AnyPair>& pairs();
const Kind<AnySymmetric>& symmetrics();
/// Eigenvalues that a file does not state are computed up to the order file_truth_order.
const Kind<AnyGeneral>& generals();
inline constexpr Index file_truth_order = 512;
/// Matrices with m ≥ n rows.
const Kind<AnyMatrix>& rectangulars();

/// Interprets the axes of a problem: makes the generator's name canonical, sets m = 0 to n, and takes shape and type of
/// a problem in files from the files, unless the case has their digest: then it is canonical. Throws InputError
/// "<axis>: …". Not thread-safe, as files are identified only once.
ProblemCase read_problem(const KindOfProblem& kind, const Case& axes);

/// Writes the axes of a problem into a case; the inverse of read_problem().
void write_problem(const KindOfProblem& kind, const ProblemCase& problem, Case& axes);

/// The generators with their options, then those that read files, for Method::generators().
std::vector<ListEntry> entries_of(const std::vector<GeneratorInfo>& generators, std::span<const FileSource> sources);

namespace detail {

/// Returns whether a problem is worth a file in the cache.
bool is_cached(const KindOfProblem& kind, const ProblemCase& problem);
/// Returns <cache>/<key>-<commit>.h5; the commit is in the name because another version may generate other bits.
std::filesystem::path cache_file(const std::filesystem::path& cache, std::string_view key);
/// Writes a file under another name of its folder and renames it. An error is ignored.
void write_to_cache(const std::filesystem::path& file,
                    const std::function<void(const std::filesystem::path& temporary)>& write);

}  // namespace detail

/// Generates or reads a problem. A large one that is slow to generate is kept in the folder `cache` under the key; the
/// cache never causes a case to fail: a problem that cannot be read from it is made.
template <class P>
P make_problem(const Kind<P>& kind, const ProblemCase& wanted, std::string_view key,
               const std::filesystem::path& cache) {
  if (wanted.is_from_files()) return kind.load(wanted);
  if (!detail::is_cached(kind, wanted)) return kind.generate(wanted, 0);
  const std::filesystem::path file = detail::cache_file(cache, key);
  try {
    if (std::filesystem::exists(file)) return kind.read(file);
  } catch (const std::exception&) {
  }
  P problem = kind.generate(wanted, 0);
  detail::write_to_cache(file, [&](const std::filesystem::path& temporary) { kind.write(temporary, problem); });
  return problem;
}

}  // namespace pivotlab::experiments
