// The pictures that go with the next question: original size, what the model will see, tokens.
#pragma once

#include <QAbstractListModel>
#include <QImage>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/jobs.h"

namespace poplens::ui {

class PictureDesk;

class AttachmentListModel : public QAbstractListModel {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(int count READ count NOTIFY countChanged)
  Q_PROPERTY(bool ready READ ready NOTIFY readyChanged)
  Q_PROPERTY(int tokens READ tokens NOTIFY readyChanged)
  Q_PROPERTY(int refused READ refused NOTIFY readyChanged)
  Q_PROPERTY(int maxTokens READ maxTokens WRITE setMaxTokens NOTIFY maxTokensChanged)

 public:
  enum Role { PictureRole = Qt::UserRole + 1, ReasonRole, MeasuredRole };
  Q_ENUM(Role)

  explicit AttachmentListModel(PictureDesk* desk, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;
  int count() const { return rowCount(); }

  // All are measured, and none was refused.
  bool ready() const;
  int tokens() const;
  // How many cannot be sent.
  int refused() const;
  // The budget of every picture; 0: the model's own.
  int maxTokens() const { return max_tokens_; }
  void setMaxTokens(int tokens);

  Q_INVOKABLE void addFiles(const QList<QUrl>& files);
  Q_INVOKABLE void remove(int row);
  Q_INVOKABLE poplens::ui::SentPicture pictureAt(int row) const { return attachments_.value(row).picture; }
  void add_image(const QString& name, const QImage& image);
  // Pictures that are stored already (a question that is edited).
  void add(const QList<SentPicture>& pictures);
  Q_INVOKABLE void clear();
  // Measures all again: another model.
  void measure_again();
  // Something about them could not be read: looks for those whose data are damaged, and refuses those.
  void check();
  QList<SentPicture> pictures() const;

 signals:
  void countChanged();
  void readyChanged();
  void maxTokensChanged();
  // What would be sent is another than before.
  void contentChanged();

 private:
  struct Attachment {
    quint64 id = 0;
    SentPicture picture;
    QString reason;
    bool measured = false;
    bool outdated = false;  // what it is being measured for no longer holds
  };
  quint64 append(SentPicture picture);
  void take(quint64 id, const SentPicture& picture, const QString& reason);
  void refuse(quint64 id, const QString& reason);

  PictureDesk* desk_;
  QList<Attachment> attachments_;
  quint64 last_id_ = 0;
  int max_tokens_ = 0;
};

}  // namespace poplens::ui
