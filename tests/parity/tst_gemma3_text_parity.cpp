// A tiny Gemma-3 checkpoint without pictures against transformers.
#include <QtTest>

#include "tests/parity/model_parity.h"

using namespace poplens::test;

class Gemma3TextParity : public ModelParity {
  Q_OBJECT

 public:
  Gemma3TextParity() : ModelParity("gemma3_text", {"tiny-v4"}) {}
};

QTEST_APPLESS_MAIN(Gemma3TextParity)
#include "tst_gemma3_text_parity.moc"
