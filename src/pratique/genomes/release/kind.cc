#include "pratique/genomes/release/kind.h"

#include <array>
#include <nlohmann/json.hpp>

#include "pratique/genomes/release/counted_figures.h"
#include "pratique/genomes/release/requested_claims.h"
#include "pratique/genomes/release/sequence.h"
#include "pratique/genomes/release/words.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::genomes {
namespace {

constexpr std::array<release::FileOption, 4> kGenomeFileOptions = {
    {{"reference"}, {"trait"}, {"sites"}, {"ledger"}}};

release::Likeness recognise_fasta(std::string_view name, std::string_view beginning) {
  for (const std::string_view ending : {".fasta", ".fa", ".fna", ".fas", ".mfa"}) {
    if (name.ends_with(ending)) return release::Likeness::is;
  }
  if (name.ends_with(".vcf") || beginning.starts_with("##fileformat=VCF"))
    return release::Likeness::is;
  return beginning.starts_with('>') ? release::Likeness::could_be : release::Likeness::none;
}

void describe_genomes(release::PageContext& context) {
  release::add_facts(context, {"method", "sequences", "length", "variable_regions", "groups",
                               "hidden", "people", "variants_in", "variants_out"});
  release::ReleaseReport& report = context.report;
  const Json& results = *context.manifest.results;
  const auto add = [&](const char* group, const char* key, const char* name, const char* meaning) {
    if (!results.contains(group) || !results[group].is_object()) return;
    const auto value = results[group].find(key);
    if (value != results[group].end() && value->is_number())
      report.metrics.push_back({key, name, value->get<double>(), meaning});
  };
  add("loss", "per_sequence", "lattice distance lost per sequence",
      "levels that letters rose, summed over the sequence");
  add("loss", "bits", "bits lost", "log2 of the bases that a letter may stand for");
  add("utility", "frequency_error", "error of base frequencies",
      "mean absolute difference over variable regions");
  add("utility", "association_correlation", "association kept",
      "correlation of chi-square statistics of a simulated trait");
  add("utility", "distance_correlation", "distances kept",
      "correlation of the distances between two sequences");
}

void contradict_genomes(const release::Evidence& evidence,
                        std::vector<std::string>& contradictions) {
  const Json after = evidence.manifest.results->value("after", Json::object());
  if (evidence.claims_hold && after.is_object() &&
      !release::recorded(after, "unique", [](double said) { return said == 0; }))
    contradictions.emplace_back("its figures for after do not match the released file");
  const auto unrequested = unrequested_claims(evidence.manifest);
  contradictions.insert(contradictions.end(), unrequested.begin(), unrequested.end());
  if (!evidence.release || !evidence.claims_hold) return;
  for (const auto& key :
       miscounted_figures(evidence.manifest, *evidence.release, evidence.engine, evidence.progress))
    contradictions.push_back("its figures for " + key + " do not match the released file");
}

}  // namespace

release::Kind kind() {
  return {
      .noun = "genomes",
      .title = "DNA sequences or allele frequencies",
      .adversary = "Somebody who has a person's DNA looks for the entries that could be theirs.",
      .file_kind = "sequences",
      .recognise = recognise_fasta,
      .figures = figures(),
      .models = model_words(),
      .file_options = kGenomeFileOptions,
      .describe = describe_genomes,
      .attack_sequence = release::attack_genomes,
      .contradict = contradict_genomes};
}

}  // namespace pratique::genomes
