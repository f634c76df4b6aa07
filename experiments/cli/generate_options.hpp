// What `pivotlab generate` takes of every method.
#pragma once

#include <experiments/cli/output_files.hpp>
#include <string>

namespace pivotlab::cli {

template <class Request>
void add_generator(CLI::App& app, Request& request) {
  app.add_option("generator", request.generator, "Name with options (pivotlab list generators)")
      ->required()
      ->type_name("");
}

void add_type(CLI::App& app, std::string& type);

template <class Request>
void add_seed_and_threads(CLI::App& app, Request& request) {
  app.add_option("--seed", request.seed, "The same seed gives the same bits")->type_name("N")->capture_default_str();
  app.add_option("--threads", request.threads, "Never changes a bit")->type_name("N")->check(positive());
}

/// Prints the names of the files on stdout and what they hold on stderr.
void tell_written(const std::vector<std::string>& files, const std::string& content);

/// -o for a matrix, and --force.
void add_matrix_output(CLI::App& app, std::string& file, bool& force);

/// Whether it is a Matrix Market file, as its name ends; else HDF5. Throws InputError naming -o for other ends.
bool is_matrix_market(const std::string& file);

}  // namespace pivotlab::cli
