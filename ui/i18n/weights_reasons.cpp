#include <QtGlobal>

#include "ui/i18n/reason_catalogue.h"

namespace poplens::ui {

// What is wrong about the files with a model's weights.
std::span<const char* const> weights_reasons() {
  static constexpr const char* kReasons[] = {
      QT_TRANSLATE_NOOP("Reason", "there is neither %1 nor %2"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' is in two files, %2 and %3"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' is said to be in '%2', which does not have it"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' is said to be in '%2', which is no file of this folder"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' is missing"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' has the unsupported dtype %2 (F32, F16 and BF16 are supported)"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' has shape %2, the config asks for %3"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' has the unknown dtype '%2'"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' has the data offsets %2 where the tensor before it ends at %3"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' has data offsets that run backwards: %2"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' ends at byte %2 of the data, but the file has %3"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' has a size that cannot be: shape %2 of %3"),
      QT_TRANSLATE_NOOP("Reason", "tensor '%1' has %2 bytes, but its shape %3 of %4 needs %5"),
      QT_TRANSLATE_NOOP("Reason", "not a safetensors file: only %1 bytes long"),
      QT_TRANSLATE_NOOP("Reason", "the header length %1 is over the limit of %2 bytes"),
      QT_TRANSLATE_NOOP("Reason", "the header length %1 is more than the %2 bytes that follow"),
      QT_TRANSLATE_NOOP("Reason", "the tensors end at byte %1 of the data, but the file has %2"),
      QT_TRANSLATE_NOOP("Reason", "the index is over the limit of %1 bytes"),
      QT_TRANSLATE_NOOP("Reason", "the index has no 'weight_map'"),
      QT_TRANSLATE_NOOP("Reason", "the index has a 'weight_map' that is no object"),
      QT_TRANSLATE_NOOP("Reason", "the index has two 'weight_map'"),
      QT_TRANSLATE_NOOP("Reason", "the index has tensor '%1' twice"),
      QT_TRANSLATE_NOOP("Reason", "the index gives no file name for tensor '%1'"),
      QT_TRANSLATE_NOOP("Reason", "the index is not a JSON object"),
      QT_TRANSLATE_NOOP("Reason", "the index is not valid JSON"),
      QT_TRANSLATE_NOOP("Reason", "the index is not valid JSON (at byte %1)"),
      QT_TRANSLATE_NOOP("Reason", "the index cannot be read: %1"),
      QT_TRANSLATE_NOOP("Reason", "the index is nested deeper than %1 levels"),
      QT_TRANSLATE_NOOP("Reason", "the header is nested deeper than %1 levels"),
      QT_TRANSLATE_NOOP("Reason", "the header does not begin with '{'"),
      QT_TRANSLATE_NOOP("Reason", "the header is not a JSON object"),
      QT_TRANSLATE_NOOP("Reason", "the header is not valid JSON"),
      QT_TRANSLATE_NOOP("Reason", "the header is not valid JSON (at byte %1)"),
      QT_TRANSLATE_NOOP("Reason", "the header cannot be read: %1"),
      QT_TRANSLATE_NOOP("Reason", "the header has a '__metadata__' that is no object"),
      QT_TRANSLATE_NOOP("Reason", "the header has a value in '__metadata__' that is no text"),
      QT_TRANSLATE_NOOP("Reason", "the header has the key '%1' twice"),
      QT_TRANSLATE_NOOP("Reason", "the header has the key '%1' twice in '%2'"),
      QT_TRANSLATE_NOOP("Reason", "the header has no '%1' for tensor '%2'"),
      QT_TRANSLATE_NOOP("Reason", "the header has a 'dtype' that is no text for tensor '%1'"),
      QT_TRANSLATE_NOOP("Reason", "the header has a 'shape' that is no list of whole numbers for tensor '%1'"),
      QT_TRANSLATE_NOOP("Reason", "the header has 'data_offsets' that are not two whole numbers for tensor '%1'"),
      QT_TRANSLATE_NOOP("Reason", "the header has a tensor '%1' that is no object"),
      QT_TRANSLATE_NOOP("Reason", "the header has a tensor '%1' that is of more than 16 dimensions"),
      QT_TRANSLATE_NOOP("Reason", "the checkpoint has no token embedding (looked for %1)"),
      QT_TRANSLATE_NOOP("Reason", "the checkpoint has no output head ('%1')"),
      QT_TRANSLATE_NOOP("Reason", "the checkpoint has no vision tower ('%1')"),
  };
  return kReasons;
}

}  // namespace poplens::ui
