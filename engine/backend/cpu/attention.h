// The attention of the CPU backend (Backend::attention says what it computes): blocks of keys and an online softmax,
// never a whole matrix of scores. Blocks of keys begin at absolute multiples of a size that depends on the head's width
// alone, so that a row's bits depend neither on the rows beside it nor on how a prompt was cut into chunks.
#pragma once

#include <span>

#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/cpu/workspace.h"

namespace poplens::cpu {

void attention(const AttentionShape& shape, ConstMatrix q, ConstMatrix k, ConstMatrix v,
               std::span<const KeyRange> ranges, Matrix out, const Kernels& kernels, const Workspace& workspace,
               ThreadPool& pool);

}  // namespace poplens::cpu
