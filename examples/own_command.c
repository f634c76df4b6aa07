// SPDX-License-Identifier: BSD-3-Clause
// A command that solves problems of `pivotlab sweep ldlt`: A = L·D·Lᵀ without pivoting, for real matrices.
//
//     cc -O2 -o mine examples/own_command.c
//     pivotlab sweep ldlt -n 100 --generator 'spectrum;kappa=100' --solver 'cmd:./mine {input} {output};format=raw'
//
// {input} and {output} are folders; A.bin has the elements by columns, shapes.txt a line "A real 100 100".
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static FILE* open_in(const char* folder, const char* name, const char* mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, mode);
  if (file == NULL) exit((perror(path), 1));
  return file;
}

static void write_array(const char* folder, const char* name, const double* elements, size_t count) {
  FILE* file = open_in(folder, name, "wb");
  if (fwrite(elements, sizeof *elements, count, file) != count || fclose(file) != 0) exit((perror(name), 1));
}

int main(int count, char** arguments) {
  if (count < 3) return fputs("usage: mine INPUT OUTPUT\n", stderr), 1;
  size_t n = 0;
  FILE* shapes = open_in(arguments[1], "shapes.txt", "r");
  if (fscanf(shapes, "A real %zu", &n) != 1) return fputs("takes real matrices\n", stderr), 1;
  double* A = malloc(n * n * sizeof *A);
  if (fread(A, sizeof *A, n * n, open_in(arguments[1], "A.bin", "rb")) != n * n)
    return fputs("A.bin is too short\n", stderr), 1;

  double *d = calloc(n, sizeof *d), *e = calloc(n, sizeof *e), *perm = calloc(n, sizeof *perm);
  const clock_t start = clock();
  for (size_t k = 0; k < n; ++k) {
    d[k] = A[k + k * n], perm[k] = (double)k;
    for (size_t i = k + 1; i < n; ++i) A[i + k * n] /= d[k];
    for (size_t j = k + 1; j < n; ++j)
      for (size_t i = j; i < n; ++i) A[i + j * n] -= A[i + k * n] * d[k] * A[j + k * n];
    A[k + k * n] = 1;
    for (size_t i = 0; i < k; ++i) A[i + k * n] = 0;
  }
  printf("pivotlab-seconds: %.9f\n", (double)(clock() - start) / CLOCKS_PER_SEC);

  write_array(arguments[2], "L.bin", A, n * n);
  write_array(arguments[2], "d.bin", d, n);
  write_array(arguments[2], "e.bin", e, n);
  write_array(arguments[2], "perm.bin", perm, n);
  return 0;
}
