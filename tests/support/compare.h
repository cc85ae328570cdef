// Comparisons whose answer is empty when all is well and a sentence for the test's log when not:
// QCOMPARE(difference(got, want), QString()).
#pragma once

#include <QString>

#include "tests/support/reference_ops.h"
#include "tests/support/values.h"

namespace poplens::test {

// Every element within its bound; a NaN never is.
QString difference(const Values& got, const Reference& want);
// The same bits.
QString bit_difference(const Values& got, const Values& want);

}  // namespace poplens::test
