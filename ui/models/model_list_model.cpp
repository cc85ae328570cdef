#include "ui/models/model_list_model.h"

#include <QLocale>

#include "ui/i18n/reason_text.h"
#include "ui/models/device_text.h"
#include "ui/models/engine_state.h"
#include "ui/models/settings.h"

namespace poplens::ui {
namespace {

QString size_text(qint64 bytes) {
  return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

QString family_name(const std::string& family) {
  if (family == "qwen3_vl") return QStringLiteral("Qwen3-VL");
  if (family == "gemma3" || family == "gemma3_text") return QStringLiteral("Gemma 3");
  if (family == "llama") return QStringLiteral("Llama");
  return QString::fromStdString(family);
}

QString origin_text(ModelOrigin origin) {
  switch (origin) {
    case ModelOrigin::bundled:
      return ModelListModel::tr("comes with PopLens");
    case ModelOrigin::hugging_face_cache:
      return ModelListModel::tr("Hugging Face cache");
    case ModelOrigin::other_program:
      return ModelListModel::tr("another program's");
    case ModelOrigin::added_folder:
      break;
  }
  return ModelListModel::tr("added folder");
}

QString parameters_text(int64_t parameters) {
  constexpr double kMillion = 1e6;
  constexpr double kBillion = 1e9;
  const auto count = static_cast<double>(parameters);
  if (count >= kBillion) return ModelListModel::tr("%1 B parameters").arg(QLocale().toString(count / kBillion, 'f', 1));
  return ModelListModel::tr("%1 M parameters").arg(QLocale().toString(count / kMillion, 'f', 0));
}

QString detail_text(const FoundModel& model) {
  QStringList parts;
  if (!model.family.empty()) parts.append(family_name(model.family));
  if (model.parameters > 0) parts.append(parameters_text(model.parameters));
  if (!model.quantization.empty()) parts.append(QString::fromStdString(model.quantization));
  if (model.weights_bytes > 0) parts.append(ModelListModel::tr("%1 of weights").arg(size_text(model.weights_bytes)));
  if (model.layers > 0) {
    parts.append(model.vision ? ModelListModel::tr("reads pictures") : ModelListModel::tr("text only"));
  }
  return parts.join(QStringLiteral(" · "));
}

// One thing to do.
QString advice_text(ModelObstacle obstacle) {
  switch (obstacle) {
    case ModelObstacle::none:
      return {};
    case ModelObstacle::gguf:
      return ModelListModel::tr("Take the model's Hugging Face edition (a folder with .safetensors files).");
    case ModelObstacle::not_known:
      return ModelListModel::tr("Take a Qwen3-VL, Gemma 3 or Llama 3 model in its ordinary BF16 edition.");
    case ModelObstacle::incomplete:
      return ModelListModel::tr("Download it once more: a file is missing or damaged.");
    case ModelObstacle::memory:
      return ModelListModel::tr("Close other programs, or take a smaller model.");
  }
  return {};
}

}  // namespace

ModelListModel::ModelListModel(EngineState* engine, Settings* settings, const QStringList& bundled, QObject* parent)
    : QAbstractListModel(parent),
      engine_(engine),
      settings_(settings),
      bundled_(bundled),
      thread_(QStringLiteral("models")) {
  const auto update_rows = [this] {
    if (count() > 0) emit dataChanged(index(0), index(count() - 1), {StateRole, ReasonRole, AdviceRole});
  };
  connect(engine, &EngineState::changed, this, update_rows);
}

ModelListModel::~ModelListModel() {
  stop_.request_stop();
}

int ModelListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(found_.models.size());
}

QVariant ModelListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const FoundModel& model = found_.models[static_cast<size_t>(index.row())];
  const auto needed = static_cast<double>(model.memory_bytes);
  switch (role) {
    case Qt::DisplayRole:
    case NameRole:
      return QString::fromStdString(model.name);
    case PathRole:
      return QString::fromStdString(model.path.string());
    case OriginRole:
      return origin_text(model.origin);
    case DetailRole:
      return detail_text(model);
    case MemoryRole:
      if (model.memory_bytes == 0) return QString();
      return tr("needs %1 of %2 free").arg(size_text(model.memory_bytes), size_text(found_.free_bytes));
    case MemoryShareRole:
      return found_.free_bytes > 0 ? needed / static_cast<double>(found_.free_bytes) : 0.0;
    case ReasonRole:
      return reason_of(model);
    case AdviceRole:
      return state_of(model) == Failed ? tr("Choose another model.") : advice_text(model.obstacle);
    case StateRole:
      return state_of(model);
    default:
      return {};
  }
}

QHash<int, QByteArray> ModelListModel::roleNames() const {
  return {{NameRole, "name"},     {PathRole, "path"},     {OriginRole, "origin"},
          {DetailRole, "detail"}, {MemoryRole, "memory"}, {MemoryShareRole, "memoryShare"},
          {ReasonRole, "reason"}, {AdviceRole, "advice"}, {StateRole, "loadState"}};
}

ModelListModel::State ModelListModel::state_of(const FoundModel& model) const {
  if (QString::fromStdString(model.path.string()) == engine_->folder()) {
    switch (engine_->state()) {
      case EngineState::Ready:
        return InUse;
      case EngineState::Loading:
        return Loading;
      case EngineState::Failed:
        return Failed;
      case EngineState::Waiting:
        return Chosen;
    }
  }
  return model.loadable() ? Loadable : NotLoadable;
}

QString ModelListModel::reason_of(const FoundModel& model) const {
  if (state_of(model) == Failed) return engine_->error();
  return reason_text(model.why_not);
}

QString ModelListModel::machine() const {
  if (found_.device.isEmpty()) return {};
  return tr("%1 · %2 of memory free").arg(device_text(found_.device), size_text(found_.free_bytes));
}

QStringList ModelListModel::folders() const {
  return settings_->model_folders();
}

void ModelListModel::refresh() {
  ModelPlaces places;
  for (const QString& folder : bundled_) places.bundled.emplace_back(folder.toStdString());
  for (const QString& folder : folders()) places.added.emplace_back(folder.toStdString());
  stop_.request_stop();
  stop_ = std::stop_source();
  looking_ = true;
  emit changed();
  thread_.run(
      this, [places, stop = stop_.get_token()] { return search_models(places, stop); },
      [this, stop = stop_.get_token()](ModelsFound found) {
        if (!stop.stop_requested()) take(std::move(found));
      });
}

void ModelListModel::take(ModelsFound found) {
  beginResetModel();
  found_ = std::move(found);
  looking_ = false;
  endResetModel();
  emit changed();
}

void ModelListModel::load(int row) {
  if (row < 0 || row >= count()) return;
  const QString folder = data(index(row), PathRole).toString();
  settings_->set_model(folder);
  engine_->choose({.folder = folder, .threads = settings_->threads()});
  engine_->load();
}

void ModelListModel::addFolder(const QUrl& folder) {
  const QString path = folder.toLocalFile();
  QStringList all = folders();
  if (path.isEmpty() || all.contains(path)) return;
  all.append(path);
  settings_->set_model_folders(all);
  refresh();
}

void ModelListModel::removeFolder(const QString& folder) {
  QStringList all = folders();
  if (all.removeAll(folder) == 0) return;
  settings_->set_model_folders(all);
  refresh();
}

}  // namespace poplens::ui
