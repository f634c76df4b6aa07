#include <fmt/format.h>
#include <unistd.h>
#include <experiments/common/problem_cache.hpp>
#include <experiments/engine/environment.hpp>

namespace pivotlab::experiments {

std::filesystem::path cache_file(const std::filesystem::path& cache, std::string_view key) {
  return cache / fmt::format("{}-{}.h5", key, build_info().commit.substr(0, 12));
}

std::filesystem::path temporary_beside(const std::filesystem::path& file) {
  return file.string() + fmt::format(".{}.tmp", ::getpid());
}

}  // namespace pivotlab::experiments
