#include "engine/session/prefill.h"

#include <algorithm>

#include "engine/base/clock.h"

namespace poplens {
namespace {

class Prefill {
 public:
  Prefill(Decoder& decoder, const KvCache& cache, const PrefillJob& job)
      : decoder_(decoder),
        cache_(cache),
        job_(job),
        spans_(job.prompt.picture_spans()),
        boundary_begin_(boundary_begin(job.plan.boundary, job.prompt.tokens(), spans_)) {}

  Result<PrefillOutcome> run() {
    POPLENS_CHECK(decoder_.reserve(largest_chunk(decoder_.spec(), job_.prompt, job_.first, job_.chunk_tokens)));
    const std::vector<int64_t> ends = chunk_ends();
    layers_total_ = static_cast<int64_t>(ends.size()) * decoder_.spec().layer_count();
    const auto start = Clock::now();
    int64_t begin = job_.first;
    for (const int64_t end : ends) {
      POPLENS_CHECK(run_chunk(begin, end));
      outcome_.last_row = end - begin - 1;
      begin = end;
    }
    const double total_ms = ms_since(start);
    outcome_.boundary_ms = job_.plan.empty() ? 0.0 : outcome_.trace.boundary_ms;
    outcome_.prefill_ms = total_ms - outcome_.boundary_ms;
    return std::move(outcome_);
  }

 private:
  std::vector<int64_t> chunk_ends() const {
    const int64_t tokens = job_.prompt.tokens();
    std::vector<int64_t> ends;
    for (int64_t begin = job_.first; begin < tokens; begin = ends.back()) {
      int64_t end = begin + std::clamp<int64_t>(job_.chunk_tokens, 1, tokens - begin);
      if (job_.plan.separate_boundary && begin < boundary_begin_) end = std::min(end, boundary_begin_);
      if (decoder_.spec().image_attends_both_ways) {
        for (const TokenSpan& span : spans_) {
          if (span.begin < end && end < span.end) end = span.end;
        }
      }
      ends.push_back(end);
    }
    return ends;
  }

  Result<void> run_chunk(int64_t begin, int64_t end) {
    const auto first = static_cast<size_t>(begin);
    const auto count = static_cast<size_t>(end - begin);
    DecoderChunk chunk{.ids = std::span(job_.prompt.ids).subspan(first, count),
                       .first_position = begin,
                       .positions = std::span(job_.prompt.positions).subspan(first, count),
                       .pictures = picture_rows(job_.prompt, job_.features, begin, end)};
    if (decoder_.spec().image_attends_both_ways) chunk.both_ways = spans_;
    const PrefillRows rows{job_.plan.empty() ? nullptr : &job_.plan, boundary_begin_, job_.outputs_from, job_.gates};
    const bool holds_boundary = end > boundary_begin_ && !job_.plan.empty();
    const auto tell_boundary = [&](int next_layer) {
      if (!holds_boundary || boundary_told_ || !job_.plan.prunes(next_layer)) return;
      boundary_told_ = true;
      if (job_.on_boundary) job_.on_boundary();
    };
    const auto on_layer = [&](int layer) {
      if (job_.on_layer) job_.on_layer(++layers_done_, layers_total_);
      tell_boundary(layer + 1);
    };
    tell_boundary(0);
    POPLENS_CHECK(decoder_.forward(chunk, rows, cache_.layers(), outcome_.trace, on_layer, job_.stop));
    if (job_.after_chunk) job_.after_chunk(begin, end);
    return {};
  }

  Decoder& decoder_;
  const KvCache& cache_;
  const PrefillJob& job_;
  std::vector<TokenSpan> spans_;
  int64_t boundary_begin_;
  int64_t layers_done_ = 0;
  int64_t layers_total_ = 0;
  bool boundary_told_ = false;
  PrefillOutcome outcome_;
};

}  // namespace

std::vector<PictureRows> picture_rows(const Prompt& prompt, std::span<const std::optional<PictureFeatures>> features,
                                      int64_t begin, int64_t end) {
  std::vector<PictureRows> pictures;
  for (size_t i = 0; i < prompt.pictures.size(); ++i) {
    const TokenSpan span = prompt.pictures[i].tokens;
    const int64_t from = std::max(begin, span.begin);
    const int64_t to = std::min(end, span.end);
    if (from >= to || i >= features.size() || !features[i]) continue;
    const int64_t skipped = from - span.begin;
    PictureRows rows{.row = from - begin, .main = features[i]->main.view().row_range(skipped, to - from)};
    for (const DeviceArray& feature : features[i]->deepstack) {
      rows.deepstack.push_back(feature.view().row_range(skipped, to - from));
    }
    pictures.push_back(std::move(rows));
  }
  return pictures;
}

int64_t largest_chunk(const DecoderSpec& spec, const Prompt& prompt, int64_t first, int64_t chunk_tokens) {
  const int64_t rest = prompt.tokens() - first;
  int64_t rows = std::clamp<int64_t>(chunk_tokens, 1, rest);
  if (spec.image_attends_both_ways) {
    int64_t longest = 0;
    for (const PromptPicture& picture : prompt.pictures) {
      longest = std::max(longest, picture.tokens.end - picture.tokens.begin);
    }
    rows = std::min(rows + longest, rest);
  }
  return rows;
}

Result<PrefillOutcome> run_prefill(Decoder& decoder, const KvCache& cache, const PrefillJob& job) {
  return Prefill(decoder, cache, job).run();
}

}  // namespace poplens
