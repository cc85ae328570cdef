#include "engine/model/decoder.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/base/float_formats.h"

namespace poplens {
namespace {

constexpr int64_t kLogitRows = 32;

}  // namespace

// How a layer treats the rows of a chunk. Rows [0, kv_from) have their K/V already (the stacked product), rows
// [kv_from, full_from) get only K/V, rows [full_from, rows) run in full.
struct Decoder::LayerCut {
  int64_t rows = 0;
  int64_t kv_from = 0;
  int64_t full_from = 0;
  bool skipped_by_others = false;  // rows of the prompt, in this chunk or another, get only K/V in this layer
};

// The last step of attention or feed-forward: what is multiplied, and what happens to it on its way into the residual.
struct Decoder::Branch {
  ConstMatrix x;  // [rows in full, width]
  ConstMatrix weight;
  const float* post_norm;  // [hidden], null without post norms
  int layer;
  float LayerGates::*gate;
};

Decoder::Decoder(DecoderSpec spec, DecoderWeights weights, std::shared_ptr<Backend> backend, DType activations)
    : spec_(std::move(spec)), weights_(std::move(weights)), backend_(std::move(backend)), activations_(activations) {}

int64_t Decoder::workspace_bytes(int64_t rows) const {
  const int64_t activation = size_of(activations_);
  const int64_t floats = size_of(DType::f32);
  const int64_t per_row = spec_.hidden * floats * (spec_.post_norms ? 2 : 1) + spec_.hidden * activation +
                          2 * spec_.query_width() * activation + spec_.intermediate * activation +
                          static_cast<int64_t>(spec_.ropes.size()) * spec_.head_dim * floats;
  return rows * per_row + kLogitRows * spec_.vocab * floats;
}

Result<void> Decoder::reserve(int64_t rows) {
  if (rows <= work_.rows) return {};
  Workspace work;
  work.rows = rows;
  const auto ropes = static_cast<int64_t>(spec_.ropes.size());
  const auto take = [&](DeviceArray& array, DType dtype, int64_t height, int64_t width) -> Result<void> {
    POPLENS_TRY(allocated, allocate_array(*backend_, dtype, height, width));
    array = allocated;
    return {};
  };
  POPLENS_CHECK(take(work.residual, DType::f32, rows, spec_.hidden));
  POPLENS_CHECK(take(work.normed, activations_, rows, spec_.hidden));
  POPLENS_CHECK(take(work.query, activations_, rows, spec_.query_width()));
  POPLENS_CHECK(take(work.attended, activations_, rows, spec_.query_width()));
  POPLENS_CHECK(take(work.gated, activations_, rows, spec_.intermediate));
  if (spec_.post_norms) POPLENS_CHECK(take(work.branch, DType::f32, rows, spec_.hidden));
  POPLENS_CHECK(take(work.cos, DType::f32, ropes * rows, spec_.head_dim / 2));
  POPLENS_CHECK(take(work.sin, DType::f32, ropes * rows, spec_.head_dim / 2));
  POPLENS_CHECK(take(work.logits, DType::f32, kLogitRows, spec_.vocab));
  work_ = std::move(work);
  return {};
}

void Decoder::clear_workspace() {
  for (const DeviceArray* array :
       {&work_.residual, &work_.normed, &work_.query, &work_.attended, &work_.gated, &work_.branch}) {
    if (array->rows > 0) clear(*backend_, array->view());
  }
}

// One table per RoPE kind.
void Decoder::load_rope(const DecoderChunk& chunk) {
  const auto rows = static_cast<int64_t>(chunk.ids.size());
  for (size_t kind = 0; kind < spec_.ropes.size(); ++kind) {
    const RopeTable table = rope_table(spec_.ropes[kind], chunk.positions);
    const int64_t first = static_cast<int64_t>(kind) * work_.rows;
    backend_->write(table.cos, work_.cos.view().row_range(first, rows));
    backend_->write(table.sin, work_.sin.view().row_range(first, rows));
  }
}

const float* Decoder::rope_cos(int layer, int64_t row) const {
  const int64_t first = spec_.layers[static_cast<size_t>(layer)].rope * work_.rows + row;
  return static_cast<const float*>(work_.cos.view().row_range(first, 1).data);
}

const float* Decoder::rope_sin(int layer, int64_t row) const {
  const int64_t first = spec_.layers[static_cast<size_t>(layer)].rope * work_.rows + row;
  return static_cast<const float*>(work_.sin.view().row_range(first, 1).data);
}

void Decoder::embed(const DecoderChunk& chunk) {
  const Matrix residual = work_.residual.view().row_range(0, static_cast<int64_t>(chunk.ids.size()));
  float scale = spec_.embed_scale;
  if (spec_.round_embed_scale && activations_ == DType::bf16) scale = f32_from_bf16(bf16_from_f32(scale));
  backend_->embed(weights_.embed.view, chunk.ids, scale, residual);
  for (const PictureRows& picture : chunk.pictures) {
    backend_->copy(picture.main, residual.row_range(picture.row, picture.main.rows));
  }
}

Decoder::LayerCut Decoder::cut(int layer, const DecoderChunk& chunk, const PrefillRows& rows) const {
  LayerCut cut{.rows = static_cast<int64_t>(chunk.ids.size())};
  const bool pruned = rows.plan != nullptr && rows.plan->prunes(layer);
  const auto chunk_row = [&](int64_t position) {
    return std::clamp<int64_t>(position - chunk.first_position, 0, cut.rows);
  };
  if (pruned) {
    cut.full_from = chunk_row(rows.pruned_below);
    cut.skipped_by_others = rows.pruned_below > 0;
    if (!rows.plan->per_layer_kv) cut.kv_from = cut.full_from;
  }
  if (layer == spec_.layer_count() - 1) {
    cut.full_from = std::max(cut.full_from, chunk_row(rows.outputs_from));
    cut.skipped_by_others = cut.skipped_by_others || rows.outputs_from > 0;
  }
  return cut;
}

// Whether `layer` begins a run of consecutive pruned layers between which nothing is added to the passing residual
// stream (DeepStack adds to the outputs of the first layers): their K/V are one product.
bool Decoder::run_starts(int layer, const PrefillRows& rows) const {
  if (rows.plan == nullptr || rows.plan->per_layer_kv || !rows.plan->prunes(layer)) return false;
  return layer == 0 || !rows.plan->prunes(layer - 1) || layer - 1 < spec_.deepstack_layers;
}

// K/V of all layers of a run in one product. Norm_l(h) = (h / rms(h)) * w_l, and h passes the run unchanged: normalise
// once, and let w_l go into the weights.
void Decoder::project_stacked_kv(int first_layer, const DecoderChunk& chunk, const PrefillRows& rows,
                                 std::span<const KvView> cache) {
  const int64_t count = cut(first_layer, chunk, rows).kv_from;
  if (count == 0) return;
  const Matrix normed = work_.normed.view().row_range(0, count);
  backend_->rms_norm(work_.residual.view().row_range(0, count), nullptr, spec_.norm_eps, normed);

  int end = first_layer + 1;
  while (end < spec_.layer_count() && rows.plan->prunes(end) && !run_starts(end, rows)) ++end;
  std::vector<MatmulPart> parts;
  for (int l = end - 1; l >= first_layer; --l) {
    const LayerWeights& weights = weights_.layers[static_cast<size_t>(l)];
    const KvView& view = cache[static_cast<size_t>(l)];
    parts.push_back({.weight = weights.k.view,
                     .out = view.k.row_range(chunk.first_position, count),
                     .column_scale = weights.input_norm.data()});
    parts.push_back({.weight = weights.v.view,
                     .out = view.v.row_range(chunk.first_position, count),
                     .column_scale = weights.input_norm.data()});
  }
  backend_->matmul(normed, parts);
  for (int l = first_layer; l < end; ++l) {
    const auto index = static_cast<size_t>(l);
    backend_->norm_rotate_heads(cache[index].k.row_range(chunk.first_position, count), spec_.head_dim,
                                weights_.layers[index].k_norm.data(), spec_.norm_eps, rope_cos(l, 0), rope_sin(l, 0));
  }
}

// q of the rows that run in full, k and v of all rows that have none yet, from one normed residual.
void Decoder::project_qkv(int layer, const LayerCut& cut, const KvView& chunk_cache, Matrix q) {
  const LayerWeights& weights = weights_.layers[static_cast<size_t>(layer)];
  const int64_t kv_rows = cut.rows - cut.kv_from;
  const Matrix normed = work_.normed.view().row_range(cut.kv_from, kv_rows);
  const Matrix k = chunk_cache.k.row_range(cut.kv_from, kv_rows);
  const Matrix v = chunk_cache.v.row_range(cut.kv_from, kv_rows);
  backend_->rms_norm(work_.residual.view().row_range(cut.kv_from, kv_rows), weights.input_norm.data(), spec_.norm_eps,
                     normed);

  std::vector<MatmulPart> parts{{.weight = weights.k.view, .out = k}, {.weight = weights.v.view, .out = v}};
  const MatmulPart query{.weight = weights.q.view, .out = q};
  if (cut.full_from == cut.kv_from) {
    parts.push_back(query);
    backend_->matmul(normed, parts);
  } else {
    backend_->matmul(normed, parts);
    if (q.rows > 0) backend_->matmul(normed.row_range(cut.full_from - cut.kv_from, q.rows), {&query, 1});
  }
  backend_->norm_rotate_heads(k, spec_.head_dim, weights.k_norm.data(), spec_.norm_eps, rope_cos(layer, cut.kv_from),
                              rope_sin(layer, cut.kv_from));
  if (q.rows > 0) {
    backend_->norm_rotate_heads(q, spec_.head_dim, weights.q_norm.data(), spec_.norm_eps,
                                rope_cos(layer, cut.full_from), rope_sin(layer, cut.full_from));
  }
}

// h += gate * norm(x · weight^T), rows [full_from, rows); the norm only where the family has one.
void Decoder::add_branch(const Branch& branch, const DecoderChunk& chunk, const LayerCut& cut,
                         const VirtualGates* gates) {
  const Matrix residual = work_.residual.view().row_range(cut.full_from, branch.x.rows);
  if (gates == nullptr && branch.post_norm == nullptr) {
    const MatmulPart product{.weight = branch.weight, .out = residual, .accumulate = true};
    backend_->matmul(branch.x, {&product, 1});
    return;
  }
  const Matrix added = work_.branch.view().row_range(0, branch.x.rows);
  const MatmulPart product{.weight = branch.weight, .out = added};
  backend_->matmul(branch.x, {&product, 1});
  if (gates == nullptr) {
    backend_->rms_norm(added, branch.post_norm, spec_.norm_eps, residual, /*accumulate=*/true);
    return;
  }
  if (branch.post_norm != nullptr) backend_->rms_norm(added, branch.post_norm, spec_.norm_eps, added);
  const int64_t first = chunk.first_position + cut.full_from;
  const int64_t prefill = std::clamp<int64_t>(gates->decode_from - first, 0, added.rows);
  const auto add_rows = [&](int64_t row, int64_t count, const LayerGates& gate) {
    const float factor = gate.*branch.gate;
    if (count > 0 && factor != 0.0F) backend_->add(added.row_range(row, count), residual.row_range(row, count), factor);
  };
  const auto layer = static_cast<size_t>(branch.layer);
  add_rows(0, prefill, gates->prefill[layer]);
  add_rows(prefill, added.rows - prefill, gates->decode[layer]);
}

// h += o_proj(attention(q, K, V)), rows [full_from, rows).
void Decoder::attend(int layer, const DecoderChunk& chunk, const LayerCut& cut, const KvView& cache, Matrix q,
                     const VirtualGates* gates) {
  const LayerWeights& weights = weights_.layers[static_cast<size_t>(layer)];
  const std::vector<KeyRange> ranges = visible_keys(chunk.first_position + cut.full_from, q.rows,
                                                    spec_.layers[static_cast<size_t>(layer)].window, chunk.both_ways);
  const int64_t keys = chunk.first_position + cut.rows;
  const AttentionShape shape{spec_.heads, spec_.kv_heads, spec_.head_dim, spec_.attention_scale};
  const Matrix attended = work_.attended.view().row_range(0, q.rows);
  backend_->attention(shape, q, cache.k.row_range(0, keys), cache.v.row_range(0, keys), ranges, attended);

  add_branch({attended, weights.o.view, weights.post_attention_norm.data(), layer, &LayerGates::attention}, chunk, cut,
             gates);
}

// h += down(act(gate(x)) * up(x)) with x = norm(h), rows [full_from, rows).
void Decoder::feed_forward(int layer, const DecoderChunk& chunk, const LayerCut& cut, const VirtualGates* gates) {
  const LayerWeights& weights = weights_.layers[static_cast<size_t>(layer)];
  const int64_t count = cut.rows - cut.full_from;
  const Matrix residual = work_.residual.view().row_range(cut.full_from, count);
  const Matrix normed = work_.normed.view().row_range(0, count);
  const Matrix gated = work_.gated.view().row_range(0, count);
  backend_->rms_norm(residual, weights.pre_feedforward_norm.data(), spec_.norm_eps, normed);
  backend_->gated_matmul(normed, weights.gate.view, weights.up.view, spec_.activation, gated);
  add_branch({gated, weights.down.view, weights.post_feedforward_norm.data(), layer, &LayerGates::ffn}, chunk, cut,
             gates);
}

void Decoder::run_layer(int layer, const DecoderChunk& chunk, const LayerCut& cut, const KvView& cache,
                        const VirtualGates* gates, PrefillTrace& trace) {
  const KvView chunk_cache{cache.k.row_range(chunk.first_position, cut.rows),
                           cache.v.row_range(chunk.first_position, cut.rows)};
  const Matrix q = work_.query.view().row_range(0, cut.rows - cut.full_from);
  const bool only_kv_here = cut.kv_from < cut.full_from;
  const auto start = Clock::now();
  if (cut.kv_from < cut.rows) project_qkv(layer, cut, chunk_cache, q);
  const double projected_ms = ms_since(start);
  if (q.rows > 0) {
    attend(layer, chunk, cut, cache, q, gates);
    feed_forward(layer, chunk, cut, gates);
  }
  if (cut.skipped_by_others) {
    const double branches_ms = ms_since(start) - projected_ms;
    trace.kv_only_ms += only_kv_here ? projected_ms : 0.0;
    trace.boundary_ms += branches_ms + (only_kv_here ? 0.0 : projected_ms);
  }
  LayerRows& seen = trace.layers[static_cast<size_t>(layer)];
  seen.full += q.rows;
  seen.kv_only += cut.full_from;
}

// What is added outside the gated branches stays under every plan: DeepStack features reach pruned layers' outputs too.
void Decoder::add_deepstack(int layer, const DecoderChunk& chunk) {
  for (const PictureRows& picture : chunk.pictures) {
    if (static_cast<size_t>(layer) >= picture.deepstack.size()) continue;
    const ConstMatrix& features = picture.deepstack[static_cast<size_t>(layer)];
    backend_->add(features, work_.residual.view().row_range(picture.row, features.rows));
  }
}

Result<void> Decoder::forward(const DecoderChunk& chunk, const PrefillRows& rows, std::span<const KvView> cache,
                              PrefillTrace& trace, const std::function<void(int)>& on_layer,
                              const std::stop_token& stop) {
  embed(chunk);
  return run_layers(0, chunk, rows, cache, trace, on_layer, stop);
}

Result<void> Decoder::forward_from(int first_layer, const ConstMatrix& entering, const DecoderChunk& chunk,
                                   const PrefillRows& rows, std::span<const KvView> cache, PrefillTrace& trace,
                                   const std::stop_token& stop) {
  backend_->copy(entering, work_.residual.view().row_range(0, static_cast<int64_t>(chunk.ids.size())));
  return run_layers(first_layer, chunk, rows, cache, trace, {}, stop);
}

Result<void> Decoder::run_layers(int first_layer, const DecoderChunk& chunk, const PrefillRows& rows,
                                 std::span<const KvView> cache, PrefillTrace& trace,
                                 const std::function<void(int)>& on_layer, const std::stop_token& stop) {
  trace.layers.resize(static_cast<size_t>(spec_.layer_count()));
  if (rows.gates != nullptr && work_.branch.rows == 0) {
    POPLENS_TRY(branch, allocate_array(*backend_, DType::f32, work_.rows, spec_.hidden));
    work_.branch = branch;
  }
  load_rope(chunk);
  for (int layer = first_layer; layer < spec_.layer_count(); ++layer) {
    if (stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
    if (run_starts(layer, rows)) {
      const auto start = Clock::now();
      project_stacked_kv(layer, chunk, rows, cache);
      trace.kv_only_ms += ms_since(start);
    }
    run_layer(layer, chunk, cut(layer, chunk, rows), cache[static_cast<size_t>(layer)], rows.gates, trace);
    add_deepstack(layer, chunk);
    if (on_layer) on_layer(layer);
  }
  return {};
}

void Decoder::logits(int64_t first, int64_t count, std::span<float> out) {
  for (int64_t done = 0; done < count; done += kLogitRows) {
    const int64_t block = std::min(kLogitRows, count - done);
    const Matrix normed = work_.normed.view().row_range(0, block);
    backend_->rms_norm(work_.residual.view().row_range(first + done, block), weights_.norm.data(), spec_.norm_eps,
                       normed);
    const MatmulPart head{.weight = weights_.head.view, .out = work_.logits.view().row_range(0, block)};
    backend_->matmul(normed, {&head, 1});
    backend_->read_back(head.out,
                        out.subspan(static_cast<size_t>(done * spec_.vocab), static_cast<size_t>(block * spec_.vocab)));
  }
}

void Decoder::residual(int64_t first, int64_t count, std::span<float> out) const {
  backend_->read_back(work_.residual.view().row_range(first, count), out);
}

}  // namespace poplens
