// One axis of torchvision's antialiased resize on 8-bit pixels: which inputs each output sums, and their integer
// weights.
#pragma once

#include <cstdint>
#include <vector>

namespace poplens {

enum class Filter { bilinear, bicubic };

// Output i is clip((sum_k weights[i * taps + k] * input[first[i] + k] + half) >> precision) with k < count[i] and
// half = 1 << (precision - 1), all in int32.
struct ResampleWeights {
  int taps = 0;       // places kept per output; those past count[i] are 0
  int precision = 0;  // fractional bits of the weights
  std::vector<int> first;
  std::vector<int> count;
  std::vector<int16_t> weights;  // [outputs, taps]
};

// `inputs`, `outputs`: pixels along the axis, both at least 1.
// Formula: PyTorch's ATen/native/cpu/UpSampleKernel.cpp (HelperInterpBase::_compute_index_ranges_int16_weights), whose
// filters are Pillow's (bicubic with a = -0.5, support widened by inputs/outputs when shrinking).
ResampleWeights resample_weights(int inputs, int outputs, Filter filter);

}  // namespace poplens
