#include "engine/session/events.h"
#include "engine/session/session.h"

namespace poplens {

const char* name_of(Stage stage) {
  switch (stage) {
    case Stage::image_decode:
      return "image_decode";
    case Stage::preprocess:
      return "preprocess";
    case Stage::vision:
      return "vision";
    case Stage::prefill:
      return "prefill";
    case Stage::boundary:
      return "boundary";
    case Stage::first_token:
      return "first_token";
    case Stage::decode:
      return "decode";
  }
  return "unknown";
}

const char* name_of(FinishReason reason) {
  switch (reason) {
    case FinishReason::stop:
      return "stop";
    case FinishReason::length:
      return "length";
    case FinishReason::cancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace poplens
