// SPDX-License-Identifier: BSD-3-Clause
// Specs, plans and errors for the tests of the engine.
#pragma once

#include <gtest/gtest.h>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/run.hpp>
#include <pivotlab/error.hpp>
#include <tests/experiments/fake_method.hpp>
#include <tests/scratch_folder.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace pivotlab::experiments {

using test::ScratchFolder;

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

/// Replaces a record of a run.
inline void put_record(const std::filesystem::path& run, const nlohmann::json& record) {
  Journal(run, "run").append(record);
}

/// Writes the records of a run as files of their own, as versions before the packed file did. Returns their folder.
inline std::filesystem::path unpack(const std::filesystem::path& run) {
  const std::filesystem::path folder = run / "records";
  const std::vector<nlohmann::json> records = read_records(run);
  std::filesystem::create_directories(folder);
  for (const nlohmann::json& record : records)
    put(folder / (record.at("key").get<std::string>() + ".json"), record_text(record));
  std::filesystem::remove(run / packed_records);
  return folder;
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
  if (options.worker.empty()) options.worker = fake_worker();
  std::ostringstream progress;
  return run(plan, options, progress);
}

/// Returns the message of the InputError that an action throws; fails if it throws none. Checks that it is one line.
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
