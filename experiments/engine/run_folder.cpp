// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/grow.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/own_files.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/run_folder.hpp>
#include <pivotlab/error.hpp>

#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// The part of a spec that the results depend on; the order of the axes is not one of them.
json essence(const ordered_json& spec) {
  json result;
  for (const char* key : {"name", "method", "axes", "zip", "exclude", "timing"})
    if (spec.contains(key)) result[key] = json::parse(spec[key].dump());
  return result;
}

/// Returns a spec without the axes that were added to the method after `before` and that no case of the plan has.
json without_new_axes(json spec, const json& before) {
  json axes = json::object();
  for (const auto& [name, values] : spec["axes"].items())
    if (before.contains("axes") && before["axes"].contains(name)) axes[name] = values;
  spec["axes"] = std::move(axes);
  return spec;
}

ordered_json make_manifest(const Plan& plan, const std::string& command) {
  const auto spec = ordered_json::parse(to_json(plan.spec));
  ordered_json cases = ordered_json::array();
  for (const PlannedCase& planned : plan.cases)
    cases.push_back({{"key", planned.key}, {"case", ordered_json::parse(canonical_json(planned.axes))}});
  return {{"schema", manifest_schema},
          {"experiment", plan.spec.name},
          {"spec_hash", digest(essence(spec).dump())},
          {"spec", spec},
          {"created", utc_now()},
          {"environment", environment_json()},
          {"provenance", provenance_json(command)},
          {"plan", cases}};
}

/// The part of a spec that is the same in all sweeps of a folder.
json sweep_of(const ordered_json& spec) {
  json result;
  for (const char* key : {"name", "method", "title", "report"})
    result[key] = json::parse(spec.value(key, json()).dump());
  return result;
}

/// "timing.budget_s was 60, is 30": the first difference of two specs.
std::string first_difference(const json& before, const json& now) {
  const json patch = json::diff(before, now);
  if (patch.empty()) return "the plan of the cases differs";
  // The message names the axis, and not the place in the list of its values.
  json::json_pointer place(patch.front()["path"].get<std::string>());
  while (!place.empty() && ((before.contains(place.parent_pointer()) && before.at(place.parent_pointer()).is_array()) ||
                            (now.contains(place.parent_pointer()) && now.at(place.parent_pointer()).is_array())))
    place.pop_back();
  std::string name;
  for (json::json_pointer rest = place; !rest.empty(); rest.pop_back())
    name = rest.back() + (name.empty() ? "" : "." + name);
  const auto value = [&](const json& spec) { return spec.contains(place) ? spec.at(place).dump() : "not there"; };
  return fmt::format("{} was {}, is {}", name, value(before), value(now));
}

/// Returns the folder, created if necessary.
const fs::path& made(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail_on_path(path, "made", error.value());
  return path;
}

const fs::path& own_folder(const fs::path& path) {
  refuse_foreign_folder(path);
  return path;
}

/// Returns the path; throws InputError if shards work in the folder.
const fs::path& without_live_shards(const fs::path& path) {
  for (const ShardClaim& claim : read_claims(path))
    if (claim.live)
      throw InputError(fmt::format("{}: {} is running here; wait for it, or run another shard with --shard",
                                   path.string(), describe(claim)));
  return path;
}

json read_manifest(const fs::path& run) {
  const fs::path file = run / "manifest.json";
  std::error_code error;
  if (!fs::exists(file, error))
    throw InputError(
        fmt::format("{}: is not a run folder; give <out>/<experiment>, as `pivotlab run` made it", run.string()));
  json manifest = read_json(file);
  if (!manifest.is_object() || manifest.value("schema", json()) != manifest_schema || !manifest.contains("plan") ||
      !manifest["plan"].is_array() || !manifest.value("spec", json()).is_object())
    throw InputError(fmt::format("{}: is not a manifest of this version", file.string()));
  return manifest;
}

}  // namespace

std::vector<std::string> planned_keys(const fs::path& run) {
  std::vector<std::string> keys;
  const json manifest = read_manifest(run);
  for (const json& planned : manifest["plan"])
    if (planned.is_object() && planned.value("key", json()).is_string()) keys.push_back(planned["key"]);
  return keys;
}

Spec spec_of(const fs::path& run, const MethodLookup& find) {
  return parse_spec(read_manifest(run).at("spec").dump(), (run / "manifest.json").string(), "paper", find);
}

json report_of(const fs::path& run) {
  return read_manifest(run).at("spec").value("report", json());
}

json experiment_of(const fs::path& run) {
  const json manifest = read_manifest(run);
  json spec = essence(ordered_json::parse(manifest.at("spec").dump()));
  spec.erase("name");
  return {{"spec", std::move(spec)}, {"plan", manifest["plan"]}};
}

std::size_t pack_run(const fs::path& run) {
  refuse_foreign_folder(run);
  const FolderLock lock(without_live_shards(run), FolderLock::Mode::packing);
  remove_leftovers(run);
  return pack_records(run);
}

RunFolder::RunFolder(const fs::path& path)
    : path_(without_live_shards(own_folder(path))), lock_(made(path), FolderLock::Mode::exclusive) {
  remove_claims(path);
  remove_leftovers(path);
}

RunFolder::RunFolder(const fs::path& path, const Shard& shard, bool takeover)
    : path_(own_folder(path)), lock_(made(path), FolderLock::Mode::shared) {
  shard_ = std::make_unique<ClaimedShard>(path, shard, takeover);
  remove_leftovers(path, [&](std::string_view key) { return shard.contains(key); });
}

void RunFolder::beat(const std::vector<std::string>& running) const {
  if (shard_) shard_->beat(running);
}

void RunFolder::clear() const {
  remove_results(path_);
}

void RunFolder::open(const Plan& full_plan, const std::string& command, bool grow) const {
  const fs::path file = path_ / "manifest.json";
  const FileDescriptor one_at_a_time = shard_ ? lock_claims(path_) : FileDescriptor();
  ordered_json manifest = make_manifest(full_plan, command);
  if (!fs::exists(file)) return write_atomically(file, manifest.dump(2) + '\n');

  const auto before = parse_json<ordered_json>(read_text(file), file.string());
  if (!before.is_object() || !before.contains("schema") || before["schema"] != manifest_schema ||
      !before.contains("spec") || !before["spec"].is_object() || !before.contains("plan"))
    throw InputError(fmt::format(
        "{}: is not a manifest of this version; choose another --out, or start anew with --fresh", file.string()));
  const auto refuse = [&](const json& old_spec, const json& new_spec) {
    throw InputError(
        fmt::format("{}: the run was started with another spec: {}; choose another --out, or start anew "
                    "with --fresh",
                    file.string(), first_difference(old_spec, new_spec)));
  };
  if (grow) {
    const json old_sweep = sweep_of(before["spec"]), new_sweep = sweep_of(manifest["spec"]);
    if (old_sweep != new_sweep) refuse(old_sweep, new_sweep);
    ordered_json grown = grown_manifest(before, manifest, file.string());
    grown["spec_hash"] = digest(essence(grown["spec"]).dump());
    if (grown != before) write_atomically(file, grown.dump(2) + '\n');
    return;
  }
  const bool same_plan = before["plan"] == manifest["plan"];
  const json old_spec = essence(before["spec"]), whole_spec = essence(manifest["spec"]);
  const json new_spec = same_plan ? without_new_axes(whole_spec, old_spec) : whole_spec;
  if (old_spec != new_spec || !same_plan) refuse(old_spec, new_spec);
  if (before["spec"] != manifest["spec"]) {  // only texts, the report and axes without cases have changed
    manifest["created"] = before["created"];
    write_atomically(file, manifest.dump(2) + '\n');
  }
}

}  // namespace pivotlab::experiments
