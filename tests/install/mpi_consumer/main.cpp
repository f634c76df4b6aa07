// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/mpi.hpp>

int main(int argc, char** argv) {
  return pivotlab::run_on_mpi(argc, argv, [](pivotlab::Transport& transport) {
    return pivotlab::gather_values(transport, transport.rank()) == std::vector<int>{0, 1} ? 0 : 1;
  });
}
