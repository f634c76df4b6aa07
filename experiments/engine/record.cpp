// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_store.hpp>
#include <pivotlab/error.hpp>
#include <support/files/atomic_file.hpp>

#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace fs = std::filesystem;
using nlohmann::json;

void write_atomically(const fs::path& file, std::string_view text) {
  AtomicFile output(file);
  output.write(text.data(), text.size());
  output.commit();
}

json read_json(const fs::path& file) {
  return parse_json<json>(read_text(file), file.string());
}

std::vector<json> read_records(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) && !fs::is_directory(path, error))
    throw InputError(
        fmt::format("{}: is not a run folder; give <out>/<experiment>, as `pivotlab run` made it", path.string()));
  std::vector<json> records = RecordStore(path).read_all();
  if (records.empty()) throw InputError(fmt::format("{}: holds no record; run the experiment first", path.string()));
  return records;
}

}  // namespace pivotlab::experiments
