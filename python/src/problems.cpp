// SPDX-License-Identifier: BSD-3-Clause
// Generators, and files of matrices.
#include <pivotlab/definite_pair.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/symmetrize.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include "generators/io/hdf5_examiner.hpp"
#include "python/src/members.hpp"
#include "python/src/symmetry.hpp"

namespace pivotlab::python {
namespace {

ScalarType type_of(const std::string& letter) {
  if (letter == "d") return ScalarType::d;
  if (letter == "z") return ScalarType::z;
  throw InputError("type: unknown '" + letter + "'; one of d, z is expected");
}

// ---- Problems as dictionaries ----

template <class Problem>
nb::dict members_of(Problem& problem) {
  nb::dict d;
  const auto add_truth = [&](const auto& exact) { d["truth"] = exact.empty() ? nb::none() : truth_of(exact); };
  if constexpr (requires { problem.G; }) {
    d["F"] = to_numpy(std::move(problem.F));
    d["G"] = to_numpy(std::move(problem.G));
    add_truth(problem.sigma);
  } else {
    d["A"] = to_numpy(std::move(problem.A));
    add_truth(problem.eigenvalues);
  }
  if constexpr (requires { problem.symmetry; }) {
    d["symmetry"] = name_of(problem.symmetry);
    d["inertia"] = problem.inertia ? to_object(*problem.inertia) : nb::none();
  }
  d["provenance"] = problem.provenance;
  return d;
}

/// Returns the members of an AnyPair, an AnySymmetric or an AnyGeneral.
nb::dict problem_members(auto problem) {
  return std::visit([](auto& one) { return members_of(one); }, problem);
}

nb::object to_object(AnyMatrix matrix) {
  return std::visit([](auto& m) { return to_numpy(std::move(m)); }, matrix);
}

// ---- Generators ----

nb::dict make_pair(const std::string& generator, const std::string& type, Index n, Index m_f, Index m_g,
                   std::uint64_t seed, int threads, bool sigma) {
  const PairRequest request{generator, type_of(type), n, m_f, m_g, seed, threads, sigma};
  return problem_members(without_lock([&] { return generate_pair(request); }));
}

nb::dict make_symmetric(const std::string& generator, const std::string& type, const std::string& symmetry, Index n,
                        std::uint64_t seed, int threads) {
  const SymmetricRequest request{generator, type_of(type), symmetry_of(symmetry), n, seed, threads};
  return problem_members(without_lock([&] { return generate_symmetric(request); }));
}

nb::dict make_general(const std::string& generator, const std::string& type, Index n, std::uint64_t seed, int threads) {
  const GeneralRequest request{generator, type_of(type), n, seed, threads};
  return problem_members(without_lock([&] { return generate_general(request); }));
}

nb::tuple make_rectangular(const std::string& generator, const std::string& type, Index n, Index m,
                           const std::string& signs, std::uint64_t seed, int threads) {
  const RectangularRequest request{generator, type_of(type), n, m, seed, threads};
  const std::vector<int> J = generate_signs(signs, n, seed);
  return nb::make_tuple(to_object(without_lock([&] { return generate_rectangular(request); })),
                        to_numpy(std::vector<Index>(J.begin(), J.end())), canonical_rectangular_generator(generator));
}

// ---- Files ----

template <class T>
void write_pair_of(const std::string& file, const InMatrix<T>& F, const InMatrix<T>& G, const InVector<double>& truth,
                   const InVector<double>& truth_rest, const std::string& provenance, int compression,
                   bool one_triangle) {
  const AnyPair pair = Pair<T>{matrix_of<T>(F), matrix_of<T>(G), exact_of(truth, truth_rest), provenance};
  with_files([&] { write_pair(file, pair, {compression, one_triangle}); });
}

template <class T>
void write_raw_pair_of(const std::string& stem, const InMatrix<T>& F, const InMatrix<T>& G) {
  const AnyPair pair = Pair<T>{matrix_of<T>(F), matrix_of<T>(G), {}, {}};
  with_files([&] { write_raw_pair(stem, pair); });
}

template <class T>
void write_symmetric_of(const std::string& file, const InMatrix<T>& A, const std::string& symmetry,
                        const InVector<double>& truth, const InVector<double>& truth_rest,
                        const std::optional<std::tuple<Index, Index, Index>>& inertia, const std::string& provenance) {
  SymmetricMatrix<T> matrix{matrix_of<T>(A), symmetry_of(symmetry), exact_of(truth, truth_rest), {}, provenance};
  if (inertia) matrix.inertia = std::make_from_tuple<Inertia>(*inertia);
  with_files([&] { write_symmetric(file, AnySymmetric(std::move(matrix))); });
}

template <class T>
void write_general_of(const std::string& file, const InMatrix<T>& A, const InVector<Complex>& truth,
                      const InVector<Complex>& truth_rest, const std::string& provenance) {
  GeneralMatrix<T> matrix{matrix_of<T>(A), exact_of(truth, truth_rest), provenance};
  with_files([&] { write_general(file, AnyGeneral(std::move(matrix))); });
}

template <class T>
void write_matrix_of(const std::string& file, const InMatrix<T>& A) {
  const AnyMatrix matrix = matrix_of<T>(A);
  with_files([&] { write_matrix_market(file, matrix); });
}

template <class T>
nb::dict definite(const InMatrix<T>& K, const InMatrix<T>& M, int threads) {
  const AnyMatrix k = matrix_of<T>(K), m = matrix_of<T>(M);
  return problem_members(without_lock([&] { return definite_pair(k, m, threads); }));
}

template <class T>
nb::tuple indefinite(const InMatrix<T>& H, const InMatrix<T>& S, const std::string& triangle, int threads) {
  const auto whole = [&](const InMatrix<T>& A) {
    return Matrix<T>(SymmetricInput<T>(view_of<T>(A), triangle_of(triangle), Symmetry::hermitian, threads).view());
  };
  const AnyMatrix h = whole(H), s = whole(S);
  IndefinitePair result = without_lock([&] { return indefinite_pair(h, s, threads); });
  return nb::make_tuple(problem_members(std::move(result.pair)),
                        to_numpy(std::vector<Index>(result.J.begin(), result.J.end())));
}

template <class T>
void bind_problems_of(nb::module_& module) {
  module.def("write_pair", &write_pair_of<T>, nb::arg("file"), nb::arg("F").noconvert(), nb::arg("G").noconvert(),
             nb::arg("truth"), nb::arg("truth_rest"), nb::arg("provenance"), nb::arg("compression"),
             nb::arg("one_triangle"));
  module.def("write_raw_pair", &write_raw_pair_of<T>, nb::arg("stem"), nb::arg("F").noconvert(),
             nb::arg("G").noconvert());
  module.def("write_symmetric", &write_symmetric_of<T>, nb::arg("file"), nb::arg("A").noconvert(), nb::arg("symmetry"),
             nb::arg("truth"), nb::arg("truth_rest"), nb::arg("inertia").none(), nb::arg("provenance"));
  module.def("write_general", &write_general_of<T>, nb::arg("file"), nb::arg("A").noconvert(), nb::arg("truth"),
             nb::arg("truth_rest"), nb::arg("provenance"));
  module.def("write_matrix", &write_matrix_of<T>, nb::arg("file"), nb::arg("A").noconvert());
  module.def("definite_pair", &definite<T>, nb::arg("K").noconvert(), nb::arg("M").noconvert(), nb::arg("threads"));
  module.def("indefinite_pair", &indefinite<T>, nb::arg("H").noconvert(), nb::arg("S").noconvert(), nb::arg("triangle"),
             nb::arg("threads"));
}

}  // namespace

void bind_problems(nb::module_& module) {
  module.def("set_examiner", [](const std::string& program) { io::hdf5::set_examiner(program); });
  module.def("generate_pair", &make_pair, nb::arg("generator"), nb::arg("type"), nb::arg("n"), nb::arg("m_f"),
             nb::arg("m_g"), nb::arg("seed"), nb::arg("threads"), nb::arg("sigma"));
  module.def(
      "generate_signs",
      [](const std::string& pattern, Index m, std::uint64_t seed) {
        const std::vector<int> J = generate_signs(pattern, m, seed);
        return to_numpy(std::vector<Index>(J.begin(), J.end()));
      },
      nb::arg("pattern"), nb::arg("m"), nb::arg("seed"));
  module.def("generate_symmetric", &make_symmetric, nb::arg("generator"), nb::arg("type"), nb::arg("symmetry"),
             nb::arg("n"), nb::arg("seed"), nb::arg("threads"));
  module.def("generate_general", &make_general, nb::arg("generator"), nb::arg("type"), nb::arg("n"), nb::arg("seed"),
             nb::arg("threads"));
  module.def("generate_rectangular", &make_rectangular, nb::arg("generator"), nb::arg("type"), nb::arg("n"),
             nb::arg("m"), nb::arg("signs"), nb::arg("seed"), nb::arg("threads"));
  module.def(
      "difference_operator", [](Index n, int order) { return to_numpy(difference_operator(n, order)); }, nb::arg("n"),
      nb::arg("order"));
  module.def(
      "read_pair", [](const std::string& file) { return problem_members(with_files([&] { return read_pair(file); })); },
      nb::arg("file"));
  module.def(
      "read_raw_pair",
      [](const std::string& stem, const std::string& type, Index m_f, Index m_g, Index n) {
        return problem_members(with_files([&] { return read_raw_pair(stem, type_of(type), m_f, m_g, n); }));
      },
      nb::arg("stem"), nb::arg("type"), nb::arg("m_f"), nb::arg("m_g"), nb::arg("n"));
  module.def(
      "read_matrix", [](const std::string& file) { return to_object(with_files([&] { return read_matrix(file); })); },
      nb::arg("file"));
  module.def(
      "read_symmetric",
      [](const std::string& file, const std::string& symmetry) {
        Symmetrization changed;
        return problem_members(
            with_files([&] { return read_symmetric_but_for_rounding(file, symmetry_of(symmetry), changed); }));
      },
      nb::arg("file"), nb::arg("symmetry"));
  module.def(
      "read_general",
      [](const std::string& file) { return problem_members(with_files([&] { return read_general(file); })); },
      nb::arg("file"));
  bind_problems_of<double>(module);
  bind_problems_of<Complex>(module);
}

}  // namespace pivotlab::python
