#include "engine/backend/tensor.h"

namespace poplens {

const char* name_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "F32";
    case DType::f16:
      return "F16";
    case DType::bf16:
      return "BF16";
  }
  return "unknown";
}

}  // namespace poplens
