#include "pratique/genomes/release/sequence.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/genomes/format/fasta.h"
#include "pratique/genomes/format/inflated.h"
#include "pratique/genomes/release/frequency_sequence.h"

namespace pratique::release {
namespace {

using genomes::Letter;
using genomes::Sequence;

bool claims_model(const ReleaseFile& file, std::string_view model) {
  const Json& claims = *file.manifest().claims;
  return std::any_of(claims.begin(), claims.end(),
                     [&](const Json& claim) { return claim.value("model", "") == model; });
}
bool claims_bins(const ReleaseFile& file) { return claims_model(file, "snp-bins"); }
bool claims_equal_sequences(const ReleaseFile& file) {
  return claims_model(file, "sequence-anonymity") || claims_bins(file);
}
// How many sequences each claims to be among.
std::uint64_t promised_by(const ReleaseFile& file) {
  if (!claims_bins(file)) return file.k();
  std::uint64_t across = 1;
  for (const auto& claim : *file.manifest().claims)
    across = std::max(across, claim.value("across", std::uint64_t{1}));
  return across;
}

// Whether a released letter may stand for a person's. Where it was made from another original, a
// letter of the person's that is not certain may have been any of its bases there.
enum class MadeFrom { this_original, another };
bool may_stand_for(Letter released, Letter own, MadeFrom from) {
  if (genomes::covers(released, own)) return true;
  return from == MadeFrom::another && genomes::level(own) > 0 && released != genomes::kGap &&
         (released & own) != 0;
}

// Whether the released letters may be the person's: each stands for one of theirs, in order, and N
// also for none.
bool may_be(const Sequence& released, const Sequence& person, MadeFrom from) {
  if (released.size() < person.size()) return false;
  const std::size_t left_out = released.size() - person.size();
  // reached[s]: with s letters of the release left out so far.
  std::vector<bool> reached(left_out + 1, false);
  reached[0] = true;
  for (std::size_t i = 0; i < released.size(); ++i) {
    bool any = false;
    for (std::size_t s = std::min(i, left_out) + 1; s-- > 0;) {
      if (!reached[s]) continue;
      if (s < left_out && released[i] == genomes::kAnyBase) reached[s + 1] = true;
      const std::size_t at = i - s;
      reached[s] = at < person.size() && may_stand_for(released[i], person[at], from);
      any = any || reached[s] || (s < left_out && reached[s + 1]);
    }
    if (!any) return false;
  }
  return reached[left_out];
}

// Different sequences of a release, and how often each stands there.
struct Entries {
  std::vector<Sequence> letters;
  std::vector<std::uint64_t> times;
};

Entries entries_in(const std::string& name, const std::string& text) {
  std::map<Sequence, std::uint64_t> counts;
  for (auto& sequence : genomes::parse_fasta(name, text).sequences) ++counts[sequence];
  Entries entries;
  for (const auto& [letters, times] : counts) {
    entries.letters.push_back(letters);
    entries.times.push_back(times);
  }
  return entries;
}

// People as whole sequences, and as the SNPs that a release of bins has of them.
struct People {
  std::vector<Sequence> letters;
  std::vector<Sequence> snps;  // empty where the original is not aligned
};

People people_in(const Source& original, Engine& engine, Progress& progress) {
  const genomes::SequenceSet read = genomes::parse_fasta(
      original.name, genomes::inflated_text(original.name, engine.read_text(original, progress)));
  People people;
  for (const auto& sequence : read.sequences)
    people.letters.push_back(genomes::without_gaps(sequence));
  if (!read.aligned()) return people;
  const auto columns = genomes::variable_regions(read.sequences);
  for (const auto& sequence : read.sequences) {
    Sequence snps;
    for (const std::uint32_t column : columns) snps.push_back(sequence[column]);
    people.snps.push_back(std::move(snps));
  }
  return people;
}

bool same_length(const Entries& entries, const std::vector<Sequence>& people) {
  return !people.empty() && !entries.letters.empty() &&
         entries.letters.front().size() == people.front().size();
}

// Gives everybody an entry that stands for them, as far as there are entries (augmenting paths).
class Assignment {
 public:
  Assignment(const Entries& entries, const std::vector<Sequence>& people, MadeFrom from,
             Progress& progress)
      : entries_(entries), fits_(people.size()), holders_(entries.letters.size()) {
    for (std::size_t p = 0; p < people.size(); ++p) {
      for (std::size_t e = 0; e < entries.letters.size(); ++e) {
        if (may_be(entries.letters[e], people[p], from)) fits_[p].push_back(e);
      }
      progress.advance(1);
    }
    of_person.assign(people.size(), std::nullopt);
    for (std::size_t p = 0; p < people.size(); ++p) {
      std::vector<bool> seen(entries.letters.size(), false);
      (void)place(p, seen);
    }
  }

  std::vector<std::optional<std::size_t>> of_person;
  [[nodiscard]] std::uint64_t candidates(std::size_t person) const {
    std::uint64_t count = 0;
    for (const std::size_t e : fits_[person]) count += entries_.times[e];
    return count;
  }

 private:
  bool place(std::size_t person, std::vector<bool>& seen) {
    for (const std::size_t e : fits_[person]) {
      if (seen[e]) continue;
      seen[e] = true;
      if (holders_[e].size() < entries_.times[e]) {
        holders_[e].push_back(person);
        of_person[person] = e;
        return true;
      }
      for (std::size_t& holder : holders_[e]) {
        const std::size_t other = holder;
        if (!place(other, seen)) continue;
        holder = person;
        of_person[person] = e;
        return true;
      }
    }
    return false;
  }

  const Entries& entries_;
  std::vector<std::vector<std::size_t>> fits_;
  std::vector<std::vector<std::size_t>> holders_;
};

// Whether so few were found in a release that nothing was compared.
constexpr const char* kHardlyAny = "hardly any of its sequences may be of people of the added one";
bool hardly_any(const std::vector<std::optional<std::size_t>>& of_person, const Entries& entries) {
  constexpr std::uint64_t kOneIn = 10;
  const auto nowhere = std::count(of_person.begin(), of_person.end(), std::nullopt);
  const auto placed = of_person.size() - static_cast<std::uint64_t>(nowhere);
  const auto all = std::accumulate(entries.times.begin(), entries.times.end(), std::uint64_t{0});
  return kOneIn * placed < std::min<std::uint64_t>(of_person.size(), all);
}

}  // namespace

SequenceRevealed attack_genomes(Engine& engine, const SequenceRequest& request,
                                Progress& progress) {
  if (shows_frequencies(request.added)) return attack_frequencies(engine, request, progress);
  SequenceRevealed revealed;
  if (!claims_equal_sequences(request.added)) {
    revealed.why_not =
        "only sequences that claim to be equal among k, and frequencies, are attacked together";
    return revealed;
  }
  const auto original = request.added.open_original(engine, progress);
  if (!original) {
    revealed.why_not = "the original sequences are not at hand";
    return revealed;
  }
  const People known = people_in(*original, engine, progress);
  const auto& people = known.letters;
  if (claims_bins(request.added) && known.snps.empty()) {
    revealed.why_not = "the original is not aligned: which columns were released is not known";
    return revealed;
  }
  progress.begin("looking for people in all releases",
                 people.size() * (request.earlier.size() + 1));
  const auto assign = [&](const Entries& entries, bool bins) {
    return Assignment(entries, bins ? known.snps : people, MadeFrom::another, progress).of_person;
  };
  const Source added = open_release(engine, request.added, progress);
  const Entries added_entries = entries_in(added.name, engine.read_text(added, progress));
  std::vector<std::vector<std::optional<std::size_t>>> cells;
  const Assignment alone(added_entries, claims_bins(request.added) ? known.snps : people,
                         MadeFrom::this_original, progress);
  cells.push_back(alone.of_person);
  revealed.promised_k = promised_by(request.added);
  for (const auto& file : request.earlier) {
    if (!claims_equal_sequences(file)) {
      leave_out(revealed, file.sha256(), "it does not claim that sequences are equal among k");
      continue;
    }
    const Source source = open_release(engine, file, progress);
    const Entries entries = entries_in(source.name, engine.read_text(source, progress));
    if (claims_bins(file) && !same_length(entries, known.snps)) {
      leave_out(revealed, file.sha256(), "its SNPs are not those of this original");
      continue;
    }
    auto of_person = assign(entries, claims_bins(file));
    if (hardly_any(of_person, entries)) {
      leave_out(revealed, file.sha256(), kHardlyAny);
      continue;
    }
    cells.push_back(std::move(of_person));
    revealed.promised_k = std::min(revealed.promised_k, promised_by(file));
  }
  for (const auto& path : request.known) {
    const Source source = engine.open_sets(path, progress);
    const Entries entries = entries_in(source.name, engine.read_text(source, progress));
    auto of_person = assign(entries, false);
    if (hardly_any(of_person, entries)) {
      leave_out(revealed, engine.identify(path).sha256, kHardlyAny);
      continue;
    }
    cells.push_back(std::move(of_person));
  }

  std::map<std::vector<std::optional<std::size_t>>, std::uint64_t> joint;
  const auto cell_of = [&](std::size_t person) {
    std::vector<std::optional<std::size_t>> cell;
    for (const auto& release : cells) cell.push_back(release[person]);
    return cell;
  };
  std::uint64_t located = 0;
  for (std::size_t p = 0; p < people.size(); ++p) {
    ++joint[cell_of(p)];
    located += std::all_of(cells.begin(), cells.end(),
                           [&](const auto& release) { return release[p].has_value(); })
                   ? 1
                   : 0;
  }
  revealed.attacked = true;
  revealed.people = people.size();
  revealed.releases = cells.size();
  const auto share = [&](std::uint64_t count) {
    return people.empty() ? 0 : static_cast<double>(count) / static_cast<double>(people.size());
  };
  revealed.located = share(located);
  std::uint64_t single = 0;
  std::uint64_t under = 0;
  revealed.k_across = people.size();
  revealed.k_alone = people.size();
  for (std::size_t p = 0; p < people.size(); ++p) {
    const std::uint64_t together = joint[cell_of(p)];
    if (!alone.of_person[p]) continue;
    single += together == 1 ? 1 : 0;
    under += together < revealed.promised_k ? 1 : 0;
    revealed.k_across = std::min(revealed.k_across, together);
    revealed.k_alone = std::min(revealed.k_alone, alone.candidates(p));
  }
  revealed.under_k = share(under);
  revealed.rows_link = revealed.releases > 1;  // by letters that go together
  revealed.k_counts = true;
  revealed.attributes.push_back({.sensitive = "sequence",
                                 .releases = revealed.releases,
                                 .disclosed_alone = 0,
                                 .disclosed = share(single),
                                 .vulnerable = share(under),
                                 .values_left = static_cast<double>(joint.size())});
  return revealed;
}

}  // namespace pratique::release
