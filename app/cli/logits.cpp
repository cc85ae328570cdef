// poplens-cli logits: the logits of a prompt's positions, into a file.
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/npy.h"
#include "app/cli/open_session.h"
#include "app/cli/plan.h"
#include "app/cli/reports.h"
#include "app/cli/request.h"
#include "engine/session/figures.h"

namespace poplens::cli {
namespace {

using nlohmann::ordered_json;

constexpr size_t kTopTokens = 5;

ordered_json top_report(const std::vector<LikelyToken>& top, const Tokenizer& tokenizer) {
  ordered_json list = ordered_json::array();
  for (const LikelyToken& token : top) {
    list.push_back({{"id", token.id}, {"logprob", token.logprob}, {"text", tokenizer.decode({&token.id, 1}, true)}});
  }
  return list;
}

std::string logits_text(const std::string& file, const ordered_json& report) {
  std::string text = file + ": float32 " + report["shape"].dump() + "\nlast position:\n";
  for (const ordered_json& token : report["top"]) {
    text += "  " + token["id"].dump() + "  " + token["text"].dump() + "  " + token["logprob"].dump() + "\n";
  }
  return text;
}

}  // namespace

Result<void> run_logits(const LogitsOptions& options) {
  const InterruptWatch interrupt;
  POPLENS_TRY(request, make_request(options.prompt));
  POPLENS_TRY(open, open_session(options.common));
  POPLENS_TRY(plan, plan_for_model(options.plan, open.model, !request.pictures.empty()));
  POPLENS_TRY(logits, open.session->logits(request, plan, interrupt.token()));

  const int64_t vocab = open.model.decoder->spec().vocab;
  const int64_t shape[] = {static_cast<int64_t>(logits.rows.size()), vocab};
  POPLENS_CHECK(write_npy(options.out, shape, logits.values));
  const auto last = std::span<const float>(logits.values).last(static_cast<size_t>(vocab));
  const ordered_json report = {
      {"prompt_ids", logits.prompt_ids},
      {"shape", shape},
      {"rows", logits.rows},
      {"top", top_report(likeliest_tokens(last, kTopTokens), open.model.prompts->tokenizer())},
      {"plan", plan_report(plan)},
      {"layer_rows", rows_report(logits.trace)},
      {"warnings", logits.warnings},
      {"device", open.model.backend->description()},
  };
  POPLENS_CHECK(options.common.json ? print_json(report) : print_text(logits_text(options.out, report)));
  print_warnings(logits.warnings);
  return {};
}

}  // namespace poplens::cli
