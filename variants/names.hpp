// SPDX-License-Identifier: BSD-3-Clause
// The families of variants and the grammars of their names.
#pragma once

#include <pivotlab/distributed_variant.hpp>
#include <pivotlab/eig_variant.hpp>
#include <pivotlab/jacobi_variant.hpp>
#include <pivotlab/ldlt_variant.hpp>
#include <pivotlab/tangent_variant.hpp>
#include <pivotlab/variant.hpp>
#include <variants/grammar.hpp>

namespace pivotlab {

const Grammar<NamedGsvdVariant>& gsvd_names();
const Grammar<NamedDistributedVariant>& distributed_names();
const Grammar<NamedTangentVariant>& tangent_names();
const Grammar<LdltVariant>& ldlt_names();
const Grammar<EigVariant>& eig_names();
const Grammar<HsvdVariant>& hsvd_names();
const Grammar<EighVariant>& eigh_names();
const Grammar<GhsvdVariant>& ghsvd_names();

}  // namespace pivotlab
