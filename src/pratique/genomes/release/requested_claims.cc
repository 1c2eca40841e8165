#include "pratique/genomes/release/requested_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "pratique/genomes/format/genotypes.h"

namespace pratique::genomes {
namespace {

// Whether both have a number, and not the same.
bool numbers_differ(const Json& a, const Json& b, const char* key) {
  if (!a.contains(key) || !b.contains(key) || !a[key].is_number() || !b[key].is_number())
    return false;
  constexpr double kRounding = 1e-9;
  const auto of_a = a[key].get<double>();
  return std::abs(of_a - b[key].get<double>()) > kRounding * std::abs(of_a);
}

bool words_differ(const Json& a, const Json& b, const char* key) {
  return a.contains(key) && b.contains(key) && a[key].is_string() && b[key].is_string() &&
         a[key] != b[key];
}

std::string_view method_that_claims(const std::string& model) {
  if (model == "sequence-anonymity") return "dnala";
  if (model == "snp-bins") return "binning";
  return model == "masked-loci" || model == "masked-genotypes" ? "mask" : "frequencies";
}

// A locus as a claim has it: 0301 is 301, and chr1:301 is 1:301.
std::string claimed_locus(const std::string& asked) {
  const auto colon = asked.rfind(':');
  std::string chrom;
  std::string_view number = asked;
  if (colon != std::string::npos) {
    chrom = std::string(plain_chromosome(number.substr(0, colon))) + ":";
    number.remove_prefix(colon + 1);
  }
  std::uint64_t position = 0;
  std::from_chars(number.data(), number.data() + number.size(), position);
  return chrom + std::to_string(position);
}

// Whether a claim lacks a locus that was to be hidden.
bool lacks_a_locus(const Json& options, const Json& claim) {
  if (!options.contains("loci") || !options["loci"].is_array() || !claim.contains("loci") ||
      !claim["loci"].is_array())
    return false;
  std::set<std::string> asked;
  for (const auto& locus : options["loci"])
    asked.insert(claimed_locus(locus.is_string() ? locus.get<std::string>() : locus.dump()));
  std::set<std::string> claimed;
  for (const auto& locus : claim["loci"])
    claimed.insert(locus.is_string() ? locus.get<std::string>() : locus.dump());
  // Positions of a reference are other numbers than the columns that they became.
  if (options.contains("reference") && options["reference"].is_string())
    return claimed.size() < asked.size();
  return !std::includes(claimed.begin(), claimed.end(), asked.begin(), asked.end());
}

}  // namespace

std::vector<std::string> unrequested_claims(const Manifest& manifest) {
  const Json& options = *manifest.options;
  const Json& parameters = *manifest.parameters;
  const Json& results = *manifest.results;
  std::vector<std::string> wrong;
  if (words_differ(options, parameters, "method"))
    wrong.emplace_back("the recorded options ask for another method");
  if (words_differ(results, parameters, "method"))
    wrong.emplace_back("its figures are of another method than requested");
  for (const char* key : {"within", "across", "step", "tolerance", "epsilon"}) {
    if (numbers_differ(options, parameters, key))
      wrong.push_back(fmt::format("the recorded options ask for another {}", key));
  }
  for (const char* key : {"k", "within", "across", "step"}) {
    if (numbers_differ(results, parameters, key))
      wrong.push_back(fmt::format("its figures have a different {} than requested", key));
  }
  for (const auto& claim : *manifest.claims) {
    const auto model = claim.at("model").get<std::string>();
    if (parameters.contains("method") && parameters["method"].is_string() &&
        parameters["method"] != method_that_claims(model))
      wrong.push_back(fmt::format("the method that was requested does not claim {}", model));
    for (const char* key : {"within", "across", "step", "epsilon"}) {
      if (numbers_differ(claim, parameters, key) || numbers_differ(claim, options, key))
        wrong.push_back(
            fmt::format("the claim of {} has a different {} than requested", model, key));
    }
    if (lacks_a_locus(options, claim))
      wrong.push_back(fmt::format("the claim of {} lacks a locus that was to be hidden", model));
  }
  return wrong;
}

}  // namespace pratique::genomes
