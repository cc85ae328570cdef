#include "ui/models/importance_model.h"

#include <algorithm>

#include <QFile>

namespace poplens::ui {

ImportanceModel::ImportanceModel(QString folder, QObject* parent)
    : QAbstractListModel(parent), folder_(std::move(folder)), thread_(QStringLiteral("profiles")) {}

int ImportanceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(profile_.layers.size());
}

const StageImportance& ImportanceModel::prefill(int row) const {
  return text_in_full_ ? profile_.layers[row].prefillText : profile_.layers[row].prefill;
}

const StageImportance& ImportanceModel::decode(int row) const {
  return text_in_full_ ? profile_.layers[row].decodeText : profile_.layers[row].decode;
}

QVariant ImportanceModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  switch (role) {
    case Qt::DisplayRole:
      return index.row();
    case PrefillRole:
      return prefill(index.row()).importance;
    case DecodeRole:
      return decode(index.row()).importance;
    case PrefillAttentionRole:
      return -prefill(index.row()).attention;
    case PrefillFfnRole:
      return -prefill(index.row()).ffn;
    case DecodeAttentionRole:
      return -decode(index.row()).attention;
    case DecodeFfnRole:
      return -decode(index.row()).ffn;
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
  for (int row = 0; row < count(); ++row) {
    most = std::max({most, prefill(row).importance, decode(row).importance});
  }
  return most;
}

void ImportanceModel::find(const QString& model_folder) {
  model_folder_ = model_folder;
  set({});
  const QString name = model_folder.section('/', -1, -1, QString::SectionSkipEmpty);
  const QStringList places = {model_folder + "/pop-profile.json", folder_ + "/" + name + ".json"};
  thread_.run(
      this,
      [places]() -> Result<ImportanceProfile> {
        for (const QString& place : places) {
          if (QFile::exists(place)) return read_importance_profile(place);
        }
        return ImportanceProfile{};
      },
      [this, model_folder](Result<ImportanceProfile> read) {
        if (model_folder != model_folder_) return;
        if (read.ok()) {
          set(*read);
        } else {
          error_ = QString::fromStdString(read.error().message);
          emit changed();
        }
      });
}

void ImportanceModel::set(const ImportanceProfile& profile) {
  beginResetModel();
  profile_ = profile;
  error_.clear();
  endResetModel();
  emit changed();
}

void ImportanceModel::setTextInFull(bool text_in_full) {
  if (text_in_full == text_in_full_) return;
  text_in_full_ = text_in_full;
  if (count() > 0) emit dataChanged(index(0), index(count() - 1));
  emit changed();
}

}  // namespace poplens::ui
