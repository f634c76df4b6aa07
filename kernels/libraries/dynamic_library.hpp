// SPDX-License-Identifier: BSD-3-Clause
// A shared library that may be missing.
#pragma once

#include <dlfcn.h>

#include <fmt/format.h>
#include <kernels/libraries/options.hpp>
#include <pivotlab/error.hpp>

#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace pivotlab {

class DynamicLibrary {
 public:
  /// Loads the first of the names that exists.
  DynamicLibrary(std::initializer_list<const char*> names, int flags = RTLD_LAZY | RTLD_LOCAL) {
    for (const char* name : names)
      if (!handle_) handle_.reset(dlopen(name, flags));
  }

  explicit operator bool() const { return handle_ != nullptr; }

  /// Returns a function of the library, e.g. symbol<int(unsigned)>("cuInit"); nullptr if the library does not have it.
  template <class Function>
  Function* symbol(const char* name) const {
    return find(name);
  }

  /// Return the address of a function. find() returns null if there is none, and require() throws NotSupported.
  Symbol find(const char* name) const { return {handle_ ? dlsym(handle_.get(), name) : nullptr}; }
  Symbol require(const char* name) const {
    if (const Symbol found = find(name); found.address != nullptr) return found;
    throw NotSupported(fmt::format("the CUDA library has no {}; install that of CUDA 12 or 13", name));
  }

 private:
  struct Close {
    void operator()(void* handle) const { dlclose(handle); }
  };
  std::unique_ptr<void, Close> handle_;
};

/// Returns the folders that an environment variable names, separated by ':', each with a '/' at its end.
inline std::vector<std::string> folders_of(const char* variable) {
  std::vector<std::string> folders;
  if (const char* chosen = std::getenv(variable)) {
    std::istringstream list(chosen);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.push_back(folder + "/");
  }
  return folders;
}

/// Loads the first library of these file names that exists: in the folders of PIVOTLAB_CUDA_LIBRARIES, where the system
/// finds libraries, and in the CUDA toolkit's usual folder. It is never closed, because the driver calls into it at
/// exit. Throws NotSupported with the text `missing` if there is none.
inline const DynamicLibrary& permanent_library(std::initializer_list<const char*> names, const char* missing) {
  std::vector<std::string> folders = folders_of("PIVOTLAB_CUDA_LIBRARIES");
  folders.emplace_back();  // the system's search
  folders.emplace_back("/usr/local/cuda/lib64/");
  for (const std::string& folder : folders)
    for (const char* name : names)
      if (auto library = std::make_unique<DynamicLibrary>(std::initializer_list<const char*>{(folder + name).c_str()});
          *library)
        return *library.release();
  throw NotSupported(missing);
}

/// Returns whether `load` finds its library.
template <class Load>
bool is_available(Load load) {
  try {
    load();
    return true;
  } catch (const NotSupported&) {
    return false;
  }
}

}  // namespace pivotlab
