// SPDX-License-Identifier: BSD-3-Clause
// A function that the archives of the bundle need and that the target machine may lack.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

// glibc has this function since 2.36; libstdc++ uses it for std::random_device.
uint32_t arc4random(void) {
  uint32_t random;
  if (getentropy(&random, sizeof random) != 0) abort();
  return random;
}
