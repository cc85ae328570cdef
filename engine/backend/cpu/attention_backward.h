// The way back through the attention (Backend::attention_backward says what it computes), in blocks: what of the scores
// is needed is computed again from queries and keys.
#pragma once

#include <span>

#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/cpu/workspace.h"

namespace poplens::cpu {

// The operands of one call, all f32.
struct AttentionBackward {
  const AttentionShape& shape;
  ConstMatrix q, k, v;
  std::span<const KeyRange> ranges;
  ConstMatrix result, grad;
  Matrix q_grad, k_grad, v_grad;
};

void attention_backward(const AttentionBackward& call, const Kernels& kernels, const Workspace& workspace,
                        ThreadPool& pool);

}  // namespace poplens::cpu
