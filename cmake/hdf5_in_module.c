// SPDX-License-Identifier: BSD-3-Clause
// Debian compiles the archive of HDF5 for programs. A module can contain it, too, but for its direct references to two
// variables of the C library, which the linker redirects to these (--wrap, python/CMakeLists.txt).
#include <stdio.h>

extern FILE *__real_stdout, *__real_stderr;
__attribute__((visibility("hidden"))) FILE *__wrap_stdout, *__wrap_stderr;

__attribute__((constructor)) static void set(void) {
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}
