// A shared library of the CUDA toolkit, loaded when first wanted.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>

namespace pivotlab::cuda {

class Library {
 public:
  /// Loads lib<name>.so of the first of the versions that is found, by the loader's own search or where the toolkit is
  /// installed by default. Throws std::runtime_error if there is none.
  Library(const std::string& name, std::initializer_list<const char*> versions) : name_("lib" + name + ".so") {
    for (const char* version : versions)
      for (const char* folder : {"", "/usr/local/cuda/lib64/"})
        if (!handle_) handle_.reset(dlopen((folder + name_ + "." + version).c_str(), RTLD_LAZY | RTLD_LOCAL));
    if (!handle_)
      throw std::runtime_error(
          name_ + ": is not found; install the libraries of the CUDA toolkit or name their folder in LD_LIBRARY_PATH");
  }

  /// A function, e.g. symbol<int(void**)>("cublasCreate_v2"). Throws std::runtime_error if there is none of that name.
  template <class Function>
  Function* symbol(const char* name) const {
    void* address = dlsym(handle_.get(), name);
    if (!address) throw std::runtime_error(name_ + ": has no " + name + "; install a newer CUDA toolkit");
    return reinterpret_cast<Function*>(address);
  }

 private:
  struct Close {
    void operator()(void* handle) const { dlclose(handle); }
  };
  std::string name_;
  std::unique_ptr<void, Close> handle_;
};

}  // namespace pivotlab::cuda
