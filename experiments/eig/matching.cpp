// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/eig/matching.hpp>

#include <limits>

namespace pivotlab::experiments {
namespace {

constexpr Index none = -1;

/// Rows are added one by one, each along the path of least reduced cost to a free column (Kuhn 1955; Jonker &
/// Volgenant, Computing 38 (1987)). Potentials keep all reduced costs ≥ 0, those of matched pairs 0.
class Matcher {
 public:
  explicit Matcher(const Matrix<double>& cost)
      : cost_(cost),
        n_(cost.rows()),
        row_potential_(static_cast<std::size_t>(n_)),
        column_potential_(static_cast<std::size_t>(n_)),
        row_of_(static_cast<std::size_t>(n_), none) {}

  std::vector<Index> match() {
    for (Index row = 0; row < n_; ++row) add(row);
    std::vector<Index> columns(n_);
    for (Index j = 0; j < n_; ++j) columns[row_of_[j]] = j;
    return columns;
  }

 private:
  void add(Index new_row) {
    std::vector<double> distance(n_, std::numeric_limits<double>::infinity());
    std::vector<Index> before(n_, none);  // the previous column on the path
    std::vector<bool> visited(n_);
    Index row = new_row, column = none;
    double length = 0;
    do {
      Index nearest = none;
      for (Index j = 0; j < n_; ++j) {
        if (visited[j]) continue;
        const double through = length + cost_(row, j) - row_potential_[row] - column_potential_[j];
        if (through < distance[j]) distance[j] = through, before[j] = column;
        if (nearest == none || distance[j] < distance[nearest]) nearest = j;
      }
      column = nearest;
      length = distance[column];
      visited[column] = true;
      row = row_of_[column];
    } while (row != none);

    row_potential_[new_row] += length;
    for (Index j = 0; j < n_; ++j) {
      if (!visited[j] || row_of_[j] == none) continue;
      row_potential_[row_of_[j]] += length - distance[j];
      column_potential_[j] -= length - distance[j];
    }
    for (; before[column] != none; column = before[column]) row_of_[column] = row_of_[before[column]];
    row_of_[column] = new_row;
  }

  const Matrix<double>& cost_;
  Index n_;
  std::vector<double> row_potential_, column_potential_;
  std::vector<Index> row_of_;  // of a column
};

}  // namespace

std::vector<Index> cheapest_matching(const Matrix<double>& cost) {
  return Matcher(cost).match();
}

}  // namespace pivotlab::experiments
