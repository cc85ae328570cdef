#include "app/cli/open_session.h"

#include "app/cli/model_names.h"
#include "vision/picture_encoder.h"

namespace poplens::cli {

Result<OpenSession> open_session(const CommonOptions& common) {
  POPLENS_TRY(folder, find_model(common));
  POPLENS_TRY(load, make_load_options(common));
  POPLENS_TRY(model, load_model(folder, load, make_image_encoder));
  auto session = std::make_unique<Session>(model.prompts, model.decoder, model.encoder,
                                           SessionOptions{.prefill_chunk_tokens = common.prefill_chunk_tokens});
  return OpenSession{std::move(model), std::move(session)};
}

}  // namespace poplens::cli
