#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/genomes/flow/internal/aligned_input.h"
#include "pratique/genomes/flow/internal/publication.h"
#include "pratique/genomes/format/fasta_release.h"
#include "pratique/genomes/format/genotype_set.h"
#include "pratique/genomes/format/vcf_release.h"
#include "pratique/genomes/method/masking.h"
#include "pratique/kind/publish.h"

namespace pratique::genomes::flow {
namespace {

Json imputation_json(const Imputation& imputation) {
  return {{"accuracy", imputation.accuracy},
          {"baseline", imputation.baseline},
          {"gain", imputation.gain()}};
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return std::nullopt;
  return number;
}

// Loci are positions of the reference that was given, or columns of a file that was aligned.
std::vector<std::uint32_t> columns_of(const std::vector<std::string>& loci,
                                      const AlignedInput& input) {
  const bool by_reference = !input.reference_columns.empty();
  if (input.realigned && !by_reference) {
    throw Error::input("the sequences are not aligned, so columns have no number yet")
        .hint(
            "Give the sequence whose positions --loci counts with --reference FILE, or sequences "
            "that are aligned.");
  }
  const std::size_t length =
      by_reference ? input.reference_columns.size() : input.sequences.front().size();
  std::vector<std::uint32_t> columns;
  for (const auto& locus : loci) {
    const auto number = number_in(locus);
    if (!number || *number == 0 || *number > length) {
      throw Error::input(fmt::format("--loci names '{}', which is no {} from 1 to {}", locus,
                                     by_reference ? "position of the reference" : "column", length))
          .hint("Positions of the reference, or columns of aligned sequences, count from 1.");
    }
    const auto place = static_cast<std::uint32_t>(*number - 1);
    columns.push_back(by_reference ? input.reference_columns[place] : place);
  }
  return columns;
}

// Every variant at a place: of several alternatives all are hidden.
std::vector<std::uint32_t> variants_at(const std::vector<std::string>& loci,
                                       const std::vector<Variant>& variants) {
  std::map<std::pair<std::string, std::int64_t>, std::vector<std::uint32_t>> at;
  for (std::uint32_t v = 0; v < variants.size(); ++v)
    at[{variants[v].chrom, variants[v].position}].push_back(v);
  std::vector<std::uint32_t> chosen;
  for (const auto& locus : loci) {
    const auto colon = locus.rfind(':');
    const std::string chrom(plain_chromosome(
        std::string_view(locus).substr(0, colon == std::string::npos ? 0 : colon)));
    const auto position =
        colon == std::string::npos ? std::nullopt : number_in(locus.substr(colon + 1));
    const auto place = position ? at.find({chrom, static_cast<std::int64_t>(*position)}) : at.end();
    if (place == at.end()) {
      throw Error::input(fmt::format("--loci names '{}', and the file has no variant there", locus))
          .hint("Name variants as CHROMOSOME:POSITION, such as 19:45411941.");
    }
    chosen.insert(chosen.end(), place->second.begin(), place->second.end());
  }
  return chosen;
}

using Place = std::pair<std::string, std::int64_t>;

// Variants that have a place among those that they are about: the line of a deletion, or of several
// bases at once, tells of all of them. Every line of a place goes with it, and what these are
// about, until there is no more.
class OverlappingVariants {
 public:
  explicit OverlappingVariants(const std::vector<Variant>& variants)
      : variants_(variants), is_hidden_(variants.size(), false) {
    for (const Variant& variant : variants)
      longest_ = std::max(longest_, variant.last_position() - variant.position);
  }
  // The place of a variant; with `all_of_it` every place that it is about.
  void hide(std::uint32_t number, bool all_of_it) {
    is_hidden_[number] = true;
    hide_those_about(variants_[number], number, all_of_it);
    // One after the other: a chain of lines may be as long as the file.
    while (!to_follow_.empty()) {
      const std::uint32_t next = to_follow_.back();
      to_follow_.pop_back();
      hide_those_about(variants_[next], next, false);
    }
  }
  [[nodiscard]] bool is_hidden(std::size_t variant) const { return is_hidden_[variant]; }
  [[nodiscard]] std::vector<std::uint32_t> hidden() const {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t v = 0; v < is_hidden_.size(); ++v) {
      if (is_hidden_[v]) numbers.push_back(v);
    }
    return numbers;
  }

 private:
  [[nodiscard]] bool is_near(std::size_t v, const Variant& variant) const {
    return variants_[v].chrom == variant.chrom &&
           variants_[v].position + longest_ >= variant.position;
  }
  void hide_those_about(const Variant& variant, std::uint32_t number, bool all_of_it) {
    const std::int64_t last = all_of_it ? variant.last_position() : variant.position;
    // Variants are in the order of their places.
    for (std::size_t v = number; v-- > 0 && is_near(v, variant);) hide_if_about(v, variant, last);
    for (std::size_t v = number + 1; v < variants_.size(); ++v) {
      if (variants_[v].chrom != variant.chrom || variants_[v].position > last) break;
      hide_if_about(v, variant, last);
    }
  }
  void hide_if_about(std::size_t v, const Variant& variant, std::int64_t last) {
    if (is_hidden_[v] || variants_[v].last_position() < variant.position ||
        variants_[v].position > last)
      return;
    is_hidden_[v] = true;
    to_follow_.push_back(static_cast<std::uint32_t>(v));
  }

  const std::vector<Variant>& variants_;
  std::vector<bool> is_hidden_;
  std::vector<std::uint32_t> to_follow_;  // hidden, and what is about them is not looked for yet
  std::int64_t longest_ = 0;
};

// A genotype as a letter: none of the alternative A, one M (A or C), two C, no call N. Distances of
// the lattice are then 1 for each copy.
Letter letter_of(Dosage dosage) {
  constexpr std::array<Letter, 4> kLetters = {1, 3, 2, kAnyBase};
  return kLetters[dosage];
}

Json masking_result(const ProtectRequest& request, const Masking& masking) {
  return {{"method", request.method},
          {"hidden", masking.hidden.size()},
          {"tolerance", request.tolerance},
          {"within_tolerance", masking.within_tolerance},
          {"before", imputation_json(masking.alone)},
          {"after", imputation_json(masking.after)}};
}

// Who knows nobody else learns nothing from others: that hides nothing from whoever has a panel.
void tell_who_was_asked(std::size_t people, Json& result) {
  constexpr std::size_t kFewestToLearn = 20;
  if (people == 1) {
    throw Error::input("the file has one person, of whom nothing is learned about other places")
        .hint("What tells of a locus is learned from many people: mask a file of 20 or more.");
  }
  if (people >= kFewestToLearn) return;
  result["within_tolerance"] = false;
  result["note"] = fmt::format(
      "of {} people too little is learned to say what other places tell of the loci: mask a file "
      "of {} or more",
      people, kFewestToLearn);
}

// Of the places that vary, how many stay: none is no release, and few are said.
void tell_what_is_left(std::size_t hidden, std::size_t places, Json& result) {
  if (hidden >= places) {
    throw Error::check("every place that varies tells of the loci, so nothing is left to release")
        .hint("A larger --tolerance leaves more, and lets more be guessed.");
  }
  if (2 * hidden > places) {
    const std::string before = result.value("note", "");
    result["note"] =
        (before.empty() ? "" : before + "; ") +
        fmt::format(
            "{} of {} places that vary are hidden, because they tell of the loci: a larger "
            "--tolerance leaves more",
            hidden, places);
  }
}

Json parameters_of(const ProtectRequest& request) {
  return {{"method", request.method}, {"tolerance", request.tolerance}};
}

Outcome mask_sequences(const ProtectRequest& request, const Publication& publication) {
  const Run& run = publication.run;
  const AlignedInput input = read_aligned(publication.source.files.front(), request.file,
                                          alignment_of(request), run.progress);
  const std::size_t length = input.sequences.front().size();
  const auto loci = columns_of(request.loci, input);
  const Masking masking = mask_loci(input.sequences, loci, {}, request.tolerance, run.progress);
  std::vector<std::string> letters;
  std::vector<Sequence> released;
  for (Sequence sequence : input.sequences) {
    for (const std::uint32_t column : masking.hidden) sequence[column] = kAnyBase;
    // A column stays where it is: a gap is N here.
    std::replace(sequence.begin(), sequence.end(), kGap, kAnyBase);
    letters.push_back(to_text(sequence));
    released.push_back(std::move(sequence));
  }
  Json hidden = Json::array();
  for (const std::uint32_t column : masking.hidden) hidden.push_back(column + 1);
  const auto columns = variable_regions(input.sequences);
  Json result = masking_result(request, masking);
  result["sequences"] = input.sequences.size();
  result["aligned"] = input.was_aligned;
  result["length"] = length;
  result["variable_regions"] = columns.size();
  result["loci"] = Json::array();
  for (const auto& locus : request.loci) result["loci"].push_back(number_in(locus).value_or(0));
  result["hidden_columns"] = hidden;
  tell_who_was_asked(input.sequences.size(), result);
  const auto hidden_regions =
      std::count_if(columns.begin(), columns.end(), [&](std::uint32_t column) {
        return std::find(masking.hidden.begin(), masking.hidden.end(), column) !=
               masking.hidden.end();
      });
  tell_what_is_left(static_cast<std::size_t>(hidden_regions), columns.size(), result);
  result["utility"] = utility_json(
      measure_utility(input.sequences, released, columns, publication.seeded.seed, run.progress));
  publish(publication, FastaRelease(std::move(letters), publication.seeded.seed),
          parameters_of(request), Json::array({{{"model", "masked-loci"}, {"loci", hidden}}}),
          false, result);
  return {result};
}

Outcome mask_genotypes(const ProtectRequest& request, const Publication& publication) {
  const Run& run = publication.run;
  const GenotypeSet set = read_genotypes(request.file, run.progress);
  require_usual_names(set.variants, request.file);
  const auto loci = variants_at(request.loci, set.variants);
  std::vector<Sequence> people(set.samples.size());
  for (std::size_t p = 0; p < people.size(); ++p) {
    people[p].reserve(set.variants.size());
    for (std::size_t v = 0; v < set.variants.size(); ++v)
      people[p].push_back(letter_of(set.store.at(v, p)));
  }
  OverlappingVariants overlapping(set.variants);
  for (const std::uint32_t locus : loci) overlapping.hide(locus, true);
  const Masking masking =
      mask_loci(people, loci, overlapping.hidden(), request.tolerance, run.progress);
  for (const std::uint32_t v : masking.hidden) overlapping.hide(v, false);
  const auto is_hidden = [&](std::size_t v) { return overlapping.is_hidden(v); };
  std::set<Place> places;
  for (const std::uint32_t v : overlapping.hidden())
    places.emplace(set.variants[v].chrom, set.variants[v].position);
  Json hidden = Json::array();
  for (const auto& [chrom, position] : places)
    hidden.push_back(fmt::format("{}:{}", chrom, position));
  std::vector<Sequence> released = people;
  std::vector<std::vector<Dosage>> dosages(people.size());
  for (std::size_t p = 0; p < people.size(); ++p) {
    for (std::size_t v = 0; v < set.variants.size(); ++v) {
      dosages[p].push_back(is_hidden(v) ? kMissingDosage : set.store.at(v, p));
      if (is_hidden(v)) released[p][v] = kAnyBase;
    }
  }
  const auto columns = variable_regions(people);
  Json result = masking_result(request, masking);
  result["hidden"] = overlapping.hidden().size();
  result["people"] = set.samples.size();
  result["variants_in"] = set.variants.size();
  result["variants_out"] = set.variants.size();
  result["loci"] = request.loci;
  result["hidden_loci"] = hidden;
  tell_who_was_asked(set.samples.size(), result);
  const auto hidden_variants =
      std::count_if(columns.begin(), columns.end(), [&](std::uint32_t v) { return is_hidden(v); });
  tell_what_is_left(static_cast<std::size_t>(hidden_variants), columns.size(), result);
  result["utility"] = utility_json(
      measure_utility(people, released, columns, publication.seeded.seed, run.progress));
  publish(publication, VcfRelease(set.variants, std::move(dosages), publication.seeded.seed),
          parameters_of(request), Json::array({{{"model", "masked-genotypes"}, {"loci", hidden}}}),
          false, result);
  return {result};
}

}  // namespace

Outcome protect_by_masking(const ProtectRequest& request, const Run& run) {
  if (request.loci.empty()) {
    throw Error::input("--method mask needs the loci to hide")
        .hint(
            "Name columns of the alignment with --loci, counted from 1; of genotypes "
            "CHROMOSOME:POSITION.");
  }
  auto others = files_beside(request.file);
  const Source source = run.engine.open_sets(others.front(), run.progress);
  others.erase(others.begin());
  if (!request.reference.empty()) others.push_back(request.reference);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings(others));
  const Seeded seeded = with_seed(run, request.seed);
  const Publication publication{request, run, seeded, source, others};
  return looks_like_genotypes(request.file) ? mask_genotypes(request, publication)
                                            : mask_sequences(request, publication);
}

}  // namespace pratique::genomes::flow
