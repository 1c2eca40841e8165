#include "pratique/notes/release/note_sequence.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "pratique/notes/format/json_lines.h"
#include "pratique/verify/text_identifiers.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

constexpr std::size_t kShingle = 3;  // words
constexpr double kSameNote = 0.3;    // share of the shingles
constexpr const char* kRemoved = "identifiers-removed";

struct SeenNote {
  std::string id;
  std::vector<std::uint64_t> shingles;
  bool leaks = false;  // of the types that the added release removed
};

const Json* claim_of_notes(const release::ReleaseFile& file) {
  for (const auto& claim : *file.manifest().claims) {
    if (claim.value("model", "") == kRemoved) return &claim;
  }
  return nullptr;
}

// Hashes of all runs of three words of small letters; tags and numbers stand between runs.
std::vector<std::uint64_t> shingles_of(std::string_view text) {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> run;
  for (std::size_t at = 0; at < text.size();) {
    const auto is_small = [&](std::size_t i) { return text[i] >= 'a' && text[i] <= 'z'; };
    if (!is_small(at)) {
      if (text[at] == '*' || (text[at] >= '0' && text[at] <= '9')) run.clear();
      if (text[at] >= 'A' && text[at] <= 'Z') {
        run.clear();
        while (at < text.size() && ((text[at] >= 'A' && text[at] <= 'Z') || is_small(at))) ++at;
      } else {
        ++at;
      }
      continue;
    }
    const std::size_t start = at;
    while (at < text.size() && is_small(at)) ++at;
    run.push_back(words::hash_of(text.substr(start, at - start)));
    if (run.size() < kShingle) continue;
    std::uint64_t hash = 0;
    for (std::size_t i = run.size() - kShingle; i < run.size(); ++i)
      hash = hash * 0x9E3779B97F4A7C15ULL + run[i];
    hashes.push_back(hash);
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

std::vector<SeenNote> seen_notes(const std::string& path, const std::vector<std::string>& types,
                                 bool surrogates, Progress& progress) {
  std::vector<SeenNote> all;
  read_note_lines(
      path, true,
      [&](NoteFile&& file) {
        for (const Note& note : file.notes) {
          const auto identifiers = verify::identifiers_in_note(note.text, surrogates);
          const bool leaks =
              std::any_of(identifiers.begin(), identifiers.end(), [&](const auto& f) {
                return std::find(types.begin(), types.end(), f.type) != types.end();
              });
          all.push_back({note.id, shingles_of(note.text), leaks});
        }
      },
      progress);
  return all;
}

// The earlier note that is the same one; none where no text is like it.
const SeenNote* same_note(const SeenNote& note, const std::vector<SeenNote>& earlier,
                          const std::unordered_map<std::string, std::size_t>& by_id,
                          const std::unordered_multimap<std::uint64_t, std::size_t>& by_shingle) {
  if (const auto same = by_id.find(note.id); same != by_id.end()) return &earlier[same->second];
  std::unordered_map<std::size_t, std::size_t> votes;
  for (const auto hash : note.shingles) {
    const auto [begin, end] = by_shingle.equal_range(hash);
    // What many notes have in common tells nothing.
    if (std::distance(begin, end) > 8) continue;
    for (auto at = begin; at != end; ++at) ++votes[at->second];
  }
  const SeenNote* best = nullptr;
  std::size_t most = 0;
  for (const auto& [index, count] : votes) {
    if (count > most) {
      most = count;
      best = &earlier[index];
    }
  }
  const bool same =
      !note.shingles.empty() &&
      static_cast<double>(most) >= kSameNote * static_cast<double>(note.shingles.size());
  return same ? best : nullptr;
}

}  // namespace

release::SequenceRevealed attack_notes(Engine& /*engine*/, const release::SequenceRequest& request,
                                       Progress& progress) {
  release::SequenceRevealed revealed;
  const Json* claim = claim_of_notes(request.added);
  if (claim == nullptr) {
    revealed.why_not = "it does not claim which identifiers were removed";
    return revealed;
  }
  const auto types = claim->at("types").get<std::vector<std::string>>();
  const auto added =
      seen_notes(request.added.path, types, claim->value("surrogates", false), progress);
  if (added.empty()) {
    revealed.why_not = "it has no notes";
    return revealed;
  }
  std::vector<bool> disclosed(added.size());
  std::uint64_t alone = 0;
  for (std::size_t i = 0; i < added.size(); ++i) {
    disclosed[i] = added[i].leaks;
    alone += added[i].leaks ? 1 : 0;
  }
  revealed.releases = 1;
  for (const auto& file : request.earlier) {
    const Json* then = claim_of_notes(file);
    if (then == nullptr) {
      release::leave_out(revealed, file.sha256(), "it does not claim what was removed");
      continue;
    }
    ++revealed.releases;
    const auto earlier = seen_notes(file.path, types, then->value("surrogates", false), progress);
    std::unordered_map<std::string, std::size_t> by_id;
    std::unordered_multimap<std::uint64_t, std::size_t> by_shingle;
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      by_id.emplace(earlier[i].id, i);
      for (const auto hash : earlier[i].shingles) by_shingle.emplace(hash, i);
    }
    for (std::size_t i = 0; i < added.size(); ++i) {
      const SeenNote* same = same_note(added[i], earlier, by_id, by_shingle);
      if (same == nullptr) continue;
      revealed.rows_link = true;
      disclosed[i] = disclosed[i] || same->leaks;
    }
  }
  const auto all = static_cast<double>(added.size());
  revealed.attacked = true;
  revealed.people = added.size();
  revealed.located = 1;
  release::AttributeRevealed attribute{.sensitive = "identifiers"};
  attribute.releases = revealed.releases;
  attribute.disclosed_alone = static_cast<double>(alone) / all;
  attribute.disclosed =
      static_cast<double>(std::count(disclosed.begin(), disclosed.end(), true)) / all;
  revealed.attributes.push_back(attribute);
  return revealed;
}

}  // namespace pratique::notes
