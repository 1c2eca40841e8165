#include "pratique/dp/flow/noisy_frequencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/dp/budget/budget.h"
#include "pratique/dp/mechanism/discrete_laplace.h"
#include "pratique/dp/mechanism/noise.h"
#include "pratique/genomes/flow/frequency_release.h"
#include "pratique/genomes/format/genotype_set.h"
#include "pratique/genomes/release/words.h"
#include "pratique/kind/publish.h"

namespace pratique::dp::flow {
namespace {

using genomes::AlleleCount;
using genomes::GenotypeFile;
using genomes::Variant;
namespace gf = genomes::flow;

// Alleles of everybody at variants that are listed; exchanged where the file has them so.
struct CountedAlleles {
  std::unordered_map<std::uint64_t, AlleleCount> by_variant;
  std::uint64_t people = 0;
};

CountedAlleles count_alleles(const std::string& path, const std::vector<Variant>& variants,
                             Progress& progress) {
  std::unordered_map<std::uint64_t, std::pair<std::uint64_t, bool>> wanted;
  for (const auto& variant : variants) {
    wanted.emplace(variant.key(), std::pair(variant.key(), false));
    wanted.emplace(variant.exchanged_key(), std::pair(variant.key(), true));
  }
  const auto file = GenotypeFile::open(path);
  CountedAlleles counted;
  counted.people = file->samples().size();
  while (file->next()) {
    progress.advance(1);
    const auto place = wanted.find(file->variant().key());
    if (place == wanted.end()) continue;
    AlleleCount own = file->count();
    if (place->second.second) own.alternative = own.alleles - own.alternative;
    // The first line of a variant counts: a person has two alleles, however often it is listed.
    counted.by_variant.emplace(place->second.first, own);
  }
  return counted;
}

std::vector<Variant> chosen_sites(const gf::ProtectRequest& request, std::uint64_t seed,
                                  const Run& run) {
  auto variants = gf::listed_variants(request.sites, run);
  if (variants.empty()) throw Error::input("the list of sites is empty").at(request.sites);
  genomes::require_usual_names(variants, request.sites);
  // By place, whatever the order of the list: a seed draws the same.
  std::sort(variants.begin(), variants.end(), genomes::stands_before);
  if (!request.snps || *request.snps >= variants.size()) return variants;
  std::vector<std::size_t> order(variants.size());
  std::iota(order.begin(), order.end(), 0U);
  SeededRandom random(seed, 41);
  random.shuffle(order);
  order.resize(*request.snps);
  std::sort(order.begin(), order.end());
  std::vector<Variant> some;
  for (const std::size_t v : order) some.push_back(std::move(variants[v]));
  return some;
}

void check_request(const gf::ProtectRequest& request, const BudgetTerms& terms) {
  if (request.method != "frequencies") {
    throw Error::input("--ledger goes with --method frequencies");
  }
  if (!request.epsilon || request.sites.empty()) {
    throw Error::input("noise needs --epsilon and --sites")
        .hint(
            "--sites lists variants that everybody knows of, such as those of a reference panel: "
            "which ones the people have must not be seen from the list.");
  }
  if (same_file(genomes::files_beside(request.file).front(),
                genomes::files_beside(request.sites).front())) {
    throw Error::input("the list of sites is the file of people itself")
        .at(request.sites)
        .hint(
            "Which variants these people have would be seen from the list. Give one that was made "
            "without them, such as a reference panel's.");
  }
  if (request.carriers > 0) {
    throw Error::input("--carriers does not go with a budget: the list of sites is what it is");
  }
  if (!same_file(genomes::files_beside(request.file).front(), terms.data)) {
    throw Error::input("the budget is for other data")
        .at(request.ledger)
        .hint("Open a budget for this file with dp open.");
  }
  if (!terms.person.empty() || !terms.tables.empty()) {
    throw Error::input("a budget with --person is for tables").at(request.ledger);
  }
}

struct NoisyTable {
  gf::FrequencyRows rows{{"frequency"}};
  double error = 0;
  double squared_distance = 0;
  double before = 0;
};

NoisyTable noisy_table(const std::vector<Variant>& variants, const CountedAlleles& counted,
                       const DiscreteLaplace& laplace, RandomBits& random) {
  NoisyTable table;
  const auto people = static_cast<double>(counted.people);
  for (const auto& variant : variants) {
    AlleleCount own{.alternative = 0, .alleles = 2 * counted.people};
    if (const auto counts = counted.by_variant.find(variant.key());
        counts != counted.by_variant.end())
      own = counts->second;
    const auto alternative = static_cast<std::int64_t>(own.alternative);
    const auto others = static_cast<std::int64_t>(own.alleles) - alternative;
    const auto noisy =
        static_cast<double>(std::max<std::int64_t>(alternative + laplace.draw(random), 0));
    const auto rest = static_cast<double>(std::max<std::int64_t>(others + laplace.draw(random), 0));
    const double shown = noisy + rest > 0 ? noisy / (noisy + rest) : 0.5;
    table.rows.add(variant, {gf::decimal_text(std::round(shown * 1e4) / 1e4)});
    const double exact = own.frequency().value_or(0);
    const double alleles = std::max(static_cast<double>(own.alleles), 1.0);
    const double variance =
        laplace.variance() * (exact * exact + (1 - exact) * (1 - exact)) / (alleles * alleles);
    table.error += std::abs(shown - exact);
    table.squared_distance += gf::squared_distance_of(exact, people, variance);
    table.before += gf::squared_distance_of(exact, people, 0);
  }
  return table;
}

}  // namespace

Outcome noisy_frequencies(const gf::ProtectRequest& request, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  const BudgetState state = read_budget(request.ledger);
  check_request(request, state.terms);
  auto others = genomes::files_beside(request.file);
  const Source source = run.engine.open_sets(others.front(), run.progress);
  others.erase(others.begin());
  others.push_back(request.sites);
  require_same_data(request.ledger, state,
                    [&](const std::string&) { return run.engine.identify(source).sha256; });
  release::refuse_overwriting_inputs(request.out, {source}, run.settings(others));
  release::refuse_overwriting_inputs(request.out, {}, {request.ledger});
  others.push_back(request.ledger);
  const Seeded seeded = with_seed(run, request.seed);
  const auto variants = chosen_sites(request, seeded.seed, run);
  const Epsilon epsilon = Epsilon::from(*request.epsilon);
  const DiscreteLaplace laplace(epsilon.over(2 * variants.size()));
  const BudgetState after = charge_budget(request.ledger,
                                          {{epsilon, {}},
                                           "genomes protect",
                                           fmt::format("{} frequencies", variants.size()),
                                           request.analyst},
                                          run.progress);

  // Charged: from here on the data may be looked at.
  run.progress.begin("counting alleles", 0);
  const CountedAlleles counted = count_alleles(request.file, variants, run.progress);
  Noise noise;
  RandomBits random = noise.phase("alleles");
  const NoisyTable table = noisy_table(variants, counted, laplace, random);
  const auto m = static_cast<double>(variants.size());
  Json result = {{"method", request.method},
                 {"people", counted.people},
                 {"variants_out", variants.size()},
                 {"utility", {{"frequency_error", table.error / m}}},
                 {"before", gf::expected_power(table.before)},
                 {"after", gf::expected_power(table.squared_distance)}};
  constexpr std::array<std::string_view, 2> kTold = {"method", "variants_out"};
  const auto published = release::publish(
      run.engine, release::TableArtefact(table.rows.output()), request.out,
      {.kind = "genomes",
       .verb = "protect",
       .command = seeded.command,
       .seed = seeded.seed,
       .inputs = {source},
       .other_files = run.settings(others),
       .options = seeded.options,
       .figures = genomes::figures(),
       .told = kTold,
       .private_folder = run.private_folder},
      Json{{"method", request.method}, {"epsilon", epsilon.value()}, {"read_as", "genotypes"}},
      Json::array({{{"model", "noisy-frequencies"},
                    {"epsilon", epsilon.value()},
                    {"variants", variants.size()}}}),
      result, run.progress);
  Json shown = {{"steward_only",
                 "STEWARD ONLY: people, error, before and after come from the data without noise. "
                 "They must not leave."}};
  shown.update(result);
  result = std::move(shown);
  result["out"] = request.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
  result["epsilon_spent"] = epsilon.value();
  result["epsilon_left"] = after.left_to(request.analyst).value();
  result["deviation"] = std::sqrt(laplace.variance());
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return {result};
}

}  // namespace pratique::dp::flow
