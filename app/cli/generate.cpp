// poplens-cli generate: answers a prompt.
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_session.h"
#include "app/cli/plan.h"
#include "app/cli/progress.h"
#include "app/cli/reports.h"
#include "app/cli/request.h"

namespace poplens::cli {

Result<void> run_generate(const GenerateOptions& options) {
  const InterruptWatch interrupt;
  POPLENS_TRY(prompt, make_request(options.prompt));
  POPLENS_TRY(open, open_session(options.common));
  POPLENS_TRY(plan, plan_for_model(options.plan, open.model, !prompt.pictures.empty()));
  const GenerateRequest request{
      .prompt = std::move(prompt),
      .plan = std::move(plan),
      .sampling = make_sampling(options.sampling, open.model.prompts->config().generation, options.common.seed),
      .max_tokens = options.sampling.max_tokens,
      .stop_strings = options.sampling.stop_strings};

  ProgressLine progress;
  Result<void> shown;
  const auto on_event = [&](const Event& event) {
    progress.show(event);
    const auto* token = std::get_if<TokenEvent>(&event.what);
    if (token != nullptr && !options.common.json && shown.ok()) shown = print_text(token->text);
  };
  POPLENS_TRY(answer, open.session->generate(request, on_event, interrupt.token()));
  progress.clear();
  if (!shown.ok()) return shown.error();
  POPLENS_CHECK(options.common.json ? print_json(answer_report(answer, *open.model.backend)) : print_text("\n"));
  print_warnings(answer.warnings);
  return {};
}

}  // namespace poplens::cli
