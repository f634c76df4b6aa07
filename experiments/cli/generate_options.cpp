#include <experiments/cli/generate_options.hpp>

namespace pivotlab::cli {

void add_type(CLI::App& app, std::string& type) {
  app.add_option("--type", type, "d (real) or z (complex)")->type_name("T")->capture_default_str();
}

void add_matrix_output(CLI::App& app, std::string& file) {
  app.add_option("-o,--output", file, "File (.h5, .mtx, .mtx.gz)")->required()->type_name("FILE");
}

bool is_matrix_market(const std::string& file) {
  if (file.ends_with(".mtx") || file.ends_with(".mtx.gz")) return true;
  if (file.ends_with(".h5") || file.ends_with(".hdf5")) return false;
  throw InputError(fmt::format("-o: '{}' does not tell a format; end it in .h5, .mtx or .mtx.gz", file));
}

}  // namespace pivotlab::cli
