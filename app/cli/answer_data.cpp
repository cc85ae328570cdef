#include "app/cli/answer_data.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "app/cli/request.h"
#include "engine/base/clock.h"
#include "engine/base/json_reader.h"
#include "engine/session/memory_need.h"

namespace poplens::cli {
namespace {

using nlohmann::json;

constexpr size_t kLongestLine = 16u << 20;

class LineReader {
 public:
  LineReader(const std::filesystem::path& path, int64_t number) : path_(path), number_(number) {}

  Result<DataItem> read(const std::string& line) const {
    JsonTreeBuilder builder;
    POPLENS_CHECK(parse_json(line, path_.string() + ": line " + std::to_string(number_), builder));
    const json& node = builder.root();
    if (!node.is_object()) return wrong("is not an object");
    DataItem item;
    POPLENS_CHECK(read_text(node, "prompt", /*required=*/true, item.prompt));
    POPLENS_CHECK(read_text(node, "answer", /*required=*/true, item.answer));
    POPLENS_CHECK(read_text(node, "task", /*required=*/false, item.task));
    if (item.answer.empty()) return wrong("has an empty 'answer'");
    if (const auto image = node.find("image"); image != node.end() && !image->is_null()) {
      const json list = image->is_array() ? *image : json::array({*image});
      for (const json& file : list) {
        if (!file.is_string()) return wrong("has an 'image' that is neither a file name nor a list of them");
        item.images.push_back(path_.parent_path() / file.get<std::string>());
      }
    }
    return item;
  }

 private:
  Error wrong(const std::string& what) const {
    return Error{path_.string() + ": line " + std::to_string(number_) + " " + what};
  }

  Result<void> read_text(const json& node, const std::string& name, bool required, std::string& out) const {
    const auto found = node.find(name);
    if (found == node.end() && !required) return {};
    if (found == node.end() || !found->is_string()) return wrong("has no text '" + name + "'");
    out = found->get<std::string>();
    return {};
  }

  const std::filesystem::path& path_;
  int64_t number_;
};

}  // namespace

Result<std::vector<DataItem>> read_data_file(const std::filesystem::path& path, int64_t most) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) return Error{path.string() + ": cannot be read"};
  std::vector<DataItem> items;
  std::string line;
  for (int64_t number = 1; std::getline(file, line) && (most == 0 || std::ssize(items) < most); ++number) {
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (line.size() > kLongestLine) {
      return Error{path.string() + ": line " + std::to_string(number) + " is longer than 16 MiB"};
    }
    POPLENS_TRY(item, LineReader(path, number).read(line));
    items.push_back(std::move(item));
  }
  if (file.bad()) return Error{path.string() + ": cannot be read to its end"};
  if (items.empty()) return Error{path.string() + ": has no samples"};
  return items;
}

Result<ReadySample> prepare_sample(const LoadedModel& model, const DataItem& item, const std::stop_token& stop) {
  PromptOptions options;
  options.prompt = item.prompt;
  for (const std::filesystem::path& image : item.images) options.images.push_back(image.string());
  POPLENS_TRY(request, make_request(options));
  POPLENS_TRY(prompt, model.prompts->build(request, model.encoder.get()));
  ReadySample ready;
  const EncodeProgress nobody_looks{
      .started = [](Stage) {}, .finished = [](Stage, double) {}, .progress = [](Stage, int64_t, int64_t) {}};
  const auto start = Clock::now();
  for (const PromptPicture& picture : prompt.pictures) {
    POPLENS_CHECK(check_memory("the picture " + picture.picture.name, model.encoder->workspace_bytes(picture.geometry),
                               available_memory_bytes()));
    POPLENS_TRY(features, model.encoder->encode(picture.picture, nobody_looks, stop));
    ready.sample.features.emplace_back(std::move(features));
  }
  ready.vision_ms = ms_since(start);
  ready.sample.prompt = std::move(prompt);
  ready.sample.answer = model.prompts->tokenizer().encode(item.answer, Tokenizer::Special::text);
  return ready;
}

}  // namespace poplens::cli
