// Times single layers of a loaded decoder: what a calibration is made of.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "engine/base/clock.h"
#include "engine/model/decoder.h"
#include "engine/session/kv_cache.h"

namespace poplens {

class LayerTimer {
 public:
  virtual ~LayerTimer() = default;
  // One layer on the first `rows` positions.
  virtual Result<double> layer_ms(int64_t rows) = 0;
  // K/V alone of the first `rows` positions, in one layer.
  virtual Result<double> keys_ms(int64_t rows) = 0;
  // The attention alone of `rows` positions from `first` on, in one layer without a window.
  virtual Result<double> attention_ms(int64_t first, int64_t rows) = 0;
  // What a timing takes of which a layer takes layer_ms or keys_ms.
  virtual double layer_pass_ms(int64_t rows, double layer_ms) const = 0;
  virtual double keys_pass_ms(double keys_ms) const = 0;
  // Since the timer is there: making room counts as well.
  virtual double elapsed_ms() const = 0;
};

// In memory that has been written to before anything is timed: a machine that is given its memory as it uses it takes
// longer for the first use of a page than a layer does for the work on it.
class DecoderTimer : public LayerTimer {
 public:
  // Nobody else uses the decoder meanwhile, which outlives the timer. A stop ends the timing that runs: an error.
  DecoderTimer(Decoder& decoder, const std::stop_token& stop) : decoder_(decoder), stop_(stop) {}

  // What reserve() takes.
  static int64_t bytes(const Decoder& decoder, int64_t most_rows);
  Result<void> reserve(int64_t most_rows);

  Result<double> layer_ms(int64_t rows) override;
  Result<double> keys_ms(int64_t rows) override;
  Result<double> attention_ms(int64_t first, int64_t rows) override;
  double layer_pass_ms(int64_t rows, double layer_ms) const override;
  double keys_pass_ms(double keys_ms) const override;
  double elapsed_ms() const override { return ms_since(start_); }

 private:
  int layers_for_keys() const;
  int warm_layers(int64_t rows) const;
  Result<void> forward(int64_t rows, const PrefillRows& what, const std::function<void(int)>& on_layer,
                       const std::stop_token& stop);

  Decoder& decoder_;
  std::stop_token stop_;
  std::vector<int32_t> ids_;
  std::vector<RopePosition> positions_;
  KvCache cache_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace poplens
