#include "tests/support/test_backends.h"

#include <QtGlobal>

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/kernel_set.h"
#include "tests/support/emulation/emulated_kernels.h"

namespace poplens::test {

TestBackends::TestBackends() {
  for (const CpuPath path : {CpuPath::avx2, CpuPath::avx512, CpuPath::avx512_bf16, CpuPath::amx}) {
    const Factory factory = [path](int threads) { return make_cpu_backend({threads, path}); };
    if (factory(1).ok()) factories_.emplace(std::string("cpu ") + name_of(path), factory);
  }
  const auto emulate = [this](const char* path, const cpu::Kernels& f32, const cpu::Kernels& bf16) {
    const cpu::KernelSet kernels{&f32, &bf16};
    factories_.emplace(std::string("cpu ") + path + " emulated",
                       [kernels](int threads) { return cpu::make_backend("emulated", kernels, threads); });
  };
  emulate("avx512", cpu::emulated_avx512_kernels(), cpu::emulated_avx512_kernels());
  emulate("avx512_bf16", cpu::emulated_avx512_kernels(), cpu::emulated_avx512_bf16_kernels());
  emulate("amx", cpu::emulated_avx512_kernels(), cpu::emulated_amx_kernels());
}

std::vector<std::string> TestBackends::names() const {
  std::vector<std::string> names;
  for (const auto& [name, factory] : factories_) names.push_back(name);
  return names;
}

Backend& TestBackends::get(const std::string& name, int threads) {
  std::shared_ptr<Backend>& backend = made_[{name, threads}];
  if (backend == nullptr) {
    auto made = factories_.at(name)(threads);
    if (!made.ok()) qFatal("%s", made.error().message.c_str());
    backend = std::move(made).value();
  }
  return *backend;
}

}  // namespace poplens::test
