// Subcommands whose options depend on the method: `pivotlab solve gsvd …`, `pivotlab solve ldlt …`.
#pragma once

#include <experiments/cli/command.hpp>

namespace pivotlab::cli {

// Each adds the method's command to `parent`, one of solve, generate and sweep.
Command add_gsvd_solve(CLI::App& parent);
Command add_gsvd_generate(CLI::App& parent);
Command add_gsvd_sweep(CLI::App& parent);
Command add_ldlt_solve(CLI::App& parent);
Command add_ldlt_generate(CLI::App& parent);
Command add_ldlt_sweep(CLI::App& parent);
Command add_eig_solve(CLI::App& parent);
Command add_eig_generate(CLI::App& parent);
Command add_eig_sweep(CLI::App& parent);

}  // namespace pivotlab::cli
