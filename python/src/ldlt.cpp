// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/ldlt.hpp>

#include <map>
#include <optional>
#include <string>

#include "python/src/ldlt.hpp"
#include "python/src/members.hpp"

namespace pivotlab::python {
namespace {

template <class T>
LdltFactorization<T> factor_matrix(const InMatrix<T>& A, const std::string& variant, const std::string& backend,
                                   const std::string& symmetry, const std::string& triangle,
                                   std::optional<double> rank_tolerance, int threads) {
  const LdltOptions options{.variant = parse_ldlt_variant(variant),
                            .backend = parse_backend(backend),
                            .symmetry = symmetry_of(symmetry),
                            .triangle = triangle_of(triangle),
                            .rank_tolerance = rank_tolerance,
                            .threads = threads};
  const auto view = view_of<T>(A);
  return without_lock([&] {
    if (options.triangle != InputTriangle::whole) return ldlt<T>(view, options);
    if (options.backend != Backend::host) try {  // the device compares the triangles
        return ldlt<T>(view, options);
      } catch (const InputError&) {  // they may agree but for rounding
      }
    return ldlt<T>(SymmetricInput<T>(view, options.triangle, options.symmetry, threads).view(), options);
  });
}

template <class T>
nb::tuple solve_refined(const LdltFactorization<T>& f, const InMatrix<T>& A, const InMatrix<T>& B,
                        const std::string& triangle, int max_refinements) {
  const auto a = view_of<T>(A), b = view_of<T>(B);
  const InputTriangle part = triangle_of(triangle);
  LdltSolution<T> s = without_lock([&] {
    if (part != InputTriangle::whole) return f.solve_refined(a, b, part, max_refinements);
    return f.solve_refined(SymmetricInput<T>(a, part, f.symmetry).view(), b, part, max_refinements);
  });
  return nb::make_tuple(to_numpy(std::move(s.X)), std::string(to_string(s.status)), s.message, s.refinements,
                        s.correction, s.backward_error, s.forward_error);
}

InertiaOptions inertia_options(const std::string& triangle, bool equilibrate, const std::string& highest,
                               const std::string& backend, int threads) {
  InertiaOptions options{.triangle = triangle_of(triangle),
                         .equilibrate = equilibrate,
                         .backend = parse_backend(backend),
                         .threads = threads};
  for (const auto level : {InertiaLevel::in_double, InertiaLevel::in_double_double, InertiaLevel::exact})
    if (options.highest = level; to_string(level) == highest) return options;
  throw InputError("highest: unknown '" + highest + "'; one of double, double-double, exact is expected");
}

nb::tuple as_tuple(const InertiaReport& r) {
  return nb::make_tuple(std::string(to_string(r.status)), std::string(to_string(r.evidence.level)), r.inertia.positive,
                        r.inertia.negative, r.inertia.zero, r.near_zero, r.below, r.above, r.clear, r.reason,
                        to_string(r));
}

template <class T>
nb::tuple certify(const InMatrix<T>& A, const std::string& triangle, bool equilibrate, const std::string& highest,
                  const std::string& backend, int threads) {
  const auto a = view_of<T>(A);
  const InertiaOptions options = inertia_options(triangle, equilibrate, highest, backend, threads);
  return as_tuple(without_lock([&] {
    return certify_inertia<T>(SymmetricInput<T>(a, options.triangle, Symmetry::hermitian, threads).view(), options);
  }));
}

template <class T>
nb::tuple shift(const InMatrix<T>& A, Index positive, Index negative, Index rows, const std::string& triangle,
                const std::string& backend, int threads) {
  const auto a = view_of<T>(A);
  const InertiaOptions options = inertia_options(triangle, true, "exact", backend, threads);
  const InertiaShift s = without_lock([&] {
    return shift_for_inertia<T>(SymmetricInput<T>(a, options.triangle, Symmetry::hermitian, threads).view(), positive,
                                negative, rows, options);
  });
  return nb::make_tuple(s.shift, s.too_small, s.certificates, s.reason, as_tuple(s.report));
}

template <class T>
void write(LdltFactorization<T>& f, const std::string& file, std::map<std::string, std::string> attributes) {
  f.measure_growth();
  with_files([&] { write_ldlt<T>(file, f, {}, attributes); });
}

/// Binds the factorization. Its arrays are views of it, which are read-only.
template <class T>
void bind_ldlt_of(nb::module_& module, const char* name) {
  using F = LdltFactorization<T>;
  nb::class_<F> factors(module, name);
  const auto array = [&](const char* member, auto pointer) {
    factors.def_prop_ro(member,
                        [pointer](nb::handle self) { return member_of(self, nb::cast<const F&>(self).*pointer); });
  };
  array("M", &F::M);
  array("diagonal", &F::diagonal);
  array("subdiagonal", &F::subdiagonal);
  array("permutation", &F::permutation);
  array("scaling", &F::scaling);
  array("butterfly", &F::butterfly);
  array("interchanges", &F::interchanges);
  factors.def_ro("rank", &F::rank)
      .def_ro("refusal", &F::refusal)
      .def_ro("doubtful", &F::doubtful)
      .def_ro("tolerance", &F::tolerance)
      .def_ro("largest_element", &F::largest_element)
      .def_ro("norm_inf", &F::norm_inf)
      .def_ro("remainder", &F::remainder)
      .def_ro("max_multiplier", &F::max_multiplier)
      .def_ro("compute_seconds", &F::compute_seconds)
      .def_prop_ro("max_growth", [](F& f) { return without_lock([&] { return f.measure_growth(), f.max_growth(); }); })
      .def_prop_ro("max_condition", &F::max_condition)
      .def_prop_ro("variant", [](const F& f) { return to_string(f.variant); })
      .def_prop_ro("symmetry", [](const F& f) { return std::string(name_of(f.symmetry)); })
      .def_prop_ro("is_complex", [](const F&) { return is_complex<T>; })
      .def_prop_ro("inertia", [](const F& f) { return to_object(f.inertia); })
      .def_prop_ro("stages",
                   [](F& f) {
                     without_lock([&] { f.measure_growth(); });
                     return stages_of(f.stages);
                   })
      .def(
          "solve",
          [](const F& f, const InMatrix<T>& B) {
            const auto b = view_of<T>(B);
            return to_numpy(without_lock([&] { return f.solve(b); }));
          },
          nb::arg("B").noconvert())
      .def("solve_refined", &solve_refined<T>, nb::arg("A").noconvert(), nb::arg("B").noconvert(), nb::arg("triangle"),
           nb::arg("max_refinements"))
      .def("inverse", [](const F& f) { return to_numpy(without_lock([&] { return f.inverse(); })); })
      .def("reconstruct", [](const F& f) { return to_numpy(without_lock([&] { return f.reconstruct(); })); })
      .def("dense_d", [](const F& f) { return to_numpy(f.dense_d()); })
      .def("mixed_m", [](const F& f) { return to_numpy(without_lock([&] { return f.times_butterfly(f.M); })); })
      .def("determinant",
           [](const F& f) {
             const Determinant<T> d = f.determinant();
             return nb::make_tuple(d.mantissa, d.exponent);
           })
      .def(
          "gjg",
          [](const F& f, bool sorted) {
            GjgFactorization<T> g = without_lock([&] { return f.gjg(sorted); });
            return nb::make_tuple(to_numpy(std::move(g.G)), to_numpy(std::move(g.J)));
          },
          nb::arg("sorted"))
      .def("write", &write<T>, nb::arg("file"), nb::arg("attributes"));
  module.def("ldlt", &factor_matrix<T>, nb::arg("A").noconvert(), nb::arg("variant"), nb::arg("backend"),
             nb::arg("symmetry"), nb::arg("triangle"), nb::arg("rank_tolerance").none(), nb::arg("threads"));
  module.def("certify_inertia", &certify<T>, nb::arg("A").noconvert(), nb::arg("triangle"), nb::arg("equilibrate"),
             nb::arg("highest"), nb::arg("backend"), nb::arg("threads"));
  module.def("shift_for_inertia", &shift<T>, nb::arg("A").noconvert(), nb::arg("positive"), nb::arg("negative"),
             nb::arg("rows"), nb::arg("triangle"), nb::arg("backend"), nb::arg("threads"));
}

}  // namespace

InputTriangle triangle_of(const std::string& name) {
  if (name == "whole") return InputTriangle::whole;
  if (name == "lower") return InputTriangle::lower;
  if (name == "upper") return InputTriangle::upper;
  throw InputError("triangle: unknown '" + name + "'; one of whole, lower, upper is expected");
}

nb::dict stages_of(const std::vector<LdltStage<double>>& stages) {
  std::vector<std::int64_t> first, size;
  std::vector<double> growth, condition;
  for (const auto& stage : stages) {
    first.push_back(stage.first);
    size.push_back(stage.size);
    growth.push_back(stage.growth);
    condition.push_back(stage.condition);
  }
  nb::dict d;
  d["first"] = to_numpy(std::move(first));
  d["size"] = to_numpy(std::move(size));
  d["growth"] = to_numpy(std::move(growth));
  d["condition"] = to_numpy(std::move(condition));
  return d;
}

void bind_ldlt(nb::module_& module) {
  bind_ldlt_of<double>(module, "LdltFactorsD");
  bind_ldlt_of<Complex>(module, "LdltFactorsZ");
}

}  // namespace pivotlab::python
