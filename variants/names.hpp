// The families of variants and the grammars of their names.
#pragma once

#include <pivotlab/ldlt_variant.hpp>
#include <variants/grammar.hpp>

namespace pivotlab {

const Grammar<LdltVariant>& ldlt_names();

}  // namespace pivotlab
