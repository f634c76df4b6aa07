// SPDX-License-Identifier: BSD-3-Clause
// Papers behind the methods, as BibTeX entries for `pivotlab cite`. The key of an entry is its authors and its year.
#pragma once

#include <string_view>

namespace pivotlab::experiments::papers {

inline constexpr std::string_view ashcraft_1998 = R"(@article{AshcraftGrimesLewis1998,
  author  = {Ashcraft, Cleve and Grimes, Roger G. and Lewis, John G.},
  title   = {Accurate symmetric indefinite linear equation solvers},
  journal = {SIAM Journal on Matrix Analysis and Applications},
  volume  = {20},
  pages   = {513--561},
  year    = {1998},
  doi     = {10.1137/S0895479896296921}
})";

inline constexpr std::string_view bai_1993 = R"(@article{BaiDemmel1993,
  author  = {Bai, Zhaojun and Demmel, James W.},
  title   = {Computing the generalized singular value decomposition},
  journal = {SIAM Journal on Scientific Computing},
  volume  = {14},
  pages   = {1464--1486},
  year    = {1993},
  doi     = {10.1137/0914085}
})";

inline constexpr std::string_view bunch_kaufman_1977 = R"(@article{BunchKaufman1977,
  author  = {Bunch, James R. and Kaufman, Linda},
  title   = {Some stable methods for calculating inertia and solving symmetric linear systems},
  journal = {Mathematics of Computation},
  volume  = {31},
  pages   = {163--179},
  year    = {1977},
  doi     = {10.1090/S0025-5718-1977-0428694-0}
})";

inline constexpr std::string_view bunch_parlett_1971 = R"(@article{BunchParlett1971,
  author  = {Bunch, James R. and Parlett, Beresford N.},
  title   = {Direct methods for solving symmetric indefinite systems of linear equations},
  journal = {SIAM Journal on Numerical Analysis},
  volume  = {8},
  pages   = {639--655},
  year    = {1971},
  doi     = {10.1137/0708060}
})";

inline constexpr std::string_view drmac_1998 = R"(@article{Drmac1998,
  author  = {Drma{\v{c}}, Zlatko},
  title   = {A tangent algorithm for computing the generalized singular value decomposition},
  journal = {SIAM Journal on Numerical Analysis},
  volume  = {35},
  number  = {5},
  pages   = {1804--1832},
  year    = {1998}
})";

inline constexpr std::string_view drmac_veselic_2008 = R"(@article{DrmacVeselic2008,
  author  = {Drma{\v{c}}, Zlatko and Veseli{\'c}, Kre{\v{s}}imir},
  title   = {New fast and accurate {Jacobi} {SVD} algorithm {I}},
  journal = {SIAM Journal on Matrix Analysis and Applications},
  volume  = {29},
  pages   = {1322--1342},
  year    = {2008},
  doi     = {10.1137/050639193}
})";

inline constexpr std::string_view hari_2010 = R"(@article{HariSingerSinger2010,
  author  = {Hari, Vjeran and Singer, Sanja and Singer, Sa{\v{s}}a},
  title   = {Block-oriented {J-Jacobi} methods for {Hermitian} matrices},
  journal = {Linear Algebra and its Applications},
  volume  = {433},
  pages   = {1491--1512},
  year    = {2010}
})";

inline constexpr std::string_view hari_2014 = R"(@article{HariSingerSinger2014,
  author  = {Hari, Vjeran and Singer, Sanja and Singer, Sa{\v{s}}a},
  title   = {Full block {J-Jacobi} method for {Hermitian} matrices},
  journal = {Linear Algebra and its Applications},
  volume  = {444},
  pages   = {1--27},
  year    = {2014}
})";

inline constexpr std::string_view kruchinina_2013 = R"(@mastersthesis{Kruchinina2013,
  author  = {Kruchinina, Anastasia},
  title   = {Parallelization of the symmetric indefinite factorization},
  school  = {University of Zagreb, Faculty of Science, Department of Mathematics},
  type    = {Diploma thesis},
  year    = {2013}
})";

inline constexpr std::string_view novakovic_2011 = R"(@article{NovakovicSinger2011,
  author  = {Novakovi{\'c}, Vedran and Singer, Sanja},
  title   = {A {GPU}-based hyperbolic {SVD} algorithm},
  journal = {BIT Numerical Mathematics},
  volume  = {51},
  number  = {4},
  pages   = {1009--1030},
  year    = {2011}
})";

inline constexpr std::string_view novakovic_2021 = R"(@article{NovakovicSinger2021,
  author  = {Novakovi{\'c}, Vedran and Singer, Sanja},
  title   = {Implicit {Hari--Zimmermann} algorithm for the generalized {SVD} on the {GPUs}},
  journal = {International Journal of High Performance Computing Applications},
  volume  = {35},
  number  = {2},
  pages   = {170--205},
  year    = {2021},
  doi     = {10.1177/1094342020972772},
  eprint  = {1909.00101},
  archiveprefix = {arXiv}
})";

inline constexpr std::string_view shroff_1990 = R"(@article{Shroff1990,
  author  = {Shroff, Gautam M.},
  title   = {A parallel algorithm for the eigenvalues and eigenvectors of a general complex matrix},
  journal = {Numerische Mathematik},
  volume  = {58},
  pages   = {779--805},
  year    = {1990}
})";

inline constexpr std::string_view singer_2020 = R"(@article{SingerDiNapoliNovakovicCaklovic2020,
  author  = {Singer, Sanja and Di Napoli, Edoardo and Novakovi{\'c}, Vedran and {\v{C}}aklovi{\'c}, Gayatri},
  title   = {The {LAPW} method with eigendecomposition based on the {Hari--Zimmermann} generalized hyperbolic {SVD}},
  journal = {SIAM Journal on Scientific Computing},
  volume  = {42},
  year    = {2020},
  doi     = {10.1137/19M1277813},
  eprint  = {1907.08560},
  archiveprefix = {arXiv}
})";

inline constexpr std::string_view slapnicar_2003 = R"(@article{Slapnicar2003,
  author  = {Slapni{\v{c}}ar, Ivan},
  title   = {Highly accurate symmetric eigenvalue decomposition and hyperbolic {SVD}},
  journal = {Linear Algebra and its Applications},
  volume  = {358},
  pages   = {387--424},
  year    = {2003}
})";

inline constexpr std::string_view veselic_1993 = R"(@article{Veselic1993,
  author  = {Veseli{\'c}, Kre{\v{s}}imir},
  title   = {A {Jacobi} eigenreduction algorithm for definite matrix pairs},
  journal = {Numerische Mathematik},
  volume  = {64},
  pages   = {241--269},
  year    = {1993},
  doi     = {10.1007/BF01388689}
})";

}  // namespace pivotlab::experiments::papers
