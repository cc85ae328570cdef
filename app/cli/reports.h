// Engine values as the JSON that the command line promises, and as text for people.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/session/session.h"

namespace poplens::cli {

// {"layers": […], "boundary": "text", …}
nlohmann::ordered_json plan_report(const PopPlan& plan);
// {"image_decode": ms, …, "first_token": ms}
nlohmann::ordered_json stages_report(const StageTimes& stages);
// Rows that each layer saw: {"full": [layers], "kv_only": [layers]}
nlohmann::ordered_json rows_report(const PrefillTrace& trace);
// Every key of `generate`.
nlohmann::ordered_json answer_report(const Answer& answer, const Backend& backend);

// "layers 16-23 pruned, boundary text (12 tokens)"
std::string describe_plan(const Answer& answer);
// "120.3 ms"
std::string format_ms(double ms);

}  // namespace poplens::cli
