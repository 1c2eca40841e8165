#include "pratique/notes/model/detect.h"

#include <malloc.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/notes/model/internal/features.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

std::string_view& default_model_bytes() {
  static std::string_view bytes;
  return bytes;
}

std::shared_ptr<const Tagger> default_model() {
  if (default_model_bytes().empty()) return nullptr;
  static const auto model = std::make_shared<const Tagger>(
      Tagger::parse(default_model_bytes(), "the default model of notes"));
  return model;
}

// Nothing but English and medical words, eponyms and peoples: African-American, Guillain-Barre.
bool is_plain(std::string_view text) {
  const auto is_letter = [&](std::size_t i) {
    const auto c = static_cast<unsigned char>(text[i]);
    return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    while (at < text.size() && is_letter(at)) ++at;
    if (at == start) {
      if (text[at] >= '0' && text[at] <= '9') return false;
      ++at;
      continue;
    }
    any = true;
    // Humphrey, Denver: the rules know where these are people and places, generated notes do not.
    const auto kinds = words::kinds_of(text.substr(start, at - start));
    // Holliday-Segar: one eponym makes two.
    if ((kinds & words::kEponym) != 0 && (kinds & words::kFrequent) == 0 && at < text.size() &&
        text[at] == '-')
      return true;
    if (!is_plain_kind(kinds) && (kinds & words::kEponym) == 0 && at - start > 2) return false;
  }
  return any;
}

bool is_followed_by_number(std::string_view text, std::size_t end) {
  return end + 1 < text.size() && text[end] == ' ' && text[end + 1] >= '0' && text[end + 1] <= '9';
}

}  // namespace

void provide_default_model(std::string_view bytes) { default_model_bytes() = bytes; }

Detectors Detectors::with(double certainty, const std::string& model_path,
                          std::optional<double> recall) {
  // Every note takes a little memory and gives it back; to hand it to the system and ask for it
  // again each time was a fifth of all that finding costs.
  constexpr int kKeptAtHand = 1 << 20;
  mallopt(M_TOP_PAD, kKeptAtHand);
  Detectors detectors;
  detectors.certainty = certainty;
  if (model_path.empty()) {
    detectors.model = default_model();
    detectors.model_adds = kDefaultModelAdds;
  } else if (model_path != "none") {
    detectors.model = std::make_shared<const Tagger>(Tagger::read(model_path));
  }
  if (!recall) return detectors;
  if (!detectors.model) {
    throw Error::input("only a model tells which certainty finds so much")
        .at("--recall")
        .hint("Leave out --model none, or use --certainty.");
  }
  // It never finds less than without: the notes it was calibrated on may be easier than these.
  const RecallAt chosen = detectors.model->threshold_for(*recall, certainty);
  detectors.certainty = chosen.certainty;
  detectors.recall_calibrated = chosen.recall;
  return detectors;
}

std::vector<Span> Detectors::find(std::string_view text, const KnownIdentifiers* known) const {
  auto candidates = find_candidates(text, known);
  std::vector<Span> told;
  // What it may not add it need not look for.
  if (model) told = model->tag(text, candidates, model_adds > 0 ? Lines::open : Lines::all);
  auto kept = settled(text, std::move(candidates), certainty);
  // It adds what nobody else found. The words of medicine and of everyday that it was never shown
  // are protected from a model that knows generated notes alone.
  const std::size_t others = kept.size();
  std::size_t from = 0;
  for (auto& span : told) {
    if (span.certainty < std::max(certainty, model_adds)) continue;
    if (model_adds > 0 && is_plain(text.substr(span.start, span.end - span.start))) continue;
    // Bush-Francis 18: a scale.
    if (model_adds > 0 && span.type == "name" && is_followed_by_number(text, span.end)) continue;
    while (from < others && kept[from].end <= span.start) ++from;
    if (from == others || kept[from].start >= span.end) kept.push_back(std::move(span));
  }
  std::sort(kept.begin(), kept.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
  return kept;
}

}  // namespace pratique::notes
