#include "ui/models/importance_model.h"

#include <algorithm>
#include <numeric>

#include "engine/pop/auto_plan.h"
#include "ui/i18n/reason_text.h"
#include "ui/store/kept_profile.h"

namespace poplens::ui {

ImportanceModel::ImportanceModel(QString folder, QObject* parent)
    : QAbstractListModel(parent), folder_(std::move(folder)), thread_(QStringLiteral("profiles")) {}

int ImportanceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(prefill().layers.size());
}

const StageImportance& ImportanceModel::prefill() const {
  return profile_.stage(text_in_full_ ? GateStage::prefill_text : GateStage::prefill);
}

const StageImportance& ImportanceModel::decode() const {
  return profile_.stage(text_in_full_ ? GateStage::decode_text : GateStage::decode);
}

QVariant ImportanceModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto row = static_cast<size_t>(index.row());
  const LayerImportance& in_prefill = prefill().layers[row];
  const LayerImportance& in_decode = decode().layers[row];
  switch (role) {
    case Qt::DisplayRole:
      return index.row();
    case PrefillRole:
      return in_prefill.importance();
    case DecodeRole:
      return in_decode.importance();
    // Each branch with a Fisher term of its own.
    case PrefillAttentionRole:
      return -in_prefill.attention + in_prefill.attention_fisher / 2.0;
    case PrefillFfnRole:
      return -in_prefill.ffn + in_prefill.ffn_fisher / 2.0;
    case DecodeAttentionRole:
      return -in_decode.attention + in_decode.attention_fisher / 2.0;
    case DecodeFfnRole:
      return -in_decode.ffn + in_decode.ffn_fisher / 2.0;
    default:
      return {};
  }
}

QHash<int, QByteArray> ImportanceModel::roleNames() const {
  return {{PrefillRole, "prefill"},
          {DecodeRole, "decode"},
          {PrefillAttentionRole, "prefillAttention"},
          {PrefillFfnRole, "prefillFfn"},
          {DecodeAttentionRole, "decodeAttention"},
          {DecodeFfnRole, "decodeFfn"}};
}

double ImportanceModel::most() const {
  double most = 0.0;
  for (const LayerImportance& layer : prefill().layers) most = std::max(most, layer.importance());
  for (const LayerImportance& layer : decode().layers) most = std::max(most, layer.importance());
  return most;
}

double ImportanceModel::mostApart() const {
  double most = 0.0;
  for (int row = 0; row < count(); ++row) {
    const auto part = [&](Role role) { return std::max(0.0, figure(row, role)); };
    most = std::max(
        {most, part(PrefillAttentionRole) + part(PrefillFfnRole), part(DecodeAttentionRole) + part(DecodeFfnRole)});
  }
  return most;
}

double ImportanceModel::figure(int layer, Role role) const {
  return data(index(layer), role).toDouble();
}

double ImportanceModel::expected_rise(int depth) const {
  depth = std::min(depth, count());
  if (depth <= 0) return 0.0;
  if (rises_measured()) return prefill().suffix_rises[static_cast<size_t>(depth) - 1];
  std::vector<int> pruned(static_cast<size_t>(depth));
  std::iota(pruned.begin(), pruned.end(), count() - depth);
  return prefill().predicted_rise(pruned);
}

int ImportanceModel::deepest_within(double rise) const {
  return poplens::deepest_within(prefill(), rise).depth;
}

void ImportanceModel::find(const QString& model_folder) {
  model_folder_ = model_folder;
  model_.reset();
  set({});
  const QStringList places = {kept_at(model_folder), model_folder + "/importance.json"};
  thread_.run(
      this, [places] { return read_kept_profile(places); },
      [this, model_folder](Result<ImportanceProfile> read) {
        if (model_folder != model_folder_) return;
        if (read.ok()) {
          set(*read);
          put_aside_foreign();
        } else {
          error_ = reason_text(read.error().message);
          emit changed();
        }
      });
}

QString ImportanceModel::kept_at(const QString& model_folder) const {
  return folder_ + "/" + model_folder.section('/', -1, -1, QString::SectionSkipEmpty) + ".json";
}

void ImportanceModel::set(const ImportanceProfile& profile) {
  beginResetModel();
  profile_ = profile;
  error_.clear();
  endResetModel();
  emit changed();
}

void ImportanceModel::loaded(const ModelFingerprint& model) {
  model_ = model;
  put_aside_foreign();
}

void ImportanceModel::put_aside_foreign() {
  if (!model_ || count() == 0 || profile_.model == *model_) return;
  set({});
  error_ = tr("What was measured belongs to another state of this model's weights.");
  emit changed();
}

void ImportanceModel::setTextInFull(bool text_in_full) {
  if (text_in_full == text_in_full_) return;
  text_in_full_ = text_in_full;
  if (count() > 0) emit dataChanged(index(0), index(count() - 1));
  emit changed();
}

}  // namespace poplens::ui
