// Every backend that this machine runs: the rows of the conformance tests. Another backend joins in test_backends.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/backend.h"

namespace poplens::test {

class TestBackends {
 public:
  TestBackends();

  std::vector<std::string> names() const;
  // `threads` means nothing to a backend that has none. The same object for the same arguments.
  Backend& get(const std::string& name, int threads);

 private:
  using Factory = std::function<Result<std::shared_ptr<Backend>>(int threads)>;

  std::map<std::string, Factory> factories_;
  std::map<std::pair<std::string, int>, std::shared_ptr<Backend>> made_;
};

}  // namespace poplens::test
