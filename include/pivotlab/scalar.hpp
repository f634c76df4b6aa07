// Scalars: which types the algorithms take and how they are named.
#pragma once

#include <pivotlab/quad.hpp>
#include <pivotlab/scalar_traits.hpp>
