#include <nlohmann/json.hpp>

#include "command.h"
#include "pratique/verify/unlinkability.h"
#include "trail_options.h"
#include "trails_verbs.h"

namespace pratique::app {
namespace {

struct VerifyOptions {
  TrailOptions trails;
  std::uint64_t k = 2;
  std::string view = "external";
  std::string submitted;
  std::string truth;

  [[nodiscard]] verify::UnlinkabilityQuestion question(const Session& session) const {
    const auto list = [&](const std::string& path, const std::vector<std::string>& element) {
      return verify::TrailList{.path = path,
                               .location_column = trails.location,
                               .element_columns = element.empty() ? trails.element : element,
                               .csv = session.csv_options()};
    };
    verify::UnlinkabilityQuestion question;
    question.identified = list(trails.identified, trails.identified_element);
    question.deidentified = list(trails.deidentified, trails.deidentified_element);
    question.k = k;
    if (trails.reserved == "deidentified") question.reserved = verify::ReservedSide::deidentified;
    if (trails.reserved == "identified") question.reserved = verify::ReservedSide::identified;
    if (trails.reserved == "none") question.reserved = verify::ReservedSide::none;
    if (view == "central") question.view = verify::TrailView::central;
    if (view == "contributor") question.view = verify::TrailView::contributor;
    if (!submitted.empty()) question.submitted = list(submitted, trails.deidentified_element);
    question.truth = truth;
    return question;
  }
};

}  // namespace

void add_trails_verify(CommandLine& program, Session& session) {
  auto options = std::make_shared<VerifyOptions>();
  Verb& verb = program.add("trails", "verify",
                           "Decide from the published lists whether they are k-unlinkable",
                           [options, &session] {
                             const auto result = verify::verify_unlinkability(
                                 session.engine(), options->question(session), session.progress);
                             session.print(verify::to_json(result));
                             return result.holds() ? 0 : 1;
                           });
  options->trails.add(verb);
  verb.whole_number("k", &options->k, 1, std::uint64_t{1} << 32U,
                    "how many partners every element must have")
      .require();
  verb.choice("view", &options->view, {"external", "central", "contributor"},
              "who links: external (who has the published lists), central (the third party that "
              "chose what is published) or contributor (each location)");
  verb.file_read("submitted", &options->submitted,
                 "the samples of each location before some were withheld, for the other two views");
  verb.file_read("truth", &options->truth,
                 "CSV with columns deidentified,identified: makes the view contributor exact");
}

}  // namespace pratique::app
