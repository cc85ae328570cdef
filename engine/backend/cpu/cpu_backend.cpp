#include "engine/backend/cpu/cpu_backend.h"

#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "engine/backend/cpu/attention.h"
#include "engine/backend/cpu/attention_backward.h"
#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/cpu/elementwise.h"
#include "engine/backend/cpu/elementwise_backward.h"
#include "engine/backend/cpu/kernel_set.h"
#include "engine/backend/cpu/matmul.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/cpu/workspace.h"

namespace poplens {
namespace {

constexpr CpuPath paths[] = {CpuPath::amx, CpuPath::avx512_bf16, CpuPath::avx512, CpuPath::avx2};  // best first

std::string title_of(CpuPath path) {
  switch (path) {
    case CpuPath::avx2:
      return "AVX2";
    case CpuPath::avx512:
      return "AVX-512";
    case CpuPath::avx512_bf16:
      return "AVX-512 BF16";
    case CpuPath::amx:
      return "AMX BF16";
  }
  return "?";
}

class CpuBackend final : public Backend {
 public:
  CpuBackend(std::string name, cpu::KernelSet kernels, cpu::Workspace workspace, int threads)
      : name_(std::move(name)), kernels_(kernels), workspace_(std::move(workspace)), pool_(threads) {}

  std::string description() const override {
    const int threads = pool_.size();
    return "CPU, " + name_ + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  }

  Result<Buffer> allocate(int64_t bytes) override {
    std::shared_ptr<void> data = bytes >= 0 ? cpu::allocate_zeroed(bytes) : nullptr;
    if (data == nullptr) return Error{"the system has no " + std::to_string(bytes) + " bytes of memory left"};
    return Buffer{std::move(data), bytes};
  }

  Result<Buffer> import(ConstMatrix host, std::shared_ptr<const void> owner) override {
    const int64_t element = size_of(host.dtype);
    const int64_t bytes = host.rows > 0 ? ((host.rows - 1) * host.stride + host.cols) * element : 0;
    if (reinterpret_cast<uintptr_t>(host.data) % static_cast<uintptr_t>(element) == 0) {
      // Nobody writes through a weight: the interface has one type of buffer for both.
      return Buffer{std::shared_ptr<void>(owner, const_cast<void*>(host.data)), bytes};
    }
    POPLENS_TRY(copy, allocate(bytes));
    std::memcpy(copy.data.get(), host.data, static_cast<size_t>(bytes));
    return copy;
  }

  void write(std::span<const float> host, Matrix device) override {
    copy(ConstMatrix{host.data(), DType::f32, device.rows, device.cols, device.cols}, device);
  }
  void read_back(ConstMatrix device, std::span<float> host) override {
    copy(device, Matrix{host.data(), DType::f32, device.rows, device.cols, device.cols});
  }

  void matmul(ConstMatrix x, std::span<const MatmulPart> parts) override {
    cpu::matmul(x, parts, kernels_.for_type(x.dtype), workspace_, pool_);
  }
  void gated_matmul(ConstMatrix x, ConstMatrix gate, ConstMatrix up, Activation activation, Matrix out) override {
    cpu::gated_matmul(x, gate, up, activation, out, kernels_.for_type(x.dtype), workspace_, pool_);
  }
  void embed(ConstMatrix table, std::span<const int32_t> ids, float scale, Matrix out) override {
    cpu::embed(table, ids, scale, out, pool_);
  }
  void rms_norm(ConstMatrix x, const float* weight, float eps, Matrix out, bool accumulate) override {
    cpu::rms_norm(x, weight, eps, out, accumulate, pool_);
  }
  void layer_norm(ConstMatrix x, const float* weight, const float* bias, float eps, Matrix out) override {
    cpu::layer_norm(x, weight, bias, eps, out, pool_);
  }
  void norm_rotate_heads(Matrix x, int head_dim, const float* norm_weight, float eps, const float* cos,
                         const float* sin) override {
    cpu::norm_rotate_heads(x, head_dim, norm_weight, eps, cos, sin, pool_);
  }
  void attention(const AttentionShape& shape, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                 std::span<const KeyRange> ranges, Matrix out) override {
    cpu::attention(shape, q, k, v, ranges, out, kernels_.for_type(q.dtype), workspace_, pool_);
  }
  void add(ConstMatrix x, Matrix out, float scale) override { cpu::add(x, out, scale, pool_); }
  void copy(ConstMatrix x, Matrix out) override { cpu::copy(x, out, pool_); }

  void gated_product(ConstMatrix gate, ConstMatrix up, Activation activation, Matrix out) override {
    cpu::gated_product(gate, up, activation, out, pool_);
  }
  void gated_product_backward(ConstMatrix grad, Activation activation, Matrix gate, Matrix up) override {
    cpu::gated_product_backward(grad, activation, gate, up, pool_);
  }
  void rms_norm_backward(ConstMatrix x, const float* weight, float eps, ConstMatrix grad, Matrix out,
                         bool accumulate) override {
    cpu::rms_norm_backward(x, weight, eps, grad, out, accumulate, pool_);
  }
  void norm_rotate_heads_backward(ConstMatrix x, int head_dim, const float* norm_weight, float eps, const float* cos,
                                  const float* sin, Matrix grad) override {
    cpu::norm_rotate_heads_backward(x, head_dim, norm_weight, eps, cos, sin, grad, pool_);
  }
  void attention_backward(const AttentionShape& shape, ConstMatrix q, ConstMatrix k, ConstMatrix v,
                          std::span<const KeyRange> ranges, ConstMatrix result, ConstMatrix grad, Matrix q_grad,
                          Matrix k_grad, Matrix v_grad) override {
    cpu::attention_backward({shape, q, k, v, ranges, result, grad, q_grad, k_grad, v_grad},
                            kernels_.for_type(DType::f32), workspace_, pool_);
  }
  void row_dots(ConstMatrix a, ConstMatrix b, std::span<float> out) override { cpu::row_dots(a, b, out, pool_); }

 private:
  std::string name_;
  cpu::KernelSet kernels_;
  cpu::Workspace workspace_;
  cpu::ThreadPool pool_;
};

Result<CpuPath> choose_path(const CpuOptions& options) {
  const char* forced = std::getenv("POPLENS_CPU_PATH");
  if (!options.path && forced != nullptr && *forced != '\0') {
    for (const CpuPath path : paths) {
      if (std::strcmp(forced, name_of(path)) != 0) continue;
      if (cpu::runs(path)) return path;
      return Error{"POPLENS_CPU_PATH asks for " + std::string(forced) + ", which this machine does not run"};
    }
    return Error{"POPLENS_CPU_PATH is '" + std::string(forced) + "'; it can be avx2, avx512, avx512_bf16 or amx"};
  }
  if (options.path) {
    if (cpu::runs(*options.path)) return *options.path;
    return Error{"this machine does not run the CPU path " + std::string(name_of(*options.path))};
  }
  if (const auto best = best_cpu_path()) return *best;
  return Error{"this machine's processor lacks AVX2 and FMA, which the CPU backend needs"};
}

}  // namespace

const char* name_of(CpuPath path) {
  switch (path) {
    case CpuPath::avx2:
      return "avx2";
    case CpuPath::avx512:
      return "avx512";
    case CpuPath::avx512_bf16:
      return "avx512_bf16";
    case CpuPath::amx:
      return "amx";
  }
  return "?";
}

std::optional<CpuPath> best_cpu_path() {
  for (const CpuPath path : paths) {
    if (cpu::runs(path)) return path;
  }
  return std::nullopt;
}

Result<std::shared_ptr<Backend>> make_cpu_backend(const CpuOptions& options) {
  POPLENS_TRY(path, choose_path(options));
  const int threads = options.threads > 0 ? options.threads : cpu::usable_cores();
  return cpu::make_backend(title_of(path), cpu::kernels_of(path), threads);
}

namespace cpu {

KernelSet kernels_of(CpuPath path) {
  switch (path) {
    case CpuPath::avx2:
      break;
    case CpuPath::avx512:
      return {&avx512_kernels(), &avx512_kernels()};
    case CpuPath::avx512_bf16:
      return {&avx512_kernels(), &avx512_bf16_kernels()};
    case CpuPath::amx:
      return {&avx512_kernels(), &amx_kernels()};
  }
  return {&avx2_kernels(), &avx2_kernels()};
}

Result<std::shared_ptr<Backend>> make_backend(const std::string& name, const KernelSet& kernels, int threads) {
  POPLENS_TRY(workspace, Workspace::reserve(threads));
  try {
    return std::shared_ptr<Backend>(std::make_shared<CpuBackend>(name, kernels, std::move(workspace), threads));
  } catch (const std::system_error& error) {
    return Error{"the CPU backend cannot start " + std::to_string(threads) + " threads: " + error.what()};
  }
}

}  // namespace cpu
}  // namespace poplens
