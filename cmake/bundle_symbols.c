// SPDX-License-Identifier: BSD-3-Clause
// Functions that the archives of the bundle need and that the target machine may lack.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

// glibc has this function since 2.36; libstdc++ uses it for std::random_device.
uint32_t arc4random(void) {
  uint32_t random;
  if (getentropy(&random, sizeof random) != 0) abort();
  return random;
}

// Debian's HDF5 can read from Amazon's S3 and refers to libcurl and libcrypto for that. Nobody here does so.
enum { failed = 2 };  // CURLE_FAILED_INIT
void* curl_easy_init(void) { return NULL; }
void curl_easy_cleanup(void* handle) { (void)handle; }
int curl_easy_perform(void* handle) { return (void)handle, failed; }
int curl_easy_setopt(void* handle, int option, ...) { return (void)handle, (void)option, failed; }
int curl_global_init(long flags) { return (void)flags, failed; }
void curl_global_cleanup(void) {}
void* curl_slist_append(void* list, const char* text) { return (void)list, (void)text, NULL; }
void curl_slist_free_all(void* list) { (void)list; }
const void* EVP_sha256(void) { return NULL; }
void* HMAC(void) { return NULL; }
void* SHA256(void) { return NULL; }
