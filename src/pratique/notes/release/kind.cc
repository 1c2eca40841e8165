#include "pratique/notes/release/kind.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "pratique/notes/release/note_sequence.h"

namespace pratique::notes {
namespace {

constexpr auto kNoteFigures = std::to_array<Figure>({
    {"notes", "notes read"},
    {"released", "notes released"},
    {"patients", "patients with notes"},
    {"replaced", "identifiers replaced"},
    {"by_type", "by type", Unit::number, {}, true},
    {"second_look", "of these, found by the verifier's rules alone"},
    {"leaks", "identifiers that the verifier's rules find"},
    {"notes_with_leaks", "notes in which they find any"},
    {"marked", "identifiers that somebody marked"},
    {"missed", "of these, missed by finding"},
    {"miss_rate", "share of identifiers missed", Unit::share},
    {"miss_rate_at_most", "share of identifiers missed, at most", Unit::share},
    {"confidence", "confidence of that", Unit::share},
    {"reidentified", "patients whom what is left tells apart", Unit::people},
    {"k", "least patients alike by the view"},
    {"withheld", "notes withheld: too few people are alike"},
});

constexpr std::array<std::string_view, 5> kToldOfNotes = {"released", "patients", "after",
                                                          "finding", "k"};

constexpr std::array<release::ModelWords, 2> kNoteModels = {{
    {"identifiers-removed", "no identifiers that a shape gives away",
     "No released text has numbers, dates or addresses of the named types, nor names behind a "
     "title, that the rules of the verifier recognise; ids are pseudonyms.",
     "Names and places that nothing announces cannot be found without knowing them: how many "
     "finding missed is tested on marked text, where there is any, and nowhere else known. What a "
     "story tells by itself stays."},
    {"view-k-anonymity", "k-anonymity of the view",
     "At least k patients share what the view of them (age, sex, place, dates) says.",
     "It is the view that is k-anonymous, never the text: what finding missed and what a story "
     "tells by itself is not in it."},
}};

constexpr std::array<release::FileOption, 2> kNoteFileOptions = {
    {{"record"}, {"model", [](const std::string& value) { return value == "none"; }}}};

release::Likeness recognise_notes(std::string_view name, std::string_view beginning) {
  const bool lines = name.ends_with(".jsonl") || name.ends_with(".ndjson");
  return lines && beginning.find("\"text\"") != std::string_view::npos ? release::Likeness::is
                                                                       : release::Likeness::none;
}

void describe_notes(release::PageContext& context) {
  release::add_facts(context, {"notes", "released", "patients", "replaced", "second_look"});
  const Json& results = *context.manifest.results;
  if (!results.contains("finding")) {
    context.report.remarks.emplace_back(
        "Nobody marked identifiers in the input, so how many were missed is not known.");
  }
  const Json& parameters = *context.manifest.parameters;
  if (!parameters.contains("key_fingerprint")) context.report.repeatable = false;
}

}  // namespace

std::span<const Figure> figures() { return kNoteFigures; }
std::span<const std::string_view> told_results() { return kToldOfNotes; }

release::Kind kind() {
  return {.noun = "notes",
          .title = "clinical text",
          .adversary = "Somebody reads every released note and looks for names, numbers and dates.",
          .file_kind = "notes",
          .recognise = recognise_notes,
          .figures = kNoteFigures,
          .models = kNoteModels,
          .file_options = kNoteFileOptions,
          .describe = describe_notes,
          .attack_sequence = attack_notes};
}

}  // namespace pratique::notes
