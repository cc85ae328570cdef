// The kernels of the paths that need AVX-512 or AMX, compiled from their own sources against the models of this folder:
// every machine that runs the tests runs every path's code.
#pragma once

#include "engine/backend/cpu/kernels.h"

namespace poplens::cpu {

const Kernels& emulated_avx512_kernels();
const Kernels& emulated_avx512_bf16_kernels();
const Kernels& emulated_amx_kernels();

}  // namespace poplens::cpu
