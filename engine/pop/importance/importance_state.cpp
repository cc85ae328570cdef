#include "engine/pop/importance/importance_state.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "engine/base/write_file.h"

namespace poplens {
namespace {

Result<ImportanceJob> read_job(const JsonObject& object) {
  ImportanceJob job;
  POPLENS_TRY(model_object, object.object("model"));
  POPLENS_TRY(model, read_fingerprint(model_object));
  POPLENS_TRY(data, object.text("data"));
  POPLENS_TRY(samples, object.integer("samples", 1, int64_t{1} << 40));
  POPLENS_TRY(labels, object.text("labels"));
  POPLENS_TRY(seed, object.text("seed"));
  POPLENS_TRY(ablation, object.boolean("ablation"));
  job = {std::move(model), std::move(data), samples, std::move(labels), 0, ablation};
  // As a text: seeds take all 64 bits, which JSON readers need not keep.
  job.seed = std::strtoull(seed.c_str(), nullptr, 10);
  return job;
}

}  // namespace

Result<void> save_state(const std::filesystem::path& path, const ImportanceState& state) {
  const ImportanceJob& job = state.job;
  const nlohmann::ordered_json document = {{"job",
                                            {{"model", to_json(job.model)},
                                             {"data", job.data},
                                             {"samples", job.samples},
                                             {"labels", job.labels},
                                             {"seed", std::to_string(job.seed)},
                                             {"ablation", job.ablation}}},
                                           {"sums", state.sums.to_json()}};
  return write_file(path, document.dump() + "\n");
}

Result<ImportanceState> load_state(const std::filesystem::path& path, const ImportanceJob& job) {
  const auto read = read_json_file(path);
  if (!read.ok() || !read->has("job") || !read->has("sums")) {
    return Error{path.string() +
                 ": is not what an interrupted measurement leaves; remove it, or write the profile elsewhere"};
  }
  const JsonObject& file = *read;
  POPLENS_TRY(job_object, file.object("job"));
  POPLENS_TRY(kept, read_job(job_object));
  if (!(kept == job)) {
    return Error{
        path.string() +
        ": a measurement that was interrupted with another model, data file or options; repeat those, or remove "
        "the file"};
  }
  POPLENS_TRY(sums_object, file.object("sums"));
  POPLENS_TRY(sums, ImportanceSums::from_json(sums_object, static_cast<int>(job.model.layers)));
  if (sums.samples() > job.samples) return Error{path.string() + ": more samples done than there are"};
  if (sums.samples() > 0 && !sums.complete(job.ablation)) {
    return Error{path.string() + ": lacks measured losses of its samples; remove it to begin anew"};
  }
  return ImportanceState{job, std::move(sums)};
}

}  // namespace poplens
