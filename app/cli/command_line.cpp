#include "app/cli/command_line.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>

#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/published_shapes.h"

namespace poplens::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

// An option whose text `parse` turns into a value of its own; what it cannot read is wrong usage.
template <typename Value, typename Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, Value& value, const std::string& help, Parse parse) {
  return app.add_option_function<std::string>(
      name,
      [name, parse, &value](const std::string& text) {
        auto parsed = parse(text);
        if (!parsed.ok()) throw CLI::ValidationError(name, parsed.error().message);
        value = std::move(parsed).value();
      },
      help);
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                      const std::string& help) {
  return app.add_option(name, values, help)->allow_extra_args(false);
}

// Keeps "nan" and "inf" out, which every comparison with a bound lets pass, and 1e400.
std::string check_finite(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_not_of("0123456789+-.eE") == text.npos &&
                     std::isfinite(std::strtod(text.c_str(), nullptr));
  return plain ? std::string() : "'" + text + "' is not a number";
}

// CLI11's own checks of this name the largest double there is as the other end.
std::string check_not_negative(const std::string& text) {
  return std::strtod(text.c_str(), nullptr) < 0.0 ? "'" + text + "' is negative" : std::string();
}
std::string check_positive(const std::string& text) {
  return std::strtod(text.c_str(), nullptr) > 0.0 ? std::string() : "'" + text + "' is not more than 0";
}

// 2^64 and more would come out as 2^64 - 1.
std::string check_64_bits(const std::string& text) {
  uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = status == std::errc() && end == text.data() + text.size();
  return whole ? std::string() : "'" + text + "' is not a whole number below 2^64";
}

void add_common(CLI::App& app, CommonOptions& common) {
  app.add_option("--device", "auto, cpu or cuda")
      ->default_str("auto")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->each([&common](const std::string& name) {
        common.device = name == "cpu"    ? DeviceChoice::cpu
                        : name == "cuda" ? DeviceChoice::cuda
                                         : DeviceChoice::automatic;
      });
  app.add_option("--dtype", "activations and cache: auto, bf16 or f32")
      ->default_str("auto")
      ->check(CLI::IsMember({"auto", "bf16", "f32"}))
      ->each([&common](const std::string& name) {
        if (name == "bf16") common.dtype = DType::bf16;
        if (name == "f32") common.dtype = DType::f32;
      });
  app.add_option("--threads", common.threads, "CPU threads; 0: all cores")->check(CLI::Range(0, 1024));
  app.add_option("--max-image-tokens", common.max_image_tokens, "most soft tokens of each picture")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--seed", common.seed, "of the sampler (default 0)")->check(check_64_bits);
  app.add_option("--prefill-chunk", common.prefill_chunk_tokens, "tokens per chunk of the prefill (default 1024)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 30));
  app.add_option("--gpu-layers", common.gpu_layers, "layers on the GPU: a number or auto")
      ->check([](const std::string& text) {
        const bool number = !text.empty() && text.size() <= 6 && text.find_first_not_of("0123456789") == text.npos;
        return text == "auto" || number ? std::string() : "'" + text + "' is neither a number nor auto";
      });
  app.add_option("--mmproj", common.mmproj, "vision part of a GGUF model");
  app.add_flag("--json", common.json, "one JSON document on standard output");
}

CLI::Option* add_model(CLI::App& app, CommonOptions& common) {
  return app.add_option("--model", common.model, "a Hugging Face folder, or the name of a bundled model");
}

void add_prompt(CLI::App& app, PromptOptions& prompt, bool offer_raw) {
  auto* text = app.add_option("--prompt", prompt.prompt, "the question");
  auto* system = app.add_option("--system", prompt.system, "the system prompt");
  add_list(app, "--image", prompt.images, "a picture file; again for more, in the order of their placeholders");
  auto* messages = app.add_option("--messages", prompt.messages, "a conversation of several turns (JSON file)");
  app.add_flag("--pan-and-scan", prompt.pan_and_scan, "Gemma-3: long pictures are shown in parts too");
  messages->excludes(text)->excludes(system);
  if (!offer_raw) return;
  auto* raw = app.add_flag("--raw-prompt", prompt.raw, "no chat template, no BOS, special tokens parsed");
  app.add_flag("--bos", prompt.bos, "put BOS before a raw prompt")->needs(raw);
  raw->needs(text)->excludes(messages)->excludes(system);
}

void add_boundary(CLI::App& app, PlanOptions& plan) {
  add_parsed(app, "--pop-boundary", plan.boundary, "what runs in full: last, text (default) or a number of positions",
             [](const std::string& text) { return parse_boundary(text); });
  app.add_flag("--pop-per-layer-kv", plan.per_layer_kv, "the paper's form: K/V layer by layer");
  app.add_flag("--pop-separate-boundary", plan.separate_boundary, "the paper's form: the boundary as its own step");
}

void add_plan(CLI::App& app, PlanOptions& plan) {
  auto* depth = app.add_option("--pop-depth", plan.depth, "prune the last K layers in the prefill (default 0)")
                    ->check(check_not_negative);
  auto* layers = add_parsed(app, "--pop-layers", plan.layers, "prune these layers: 12,14,20-27",
                            [](const std::string& text) { return parse_layer_list(text); });
  auto* profile = app.add_option("--pop-profile", plan.profile, "importance profile to choose layers by");
  auto* loss = app.add_option("--pop-max-loss", plan.max_loss, "with --pop-profile: the rise allowed, nats an answer")
                   ->check(check_finite)
                   ->check(check_not_negative);
  layers->excludes(depth);
  profile->excludes(depth)->excludes(layers)->needs(loss);
  loss->needs(profile);
  add_boundary(app, plan);
}

void add_sampling(CLI::App& app, SamplingOptions& sampling) {
  app.add_option("--max-tokens", sampling.max_tokens, "most tokens of the answer (default 512)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 30));
  app.add_option("--temperature", sampling.temperature, "0: greedy; what is not given is the model's own setting")
      ->check(check_finite)
      ->check(check_not_negative);
  app.add_option("--top-k", sampling.top_k, "0: off")->check(check_not_negative);
  app.add_option("--top-p", sampling.top_p, "1: off")->check(CLI::Range(0.0, 1.0))->check(check_finite);
  app.add_option("--min-p", sampling.min_p, "0: off")->check(CLI::Range(0.0, 1.0))->check(check_finite);
  app.add_option("--repetition-penalty", sampling.repetition_penalty, "1: off")
      ->check(check_positive)
      ->check(check_finite);
  add_list(app, "--stop", sampling.stop_strings, "end the answer before this text; again for more")
      ->check([](const std::string& text) { return text.empty() ? "a stop string is empty" : std::string(); });
}

void add_generate(CLI::App& app, GenerateOptions& options) {
  add_model(app, options.common)->required();
  add_common(app, options.common);
  add_prompt(app, options.prompt, /*offer_raw=*/true);
  add_plan(app, options.plan);
  add_sampling(app, options.sampling);
}

void add_compare(CLI::App& app, CompareOptions& options) {
  add_generate(app, options.generate);
  app.add_option("--runs", options.runs, "measured runs of each, after one warm-up (default 3)")
      ->check(CLI::Range(1, 1000));
}

void add_logits(CLI::App& app, LogitsOptions& options) {
  add_model(app, options.common)->required();
  add_common(app, options.common);
  add_prompt(app, options.prompt, /*offer_raw=*/true);
  add_plan(app, options.plan);
  app.add_option("--out", options.out, "the .npy file to write")->required();
}

void add_pixels(CLI::App& app, PixelsOptions& options) {
  add_model(app, options.common)->required();
  add_common(app, options.common);
  app.add_option("--image", options.image, "a picture file")->required();
  app.add_flag("--pan-and-scan", options.pan_and_scan, "Gemma-3: crops of long pictures too");
  app.add_option("--out", options.out, "the .npy file to write")->required();
}

void add_tokenize(CLI::App& app, TokenizeOptions& options) {
  add_model(app, options.common)->required();
  add_common(app, options.common);
  auto* ids = add_parsed(app, "--ids", options.ids, "token ids to turn into text: 1,2,3",
                         [](const std::string& text) { return parse_ids(text); });
  auto* lines = app.add_flag("--stdin-lines", options.stdin_lines, "one JSON string a line in, one JSON list out");
  auto* chat = app.add_flag("--chat", options.chat, "the whole prompt, as generate would feed it");
  auto* special = app.add_flag("--parse-special", options.parse_special, "special tokens in the text are tokens");
  add_prompt(app, options.prompt, /*offer_raw=*/false);
  app.add_flag("--raw-prompt", options.prompt.raw, "with --chat: no chat template")->needs(chat);
  app.add_flag("--bos", options.prompt.bos, "put BOS before the text");
  for (const char* name : {"--system", "--image", "--messages", "--pan-and-scan"}) app.get_option(name)->needs(chat);
  ids->excludes(lines)->excludes(chat)->excludes("--prompt")->excludes(special);
  lines->excludes(chat)->excludes("--prompt");
  special->excludes(chat);
}

void add_inspect(CLI::App& app, InspectOptions& options) {
  app.add_option("--model,MODEL", options.common.model, "a Hugging Face folder, or the name of a bundled model")
      ->required();
  add_common(app, options.common);
  add_list(app, "--image", options.images, "a picture file whose tokens to count; again for more");
}

void add_bench(CLI::App& app, BenchOptions& options) {
  auto* model = add_model(app, options.common);
  auto* shape = app.add_option("--shape", options.shape, "random weights of a published size: qwen3-vl-2b …")
                    ->check([](const std::string& name) {
                      const auto config = published_shape(name);
                      return config.ok() ? std::string() : config.error().message;
                    });
  shape->excludes(model);
  add_common(app, options.common);
  add_boundary(app, options.plan);
  app.add_option("--layers", options.layers, "only the first N decoder layers")->check(check_positive);
  app.add_option("--image-tokens", options.image_tokens, "soft tokens of one picture before the text (default 0)")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--prompt-tokens", options.prompt_tokens, "tokens of text (default 512)")
      ->check(CLI::Range(1, 1 << 24));
  add_parsed(app, "--depths", options.depths, "pruning depths: 0,9,14 (default: a third and a half of the layers)",
             [](const std::string& text) { return parse_depths(text); });
  app.add_option("--decode-tokens", options.decode_tokens, "tokens to decode after each prefill (default 16)")
      ->check(CLI::Range(1, 1 << 16));
  app.add_option("--runs", options.runs, "measured runs, after one warm-up (default 3)")->check(CLI::Range(1, 1000));
  app.add_flag("--no-vision", options.no_vision, "do not run the vision tower");
}

void add_eval(CLI::App& app, EvalOptions& options) {
  add_model(app, options.common)->required();
  add_common(app, options.common);
  app.add_option("--data", options.data, "questions with answers, one JSON object a line")->required();
  app.add_option("--samples", options.samples, "only the first N (default: all)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  add_parsed(app, "--depths", options.depths, "how many of the last layers are pruned: 0,2,4",
             [](const std::string& text) { return parse_depths(text); })
      ->required();
  add_parsed(app, "--methods", options.methods, "full, pop, pop-no-boundary, decode, both, separated by commas",
             [](const std::string& text) { return parse_eval_methods(text); })
      ->required();
  add_parsed(app, "--boundary", options.boundary, "what runs in full: last, text (default) or a number of positions",
             [](const std::string& text) { return parse_boundary(text); });
  auto* score = add_parsed(app, "--score", options.score, "exact (default), number, contains or items",
                           [](const std::string& text) { return parse_score(text); });
  app.add_flag("--loss-only", options.loss_only, "no free answers, only how well the known ones are expected")
      ->excludes(score);
}

void add_importance(CLI::App& app, ImportanceOptions& options) {
  add_model(app, options.common)->required();
  add_common(app, options.common);
  app.add_option("--data", options.data, "questions with answers, one JSON object a line")->required();
  app.add_option("--samples", options.samples, "so many, spread over the file (default: all)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  app.add_option("--labels", options.labels, "answers of the data (default), or drawn from the model")
      ->check(CLI::IsMember({"data", "model"}));
  app.add_flag("--ablation", options.ablation, "also measure the loss with each layer's gates at 0");
  app.add_option("--out", options.out, "the profile to write; FILE.partial keeps what an interrupted run has done")
      ->required();
}

void add_models(CLI::App& app, ModelsOptions& options) {
  add_list(app, "--folder", options.folders, "look here too; again for more");
  app.add_flag("--json", options.json, "one JSON document on standard output");
}

// What CLI11 cannot say: which options need one of several others.
Result<void> check_prompt_given(const PromptOptions& prompt) {
  if (prompt.prompt || !prompt.images.empty() || !prompt.messages.empty()) return {};
  return Error{"give --prompt, --image or --messages"};
}

Result<void> check_tokenize(const TokenizeOptions& options) {
  if (options.chat) return check_prompt_given(options.prompt);
  if (options.ids || options.stdin_lines || options.prompt.prompt) return {};
  return Error{"give --prompt, --ids, --stdin-lines or --chat"};
}

Result<void> check_bench(const BenchOptions& options) {
  if (options.shape.empty() && options.common.model.empty()) return Error{"give --shape or --model"};
  return {};
}

Result<void> check_importance(const ImportanceOptions& options) {
  if (options.common.dtype == DType::bf16) return Error{"gradients are computed in f32: --dtype cannot be bf16"};
  return {};
}

// A subcommand once its arguments are known.
struct Command {
  CLI::App* app;
  std::function<Result<void>()> check_usage;
  std::function<Result<void>()> run;
};

Result<void> run_guarded(const std::function<Result<void>()>& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return Error{"out of memory"};
  } catch (const std::exception& exception) {
    return Error{exception.what()};
  }
}

int run_chosen(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    if (const auto usage = command.check_usage(); !usage.ok()) {
      print_error(command.app->get_name() + ": " + usage.error().message);
      return kWrongUsage;
    }
    const Result<void> done = run_guarded(command.run);
    if (done.ok()) return 0;
    print_error(done.error().message);
    return kFailed;
  }
  return kWrongUsage;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("PopLens: asks questions about pictures, with prefill-only pruning", "poplens-cli");
  app.require_subcommand(1);
  const auto subcommand = [&](const char* name, const char* help) { return app.add_subcommand(name, help); };

  GenerateOptions generate;
  CompareOptions compare;
  LogitsOptions logits;
  PixelsOptions pixels;
  TokenizeOptions tokenize;
  InspectOptions inspect;
  BenchOptions bench;
  ModelsOptions models;
  EvalOptions eval;
  ImportanceOptions importance;
  const std::vector<Command> commands = {
      {subcommand("generate", "Answers a prompt"), [&] { return check_prompt_given(generate.prompt); },
       [&] { return run_generate(generate); }},
      {subcommand("compare", "Answers a prompt with the full model and with POP, and times both"),
       [&] { return check_prompt_given(compare.generate.prompt); }, [&] { return run_compare(compare); }},
      {subcommand("logits", "Writes the logits of a prompt's positions"),
       [&] { return check_prompt_given(logits.prompt); }, [&] { return run_logits(logits); }},
      {subcommand("pixels", "Writes what the vision tower is fed"), [] { return Result<void>(); },
       [&] { return run_pixels(pixels); }},
      {subcommand("tokenize", "Text to token ids and back"), [&] { return check_tokenize(tokenize); },
       [&] { return run_tokenize(tokenize); }},
      {subcommand("inspect", "What a model folder holds, and the memory it needs"), [] { return Result<void>(); },
       [&] { return run_inspect(inspect); }},
      {subcommand("bench", "Times prefill, first token and decode"), [&] { return check_bench(bench); },
       [&] { return run_bench(bench); }},
      {subcommand("models", "The models found on this machine"), [] { return Result<void>(); },
       [&] { return run_models(models); }},
      {subcommand("eval", "Accuracy and answer loss of POP and its ablations, depth by depth"),
       [] { return Result<void>(); }, [&] { return run_eval(eval); }},
      {subcommand("importance", "What each layer is worth to the answer, in the prefill and in the decode"),
       [&] { return check_importance(importance); }, [&] { return run_importance(importance); }},
  };
  add_generate(*commands[0].app, generate);
  add_compare(*commands[1].app, compare);
  add_logits(*commands[2].app, logits);
  add_pixels(*commands[3].app, pixels);
  add_tokenize(*commands[4].app, tokenize);
  add_inspect(*commands[5].app, inspect);
  add_bench(*commands[6].app, bench);
  add_models(*commands[7].app, models);
  add_eval(*commands[8].app, eval);
  add_importance(*commands[9].app, importance);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongUsage;
  } catch (const std::exception& error) {
    print_error(error.what());
    return kWrongUsage;
  }
  return run_chosen(commands);
}

}  // namespace poplens::cli
