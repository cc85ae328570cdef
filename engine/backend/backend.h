// The operations that a device offers. The decoder and the vision towers are written in these alone and never ask which
// device runs them. Every operation of every backend is held against a plain double-precision reference by one
// conformance suite (tests/engine/backend).
//
// Common rules
// - Activations are f32 (residual stream, norm inputs) or the backend-independent *activation type* (f32 or bf16) that
//   the caller chose; sums, norms and softmax are in f32 whatever the types of the operands.
// - Shapes are contracts: callers check everything that comes from files before; operations do not fail on values.
// - A row's result depends on that row alone, never on how many rows are processed together: prefill in chunks of any
//   size gives the same bits.
// - Operations return when their result can be used by the next operation; read_back() waits for the device. One
//   backend serves one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/backend/tensor.h"
#include "engine/base/result.h"

namespace poplens {

enum class Activation : uint8_t { none, silu, gelu_tanh, gelu_erf };

// Memory of the backend, freed with the last copy; 64-byte aligned, zero-filled.
struct Buffer {
  std::shared_ptr<void> data;
  int64_t bytes = 0;
};

// One block of rows of a stacked weight, and where its product goes.
struct MatmulPart {
  ConstMatrix weight;                        // [n, k], f32, f16 or bf16
  Matrix out;                                // [m, n], f32 or bf16
  const float* column_scale = nullptr;       // [k]: weight[:, j] * column_scale[j] is used (a norm's weight, folded in)
  const float* bias = nullptr;               // [n]
  Activation activation = Activation::none;  // applied after the bias
  bool accumulate = false;                   // out += result instead of out = result
  bool transposed = false;  // weight is [k, n] and x · weight meant: a gradient's way back; without column_scale
};

// Keys visible to one query: the half-open range [begin, end) of cache rows. Causal, sliding-window, and
// both-ways-inside-a-picture masks are all of this form.
struct KeyRange {
  int32_t begin = 0;
  int32_t end = 0;
};

struct AttentionShape {
  int heads = 0;
  int kv_heads = 0;  // query head j reads key/value head j / (heads / kv_heads)
  int head_dim = 0;
  float scale = 1.0F;
};

class Backend {
 public:
  virtual ~Backend() = default;

  // One line for people: "CPU, AVX-512 BF16, 16 threads".
  virtual std::string description() const = 0;

  virtual Result<Buffer> allocate(int64_t bytes) = 0;
  // A view of `host` in this backend's memory: the same memory where the device can read it, a copy otherwise.
  // `owner` keeps the host memory alive; the returned buffer must outlive the view made from it.
  virtual Result<Buffer> import(ConstMatrix host, std::shared_ptr<const void> owner) = 0;
  // Copies between the backend's memory and the host's, converting to and from f32. host is [rows, cols], dense.
  virtual void write(std::span<const float> host, Matrix device) = 0;
  virtual void read_back(ConstMatrix device, std::span<float> host) = 0;

  // parts[i].out = act(x · (weight_i * column_scale_i)^T + bias_i), as ONE product over the weights stacked along n:
  // x is read and laid out once. x: [m, k] f32 or bf16. With x in bf16 the products are of bf16 values (a weight of
  // another type, and a scaled one, is rounded to bf16 where the device multiplies in bf16), summed in f32.
  // out may not overlap x.
  virtual void matmul(ConstMatrix x, std::span<const MatmulPart> parts) = 0;
  // out = act(x · gate^T) * (x · up^T): the gated half of a feed-forward layer. gate, up: [n, k]; out: [m, n].
  virtual void gated_matmul(ConstMatrix x, ConstMatrix gate, ConstMatrix up, Activation activation, Matrix out) = 0;

  // out[i] = table[ids[i]] * scale; table [vocab, d], out f32 [m, d].
  virtual void embed(ConstMatrix table, std::span<const int32_t> ids, float scale, Matrix out) = 0;
  // out = x / sqrt(mean(x^2) + eps) * weight, row by row; weight [d] f32, or null for none. x f32 [m, d]; out f32 or
  // bf16; with accumulate out (f32) += result. out may be x itself.
  virtual void rms_norm(ConstMatrix x, const float* weight, float eps, Matrix out, bool accumulate = false) = 0;
  // out = (x - mean) / sqrt(var + eps) * weight + bias, row by row. x f32 [m, d]; out f32 or bf16.
  virtual void layer_norm(ConstMatrix x, const float* weight, const float* bias, float eps, Matrix out) = 0;
  // In place, for every row and head of x [m, heads * head_dim] (f32 or bf16): RMS norm over the head with weight
  // [head_dim] (null: none), then rotation of the pairs (j, j + head_dim / 2) by the angles whose cosines and sines are
  // cos, sin [m, head_dim / 2] f32 (null: none), computed in f32 and rounded once.
  virtual void norm_rotate_heads(Matrix x, int head_dim, const float* norm_weight, float eps, const float* cos,
                                 const float* sin) = 0;
  // out[i, head] = softmax(scale * q[i, head] · k[range_i]^T) · v[range_i]. q, out: [m, heads * head_dim];
  // k, v: [n, kv_heads * head_dim]; q, k, v of one type (f32 or bf16), out f32 or bf16; ranges: [m], none empty,
  // begins and ends never decreasing from row to row.
  virtual void attention(const AttentionShape& shape, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                         std::span<const KeyRange> ranges, Matrix out) = 0;
  // out += scale * x, and out = x with conversion between f32 and bf16. Same shape.
  virtual void add(ConstMatrix x, Matrix out, float scale = 1.0F) = 0;
  virtual void copy(ConstMatrix x, Matrix out) = 0;

  // The way back: gradients with respect to activations, for importances. Everything is f32. `grad` is the gradient
  // with respect to the result of the operation of the same name; what goes back through matmul() is
  // MatmulPart::transposed.

  // out = act(gate) * up, element by element: the middle of gated_matmul(), for a forward whose parts are kept.
  virtual void gated_product(ConstMatrix gate, ConstMatrix up, Activation activation, Matrix out) = 0;
  // In place, from gate and up to their gradients: grad * up * act'(gate) and grad * act(gate). silu or gelu_tanh.
  virtual void gated_product_backward(ConstMatrix grad, Activation activation, Matrix gate, Matrix up) = 0;
  // With r = 1 / sqrt(mean(x^2) + eps) and u = grad * weight, row by row: out = r * u - x * r^3 * mean(u * x), or with
  // accumulate out += it. out may be grad itself.
  virtual void rms_norm_backward(ConstMatrix x, const float* weight, float eps, ConstMatrix grad, Matrix out,
                                 bool accumulate = false) = 0;
  // In place, from the gradient of norm_rotate_heads()' result to that of its input `x`.
  virtual void norm_rotate_heads_backward(ConstMatrix x, int head_dim, const float* norm_weight, float eps,
                                          const float* cos, const float* sin, Matrix grad) = 0;
  // q, k, v, ranges and shape as they were given to attention(), result and grad what came of it and its gradient.
  // With p = softmax(scale * q · k^T) and s = p * (grad · v^T - sum(grad * result)) of each row:
  // q_grad = scale * s · k, k_grad = scale * s^T · q, v_grad = p^T · grad, the latter summed over the heads that share
  // a key. Never a whole matrix of scores.
  virtual void attention_backward(const AttentionShape& shape, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                                  std::span<const KeyRange> ranges, ConstMatrix result, ConstMatrix grad, Matrix q_grad,
                                  Matrix k_grad, Matrix v_grad) = 0;
  // out[i] = a[i] · b[i], to the host: what the factor of a branch is worth at each position.
  virtual void row_dots(ConstMatrix a, ConstMatrix b, std::span<float> out) = 0;
};

}  // namespace poplens
