// A model's measured importances, as `poplens-cli importance` writes them.
#pragma once

#include <QList>
#include <QMetaType>
#include <QString>

#include "engine/base/result.h"

namespace poplens::ui {

// One layer in one stage, nats an answer.
struct StageImportance {
  double importance = 0.0;  // -gradient + fisher / 2
  double gradient = 0.0;    // mean of d loss / d gate
  double attention = 0.0;   // the gradient's shares
  double ffn = 0.0;
};

struct LayerImportance {
  StageImportance prefill, decode;          // the last token alone is decoded
  StageImportance prefillText, decodeText;  // all text after the last picture is
};

struct ImportanceProfile {
  QList<LayerImportance> layers;
  // [layers][layers] mean of the products of two gates' derivatives in the prefill; empty where the file has none.
  QList<QList<double>> fisher, fisherText;
  int samples = 0;

  // The rise of the loss that pruning the last `depth` layers is expected to cost, in nats an answer:
  //   -sum_S E[g] + 1/2 sum_{i,j in S} F_ij
  double expected_rise(int depth, bool text_in_full) const;
};

// Fails with a sentence that names the file, and the value that is wrong.
Result<ImportanceProfile> read_importance_profile(const QString& path);

}  // namespace poplens::ui

Q_DECLARE_METATYPE(poplens::ui::ImportanceProfile)
