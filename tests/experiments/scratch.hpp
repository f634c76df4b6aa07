// What several tests of the engine use.
#pragma once

#include <gtest/gtest.h>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/run.hpp>
#include <pivotlab/error.hpp>
#include <tests/experiments/fake_method.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace pivotlab::experiments {

/// An empty folder for one test, removed at its end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pivotlab-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for temporary files");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;  // a worker that is being killed may still write
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void put(const std::filesystem::path& file, std::string_view content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// A spec of the fake method.
inline Spec fake_spec(std::vector<Axis> axes) {
  Spec spec;
  spec.name = "fake";
  spec.method = "fake";
  spec.axes = std::move(axes);
  spec.timing.max_repeats = 1;
  return spec;
}

inline std::vector<Value> texts(std::initializer_list<const char*> values) {
  std::vector<Value> result;
  for (const char* value : values) result.emplace_back(std::string(value));
  return result;
}

inline std::vector<Value> integers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

inline RunSummary run_quietly(const Plan& plan, RunOptions options) {
  std::ostringstream progress;
  return run(plan, options, progress);
}

/// The message of the InputError that an action throws; a failure when it throws none. Checks that it is one line.
template <class Action>
std::string input_error(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "no InputError was thrown";
  return "";
}

}  // namespace pivotlab::experiments
