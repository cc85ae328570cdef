// What tells a loaded model from all others: for everything measured that is kept beside it.
#pragma once

#include "engine/pop/profile.h"
#include "engine/session/load_model.h"

namespace poplens {

// The sizes of the decoder, and SHA-256 over rows sampled from its matrices in f32: the same for the same values in
// another file, type or device, another after a step of training. Reads a few rows a layer: milliseconds.
ModelFingerprint fingerprint_of(const LoadedModel& model);

}  // namespace poplens
