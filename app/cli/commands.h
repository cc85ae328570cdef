// The subcommands: each does its work and writes its report to standard output, or fails with one sentence.
#pragma once

#include "app/cli/options.h"
#include "engine/base/result.h"

namespace poplens::cli {

Result<void> run_generate(const GenerateOptions& options);
Result<void> run_compare(const CompareOptions& options);
Result<void> run_logits(const LogitsOptions& options);
Result<void> run_pixels(const PixelsOptions& options);
Result<void> run_tokenize(const TokenizeOptions& options);
Result<void> run_inspect(const InspectOptions& options);
Result<void> run_bench(const BenchOptions& options);
Result<void> run_models(const ModelsOptions& options);
Result<void> run_eval(const EvalOptions& options);
Result<void> run_importance(const ImportanceOptions& options);

}  // namespace poplens::cli
