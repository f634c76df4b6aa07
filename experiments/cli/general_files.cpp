#include <fmt/format.h>
#include <experiments/cli/general_files.hpp>

namespace pivotlab::cli {

std::string describe(const AnyGeneral& any) {
  return std::visit(
      []<class T>(const GeneralMatrix<T>& matrix) {
        return fmt::format("{0} x {0}, {1}: {2}", matrix.A.rows(), is_complex<T> ? "complex" : "real",
                           matrix.provenance);
      },
      any);
}

}  // namespace pivotlab::cli
