#include <fmt/format.h>
#include <pivotlab/error.hpp>

#include <cstdlib>
#include <experiments/cli/command.hpp>
#include <experiments/cli/findings.hpp>
#include <experiments/cli/process.hpp>
#include <experiments/cli/resources.hpp>
#include <filesystem>

namespace pivotlab::cli {
namespace {

const std::string remedy = "run ./reproduce once (it makes .venv with what the report needs) or set PIVOTLAB_PYTHON";

Environment analysis_on_path() {
  std::string path = experiments::resource("analysis").string();
  if (const char* more = std::getenv("PYTHONPATH"); more != nullptr && *more != '\0') path += std::string(":") + more;
  return {{"PYTHONPATH", path}, {"PIVOTLAB_HOME", experiments::home_directory().string()}};
}

int run(std::vector<std::string> runs, const std::string& output) {
  const std::string python = find_python();
  if (python.empty()) throw InputError("report: there is no Python; " + remedy);
  if (runs.empty()) runs.push_back("runs");
  for (const std::string& folder : runs)
    if (!std::filesystem::exists(folder))
      throw InputError(fmt::format("{}: no such folder; pivotlab run quick makes records in runs/quick", folder));
  const Environment environment = analysis_on_path();
  if (!capture_process({python, "-c", "import pivotlab_analysis.__main__"}, environment))
    throw InputError(fmt::format("report: {} cannot load pivotlab_analysis; {}", python, remedy));

  std::vector<std::string> command = {python, "-m", "pivotlab_analysis", "report"};
  command.insert(command.end(), runs.begin(), runs.end());
  command.insert(command.end(), {"--output", output});
  return run_process(command, environment);
}

}  // namespace

Command add_report(CLI::App& root) {
  CLI::App* app = root.add_subcommand("report", "Make one self-contained HTML page of the records");
  auto runs = std::make_shared<std::vector<std::string>>();
  auto output = std::make_shared<std::string>("report.html");
  app->add_option("runs", *runs, "Folders of runs (default: all in runs/)")->type_name("");
  app->add_option("-o,--output", *output, "The page")->type_name("FILE")->capture_default_str();
  app->footer(
      "Tables with published and measured numbers and their ratio, interactive plots, the environment and every "
      "record.\n\n"
      "Examples:\n"
      "  pivotlab report\n"
      "  pivotlab report runs/table2 runs/table6 -o tables.html");
  return {app, [runs, output] { return run(*runs, *output); }};
}

}  // namespace pivotlab::cli
