#include "engine/session/prompt_extent.h"

namespace poplens {

PromptExtent extent_of(const Prompt& prompt, const Boundary& boundary) {
  PromptExtent extent{.tokens = prompt.tokens(),
                      .boundary_begin = boundary_begin(boundary, prompt.tokens(), prompt.picture_spans())};
  for (const PromptPicture& picture : prompt.pictures) extent.picture_tokens.push_back(picture.geometry.soft_tokens());
  return extent;
}

}  // namespace poplens
