// Agreement of two orders.
#pragma once

#include <span>

namespace poplens {

// Spearman's rank correlation of two lists of equal length: Pearson's correlation of the ranks, equal values sharing
// the mean of theirs. 0 where one list is all alike.
double spearman(std::span<const double> a, std::span<const double> b);

}  // namespace poplens
