#include "pratique/genomes/release/frequency_sequence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/genomes/attack/frequency_difference.h"

namespace pratique::release {
namespace {

using genomes::FrequencyTable;
using genomes::GenotypeSet;
using genomes::ShownGroup;

const Json* frequency_claim(const ReleaseFile& file) {
  for (const auto& claim : *file.manifest().claims) {
    const std::string model = claim.value("model", "");
    if (model == "rounded-frequencies" || model == "association-statistics" ||
        model == "noisy-frequencies")
      return &claim;
  }
  return nullptr;
}

// A released table with the people whom it was made from.
struct FrequencyFile {
  std::unique_ptr<GenotypeSet> people = {};
  std::map<std::string, FrequencyTable> shown = {};  // by group
  std::map<std::string, std::vector<bool>> counted = {};
  std::map<std::string, genomes::ListRule> listed = {};
  double step = 0;
  double noise_variance = 0;
  std::string why_not = {};  // it cannot be attacked

  [[nodiscard]] ShownGroup group(const std::string& name) const {
    const auto rule = listed.find(name);
    return {.shown = &shown.at(name),
            .step = step,
            .noise_variance = noise_variance,
            .people = people.get(),
            .counted = counted.at(name),
            .listed = rule == listed.end() ? genomes::ListRule{} : rule->second};
  }
};

FrequencyTable shown_in(const Table& table, std::size_t column) {
  FrequencyTable shown;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t c) { return table.columns[c].text(row); };
    if (!is_number(cell(1)) || !is_number(cell(column)))
      throw Error::check("a row of the release is no frequency of a variant");
    shown.set({.chrom = std::string(cell(0)),
               .position = static_cast<std::int64_t>(to_double(cell(1))),
               .reference = std::string(cell(2)),
               .alternative = std::string(cell(3))},
              to_double(cell(column)));
  }
  return shown;
}

// What its options say of the variants that it lists. Calls are of each group whose frequencies
// leave, carriers of the whole file.
void take_list_rules(const ReleaseFile& file, FrequencyFile& read) {
  const Json& options = *file.manifest().options;
  const auto number = [&](const char* name) {
    const auto found = options.find(name);
    return found != options.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  };
  const bool statistics = read.shown.contains("cases");
  const std::uint64_t drawn = number("snps");
  for (const auto& [group, shown] : read.shown) {
    const auto& counted = read.counted.at(group);
    read.listed[group] = {
        .all = drawn == 0 || shown.by_variant.size() < drawn,
        .whole = std::find(counted.begin(), counted.end(), false) == counted.end(),
        .carriers = number("carriers"),
        .calls = statistics && group == "frequency" ? 0 : number("fewest")};
  }
}

// Cases and controls by the table that the release was made with.
void take_groups(Engine& engine, const ReleaseFile& file, const Table& table, double cases,
                 double controls, FrequencyFile& read, Progress& progress) {
  const auto recorded = file.manifest().option_text("trait");
  const auto place = recorded ? file.find_input(*recorded) : std::nullopt;
  if (!place) {
    read.why_not = "the table of its trait is not at hand";
    return;
  }
  const Source source = engine.open(*place, {}, progress);
  const auto column = [&](std::string_view name) {
    for (const auto& spelt : source.columns) {
      if (lower(spelt) == name) return spelt;
    }
    throw Error::check("the table of its trait has other columns now").at(*place);
  };
  const Table trait = engine.load(source, {column("sample"), column("case")}, progress);
  std::map<std::string, bool, std::less<>> is_case;
  for (std::size_t row = 0; row < trait.rows(); ++row) {
    const std::string word = lower(std::string(trait.columns[1].text(row)));
    is_case[std::string(trait.columns[0].text(row))] =
        word == "1" || word == "true" || word == "yes" || word == "case";
  }
  for (const auto& sample : read.people->samples) {
    const auto known = is_case.find(sample);
    read.counted["cases"].push_back(known != is_case.end() && known->second);
    read.counted["controls"].push_back(known != is_case.end() && !known->second);
    read.counted["frequency"].push_back(known != is_case.end());
  }
  read.shown["cases"] = shown_in(table, 4);
  read.shown["controls"] = shown_in(table, 5);
  auto& together = read.shown["frequency"];
  for (const auto& [key, of_cases] : read.shown["cases"].by_variant) {
    // Both are of the same rows.
    const double of_controls = *read.shown["controls"].by_variant.find(key);
    together.by_variant[key] =
        static_cast<float>((cases * of_cases + controls * of_controls) / (cases + controls));
  }
}

FrequencyFile read_frequency_file(Engine& engine, const ReleaseFile& file, Progress& progress) {
  FrequencyFile read;
  const Json* claim = frequency_claim(file);
  if (claim == nullptr) {
    read.why_not = "it does not claim to be allele frequencies";
    return read;
  }
  const auto original = file.open_original(engine, progress);
  if (!original) {
    read.why_not = "the genotypes it was made from are not at hand";
    return read;
  }
  read.people =
      std::make_unique<GenotypeSet>(genomes::read_genotypes(original->files.front(), progress));
  const std::string model = claim->value("model", "");
  const Source source = open_release(engine, file, progress);
  std::vector<std::string> columns = {"chrom", "pos", "ref", "alt"};
  if (model == "association-statistics") {
    columns.insert(columns.end(), {"cases", "controls"});
  } else {
    columns.emplace_back("frequency");
  }
  const Table table = engine.load(source, columns, progress);
  if (model == "noisy-frequencies") {
    // Two counts of alleles have noise of this rate each (dp/flow/noisy_frequencies.cc).
    const double q =
        std::exp(-claim->at("epsilon").get<double>() / (2 * claim->at("variants").get<double>()));
    read.noise_variance = 2 * q / ((1 - q) * (1 - q));
  } else {
    read.step = claim->at("step").get<double>();
  }
  if (model == "association-statistics") {
    take_groups(engine, file, table, claim->at("cases").get<double>(),
                claim->at("controls").get<double>(), read, progress);
    if (read.why_not.empty()) take_list_rules(file, read);
    return read;
  }
  read.shown["frequency"] = shown_in(table, 4);
  read.counted["frequency"].assign(read.people->samples.size(), true);
  // Noise is for a list that everybody knows of.
  if (read.noise_variance <= 0) take_list_rules(file, read);
  return read;
}

// Why two releases cannot be compared; empty where they can.
std::string why_incomparable(const FrequencyFile& added, const FrequencyFile& earlier,
                             const std::vector<std::optional<std::size_t>>& same) {
  const auto& other = earlier.shown.at("frequency").by_variant;
  bool shared = false;
  for (const auto& site : added.shown.at("frequency").by_variant)
    shared = shared || other.find(site.key) != nullptr;
  if (!shared) return "no variant is in both";
  constexpr std::size_t kOneIn = 10;
  const auto found =
      same.size() - static_cast<std::size_t>(std::count(same.begin(), same.end(), std::nullopt));
  if (kOneIn * found < std::min(same.size(), earlier.people->samples.size()))
    return "hardly any of its people were found in the added one";
  return {};
}

// Who is found by the differences of groups of two releases, every one of one against every one of
// the other: cases of one may be controls of the other, or all of it. What is left of cases taken
// off everybody are controls, whose frequencies stand there anyway: a difference is news of those
// alone who are in no group of either release that is as small.
class GroupsApart {
 public:
  GroupsApart(const FrequencyFile& added, const FrequencyFile& earlier,
              const std::vector<std::optional<std::size_t>>& same)
      : found_(added.people->samples.size(), false),
        found_gone_(earlier.people->samples.size(), false),
        now_(earlier.people->samples.size()),
        smallest_(smallest_groups(added)),
        smallest_before_(smallest_groups(earlier)) {
    for (std::size_t p = 0; p < same.size(); ++p) {
      if (!same[p]) continue;
      now_[*same[p]] = p;
      const std::uint64_t smaller = std::min(smallest_[p], smallest_before_[*same[p]]);
      smallest_[p] = smaller;
      smallest_before_[*same[p]] = smaller;
    }
  }
  // How many people it is of, where it is news.
  std::optional<std::uint64_t> take(const genomes::FrequencyDifference& difference) {
    const std::uint64_t apart = difference.apart();
    if (difference.both == 0 || apart == 0) return std::nullopt;
    bool news = false;
    for (std::size_t p = 0; p < found_.size(); ++p) {
      if (apart >= smallest_[p] || !difference.who_joined[p]) continue;
      news = true;
      found_[p] = found_[p] || difference.found_joined[p];
    }
    for (std::size_t q = 0; q < found_gone_.size(); ++q) {
      if (apart >= smallest_before_[q] || !difference.who_left[q]) continue;
      news = true;
      if (!difference.found_left[q]) continue;
      if (now_[q]) {
        found_[*now_[q]] = true;
      } else {
        found_gone_[q] = true;
      }
    }
    return news ? std::optional(apart) : std::nullopt;
  }
  // By person of the added release.
  [[nodiscard]] const std::vector<bool>& found() const { return found_; }
  // Of those who are in the earlier one only.
  [[nodiscard]] std::uint64_t found_gone() const {
    return static_cast<std::uint64_t>(std::count(found_gone_.begin(), found_gone_.end(), true));
  }

 private:
  static std::vector<std::uint64_t> smallest_groups(const FrequencyFile& file) {
    std::vector<std::uint64_t> smallest(file.people->samples.size(),
                                        std::numeric_limits<std::uint64_t>::max());
    for (const auto& [group, counted] : file.counted) {
      const auto size =
          static_cast<std::uint64_t>(std::count(counted.begin(), counted.end(), true));
      for (std::size_t p = 0; p < counted.size(); ++p) {
        if (counted[p]) smallest[p] = std::min(smallest[p], size);
      }
    }
    return smallest;
  }

  std::vector<bool> found_;
  std::vector<bool> found_gone_;
  std::vector<std::optional<std::size_t>> now_;  // by person of the earlier one
  std::vector<std::uint64_t> smallest_;
  std::vector<std::uint64_t> smallest_before_;
};

}  // namespace

bool shows_frequencies(const ReleaseFile& file) { return frequency_claim(file) != nullptr; }

SequenceRevealed attack_frequencies(Engine& engine, const SequenceRequest& request,
                                    Progress& progress) {
  SequenceRevealed revealed;
  const FrequencyFile added = read_frequency_file(engine, request.added, progress);
  if (!added.why_not.empty()) {
    revealed.why_not = added.why_not;
    return revealed;
  }
  revealed.attacked = true;
  revealed.releases = 1;
  revealed.people = added.people->samples.size();
  revealed.k_alone = revealed.people;
  revealed.k_across = revealed.people;
  // Who is found by any difference; of those who left, the most by any one.
  std::vector<bool> found(revealed.people, false);
  std::uint64_t left = 0;
  std::vector<bool> in_all(revealed.people, true);
  for (const auto& file : request.earlier) {
    const FrequencyFile earlier = read_frequency_file(engine, file, progress);
    if (!earlier.why_not.empty()) {
      leave_out(revealed, file.sha256(), earlier.why_not);
      continue;
    }
    const auto same = genomes::same_people(*added.people, *earlier.people);
    if (auto why = why_incomparable(added, earlier, same); !why.empty()) {
      leave_out(revealed, file.sha256(), std::move(why));
      continue;
    }
    ++revealed.releases;
    for (std::size_t p = 0; p < same.size(); ++p) in_all[p] = in_all[p] && same[p].has_value();
    GroupsApart apart(added, earlier, same);
    for (const auto& [group, shown] : added.shown) {
      for (const auto& [other, shown_before] : earlier.shown) {
        const auto fewest = apart.take(genomes::subtract_frequencies(
            added.group(group), earlier.group(other), same, progress));
        revealed.k_across = std::min(revealed.k_across, fewest.value_or(revealed.k_across));
      }
    }
    for (std::size_t p = 0; p < found.size(); ++p) found[p] = found[p] || apart.found()[p];
    left = std::max(left, apart.found_gone());
  }
  for (const auto& path : request.known)
    leave_out(revealed, engine.identify(path).sha256,
              "files of others are not taken off frequencies");
  revealed.located = static_cast<double>(std::count(in_all.begin(), in_all.end(), true)) /
                     static_cast<double>(revealed.people);
  const auto joined = static_cast<std::uint64_t>(std::count(found.begin(), found.end(), true));
  revealed.attributes.push_back({.sensitive = "genotype",
                                 .releases = revealed.releases,
                                 .differenced_people = joined + left});
  return revealed;
}

}  // namespace pratique::release
