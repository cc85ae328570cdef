// The POP panel's chart and its choices: figures against those of a profile, and what a screen reader is told.
#include "tests/ui/screens/screen_driver.h"

using namespace poplens;
using namespace poplens::ui;
using namespace poplens::test;

class PopPanelTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    screen_ = std::make_unique<ScreenDriver>();
    QVERIFY(screen_->up());
    QTRY_COMPARE_WITH_TIMEOUT(screen_->program().engine()->state(), EngineState::Ready, kLongMs);
    pop()->setOn(true);
    pop()->importances()->set(profile());
    QTRY_VERIFY(screen_->shows("Importance by layer, prefill and decode; the last"));
  }
  void cleanup() { screen_.reset(); }

  // Under the mouse: 1 + 2 / 2 of the layer, then 0.25 + 0.5 / 2 of its attention and 0.75 + 1 / 2 of its FFN; the
  // decode's are twice that.
  void showsAttentionAndFfnApart() {
    hover(0);
    QTRY_VERIFY(screen_->shows("Layer 0: prefill 2.000, decode 4.000 nats"));
    choose_apart();
    hover(0);
    QTRY_VERIFY(screen_->shows(
        "Layer 0, prefill: attention 0.500, FFN 1.250 nats\nLayer 0, decode: attention 1.000, FFN 2.500 nats"));
    hover(pop()->layers() - 1);
    QTRY_VERIFY(screen_->shows(QString("Layer %1, prefill: attention 0.050").arg(pop()->layers() - 1)));
  }

  // A bar of two parts: of the decode's 3.5 nats in the first layer, which fill the chart, attention is 1.
  void barsHaveTheProfilesProportions() {
    choose_apart();
    const QRect area(screen_->window().mapFromGlobal(chart()->rect().topLeft()), chart()->rect().size());
    const int x = area.left() + qRound(area.width() / double(pop()->layers()) * 0.7);
    const auto strength = [&](double share) {
      const QImage picture = screen_->window().grabWindow();
      const QColor color = picture.pixelColor(x, area.bottom() - qRound((area.height() - 8) * share));
      return color.red() - color.blue();
    };
    const int filled = strength(0.5 / 3.5);
    QTRY_VERIFY(strength(0.5 / 3.5) > 100);
    QVERIFY2(strength(2.0 / 3.5) > 10, qPrintable(QString::number(strength(2.0 / 3.5))));
    QVERIFY(strength(2.0 / 3.5) < filled / 2);
    QVERIFY(qAbs(strength(1.02)) < 10);
  }

  // Auto goes by what was measured. Without a picture the question does not run in full, so the last token counts.
  void autoGoesByMeasuredLosses() {
    const auto loss_is = [&](const char* how) {
      QAccessibleInterface* row = screen_->wait_for("Expected loss");
      return row != nullptr && row->text(QAccessible::Name).contains(how);
    };
    QTRY_VERIFY(loss_is("(estimated)"));
    pop()->setDepth(3);
    QVERIFY(!pop()->riseMeasured());
    pop()->chooseDepth();
    QCOMPARE(pop()->depth(), 3);
    QVERIFY(!screen_->wait_for("Auto", QAccessible::Button)->object()->property("enabled").toBool());
    ImportanceProfile measured = profile();
    for (const auto& [stage, dear] : {std::pair{GateStage::prefill, 2}, std::pair{GateStage::prefill_text, 5}}) {
      auto& rises = measured.stages[static_cast<size_t>(stage)].suffix_rises;
      rises.assign(static_cast<size_t>(pop()->layers()), 0.0);
      rises[static_cast<size_t>(dear)] = 100.0;
    }
    pop()->importances()->set(measured);
    QVERIFY(screen_->click("Loss that Auto allows", QAccessible::EditableText));
    screen_->press(Qt::Key_A, Qt::ControlModifier);
    screen_->type("50");
    screen_->press(Qt::Key_Return);
    QTRY_COMPARE(pop()->mostRise(), 50.0);
    QTRY_VERIFY(loss_is("(measured)"));
    QVERIFY(screen_->click("Auto"));
    QTRY_COMPARE(pop()->depth(), 2);
    Chat* chat = screen_->program().chat();
    chat->attachments()->addFiles({QUrl::fromLocalFile(POPLENS_SOURCE_DIR "/assets/samples/shapes.png")});
    QTRY_COMPARE(chat->attachments()->count(), 1);
    QVERIFY(screen_->click("Auto"));
    QTRY_COMPARE(pop()->depth(), 5);
    pop()->setBoundary(PopPanel::LastTokenInFull);
    QVERIFY(screen_->click("Auto"));
    QTRY_COMPARE(pop()->depth(), 2);
    pop()->setBoundary(PopPanel::QuestionInFull);
    chat->attachments()->remove(0);
    QVERIFY(screen_->click("Auto"));
    QTRY_COMPARE(pop()->depth(), 2);
  }

  // What was chosen is there again after a restart, the depth for the model that it was chosen for.
  void choicesAreKept() {
    const int third = pop()->layers() / 3;
    QCOMPARE(pop()->depth(), third);
    pop()->setDepth(third + 2);
    pop()->setBoundary(PopPanel::LastTokenInFull);
    pop()->setMostRise(0.25);
    screen_->restart();
    QTRY_COMPARE_WITH_TIMEOUT(screen_->program().engine()->state(), EngineState::Ready, kLongMs);
    QTRY_VERIFY(pop()->on());
    QCOMPARE(pop()->depth(), third + 2);
    QCOMPARE(int(pop()->boundary()), int(PopPanel::LastTokenInFull));
    QCOMPARE(pop()->mostRise(), 0.25);
    QVERIFY(screen_->shows(QString("%1 of %2").arg(third + 2).arg(pop()->layers())));
  }

  void choicesAreComboBoxesToAScreenReader() {
    QVERIFY(screen_->click("Question in full", QAccessible::ComboBox));
    QVERIFY(screen_->wait_for("Question in full", QAccessible::ListItem) != nullptr);
    QAccessibleInterface* entry = screen_->wait_for("Last token in full", QAccessible::ListItem);
    QVERIFY(entry != nullptr);
    QVERIFY(entry->actionInterface() != nullptr);
    entry->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QTRY_COMPARE(int(pop()->boundary()), 1);
    // A sign that is only drawn is not read.
    QVERIFY(screen_->wait_for("Last token in full", QAccessible::NoRole) != nullptr);
    QCOMPARE(screen_->find("Last token in full")->text(QAccessible::Name), QString("Last token in full"));
  }

 private:
  PopPanel* pop() { return screen_->program().pop(); }
  QAccessibleInterface* chart() { return screen_->wait_for("Importance by layer", QAccessible::Chart); }

  ImportanceProfile profile() {
    ImportanceProfile made{.samples = 1};
    for (const GateStage which : kAllGateStages) {
      const bool decode = which == GateStage::decode || which == GateStage::decode_text;
      StageImportance& stage = made.stages[static_cast<size_t>(which)];
      for (int layer = 0; layer < pop()->layers(); ++layer) {
        const double scale = (decode ? 2.0 : 1.0) * (layer == 0 ? 1.0 : 0.1);
        stage.layers.push_back({.gradient = -1.0 * scale,
                                .attention = -0.25 * scale,
                                .ffn = -0.75 * scale,
                                .fisher = 2.0 * scale,
                                .attention_fisher = 0.5 * scale,
                                .ffn_fisher = 1.0 * scale});
      }
      stage.fisher_matrix.assign(static_cast<size_t>(pop()->layers()) * static_cast<size_t>(pop()->layers()), 0.0);
    }
    return made;
  }

  void hover(int layer) {
    const QRect area = chart()->rect();
    const double step = area.width() / double(pop()->layers());
    const QPoint place(area.left() + qRound((layer + 0.5) * step), area.center().y());
    QTest::mouseMove(&screen_->window(), screen_->window().mapFromGlobal(place));
  }
  void choose_apart() {
    QVERIFY(screen_->click("Whole layers", QAccessible::ComboBox));
    QVERIFY(screen_->wait_for("Attention and FFN apart", QAccessible::ListItem) != nullptr);
    screen_->press(Qt::Key_Down);
    screen_->press(Qt::Key_Return);
    QTRY_VERIFY(screen_->shows("Importance by layer, prefill and decode, attention and FFN apart"));
  }

  std::unique_ptr<ScreenDriver> screen_;
};

int main(int argc, char* argv[]) {
  qputenv("QT_QUICK_BACKEND", "software");
  QGuiApplication app(argc, argv);
  QLocale::setDefault(QLocale::c());
  PopPanelTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_pop_panel.moc"
