#include "engine/pop/importance/ablation.h"

#include <algorithm>

namespace poplens {
namespace {

struct StageRun {
  GateStage stage;
  bool decode;
  bool text;
};

// Decode first: it needs the cache of the ungated prefill, which the prefill stages overwrite.
constexpr StageRun kRuns[] = {{GateStage::decode, true, false},
                              {GateStage::decode_text, true, true},
                              {GateStage::prefill, false, false},
                              {GateStage::prefill_text, false, true}};

}  // namespace

Result<AblationRises> measure_ablation(AnswerRunner& runner, const AnswerSequence& sequence, Closed closed,
                                       const std::function<void(int64_t, int64_t)>& on_layer,
                                       const std::stop_token& stop) {
  const int layers = runner.decoder().spec().layer_count();
  const bool one_boundary = sequence.text_from() == sequence.decode_from();
  const int64_t stages = closed == Closed::suffix ? 1 : 2;
  const int64_t total = int64_t{layers} * stages * (one_boundary ? 1 : 2);
  int64_t done = 0;
  AblationRises rises;
  POPLENS_TRY(whole, runner.loss(sequence, nullptr, 0, stop));
  for (const StageRun& run : kRuns) {
    if ((one_boundary && run.text) || (closed == Closed::suffix && !run.decode)) continue;
    const int64_t decode_from = run.text ? sequence.text_from() : sequence.decode_from();
    for (int i = 0; i < layers; ++i) {
      VirtualGates gates = VirtualGates::open(layers, decode_from);
      std::vector<LayerGates>& stage = run.decode ? gates.decode : gates.prefill;
      const auto first = closed == Closed::suffix ? stage.end() - i - 1 : stage.begin() + i;
      std::fill(first, closed == Closed::suffix ? stage.end() : first + 1, LayerGates{0.0F, 0.0F});
      POPLENS_TRY(loss, runner.loss(sequence, &gates, run.decode ? decode_from : 0, stop));
      rises[static_cast<size_t>(run.stage)].push_back(loss - whole);
      if (on_layer) on_layer(++done, total);
    }
  }
  if (one_boundary) {
    rises[static_cast<size_t>(GateStage::prefill_text)] = rises[static_cast<size_t>(GateStage::prefill)];
    rises[static_cast<size_t>(GateStage::decode_text)] = rises[static_cast<size_t>(GateStage::decode)];
  }
  return rises;
}

}  // namespace poplens
