#include <experiments/cli/generate_options.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {

void add_type(CLI::App& app, std::string& type) {
  app.add_option("--type", type, "d (real) or z (complex)")->type_name("T")->capture_default_str();
}

void add_matrix_output(CLI::App& app, std::string& file, bool& force) {
  app.add_option("-o,--output", file, "File (.h5, .mtx, .mtx.gz)")->required()->type_name("FILE");
  add_force(app, force);
}

void tell_written(const std::vector<std::string>& files, const std::string& content) {
  for (const std::string& file : files) std::cout << on_terminal(file) << '\n';
  std::cerr << on_terminal(content) << '\n';
}

bool is_matrix_market(const std::string& file) {
  if (file.ends_with(".mtx") || file.ends_with(".mtx.gz")) return true;
  if (file.ends_with(".h5") || file.ends_with(".hdf5")) return false;
  throw InputError(fmt::format("-o: '{}' does not tell a format; end it in .h5, .mtx or .mtx.gz", file));
}

}  // namespace pivotlab::cli
