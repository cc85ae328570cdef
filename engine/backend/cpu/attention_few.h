// Attention of few rows over many keys, as in the decode: all blocks of keys at once, so that every thread has work
// however few heads there are.
#pragma once

#include "engine/backend/cpu/attention_block.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/cpu/workspace.h"

namespace poplens::cpu {

// The whole call that `any_head` belongs to, for all kv heads. Does nothing and returns false where the rows are not
// few or the scores do not fit the workspace.
bool attend_few_rows(const Heads& any_head, const Workspace& workspace, ThreadPool& pool);

}  // namespace poplens::cpu
