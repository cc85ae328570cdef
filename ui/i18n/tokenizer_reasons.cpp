#include <QtGlobal>

#include "ui/i18n/reason_catalogue.h"

namespace poplens::ui {

// Why a model's tokenizer cannot be used.
std::span<const char* const> tokenizer_reasons() {
  static constexpr const char* kReasons[] = {
      QT_TRANSLATE_NOOP("Reason", "model.%1 is not supported"),
      QT_TRANSLATE_NOOP("Reason", "model.unk_token is not in model.vocab"),
      QT_TRANSLATE_NOOP("Reason", "model.vocab has the token %1 twice"),
      QT_TRANSLATE_NOOP("Reason", "model.vocab is missing or empty"),
      QT_TRANSLATE_NOOP("Reason", "model.vocab is not a BPE vocabulary (token texts with their ids)"),
      QT_TRANSLATE_NOOP("Reason", "model.merges is not a list of pairs of tokens"),
      QT_TRANSLATE_NOOP("Reason", "merge %1 of model.merges has a part or a result that is not in model.vocab"),
      QT_TRANSLATE_NOOP("Reason", "two tokens of model.vocab have the id %1"),
      QT_TRANSLATE_NOOP("Reason", "has no \"model\""),
      QT_TRANSLATE_NOOP("Reason", "the tokenizer model %1 is not supported (BPE is)"),
      QT_TRANSLATE_NOOP("Reason", "the added token %1 uses %2, which is not supported"),
      QT_TRANSLATE_NOOP("Reason", "the token %1 or its text stands there twice"),
      QT_TRANSLATE_NOOP("Reason", "the token %1 has another text in model.vocab"),
      QT_TRANSLATE_NOOP("Reason", "the normalizer \"%1\" is not supported (NFC and Replace of a string are)"),
      QT_TRANSLATE_NOOP("Reason", "the pre-tokenizer \"%1\" is not supported (Split and ByteLevel are)"),
      QT_TRANSLATE_NOOP("Reason",
                        "the pre-tokenizer Split with the behaviour \"%1\" is not supported (an expression, Isolated, "
                        "and a string, MergedWithPrevious, are)"),
      QT_TRANSLATE_NOOP("Reason", "the pre-tokenizer ByteLevel with add_prefix_space is not supported"),
      QT_TRANSLATE_NOOP("Reason", "a pre-tokenizer step after ByteLevel is not supported"),
      QT_TRANSLATE_NOOP("Reason", "the decoder \"%1\" is not supported (ByteLevel and Sequence are)"),
      QT_TRANSLATE_NOOP("Reason", "the decoder step \"%1\" is not supported here"),
      QT_TRANSLATE_NOOP("Reason", "a decoder step after Fuse is not supported"),
      QT_TRANSLATE_NOOP("Reason", "of pre_tokenizer and decoder only one is ByteLevel"),
      QT_TRANSLATE_NOOP("Reason", "not a SentencePiece model: damaged or cut off at byte %1"),
      QT_TRANSLATE_NOOP("Reason", "not a SentencePiece model: it has no pieces"),
      QT_TRANSLATE_NOOP("Reason", "only SentencePiece models of the type BPE are supported"),
      QT_TRANSLATE_NOOP("Reason", "a character map for normalising is not supported"),
      QT_TRANSLATE_NOOP("Reason", "a space put before every text is not supported"),
      QT_TRANSLATE_NOOP("Reason", "spaces taken out of texts are not supported"),
      QT_TRANSLATE_NOOP("Reason", "only spaces written as U+2581 before a word are supported"),
  };
  return kReasons;
}

}  // namespace poplens::ui
