#include "ui/grounding/label_places.h"

#include <algorithm>
#include <array>
#include <vector>

namespace poplens::ui {
namespace {

// Which parts of the bounds are taken: rectangles by the cells of a grid that they touch.
class TakenPlaces {
 public:
  TakenPlaces(const QRectF& bounds, QSizeF cell)
      : bounds_(bounds),
        cell_(std::max(cell.width(), bounds.width() / kMostCells),
              std::max(cell.height(), bounds.height() / kMostCells)),
        columns_(1 + static_cast<size_t>(bounds.width() / cell_.width())),
        rows_(1 + static_cast<size_t>(bounds.height() / cell_.height())),
        cells_(columns_ * rows_) {}

  bool is_free(const QRectF& place) const {
    bool is_free = true;
    for_cells(place, [&](size_t cell) {
      is_free = is_free && std::none_of(cells_[cell].begin(), cells_[cell].end(),
                                        [&](const QRectF& taken) { return taken.intersects(place); });
    });
    return is_free;
  }

  void take(const QRectF& place) {
    for_cells(place, [&](size_t cell) { cells_[cell].push_back(place); });
  }

 private:
  static constexpr int kMostCells = 256;

  template <typename Visit>
  void for_cells(const QRectF& place, Visit visit) const {
    const auto index = [](double offset, double size, size_t count) {
      return std::min(count - 1, static_cast<size_t>(std::max(0.0, offset / size)));
    };
    const size_t left = index(place.left() - bounds_.left(), cell_.width(), columns_);
    const size_t right = index(place.right() - bounds_.left(), cell_.width(), columns_);
    const size_t top = index(place.top() - bounds_.top(), cell_.height(), rows_);
    const size_t bottom = index(place.bottom() - bounds_.top(), cell_.height(), rows_);
    for (size_t row = top; row <= bottom; ++row) {
      for (size_t column = left; column <= right; ++column) visit(row * columns_ + column);
    }
  }

  QRectF bounds_;
  QSizeF cell_;
  size_t columns_;
  size_t rows_;
  std::vector<std::vector<QRectF>> cells_;
};

std::array<QPointF, 8> corners_to_try(const QRectF& mark, const LabelWish& wish) {
  const double width = wish.size.width();
  const double height = wish.size.height();
  const double above = mark.top() - wish.gap - height;
  const double below = mark.bottom() + wish.gap;
  if (wish.mark.isEmpty()) {
    const double middle = mark.center().x() - width / 2;
    const double beside = mark.center().y() - height / 2;
    const double right = mark.right() + wish.gap;
    const double left = mark.left() - wish.gap - width;
    return {{{right, beside},
             {left, beside},
             {middle, above},
             {middle, below},
             {right, above},
             {right, below},
             {left, above},
             {left, below}}};
  }
  const double right = mark.right() - width;
  const double inside_top = mark.top() + wish.gap;
  const double inside_bottom = mark.bottom() - wish.gap - height;
  return {{{mark.left(), above},
           {right, above},
           {mark.left(), below},
           {right, below},
           {mark.left() + wish.gap, inside_top},
           {right - wish.gap, inside_top},
           {mark.left() + wish.gap, inside_bottom},
           {right - wish.gap, inside_bottom}}};
}

}  // namespace

QList<QRectF> place_labels(const QList<LabelWish>& wishes, const QRectF& bounds) {
  QList<QRectF> places(wishes.size());
  QSizeF largest;
  for (const LabelWish& wish : wishes) largest = largest.expandedTo(wish.size);
  if (bounds.isEmpty() || largest.isEmpty()) return places;
  TakenPlaces taken(bounds, largest);
  for (qsizetype i = 0; i < wishes.size(); ++i) {
    const LabelWish& wish = wishes[i];
    const bool fits = wish.size.width() <= bounds.width() && wish.size.height() <= bounds.height();
    // Of a mark that is larger than the view, the part in sight.
    const QRectF mark(
        QPointF(std::max(wish.mark.left(), bounds.left()), std::max(wish.mark.top(), bounds.top())),
        QPointF(std::min(wish.mark.right(), bounds.right()), std::min(wish.mark.bottom(), bounds.bottom())));
    if (wish.size.isEmpty() || !fits || mark.width() < 0.0 || mark.height() < 0.0) continue;
    for (const QPointF& corner : corners_to_try(mark, wish)) {
      QRectF place(corner, wish.size);
      place.moveLeft(std::clamp(place.left(), bounds.left(), bounds.right() - place.width()));
      if (place.top() < bounds.top() || place.bottom() > bounds.bottom() || !taken.is_free(place)) continue;
      taken.take(place);
      places[i] = place;
      break;
    }
  }
  return places;
}

}  // namespace poplens::ui
