// A model loaded, and a conversation with it: how generate, compare and logits begin.
#pragma once

#include <memory>

#include "app/cli/options.h"
#include "engine/session/session.h"

namespace poplens::cli {

struct OpenSession {
  LoadedModel model;
  std::unique_ptr<Session> session;
};

Result<OpenSession> open_session(const CommonOptions& common);

}  // namespace poplens::cli
