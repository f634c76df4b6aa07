// SPDX-License-Identifier: BSD-3-Clause
// Debian's HDF5 can read from Amazon's S3 and refers to libcurl and libcrypto for that. Nobody here does so. These
// symbols are hidden (cmake/PivotlabHdf5.cmake), so that libraries of the process that use the real ones find those.
#include <stddef.h>

enum { failed = 2 };  // CURLE_FAILED_INIT
void* curl_easy_init(void) {
  return NULL;
}
void curl_easy_cleanup(void* handle) {
  (void)handle;
}
int curl_easy_perform(void* handle) {
  return (void)handle, failed;
}
int curl_easy_setopt(void* handle, int option, ...) {
  return (void)handle, (void)option, failed;
}
int curl_global_init(long flags) {
  return (void)flags, failed;
}
void curl_global_cleanup(void) {}
void* curl_slist_append(void* list, const char* text) {
  return (void)list, (void)text, NULL;
}
void curl_slist_free_all(void* list) {
  (void)list;
}
const void* EVP_sha256(void) {
  return NULL;
}
void* HMAC(void) {
  return NULL;
}
void* SHA256(void) {
  return NULL;
}
