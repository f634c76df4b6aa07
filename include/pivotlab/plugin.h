// SPDX-License-Identifier: BSD-3-Clause
// Solvers of your own in a shared library, for `pivotlab sweep METHOD --solver libmine.so:NAME`. It needs nothing else
// of pivotlab: only C types, so that C, C++, Fortran (bind(C)) and Rust can use it. docs/guide/own-solvers.md has the
// meaning of all arrays; examples/plugin is a project with C++ and Fortran.
//
// The library exports pivotlab_plugin(), and a function pivotlab_solve_PROBLEM() for each problem in its list. A
// process of its own loads it, so that a crash is a record of the sweep.
#ifndef PIVOTLAB_PLUGIN_H
#define PIVOTLAB_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PIVOTLAB_PLUGIN_ABI 1

// What a solver returns.
enum { PIVOTLAB_SOLVED = 0, PIVOTLAB_NOT_SUPPORTED = 1, PIVOTLAB_FAILED = 2 };

// A solver of the library. Texts end with a zero byte.
typedef struct pivotlab_plugin_solver {
  const char* problem;  // gsvd, ghsvd, ldlt, eigh, eig or hsvd
  const char* name;     // letters, digits and _
  const char* types;    // scalar types: "d" (real), "z" (complex) or "dz"
  const char* memory;   // where all arrays of problem and result are: "host", or "device" (the GPU)
  const char* options;  // with their defaults, for example "alpha=0.64;rule=first"; "" if there is none
} pivotlab_plugin_solver;

typedef struct pivotlab_plugin_info {
  int64_t abi;  // PIVOTLAB_PLUGIN_ABI
  const char* name;
  const char* version;
  int64_t count;  // of solvers
  const pivotlab_plugin_solver* solvers;
} pivotlab_plugin_info;

// Returns the list, which lives as long as the library.
const pivotlab_plugin_info* pivotlab_plugin(void);

// A matrix by columns: element (i, j), from 0, is number i + j·ld of data; ld ≥ rows. Elements are doubles, or pairs of
// doubles (re, im) if is_complex of the problem is 1.
typedef struct pivotlab_matrix {
  int64_t rows, cols, ld;
  void* data;
} pivotlab_matrix;

// What a result has besides arrays; in host memory.
typedef struct pivotlab_outcome {
  double seconds;        // time of the computation; negative, as it is at first: the time of the call
  char* message;         // why it is not supported or has failed
  int64_t message_size;  // bytes of the buffer, with the zero at the end
  char* values;          // further numbers and short texts, for example "swaps=17;rule=first": columns own.NAME
  int64_t values_size;
} pivotlab_outcome;

// Problems. Their elements must not be written. `stream` is the CUDA stream (CUstream, cudaStream_t) of device memory,
// on which the computation must be; NULL for host memory. Results: the caller gives the memory of all arrays; a pointer
// that the solver sets to NULL is a result that it does not give, and that is not judged.

// A[perm][:, perm] = L·D·L*, D with diagonal d and subdiagonal e (e[n − 1] = 0) of blocks of order 1 and 2; d and e
// have the type of A. `*` is ᵀ for a complex matrix that is not Hermitian.
typedef struct pivotlab_ldlt_problem {
  int64_t is_complex, is_hermitian;
  pivotlab_matrix A;
  void* stream;
} pivotlab_ldlt_problem;
typedef struct pivotlab_ldlt_result {
  pivotlab_matrix L;  // n × n
  void *d, *e;        // n
  int64_t* perm;      // n, from 0
  int64_t* inertia;   // 3: positive, negative, zero
  pivotlab_outcome outcome;
} pivotlab_ldlt_result;
int pivotlab_solve_ldlt(const char* solver, const char* options, const pivotlab_ldlt_problem* problem,
                        pivotlab_ldlt_result* result);

// A·U = U·diag(eigenvalues), A Hermitian.
typedef struct pivotlab_eigh_problem {
  int64_t is_complex;
  pivotlab_matrix A;
  void* stream;
} pivotlab_eigh_problem;
typedef struct pivotlab_eigh_result {
  double* eigenvalues;  // n
  pivotlab_matrix U;    // n × n
  double* estimate;     // n, of relative errors
  pivotlab_outcome outcome;
} pivotlab_eigh_result;
int pivotlab_solve_eigh(const char* solver, const char* options, const pivotlab_eigh_problem* problem,
                        pivotlab_eigh_result* result);

// A·V = V·diag(eigenvalues), WᴴA = diag(eigenvalues)·Wᴴ. The result is complex also if A is real.
typedef struct pivotlab_eig_problem {
  int64_t is_complex;
  pivotlab_matrix A;
  void* stream;
} pivotlab_eig_problem;
typedef struct pivotlab_eig_result {
  void* eigenvalues;     // n
  pivotlab_matrix V, W;  // n × n, unit columns
  pivotlab_outcome outcome;
} pivotlab_eig_result;
int pivotlab_solve_eig(const char* solver, const char* options, const pivotlab_eig_problem* problem,
                       pivotlab_eig_result* result);

// G·V = U·diag(sigma), V*·diag(J)·V = diag(J of the result); J is 1 everywhere for the ordinary SVD.
typedef struct pivotlab_hsvd_problem {
  int64_t is_complex;
  pivotlab_matrix G;  // m × n
  int64_t* J;         // n signs
  void* stream;
} pivotlab_hsvd_problem;
typedef struct pivotlab_hsvd_result {
  double* sigma;      // n
  pivotlab_matrix U;  // m × n
  pivotlab_matrix V;  // n × n
  int64_t* J;         // n signs
  pivotlab_outcome outcome;
} pivotlab_hsvd_result;
int pivotlab_solve_hsvd(const char* solver, const char* options, const pivotlab_hsvd_problem* problem,
                        pivotlab_hsvd_result* result);

// F·Z = U·diag(alpha), G·Z = V·diag(beta), alpha² + beta² = 1, sigma = alpha/beta; X = Z⁻¹. One of Z and X is enough.
typedef struct pivotlab_gsvd_problem {
  int64_t is_complex;
  pivotlab_matrix F;  // m_F × n
  pivotlab_matrix G;  // m_G × n
  void* stream;
} pivotlab_gsvd_problem;
typedef struct pivotlab_gsvd_result {
  double *sigma, *alpha, *beta;  // n; sigma may be infinite
  pivotlab_matrix U, V;          // m_F × n, m_G × n
  pivotlab_matrix Z, X;          // n × n
  pivotlab_outcome outcome;
} pivotlab_gsvd_result;
int pivotlab_solve_gsvd(const char* solver, const char* options, const pivotlab_gsvd_problem* problem,
                        pivotlab_gsvd_result* result);

// The same factors for the eigenvalues of (F*·diag(J)·F, G*·G), U*·diag(J)·U = diag(J of the result).
typedef struct pivotlab_ghsvd_problem {
  int64_t is_complex;
  pivotlab_matrix F, G;
  int64_t* J;  // m_F signs
  void* stream;
} pivotlab_ghsvd_problem;
typedef struct pivotlab_ghsvd_result {
  double* eigenvalues;      // n
  pivotlab_matrix U, V, Z;  // m_F × n, m_G × n, n × n
  int64_t* J;               // n signs
  pivotlab_outcome outcome;
} pivotlab_ghsvd_result;
int pivotlab_solve_ghsvd(const char* solver, const char* options, const pivotlab_ghsvd_problem* problem,
                         pivotlab_ghsvd_result* result);

#ifdef __cplusplus
}
#endif

#endif
