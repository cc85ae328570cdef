// Errors as values: Result<T> holds either a T or an Error, and every public function that can fail returns one.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace poplens {

// What went wrong, in one clear sentence that names the file, tensor or value. `cancelled` tells a person's stop apart
// from a failure.
struct Error {
  std::string message;
  bool cancelled = false;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Only after ok(): the value. Only after !ok(): the error.
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}

  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const Error& error() const { return error_; }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace poplens

// Passes a failed Result on to the caller: POPLENS_TRY(weight, file.tensor("norm.weight")) declares `weight`.
#define POPLENS_TRY_CONCAT_(a, b) a##b
#define POPLENS_TRY_NAME_(line) POPLENS_TRY_CONCAT_(poplens_try_, line)
// NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared cannot stand in parentheses.
#define POPLENS_TRY(variable, expression)                                            \
  auto POPLENS_TRY_NAME_(__LINE__) = (expression);                                   \
  if (!POPLENS_TRY_NAME_(__LINE__).ok()) return POPLENS_TRY_NAME_(__LINE__).error(); \
  auto variable = std::move(POPLENS_TRY_NAME_(__LINE__)).value()
// NOLINTEND(bugprone-macro-parentheses)
#define POPLENS_CHECK(expression)                                                                \
  do {                                                                                           \
    if (auto poplens_check_ = (expression); !poplens_check_.ok()) return poplens_check_.error(); \
  } while (false)
