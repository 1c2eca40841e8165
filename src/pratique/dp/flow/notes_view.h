// The identifier view of notes (HIDE) released under differential privacy in one step: notes are
// linked by their patients, the view is written for its owner alone, a budget is opened on it, and
// a synthetic table is made of it. Removing all notes of a patient removes one row of the view and
// changes no other, because every note has to name its patient.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/notes/flow/view.h"

namespace pratique::dp::flow {

struct NotesViewRequest {
  notes::flow::ViewRequest view;  // out: the view, private
  std::string ledger;             // of the budget that is opened on the view
  double epsilon = 1;
  double delta = 1e-6;
  std::vector<std::string> domains;  // of columns of the view, in place of those below
  std::optional<std::uint64_t> insecure_seed = {};
  std::string out;
};
// Domains are declared here, without looking at the data: age in tens, sex, ZIP by its first digit,
// the year of the first date. JSON keys: persons, notes, synthetic (of dp synthesize), budget (of
// dp open), view, out. All of epsilon is spent.
[[nodiscard]] Outcome synthesize_notes_view(const NotesViewRequest& request, const Run& run);

}  // namespace pratique::dp::flow
