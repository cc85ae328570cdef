// One decoder for every family, read off a DecoderSpec, with prefill-only pruning built in: full inference is the empty
// plan. Source of the formulas: transformers (models/qwen3_vl, gemma3, llama) and arXiv 2602.03295 for the pruned
// prefill.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/model/decoder_weights.h"
#include "engine/model/positions.h"
#include "engine/pop/gates.h"
#include "engine/pop/plan.h"

namespace poplens {

// One layer's cache: row p holds the key (normed, rotated) and the value of sequence position p.
struct KvView {
  Matrix k;  // [capacity, kv_heads * head_dim]
  Matrix v;  // [capacity, kv_heads * head_dim]
};

// Features that take the place of picture tokens: rows [row, row + main.rows) of a chunk.
struct PictureRows {
  int64_t row = 0;
  ConstMatrix main;                    // [n, hidden] f32
  std::vector<ConstMatrix> deepstack;  // [n, hidden] f32 each, added to the outputs of layers 0, 1, ...
};

// A stretch of consecutive sequence positions to run.
struct DecoderChunk {
  std::span<const int32_t> ids;             // [m]
  int64_t first_position = 0;               // sequence index of ids[0]; the cache holds all before it
  std::span<const RopePosition> positions;  // [m]
  std::vector<PictureRows> pictures;
  std::span<const TokenSpan> both_ways;  // sequence spans whose tokens see each other; none is cut by the chunk
};

// Which rows run in full where, for the whole prompt.
struct PrefillRows {
  const PopPlan* plan = nullptr;        // null: full
  int64_t pruned_below = 0;             // positions below get only K/V in the plan's layers
  int64_t outputs_from = 0;             // positions below get only K/V in the last layer: nobody reads their output
  const VirtualGates* gates = nullptr;  // null: all 1
};

// What each layer did, summed over chunks: the proof that layers were skipped.
struct LayerRows {
  int64_t full = 0;     // rows through attention and feed-forward
  int64_t kv_only = 0;  // rows that got keys and values only
};

struct PrefillTrace {
  std::vector<LayerRows> layers;
  double kv_only_ms = 0.0;   // projecting K/V of rows that do not run through the layer
  double boundary_ms = 0.0;  // rows that run in full through layers where others got K/V only
};

class Decoder {
 public:
  // activations: the type of everything but the residual stream: f32 (the reference mode) or bf16.
  Decoder(DecoderSpec spec, DecoderWeights weights, std::shared_ptr<Backend> backend, DType activations);

  const DecoderSpec& spec() const { return spec_; }
  const DecoderWeights& weights() const { return weights_; }
  Backend& backend() const { return *backend_; }
  DType activations() const { return activations_; }

  // Bytes that a chunk of `rows` needs besides weights and cache.
  int64_t workspace_bytes(int64_t rows) const;
  // Makes room for chunks of up to `rows` rows.
  Result<void> reserve(int64_t rows);
  // Clears what layers work in: no layer that is timed afterwards meets memory that nobody has written to.
  void clear_workspace();

  // The residual stream that enters layer 0, for a chunk of at most the reserved rows: tokens and pictures embedded.
  void embed(const DecoderChunk& chunk);
  // Runs a chunk of at most the reserved rows through all layers, writing its keys and values to `cache`.
  // on_layer(l) is called after layer l. A stop takes effect after the layer that is running: the error is `cancelled`
  // and the cache rows of the chunk are undefined.
  Result<void> forward(const DecoderChunk& chunk, const PrefillRows& rows, std::span<const KvView> cache,
                       PrefillTrace& trace, const std::function<void(int)>& on_layer, const std::stop_token& stop);

  // The layers from first_layer on alone. `entering`: the residual stream that enters that layer, [rows of the chunk,
  // hidden] f32; the cache need hold nothing of the layers before it.
  Result<void> forward_from(int first_layer, const ConstMatrix& entering, const DecoderChunk& chunk,
                            const PrefillRows& rows, std::span<const KvView> cache, PrefillTrace& trace,
                            const std::stop_token& stop);

  // Logits of the last forward()'s chunk rows [first, first + count), to the host: [count, vocab].
  void logits(int64_t first, int64_t count, std::span<float> out);
  // The residual stream that the last forward() left, or as it stands in on_layer(): rows [first, first + count),
  // [count, hidden] f32.
  ConstMatrix residual_rows(int64_t first, int64_t count) const {
    return work_.residual.view().row_range(first, count);
  }
  // The same to the host.
  void residual(int64_t first, int64_t count, std::span<float> out) const;

 private:
  struct LayerCut;
  Result<void> run_layers(int first_layer, const DecoderChunk& chunk, const PrefillRows& rows,
                          std::span<const KvView> cache, PrefillTrace& trace, const std::function<void(int)>& on_layer,
                          const std::stop_token& stop);
  LayerCut cut(int layer, const DecoderChunk& chunk, const PrefillRows& rows) const;
  void load_rope(const DecoderChunk& chunk);
  void project_stacked_kv(int first_layer, const DecoderChunk& chunk, const PrefillRows& rows,
                          std::span<const KvView> cache);
  void run_layer(int layer, const DecoderChunk& chunk, const LayerCut& cut, const KvView& cache,
                 const VirtualGates* gates, PrefillTrace& trace);
  void project_qkv(int layer, const LayerCut& cut, const KvView& chunk_cache, Matrix q);
  void attend(int layer, const DecoderChunk& chunk, const LayerCut& cut, const KvView& cache, Matrix q,
              const VirtualGates* gates);
  void feed_forward(int layer, const DecoderChunk& chunk, const LayerCut& cut, const VirtualGates* gates);
  struct Branch;
  void add_branch(const Branch& branch, const DecoderChunk& chunk, const LayerCut& cut, const VirtualGates* gates);
  void add_deepstack(int layer, const DecoderChunk& chunk);
  bool run_starts(int layer, const PrefillRows& rows) const;
  const float* rope_cos(int layer, int64_t row) const;
  const float* rope_sin(int layer, int64_t row) const;

  struct Workspace {
    int64_t rows = 0;
    DeviceArray residual;  // [rows, hidden] f32
    DeviceArray normed;    // [rows, hidden]
    DeviceArray query;     // [rows, heads * head_dim]
    DeviceArray attended;  // [rows, heads * head_dim]
    DeviceArray gated;     // [rows, intermediate]
    DeviceArray branch;    // [rows, hidden] f32, only with post norms or gates
    DeviceArray cos, sin;  // [ropes * rows, head_dim / 2] f32
    DeviceArray logits;    // [kLogitRows, vocab] f32
  };

  DecoderSpec spec_;
  DecoderWeights weights_;
  std::shared_ptr<Backend> backend_;
  DType activations_;
  Workspace work_;
};

}  // namespace poplens
