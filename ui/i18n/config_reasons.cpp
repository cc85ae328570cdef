#include <QtGlobal>

#include "ui/i18n/reason_catalogue.h"

namespace poplens::ui {

// What a model's configuration asks for that the engine does not have, or lacks.
std::span<const char* const> config_reasons() {
  static constexpr const char* kReasons[] = {
      QT_TRANSLATE_NOOP("Reason", "no such model folder"),
      QT_TRANSLATE_NOOP(
          "Reason",
          "this is a quantised edition ('quantization_config'), which is not supported; take the ordinary BF16 one"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is a mixture-of-experts model, which is not supported"),
      QT_TRANSLATE_NOOP("Reason", "unknown architecture '%1' (supported: qwen3_vl, gemma3, gemma3_text, llama)"),
      QT_TRANSLATE_NOOP("Reason", "unsupported dtype '%1'"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is '%2', expected '%3'"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is %2, expected %3 to %4"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is true, which this engine does not support"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is false, which is not supported"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is set, which is not supported"),
      QT_TRANSLATE_NOOP("Reason", "'use_bidirectional_attention' is true (an embedding model), which is not supported"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not positive"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not above '%2'"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not above 0"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is missing"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not an object"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not a whole number"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not a number"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is neither true nor false"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not a text"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not a list"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is longer than %2 entries"),
      QT_TRANSLATE_NOOP("Reason", "'%1' holds something else than whole numbers"),
      QT_TRANSLATE_NOOP("Reason", "'%1' holds %2, which is out of range"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not a list of 3 numbers"),
      QT_TRANSLATE_NOOP("Reason", "'image_std' holds a 0"),
      QT_TRANSLATE_NOOP("Reason", "'resample' is %1; only 2 (bilinear) and 3 (bicubic) are supported"),
      QT_TRANSLATE_NOOP("Reason", "'num_channels' is not 3"),
      QT_TRANSLATE_NOOP("Reason", "'in_channels' is not 3"),
      QT_TRANSLATE_NOOP("Reason", "'num_position_embeddings' is not a square"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is %2, but the decoder's hidden size is %3"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is %2, but the vision tower sees %3 pixels a side"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is %2, but the model's vision_config says %3"),
      QT_TRANSLATE_NOOP("Reason", "'deepstack_visual_indexes' is not an ascending list of the tower's blocks"),
      QT_TRANSLATE_NOOP("Reason", "'mrope_section' does not have 3 entries"),
      QT_TRANSLATE_NOOP("Reason", "more DeepStack features than the decoder has layers"),
      QT_TRANSLATE_NOOP("Reason", "picture token %1 lies outside the vocabulary of %2"),
      QT_TRANSLATE_NOOP("Reason", "RoPE of type '%1' is not supported for Qwen3-VL (only 'default')"),
      QT_TRANSLATE_NOOP("Reason", "RoPE of type '%1' is not supported (default, linear, llama3 are)"),
      QT_TRANSLATE_NOOP("Reason", "'layer_types' does not list one type for each of the %1 layers"),
      QT_TRANSLATE_NOOP("Reason", "'layer_types' holds something else than sliding_attention and full_attention"),
      QT_TRANSLATE_NOOP("Reason", "%1 attention heads cannot share %2 key/value heads"),
      QT_TRANSLATE_NOOP("Reason", "'head_dim' is %1, this engine runs multiples of 4 up to %2"),
      QT_TRANSLATE_NOOP("Reason", "%1 patches a side cannot be averaged to %2 tokens"),
      QT_TRANSLATE_NOOP("Reason",
                        "a hidden size of %1 cannot be split into %2 heads of a multiple of 4 values, at most %3"),
  };
  return kReasons;
}

}  // namespace poplens::ui
