#include <pivotlab/variant.hpp>

namespace pivotlab {

std::string_view to_string(Strategy strategy) {
  switch (strategy) {
    case Strategy::ME:
      return "ME";
    case Strategy::MM:
      return "MM";
    case Strategy::RR:
      return "RR";
  }
  return {};
}

}  // namespace pivotlab
