// Names of the Jacobi-like eigendecomposition: a head such as ZEIG-(RR), and options such as b=16, each at most once.
#include <pivotlab/eig_variant.hpp>
#include <pivotlab/error.hpp>

#include <support/text/nearest.hpp>
#include <variants/option_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace pivotlab {
namespace {

constexpr EigVariant usual;
constexpr std::array strategies{Strategy::RR, Strategy::ME, Strategy::MM};
constexpr std::array blocks{8, 16, 32};

std::string head_name(Strategy strategy) {
  return fmt::format("ZEIG-({})", to_string(strategy));
}

/// An option that is on or off, as it is spelled.
struct Switch {
  std::string_view key;
  bool EigVariant::*value;
};
constexpr std::array switches{Switch{"balance", &EigVariant::balance}, Switch{"shear", &EigVariant::shear},
                              Switch{"unitary", &EigVariant::unitary}, Switch{"diagonal", &EigVariant::diagonal}};

/// An option without a value, off where it is not given.
using Flag = Switch;
constexpr std::array flags{Flag{"refine", &EigVariant::refine}, Flag{"finish", &EigVariant::finish}};

/// An option with a number in (0, largest].
struct Number {
  std::string_view key;
  double EigVariant::*value;
  double largest;
};
constexpr std::array numbers{Number{"damping", &EigVariant::damping, 1},
                             Number{"exponent", &EigVariant::exponent, 0.5}};

bool in_range(const Number& number, double value) {
  return 0 < value && value <= number.largest;  // false for NaN
}

bool is_block(int b) {
  return std::ranges::find(blocks, b) != blocks.end();
}

std::string form_option(EigForm form, int b) {
  switch (form) {
    case EigForm::steps:
      return "";
    case EigForm::fused:
      return ";fused";
    case EigForm::blocked:
      return fmt::format(";b={}", b);
  }
  return "?";
}

/// All options as a user may write them, for the message about one that does not exist.
std::vector<std::string> option_names() {
  std::vector<std::string> names{"fused"};
  for (const Flag& f : flags) names.emplace_back(f.key);
  for (const int b : blocks) names.push_back(form_option(EigForm::blocked, b).substr(1));
  for (const Switch& s : switches)
    for (const char* value : {"on", "off"}) names.push_back(fmt::format("{}={}", s.key, value));
  for (const Number& n : numbers) names.push_back(fmt::format("{}={}", n.key, n.largest));
  return names;
}

Strategy parse_head(std::string_view head, std::string_view name) {
  std::array<std::string, strategies.size()> names;
  std::ranges::transform(strategies, names.begin(), head_name);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (lower_case(names[k]) == lower_case(head)) return strategies[k];
  reject_variant(name, head.empty() ? "at its beginning" : fmt::format("at '{}'", head),
                 fmt::format("no such variant; {}", nearest_text(head, names)));
}

double parse_in_range(const Number& number, std::string_view text, std::string_view name, const std::string& place) {
  const auto value = parse_number(text);
  if (!value || !in_range(number, *value))
    reject_variant(name, place, fmt::format("{} is no number in (0, {}]; choose one", number.key, number.largest));
  return *value;
}

/// Sets what one option says; returns what it is about, so that two about the same are refused.
std::string parse_option(std::string_view option, std::string_view name, EigVariant& variant) {
  std::string text = lower_case(option);
  const std::string place = fmt::format("option '{}'", option);
  for (const Flag& f : flags)
    if (text == f.key) {
      variant.*f.value = true;
      return text;
    }
  for (const int b : blocks)
    if (text == fmt::format("b={}", b)) {
      variant.form = EigForm::blocked;
      variant.block = b;
      return "form";
    }
  if (text == "fused") {
    variant.form = EigForm::fused;
    return "form";
  }
  const std::size_t sign = std::min(text.find('='), text.size());
  std::string key = text.substr(0, sign);
  const std::string value = text.substr(std::min(sign + 1, text.size()));
  for (const Switch& s : switches)
    if (key == s.key && (value == "on" || value == "off")) {
      variant.*s.value = value == "on";
      return key;
    }
  for (const Number& n : numbers)
    if (key == n.key) {
      variant.*n.value = parse_in_range(n, value, name, place);
      return key;
    }
  reject_variant(
      name, place,
      fmt::format("no such option; there are fused, b=8|16|32, refine, finish, balance|shear|unitary|diagonal=on|off, "
                  "damping=NUMBER and exponent=NUMBER; {}",
                  nearest_text(option, option_names())));
}

}  // namespace

std::string to_string(const EigVariant& variant) {
  std::string name = head_name(variant.strategy) + form_option(variant.form, variant.block);
  for (const Switch& s : switches)
    if (variant.*s.value != usual.*s.value) name += fmt::format(";{}={}", s.key, variant.*s.value ? "on" : "off");
  for (const Number& n : numbers)
    if (variant.*n.value != usual.*n.value) name += fmt::format(";{}={}", n.key, variant.*n.value);
  for (const Flag& f : flags)
    if (variant.*f.value) name += fmt::format(";{}", f.key);
  return name;
}

EigVariant parse_eig_variant(std::string_view name) {
  std::size_t end = std::min(name.find(';'), name.size());
  EigVariant variant{.strategy = parse_head(name.substr(0, end), name), .form = EigForm::steps};
  std::set<std::string> given;
  while (end < name.size()) {
    const std::size_t begin = end + 1;
    end = std::min(name.find(';', begin), name.size());
    const std::string_view option = name.substr(begin, end - begin);
    const std::string subject = parse_option(option, name, variant);
    if (!given.insert(subject).second)
      reject_variant(name, fmt::format("option '{}'", option),
                     subject == "form" ? "there is another form before it; keep fused or one b"
                                       : fmt::format("{} is given twice; keep one of them", subject));
  }
  return variant;
}

void require_valid(const EigVariant& variant) {
  if (variant.form == EigForm::blocked && !is_block(variant.block))
    throw InputError(fmt::format("variant: there are no blocks of b = {}; choose 8, 16 or 32", variant.block));
  for (const Number& n : numbers)
    if (!in_range(n, variant.*n.value))
      throw InputError(
          fmt::format("variant: {} = {} is not in (0, {}]; choose such a one", n.key, variant.*n.value, n.largest));
}

std::string_view describe(EigForm form) {
  switch (form) {
    case EigForm::steps:
      return "Pair by pair: all shears of a round, then all its unitary transformations.";
    case EigForm::fused:
      return "Pair by pair, shear and unitary transformation as one, applied to each tile of two pairs in place.";
    case EigForm::blocked:
      return "By blocks: an inner sweep on 2b x 2b data, exact parameters, then matrix products.";
  }
  return "?";
}

}  // namespace pivotlab
