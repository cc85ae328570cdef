// The matrix products of the CPU backend: see Backend::matmul and Backend::gated_matmul (backend.h) for what they
// compute, kernels.h for the order of summation, which does not depend on the number of rows, columns or threads.
#pragma once

#include <span>

#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/cpu/workspace.h"

namespace poplens::cpu {

void matmul(ConstMatrix x, std::span<const MatmulPart> parts, const Kernels& kernels, const Workspace& workspace,
            ThreadPool& pool);
void gated_matmul(ConstMatrix x, ConstMatrix gate, ConstMatrix up, Activation activation, Matrix out,
                  const Kernels& kernels, const Workspace& workspace, ThreadPool& pool);

}  // namespace poplens::cpu
