#include "pratique/trails/flow/verify.h"

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/trails/format/reader.h"
#include "pratique/verify/unlinkability.h"

namespace pratique::trails::flow {
namespace {

verify::UnlinkabilityQuestion question_of(const VerifyRequest& request, const Run& run) {
  const auto list = [&](const std::string& path, const std::vector<std::string>& element) {
    return verify::TrailList{.path = path,
                             .location_column = request.trails.location,
                             .element_columns = element.empty() ? request.trails.element : element,
                             .csv = run.csv};
  };
  verify::UnlinkabilityQuestion question;
  question.identified = list(request.trails.identified, request.trails.identified_element);
  question.deidentified = list(request.trails.deidentified, request.trails.deidentified_element);
  question.k = request.k;
  if (request.trails.reserved == "deidentified")
    question.reserved = verify::ReservedSide::deidentified;
  if (request.trails.reserved == "identified") question.reserved = verify::ReservedSide::identified;
  if (request.trails.reserved == "none") question.reserved = verify::ReservedSide::none;
  if (request.trails.reserved == "both") question.reserved = verify::ReservedSide::both;
  if (request.view == "central") question.view = verify::TrailView::central;
  if (request.view == "contributor") question.view = verify::TrailView::contributor;
  if (request.coalition) {
    if (question.view == verify::TrailView::central) {
      throw Error::input("--coalition is about locations, not about the third party")
          .hint("Leave --view out, or say --view contributor.");
    }
    question.view = verify::TrailView::contributor;
    question.coalition = *request.coalition;
  }
  if (!request.submitted.empty())
    question.submitted = list(request.submitted, request.trails.deidentified_element);
  if (!request.submitted_identified.empty()) {
    question.submitted_identified =
        list(request.submitted_identified, request.trails.identified_element);
  }
  question.truth = request.truth;
  return question;
}

}  // namespace

Outcome verify_lists(const VerifyRequest& request, const Run& run) {
  const auto verdict =
      verify::verify_unlinkability(run.engine, question_of(request, run), run.progress);
  Json result = verify::to_json(verdict);
  const auto others =
      count_other_spellings(run.engine, request.trails.identified_side(run), run.progress);
  const auto of_samples =
      count_other_spellings(run.engine, request.trails.deidentified_side(run), run.progress);
  result["spellings_joined"] = others;
  result["samples_joined"] = of_samples;
  if (others + of_samples > 0 && verdict.tried())
    result["note"] = note_of_spellings(others, of_samples);
  return {result, verdict.holds()};
}

}  // namespace pratique::trails::flow
