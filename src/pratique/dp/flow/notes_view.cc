#include "pratique/dp/flow/notes_view.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/dp/flow/budget.h"
#include "pratique/dp/flow/synthesize.h"

namespace pratique::dp::flow {
namespace {

const std::vector<std::string>& domains_of_views() {
  static const std::vector<std::string> kDomains = {
      "age=0..119:10", "sex=F|M", "zip=0..99999:10000", "first_date=1930-01-01..2049-12-31:year"};
  return kDomains;
}

}  // namespace

Outcome synthesize_notes_view(const NotesViewRequest& request, const Run& run) {
  for (const auto& other : {request.view.out, request.ledger, request.view.input.path}) {
    if (std::filesystem::weakly_canonical(other) != std::filesystem::weakly_canonical(request.out))
      continue;  // neither has to exist yet
    throw Error::input("the synthetic table would replace another file of this run")
        .at(request.out)
        .hint("Choose another name with --out.");
  }
  notes::flow::ViewRequest keyed = request.view;
  keyed.keyed = true;
  const Outcome viewed = notes::flow::view(keyed, run);
  if (!viewed.passed) {
    throw Error::check("no note could be read, so there is nothing to release")
        .at(keyed.input.path)
        .hint("notes tag lists what is wrong with each.");
  }
  OpenRequest budget;
  budget.ledger = request.ledger;
  budget.data = keyed.out;
  budget.epsilon = request.epsilon;
  budget.delta = request.delta;
  budget.rows_are_people = true;
  const Outcome opened = open(budget, run);
  SynthesizeRequest synthetic;
  synthetic.ledger = request.ledger;
  synthetic.domains = request.domains.empty() ? domains_of_views() : request.domains;
  synthetic.epsilon = request.epsilon;
  synthetic.delta = request.delta;
  synthetic.insecure_seed = request.insecure_seed;
  synthetic.out = request.out;
  // The notes are no input of the table, the view is: nor are they named in its manifest.
  Run of_view = run;
  of_view.command = {"notes", "synthesize"};
  of_view.options = Json{{"epsilon", request.epsilon}, {"delta", request.delta}};
  const Outcome released = synthesize(synthetic, of_view);
  // How many persons and notes there are is the steward's to know: it is told here, and is in no
  // manifest.
  return {Json{{"persons", viewed.result->at("persons")},
               {"notes", viewed.result->at("notes")},
               {"rejected", viewed.result->at("rejected")},
               {"budget", *opened.result},
               {"synthetic", *released.result},
               {"view", keyed.out},
               {"out", request.out}},
          released.passed};
}

}  // namespace pratique::dp::flow
