#include <QtGlobal>

#include "ui/i18n/reason_catalogue.h"

namespace poplens::ui {

// Why a question cannot be answered, a model not be loaded, importances not be measured.
std::span<const char* const> session_reasons() {
  static constexpr const char* kReasons[] = {
      QT_TRANSLATE_NOOP("Reason", "not enough memory: %1 needs %2, %3 are free"),
      QT_TRANSLATE_NOOP("Reason", "a prompt of %1 tokens"),
      QT_TRANSLATE_NOOP("Reason", "loading the model"),
      QT_TRANSLATE_NOOP("Reason", "measuring %1 tokens"),
      QT_TRANSLATE_NOOP("Reason", "the prompt is empty: there is no message"),
      QT_TRANSLATE_NOOP("Reason", "the prompt is empty: it has no tokens"),
      QT_TRANSLATE_NOOP("Reason", "this model reads no pictures"),
      QT_TRANSLATE_NOOP("Reason", "the prompt has %1 picture placeholders, but %2 pictures were given"),
      QT_TRANSLATE_NOOP("Reason",
                        "the prompt has %1 tokens and the model's context holds %2: shorten the text or give the "
                        "pictures fewer tokens"),
      QT_TRANSLATE_NOOP(
          "Reason",
          "the tokenizer gives token %1, but the model has only %2 (tokenizer and weights do not belong together)"),
      QT_TRANSLATE_NOOP("Reason", "the tokenizer lacks the token %1 of the chat template"),
      QT_TRANSLATE_NOOP("Reason", "the model has no chat template: it continues text only"),
      QT_TRANSLATE_NOOP(
          "Reason", "the roles must alternate user/assistant/user/assistant/..., but \"%1\" stands where %2 should"),
      QT_TRANSLATE_NOOP("Reason", "message %1 has a picture, but the model reads text only"),
      QT_TRANSLATE_NOOP("Reason", "message %1 (%2) has a picture, but only user and tool messages can show one"),
      QT_TRANSLATE_NOOP("Reason", "message 1 (system) has a picture, but only a user can show one"),
      QT_TRANSLATE_NOOP("Reason", "GGUF files are not supported yet"),
      QT_TRANSLATE_NOOP("Reason", "the weights of the vision tower are missing"),
      QT_TRANSLATE_NOOP("Reason", "neither tokenizer.json nor tokenizer.model is there"),
      QT_TRANSLATE_NOOP("Reason", "the engine was called from a thread that is not its own"),
      QT_TRANSLATE_NOOP("Reason", "an answer of this conversation does not fit the model's context with its question"),
      QT_TRANSLATE_NOOP("Reason", "this conversation has no answer yet to measure on"),
      QT_TRANSLATE_NOOP("Reason", "too little memory to measure this machine's speed"),
      QT_TRANSLATE_NOOP("Reason", "pruning depth %1: the model has %2 layers"),
      QT_TRANSLATE_NOOP("Reason", "measured on another model (%1, not %2)"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is out of range"),
      QT_TRANSLATE_NOOP("Reason", "'%1' is not a list of %2 entries"),
      QT_TRANSLATE_NOOP("Reason", "entry %1 of '%2' is not a number in range"),
      QT_TRANSLATE_NOOP("Reason", "is said to be layer %1"),
  };
  return kReasons;
}

}  // namespace poplens::ui
