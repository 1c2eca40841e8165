// `notes protect`: identifiers are found, what the mode says goes (replace/replacer.h), the
// verifier's own detector looks for what is left, and the release is published: notes as JSON lines
// {"id", "patient"?, "text"} under pseudonyms, in an order that tells nothing.
//
// Names that are certain in one note of a patient are looked for in all of them, and so is what the
// patient's record says (--record), until a pass finds nothing new. Spans that somebody marked in
// the input are taken for granted, and used to tell how many of them finding would have missed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/notes/format/note_input.h"
#include "pratique/notes/model/detect.h"

namespace pratique::notes::flow {

struct ProtectRequest {
  NoteInput input = {};
  std::string record = {};  // a table of patients: patient, name, mrn, phone, ...
  std::string mode = "full";
  std::string replace = "tags";
  std::vector<std::string> also = {};
  std::vector<std::string> only = {};
  bool origin = false;  // of names stays, which tells where somebody's family is from
  std::string key = {};
  std::string model = {};
  double certainty = kDefaultCertainty;
  std::optional<double> recall = {};
  std::uint64_t k = 5;  // of statistical
  std::uint64_t l = 1;
  std::string out = {};
};
// JSON keys: notes, released, rejected[], replaced, by_type, second_look, patients, before and
// after (leaks, notes_with_leaks: what the verifier's detector finds), finding (marked, missed,
// miss_rate, miss_rate_at_most, confidence; where spans were marked), key_fingerprint, out.
[[nodiscard]] Outcome protect(const ProtectRequest& request, const Run& run);

}  // namespace pratique::notes::flow
