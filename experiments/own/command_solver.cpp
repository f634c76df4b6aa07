// SPDX-License-Identifier: BSD-3-Clause
// Commands: the arrays of a problem are files of a folder, and the command writes those of its result into another one.
//
// A folder has one file an array, A.npy, A.mtx, A.h5 or A.bin (the bytes by columns), and a problem's has shapes.txt
// besides, with a line "A real 100 100" for each.
#include <fmt/format.h>
#include <unistd.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/own/npy.hpp>
#include <experiments/own/own_solver.hpp>
#include <experiments/own/private_folder.hpp>
#include <experiments/own/results.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>
#include <support/timer.hpp>

#include <generators/io/matrix_file.hpp>

#include <algorithm>
#include <complex>
#include <csignal>
#include <sstream>

namespace pivotlab::experiments {
namespace {
namespace fs = std::filesystem;

/// How arrays are files.
struct ArrayFormat {
  std::string_view name, extension;
  void (*write)(const fs::path&, const OwnInput&);
  OwnArray (*read)(const fs::path&);
};

template <class T>
Matrix<T> matrix_of(const OwnInput& input) {
  const Index cols = input.shape.size() == 2 ? input.shape[1] : 1;
  return Matrix<T>(MatrixView<const T>{static_cast<const T*>(input.elements), input.shape[0], cols, input.shape[0]});
}

AnyMatrix any_matrix_of(const OwnInput& input) {
  if (input.is_complex) return matrix_of<std::complex<double>>(input);
  return matrix_of<double>(input);
}

void write_mtx(const fs::path& file, const OwnInput& input) {
  write_matrix_market(file, any_matrix_of(input));
}

void write_h5(const fs::path& file, const OwnInput& input) {
  io::write_matrix_file(file, input.name, any_matrix_of(input));
}

OwnArray read_any(const fs::path& file) {
  return std::visit(
      [](const auto& A) {
        using T = std::remove_cvref_t<decltype(A(0, 0))>;
        return OwnArray{
            is_complex<T>,
            {A.rows(), A.cols()},
            std::string(reinterpret_cast<const char*>(A.data()), static_cast<std::size_t>(A.size()) * sizeof(T))};
      },
      read_matrix(file));
}

void write_raw(const fs::path& file, const OwnInput& input) {
  write_atomically(file, input.bytes());
}

OwnArray read_raw(const fs::path& file) {
  return {.bytes = read_text(file), .has_shape = false};
}

constexpr ArrayFormat formats[] = {{"npy", ".npy", write_npy, read_npy},
                                   {"mtx", ".mtx", write_mtx, read_any},
                                   {"h5", ".h5", write_h5, read_any},
                                   {"raw", ".bin", write_raw, read_raw}};

class CommandSolver final : public OwnSolver {
 public:
  CommandSolver(OwnName name, const std::string& digest, const Child::Limits& limits)
      : OwnSolver(std::move(name), digest, limits) {}

  void start(const OwnProblem& problem) override {
    format_ = &format();
    method_ = problem.method;
    const fs::path input = folder_.path() / "input";
    fs::create_directory(input);
    std::string shapes;
    std::vector<OwnInput> arrays = problem.inputs;
    if (!problem.signs.empty()) arrays.push_back({"J", false, {std::ssize(problem.signs)}, problem.signs.data()});
    for (const OwnInput& one : arrays) {
      const fs::path file = input / (one.name + std::string(format_->extension));
      format_->write(file, one);
      written_.emplace_back(file, fs::last_write_time(file));
      shapes += fmt::format("{} {} {} {}\n", one.name, one.is_complex ? "complex" : "real", one.shape[0],
                            one.shape.size() == 2 ? one.shape[1] : 1);
    }
    write_atomically(input / "shapes.txt", shapes);
  }

  OwnAnswer solve() override {
    const fs::path output = folder_.path() / "output";
    fs::remove_all(output);
    fs::create_directory(output);
    const Timer timer;
    Child child({"/bin/sh", "-c", "exec " + line(output)}, limits_, false);
    const int status = child.wait();
    OwnAnswer answer;
    answer.seconds = timer.seconds();
    section_["output"] = child.printed(most_printed);
    if (status != 0) throw SolverFault(Status::failed, describe_death(status, section_["output"]));
    require_unchanged();
    read_lines(child.printed(most_read), answer);
    for (const std::string& name : result_names(method_))
      if (const fs::path file = output / (name + std::string(format_->extension)); fs::exists(file))
        answer.arrays[name] = read(file);
    return answer;
  }

 private:
  /// The longest time that a command may state: clocks of other programs may differ a little from ours.
  static double longest_time(double process_s) { return 1.01 * process_s + 1e-3; }

  /// Throws SolverFault if the command has changed its input: the next sample would be that of another problem.
  void require_unchanged() const {
    for (const auto& [file, time] : written_) {
      std::error_code missing;
      if (fs::last_write_time(file, missing) != time || missing)
        throw SolverFault(Status::failed,
                          fmt::format("has written into {}, which is read-only", file.filename().string()));
    }
  }

  static constexpr std::size_t most_printed = 2048, most_read = 1 << 16;

  const ArrayFormat& format() const {
    const auto given = name_.options.find("format");
    const std::string wanted = given == name_.options.end() ? "npy" : to_string(given->second);
    const auto found = std::ranges::find(formats, wanted, &ArrayFormat::name);
    if (found == std::end(formats))
      throw SolverFault(Status::failed, fmt::format("there is no format '{}'; choose from npy, mtx, h5, raw", wanted));
    return *found;
  }

  /// The command line with the folders in their places, and the other options behind it as --NAME=VALUE.
  std::string line(const fs::path& output) const {
    std::string line = name_.source;
    for (const auto& [place, folder] : {std::pair("{input}", folder_.path() / "input"), std::pair("{output}", output)})
      for (std::size_t at = 0; (at = line.find(place, at)) != std::string::npos;) {
        const std::string quoted = shell_line({folder.string()});
        line.replace(at, std::string_view(place).size(), quoted);
        at += quoted.size();
      }
    for (const auto& [option, value] : name_.options)
      if (option != "format") line += ' ' + shell_line({fmt::format("--{}={}", option, to_string(value))});
    return line;
  }

  /// Reads lines "pivotlab-NAME: VALUE"; NAME `seconds` is the command's own time.
  void read_lines(const std::string& printed, OwnAnswer& answer) {
    constexpr std::string_view mark = "pivotlab-";
    std::istringstream lines(printed);
    double own_seconds = answer.seconds;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t colon = line.find(": ");
      if (!line.starts_with(mark) || colon == std::string::npos) continue;
      const std::string name = line.substr(mark.size(), colon - mark.size());
      const Value value = parse_value(line.substr(colon + 2));
      if (name != "seconds") {
        std::visit([&](const auto& x) { section_["values"][name] = x; }, value);
        continue;
      }
      const auto* integer = std::get_if<std::int64_t>(&value);
      const auto* number = std::get_if<double>(&value);
      if ((integer == nullptr || *integer < 0) && (number == nullptr || *number < 0))
        throw SolverFault(Status::failed,
                          fmt::format("'{}' states no time; print for example pivotlab-seconds: 0.123", line));
      const double stated = number != nullptr ? *number : static_cast<double>(*integer);
      if (stated > longest_time(answer.seconds))
        throw SolverFault(Status::failed,
                          fmt::format("'{}' is longer than the process, which took {:.3g} s", line, answer.seconds));
      own_seconds = stated;
    }
    answer.seconds = own_seconds;
  }

  OwnArray read(const fs::path& file) const {
    try {
      return format_->read(file);
    } catch (const InputError& error) {
      throw SolverFault(Status::failed, error.what());
    }
  }

  const ArrayFormat* format_ = nullptr;
  std::string method_;
  PrivateFolder folder_;
  std::vector<std::pair<fs::path, fs::file_time_type>> written_;  ///< the files of the problem
};

}  // namespace

std::unique_ptr<OwnSolver> make_command_solver(OwnName name, const std::string& digest, const Child::Limits& limits) {
  return std::make_unique<CommandSolver>(std::move(name), digest, limits);
}

}  // namespace pivotlab::experiments
