// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cstdlib>
#include <experiments/cli/findings.hpp>
#include <experiments/engine/process.hpp>
#include <experiments/engine/resources.hpp>
#include <filesystem>
#include <system_error>

namespace pivotlab::cli {
namespace {
namespace fs = std::filesystem;

const std::string python_remedy = "run ./reproduce once (it makes .venv), or set PIVOTLAB_PYTHON to an interpreter";

Finding resources() {
  const fs::path home = experiments::home_directory();
  std::error_code error;
  if (fs::is_directory(home / "experiments" / "specs", error)) return {"Resources", State::ok, home.string(), ""};
  return {"Resources", State::problem, fmt::format("{} has no experiments/specs", home.string()),
          "set PIVOTLAB_HOME to the source directory of pivotlab"};
}

std::vector<Finding> python() {
  const std::string interpreter = experiments::find_python();
  if (interpreter.empty())
    return {
        {"Python", State::optional, "none (pivotlab report needs it)", "apt install python3-venv; " + python_remedy}};
  const auto version =
      experiments::capture_process(python_command(interpreter, "import platform; print(platform.python_version())"));
  if (!version) return {{"Python", State::problem, interpreter + " does not start", python_remedy}};
  Finding packages{"Packages", State::ok, "", ""};
  const auto listing = experiments::capture_process(python_command(interpreter, R"(
import importlib.metadata as metadata
for name in ("numpy", "scipy", "pandas", "matplotlib", "h5py", "jinja2", "plotly", "jsonschema"):
    try:
        print(name, metadata.version(name), end=", ")
    except metadata.PackageNotFoundError:
        print("no", name, end=", ")
)"));
  packages.found = listing.value_or("unknown");
  if (packages.found.ends_with(", ")) packages.found.erase(packages.found.size() - 2);
  if (!listing || packages.found.find("no ") != std::string::npos) {
    packages.state = State::optional;
    packages.remedy = "pivotlab report needs them: " + python_remedy;
  }
  return {{"Python", State::ok, fmt::format("{} ({})", *version, interpreter), ""}, packages};
}

Finding data() {
  const char* folder = std::getenv("PIVOTLAB_DATA");
  if (folder == nullptr || *folder == '\0')
    return {"Data", State::optional, "PIVOTLAB_DATA is not set",
            "set it to a directory of Matrix Market files (lund_a.mtx.gz, …) for the experiment 'real'"};
  std::error_code error;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (const std::string name = entry.path().filename().string(); name.ends_with(".mtx") || name.ends_with(".mtx.gz"))
      ++count;
  if (error || count == 0)
    return {"Data", State::problem, fmt::format("PIVOTLAB_DATA={}: no Matrix Market file there", folder),
            "set PIVOTLAB_DATA to the directory that holds them, or unset it"};
  return {"Data", State::ok, fmt::format("{} ({} matrices)", folder, count), ""};
}

}  // namespace

std::vector<std::string> python_command(const std::string& interpreter, const std::string& code) {
  return {interpreter, "-I", "-c", code};
}

std::vector<Finding> probe_project() {
  std::vector<Finding> findings{resources()};
  for (Finding& finding : python()) findings.push_back(std::move(finding));
  findings.push_back(data());
  return findings;
}

}  // namespace pivotlab::cli
