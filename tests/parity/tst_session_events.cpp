// What a session reports, how it is stopped, how an answer ends.
#include <algorithm>
#include <map>

#include <QStringDecoder>
#include <QtTest>

#include "tests/parity/session_harness.h"

using namespace poplens;
using namespace poplens::test;

namespace {

using Strings = std::vector<std::string>;

const Boundary kText{Boundary::Kind::text, 1};

GenerateRequest request_of(const PromptRequest& prompt, int64_t max_tokens = 12) {
  GenerateRequest request{.prompt = prompt};
  request.max_tokens = max_tokens;
  return request;
}

Answer ask(Session& session, const GenerateRequest& request, EventRecorder* recorder = nullptr) {
  auto answer = session.generate(request, recorder != nullptr ? recorder->sink() : EventSink{});
  if (!answer.ok()) qFatal("%s", answer.error().message.c_str());
  return std::move(answer).value();
}

bool same_answer(const Answer& a, const Answer& b) {
  return a.tokens == b.tokens && a.text == b.text;
}

bool is_utf8(const std::string& text) {
  QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
  const QString decoded = decoder.decode(QByteArray::fromStdString(text));
  return !decoder.hasError() || decoded.isNull();
}

}  // namespace

class SessionEventsTest : public QObject {
  Q_OBJECT

  LoadedModel model_ = open_ended_checkpoint("tiny-tied");
  PromptRequest picture_ = picture_question(drawn_picture(160, 128, 1), "What is this?");
  PromptRequest text_ = text_question("Read the number 407 and say what is left of the blue square.");

  Answer undisturbed(const GenerateRequest& request) const {
    Session session = make_session(model_);
    return ask(session, request);
  }
  PopPlan plan() const { return suffix_plan(model_, 3, kText); }

 private slots:
  void stages_in_order() {
    Session session = make_session(model_);
    EventRecorder full;
    ask(session, request_of(picture_), &full);
    QCOMPARE(full.stages(),
             (Strings{"image_decode(", "image_decode)", "preprocess(", "preprocess)", "vision(", "vision)", "prefill(",
                      "prefill)", "first_token(", "first_token)", "decode(", "decode)"}));
    GenerateRequest pruned = request_of(picture_);
    pruned.plan = plan();
    Session another = make_session(model_);  // the first one knows the picture by now
    EventRecorder with_plan;
    ask(another, pruned, &with_plan);
    QCOMPARE(with_plan.stages(),
             (Strings{"image_decode(", "image_decode)", "preprocess(", "preprocess)", "vision(", "vision)", "prefill(",
                      "boundary(", "prefill)", "boundary)", "first_token(", "first_token)", "decode(", "decode)"}));
    EventRecorder text_only;
    ask(session, request_of(text_), &text_only);
    QCOMPARE(text_only.stages(),
             (Strings{"prefill(", "prefill)", "first_token(", "first_token)", "decode(", "decode)"}));
  }

  void every_stage_that_starts_is_finished_data() {
    QTest::addColumn<QList<int>>("layers");
    QTest::addColumn<int>("max_tokens");
    for (const int max_tokens : {0, 1, 5}) {
      for (const QList<int>& layers : {QList<int>{}, {0}, {7}, {0, 1, 2, 3, 4, 5, 6, 7}, {2, 5}}) {
        QTest::addRow("%d layers from %d, %d tokens", static_cast<int>(layers.size()),
                      layers.isEmpty() ? -1 : layers.first(), max_tokens)
            << layers << max_tokens;
      }
    }
  }
  void every_stage_that_starts_is_finished() {
    QFETCH(QList<int>, layers);
    QFETCH(int, max_tokens);
    Session session = make_session(model_, 32);
    GenerateRequest request = request_of(picture_, max_tokens);
    request.plan.layers.assign(layers.begin(), layers.end());
    EventRecorder recorder;
    ask(session, request, &recorder);
    std::map<std::string, int> open;
    for (const std::string& mark : recorder.stages()) {
      const std::string stage = mark.substr(0, mark.size() - 1);
      open[stage] += mark.back() == '(' ? 1 : -1;
      QVERIFY2(open[stage] == 0 || open[stage] == 1, mark.c_str());
    }
    for (const auto& [stage, count] : open) QVERIFY2(count == 0, stage.c_str());
  }

  void times_never_run_back_and_add_up() {
    Session session = make_session(model_, 20);
    GenerateRequest request = request_of(picture_);
    request.plan = plan();
    EventRecorder recorder;
    const Answer answer = ask(session, request, &recorder);
    double before = 0.0;
    std::map<Stage, double> ended;
    for (const Event& event : recorder.events) {
      QVERIFY(event.at_ms >= before);
      before = event.at_ms;
      if (const auto* finished = std::get_if<StageFinished>(&event.what)) ended[finished->stage] = finished->ms;
    }
    QCOMPARE(ended[Stage::image_decode], answer.stages.image_decode_ms);
    QCOMPARE(ended[Stage::preprocess], answer.stages.preprocess_ms);
    QCOMPARE(ended[Stage::vision], answer.stages.vision_ms);
    QCOMPARE(ended[Stage::prefill], answer.stages.prefill_ms);
    QCOMPARE(ended[Stage::boundary], answer.stages.boundary_ms);
    QCOMPARE(ended[Stage::first_token], answer.stages.first_token_ms);
    const StageTimes& stages = answer.stages;
    const double sum = stages.image_decode_ms + stages.preprocess_ms + stages.vision_ms + stages.prefill_ms +
                       stages.boundary_ms + stages.first_token_ms;
    QVERIFY(sum > 0.0 && sum <= answer.ttft_ms && answer.ttft_ms <= before);
    QVERIFY(answer.decode_tokens_per_s > 0.0);
  }

  void pictures_are_counted() {
    PromptRequest two = picture_;
    two.messages.front().parts.push_back({MessagePart::Kind::image, {}});
    two.pictures.push_back(drawn_picture(64, 64, 2));
    Session session = make_session(model_);
    EventRecorder recorder;
    const Answer answer = ask(session, request_of(two), &recorder);
    std::vector<std::pair<int, int>> seen;
    double vision_ms = 0.0;
    for (const Event& event : recorder.events) {
      const auto* started = std::get_if<StageStarted>(&event.what);
      if (started != nullptr && started->stage == Stage::vision) seen.emplace_back(started->index, started->count);
      const auto* finished = std::get_if<StageFinished>(&event.what);
      if (finished != nullptr && finished->stage == Stage::vision) {
        QVERIFY(finished->ms > vision_ms);
        vision_ms = finished->ms;
      }
    }
    QCOMPARE(seen, (std::vector<std::pair<int, int>>{{0, 2}, {1, 2}}));
    QCOMPARE(vision_ms, answer.stages.vision_ms);
  }

  void progress_rises_to_its_total() {
    Session session = make_session(model_, 20);
    EventRecorder recorder;
    const Answer answer = ask(session, request_of(picture_), &recorder);
    for (const Stage stage : {Stage::vision, Stage::prefill}) {
      const auto progress = recorder.progress(stage);
      QVERIFY(!progress.empty());
      for (size_t i = 1; i < progress.size(); ++i) {
        QVERIFY(progress[i].done > progress[i - 1].done);
        QCOMPARE(progress[i].total, progress[0].total);
      }
      QCOMPARE(progress.back().done, progress.back().total);
    }
    const int64_t chunks = (answer.prompt_tokens + 19) / 20;
    QCOMPARE(recorder.progress(Stage::prefill).back().total, chunks * model_.decoder->spec().layer_count());
  }

  void one_event_a_token() {
    Session session = make_session(model_);
    EventRecorder recorder;
    const Answer answer = ask(session, request_of(text_, 32), &recorder);
    QCOMPARE(answer.tokens.size(), size_t{32});
    std::vector<int32_t> ids;
    for (const Event& event : recorder.events) {
      if (const auto* token = std::get_if<TokenEvent>(&event.what)) ids.push_back(token->id);
    }
    ids.resize(std::min(ids.size(), answer.tokens.size()));  // what an open character holds back comes in one more
    QCOMPARE(ids, answer.tokens);
    QCOMPARE(recorder.text(), answer.text);
  }

  // A random model at a high temperature writes broken bytes; what is shown is whole characters all the same.
  void streaming_never_shows_half_a_character() {
    Session session = make_session(model_);
    int64_t of_several_bytes = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      GenerateRequest request = request_of(text_, 64);
      request.sampling = {.temperature = 2.0, .seed = seed};
      if (seed % 2 == 1) request.stop_strings = {"e!", "\xc3\xa4"};
      EventRecorder recorder;
      const Answer answer = ask(session, request, &recorder);
      for (const std::string& piece : recorder.pieces()) QVERIFY(is_utf8(piece));
      QCOMPARE(recorder.text(), answer.text);
      if (request.stop_strings.empty()) {
        QCOMPARE(answer.text, model_.prompts->tokenizer().decode(answer.tokens, /*show_special=*/false));
      }
      of_several_bytes += std::count_if(answer.text.begin(), answer.text.end(), [](char c) { return (c & 0x80) != 0; });
    }
    QVERIFY(of_several_bytes > 50);
  }

  void a_seed_repeats_its_answer() {
    Session session = make_session(model_);
    GenerateRequest request = request_of(picture_, 24);
    request.sampling = {.temperature = 1.2, .top_k = 40, .top_p = 0.95, .seed = 77};
    const Answer answer = ask(session, request);
    QVERIFY(same_answer(ask(session, request), answer));
    QVERIFY(same_answer(undisturbed(request), answer));
    request.sampling.seed = 78;
    QVERIFY(!same_answer(ask(session, request), answer));
  }

  void length_ends_an_answer() {
    for (const int64_t most : {1, 2, 7}) {
      const Answer answer = undisturbed(request_of(text_, most));
      QCOMPARE(static_cast<int64_t>(answer.tokens.size()), most);
      QVERIFY(answer.finish_reason == FinishReason::length);
    }
    for (const int64_t none : {int64_t{0}, int64_t{-1}, INT64_MIN}) {
      const Answer answer = undisturbed(request_of(text_, none));
      QVERIFY(answer.tokens.empty() && answer.text.empty());
      QVERIFY(answer.finish_reason == FinishReason::length);
    }
  }

  void a_stop_token_ends_an_answer_and_is_not_part_of_it() {
    const Answer whole = undisturbed(request_of(text_, 20));
    for (const size_t at : {size_t{0}, size_t{5}}) {
      const int32_t stop = whole.tokens[at];
      const auto first = std::find(whole.tokens.begin(), whole.tokens.end(), stop);
      const LoadedModel model = with_config(model_, [&](ModelConfig& config) {
        config.generation.stop_tokens = {stop, stop + 100'000};
      });
      Session session = make_session(model);
      EventRecorder recorder;
      const Answer answer = ask(session, request_of(text_, 20), &recorder);
      QCOMPARE(answer.tokens, std::vector<int32_t>(whole.tokens.begin(), first));
      QVERIFY(answer.finish_reason == FinishReason::stop);
      QCOMPARE(recorder.text(), answer.text);
      QCOMPARE(recorder.stages().back(), std::string("decode)"));
    }
  }

  void a_stop_string_ends_an_answer() {
    const Answer whole = undisturbed(request_of(text_, 32));
    const size_t begin = whole.text.find_first_of("abcdefghijklmnopqrstuvwxyz", whole.text.size() / 3);
    QVERIFY(begin != std::string::npos);
    GenerateRequest request = request_of(text_, 32);
    request.stop_strings = {"certainly not in there", whole.text.substr(begin, 1)};
    Session session = make_session(model_);
    EventRecorder recorder;
    const Answer answer = ask(session, request, &recorder);
    QCOMPARE(answer.text, whole.text.substr(0, whole.text.find(request.stop_strings[1])));
    QCOMPARE(recorder.text(), answer.text);
    QVERIFY(answer.finish_reason == FinishReason::stop);
    QVERIFY(answer.tokens.size() < whole.tokens.size());
    QVERIFY(std::equal(answer.tokens.begin(), answer.tokens.end(), whole.tokens.begin()));
  }

  void stops_take_effect_at_once_and_the_session_goes_on_data() {
    QTest::addColumn<int>("stage");
    QTest::addColumn<qint64>("at");
    QTest::addColumn<qint64>("chunk");
    for (const qint64 at : {0, 1, 2})
      QTest::addRow("vision %lld", at) << static_cast<int>(Stage::vision) << at << 1024LL;
    for (const qint64 at : {1, 4, 7})
      QTest::addRow("prefill %lld", at) << static_cast<int>(Stage::prefill) << at << 1024LL;
    for (const qint64 at : {1, 8, 11, 17}) {
      QTest::addRow("prefill in chunks %lld", at) << static_cast<int>(Stage::prefill) << at << 8LL;
    }
  }
  void stops_take_effect_at_once_and_the_session_goes_on() {
    QFETCH(int, stage);
    QFETCH(qint64, at);
    QFETCH(qint64, chunk);
    for (const PopPlan& under : {PopPlan{}, plan()}) {
      GenerateRequest request = request_of(picture_);
      request.plan = under;
      const Answer expected = undisturbed(request);
      Session session = make_session(model_, chunk);
      EventRecorder recorder;
      recorder.stop_when = [&](const Event& event) {
        const auto* progress = std::get_if<StageProgress>(&event.what);
        return progress != nullptr && static_cast<int>(progress->stage) == stage && progress->done == at;
      };
      const auto answer = session.generate(request, recorder.sink(), recorder.stop.get_token());
      QVERIFY(!answer.ok());
      QVERIFY(answer.error().cancelled);
      // No layer after the one that was running.
      QCOMPARE(recorder.progress(static_cast<Stage>(stage)).back().done, int64_t{at});
      QVERIFY(recorder.pieces().empty());
      QVERIFY(same_answer(ask(session, request), expected));
      QVERIFY(same_answer(ask(session, request_of(text_)), undisturbed(request_of(text_))));
    }
  }

  void a_stop_before_the_beginning() {
    Session session = make_session(model_);
    std::stop_source stop;
    stop.request_stop();
    for (const PromptRequest& prompt : {picture_, text_}) {
      EventRecorder recorder;
      const auto answer = session.generate(request_of(prompt), recorder.sink(), stop.get_token());
      QVERIFY(!answer.ok());
      QVERIFY(answer.error().cancelled);
      QVERIFY(recorder.progress(Stage::vision).empty());
      QVERIFY(recorder.progress(Stage::prefill).empty());
      QVERIFY(same_answer(ask(session, request_of(prompt)), undisturbed(request_of(prompt))));
    }
    const auto logits = session.logits(text_, {}, stop.get_token());
    QVERIFY(!logits.ok() && logits.error().cancelled);
  }

  void a_stop_during_the_answer_ends_it() {
    const Answer whole = undisturbed(request_of(text_, 20));
    for (const size_t at : {size_t{1}, size_t{6}}) {
      Session session = make_session(model_);
      EventRecorder recorder;
      size_t seen = 0;
      recorder.stop_when = [&](const Event& event) {
        return std::holds_alternative<TokenEvent>(event.what) && ++seen == at;
      };
      const auto answer = session.generate(request_of(text_, 20), recorder.sink(), recorder.stop.get_token());
      QVERIFY(answer.ok());
      QVERIFY(answer->finish_reason == FinishReason::cancelled);
      QCOMPARE(answer->tokens.size(), at);
      QVERIFY(std::equal(answer->tokens.begin(), answer->tokens.end(), whole.tokens.begin()));
      QCOMPARE(recorder.text(), answer->text);
      QCOMPARE(recorder.stages().back(), std::string("decode)"));
      QVERIFY(same_answer(ask(session, request_of(text_, 20)), whole));
    }
  }
};

QTEST_APPLESS_MAIN(SessionEventsTest)
#include "tst_session_events.moc"
