#include <fmt/format.h>
#include <experiments/metrics/eig_plots.hpp>
#include <experiments/metrics/judging.hpp>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

nlohmann::json rounded(double x, int digits) {
  return number_or_null(std::stod(fmt::format("{:.{}g}", x, digits)));
}

}  // namespace

nlohmann::json plotted(std::span<const std::complex<double>> eigenvalues) {
  if (eigenvalues.empty() || eigenvalues.size() > most_plotted) return {};
  nlohmann::json re = nlohmann::json::array(), im = re;
  for (const auto& z : eigenvalues) {
    re.push_back(rounded(z.real(), 6));
    im.push_back(rounded(z.imag(), 6));
  }
  return {{"re", re}, {"im", im}};
}

nlohmann::json to_json(const EigResult<double>& result) {
  const auto column = [&](double EigSweep<double>::*member) {
    nlohmann::json values = nlohmann::json::array();
    for (const auto& sweep : result.history) values.push_back(rounded(sweep.*member, 5));
    return values;
  };
  return {{"sweeps", result.sweeps()},
          {"refined", result.refined},
          {"finished", result.finished},
          {"norm", column(&EigSweep<double>::norm)},
          {"lower", column(&EigSweep<double>::lower)},
          {"departure", column(&EigSweep<double>::departure)},
          {"largest_tau", column(&EigSweep<double>::largest_tau)},
          {"seconds", column(&EigSweep<double>::seconds)}};
}

}  // namespace pivotlab::experiments
