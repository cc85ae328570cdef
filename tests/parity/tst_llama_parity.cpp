// Tiny Llama checkpoints against transformers.
#include <QtTest>

#include "tests/parity/model_parity.h"

using namespace poplens::test;

class LlamaParity : public ModelParity {
  Q_OBJECT

 public:
  LlamaParity() : ModelParity("llama", {"tiny-untied", "tiny-tied"}) {}
};

QTEST_APPLESS_MAIN(LlamaParity)
#include "tst_llama_parity.moc"
