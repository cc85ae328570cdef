// Gemma-3's pan and scan against transformers' processor: which crops, what the prompt says of them, what the tower
// sees.
#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/base/memory_map.h"
#include "engine/weights/safetensors.h"
#include "tests/parity/golden_case.h"
#include "vision/gemma3_processor.h"
#include "vision/picture_encoder.h"

using namespace poplens;
using namespace poplens::test;

namespace {

nlohmann::json read_golden() {
  const auto map = MemoryMap::open(test_data("data/gemma3/pan_and_scan.json"));
  const auto* text = reinterpret_cast<const char*>(map->bytes().data());
  return nlohmann::json::parse(text, text + map->bytes().size());
}

Picture read_picture(const std::string& name) {
  const auto map = MemoryMap::open(test_data("data/pictures/" + name));
  return {.name = name, .bytes = map->bytes(), .owner = std::make_shared<MemoryMap>(*map), .crop = {}};
}

}  // namespace

class PanAndScan : public QObject {
  Q_OBJECT

 private:
  const std::filesystem::path folder_ = test_data("data/gemma3/tiny-v5");
  const nlohmann::json golden_ = read_golden();

  PromptRequest request() const {
    PromptRequest request;
    request.messages = {{"user", {{MessagePart::Kind::image, {}}, {MessagePart::Kind::text, golden_.at("text")}}}};
    request.pictures = {read_picture(golden_.at("picture"))};
    request.pan_and_scan = true;
    return request;
  }

 private slots:
  void crops() {
    const auto config = read_model_config(folder_);
    QVERIFY(config.ok());
    const auto spec = read_siglip_spec(*config->vision_config, config->decoder.hidden);
    QVERIFY(spec.ok());
    const auto processor = Gemma3Processor::from_folder(folder_, *spec);
    QVERIFY(processor.ok());
    for (const auto& size : golden_.at("sizes")) {
      std::vector<std::vector<int>> shapes;
      for (const PictureCrop& crop : processor->pan_and_scan(size.at("width"), size.at("height"))) {
        shapes.push_back({crop.width, crop.height});
      }
      QCOMPARE(shapes, size.at("crops").get<std::vector<std::vector<int>>>());
    }
  }

  void prompt() {
    const LoadedModel model = load_checkpoint(folder_, DType::f32);
    const auto prompt = model.prompts->build(request(), model.encoder.get());
    QVERIFY2(prompt.ok(), prompt.ok() ? "" : prompt.error().message.c_str());
    QCOMPARE(prompt->ids, golden_.at("ids").get<std::vector<int32_t>>());
  }

  void pixels() {
    const auto config = read_model_config(folder_);
    const auto pixels = read_picture_pixels(folder_, *config, request().pictures.front(), std::nullopt, true);
    QVERIFY2(pixels.ok(), pixels.ok() ? "" : pixels.error().message.c_str());
    const auto file = SafetensorsFile::open(test_data("data/gemma3/pan_and_scan.safetensors"));
    const TensorInfo* expected = file->find("pixel_values");
    QCOMPARE(pixels->shape, expected->shape);
    QCOMPARE(pixels->values.size() * sizeof(float), expected->bytes.size());
    QVERIFY(std::memcmp(pixels->values.data(), expected->bytes.data(), expected->bytes.size()) == 0);
  }

  // The crops reach the tower: an answer that sees them is computed from other logits than one that does not.
  void the_model_sees_the_crops() {
    const LoadedModel model = load_checkpoint(folder_, DType::f32);
    PromptRequest whole_only = request();
    whole_only.pan_and_scan = false;
    const auto with = make_session(model).logits(request(), {});
    const auto without = make_session(model).logits(whole_only, {});
    QVERIFY(with.ok());
    QVERIFY(without.ok());
    QVERIFY(with->rows.size() > without->rows.size());
    const auto vocab = static_cast<size_t>(model.decoder->spec().vocab);
    QVERIFY(!std::equal(with->values.end() - static_cast<ptrdiff_t>(vocab), with->values.end(),
                        without->values.end() - static_cast<ptrdiff_t>(vocab)));
  }
};

QTEST_APPLESS_MAIN(PanAndScan)
#include "tst_pan_and_scan.moc"
