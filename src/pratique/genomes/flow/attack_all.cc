#include "pratique/genomes/flow/attack_all.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/genomes/attack/dictionary.h"
#include "pratique/genomes/flow/internal/named_families.h"
#include "pratique/genomes/flow/internal/phenotype_tables.h"
#include "pratique/trails/attack/attack.h"

namespace pratique::genomes::flow {
namespace {

using Links = std::vector<std::optional<std::uint32_t>>;

struct MethodResult {
  std::uint64_t named = 0;
  bool compared = false;  // whether there was anything to compare
  bool left_out = false;  // as the tables contradict each other
};

// Names samples whom nobody has named yet.
struct Method {
  const char* name;
  std::function<MethodResult(Links&)> name_samples;
};

// Those whom nobody has named yet.
struct Unnamed {
  std::vector<std::uint32_t> samples;
  std::vector<std::uint32_t> people;
};

Unnamed unnamed_in(const PhenotypeTables& tables, const Links& links) {
  Unnamed left;
  std::vector<bool> named(tables.people.size(), false);
  for (std::uint32_t s = 0; s < links.size(); ++s) {
    if (links[s]) {
      named[*links[s]] = true;
    } else {
      left.samples.push_back(s);
    }
  }
  for (std::uint32_t p = 0; p < named.size(); ++p) {
    if (!named[p]) left.people.push_back(p);
  }
  return left;
}

MethodResult by_phenotype(const PhenotypeTables& tables, Links& links, Progress& progress) {
  const Unnamed left = unnamed_in(tables, links);
  std::vector<DnaSample> samples;
  std::vector<ClinicalPerson> people;
  for (const std::uint32_t s : left.samples) samples.push_back(tables.samples[s]);
  for (const std::uint32_t p : left.people) people.push_back(tables.people[p]);
  const auto finding = attack_phenotypes(samples, people, tables.map, progress);
  // A person whom two samples point at is neither's for certain.
  std::vector<std::uint32_t> claims(people.size(), 0);
  for (const auto& link : finding.link) {
    if (link) ++claims[*link];
  }
  MethodResult result{.compared = finding.compared > 0};
  for (std::size_t s = 0; s < samples.size(); ++s) {
    if (!finding.link[s] || claims[*finding.link[s]] != 1) continue;
    links[left.samples[s]] = left.people[*finding.link[s]];
    ++result.named;
  }
  return result;
}

// Names of samples that were computed from what the clinical table has.
MethodResult by_dictionary(const PhenotypeTables& tables, const PhenotypeRequest& request,
                           Links& links, Progress& progress) {
  if (tables.made_from.empty()) return {};
  const Unnamed left = unnamed_in(tables, links);
  Column pseudonyms{.name = "sample", .dictionary = {}, .codes = {}};
  std::map<std::string, std::vector<std::uint32_t>> samples;
  for (const std::uint32_t s : left.samples) {
    pseudonyms.codes.push_back(pseudonyms.dictionary.intern(tables.sample_names[s]));
    samples[tables.sample_names[s]].push_back(s);
  }
  Table people;
  for (const auto& name : tables.made_from)
    people.columns.push_back({.name = name, .dictionary = {}, .codes = {}});
  for (const std::uint32_t p : left.people) {
    for (std::size_t c = 0; c < people.columns.size(); ++c) {
      auto& column = people.columns[c];
      column.codes.push_back(column.dictionary.intern(tables.person_fields[p][c]));
    }
  }
  if (left.samples.empty() || left.people.empty()) return {};
  const auto finding =
      attack_dictionary(pseudonyms, people, parse_scheme(request.scheme), progress);
  std::map<std::uint32_t, std::vector<std::uint32_t>> owners;
  for (const auto& match : finding.matches)
    owners[match.pseudonym].push_back(left.people[match.person]);
  MethodResult result{.compared = finding.tries > 0 && finding.of > finding.unreadable};
  for (const auto& [pseudonym, of] : owners) {
    const auto& own = samples[std::string(pseudonyms.dictionary.value(pseudonym))];
    if (of.size() != 1 || own.size() != 1) continue;
    links[own.front()] = of.front();
    ++result.named;
  }
  return result;
}

MethodResult by_families(const std::optional<NamedFamilies>& families, Links& links,
                         Progress& progress) {
  if (!families) return {};
  return {.named = families->name_samples(links, progress),
          .compared = families->samples() > 0 && families->people() > 0};
}

MethodResult by_trails(const PhenotypeTables& tables, Links& links, Progress& progress) {
  const Unnamed left = unnamed_in(tables, links);
  if (!tables.has_places || left.samples.empty() || left.people.empty()) return {};
  const auto side = [](const std::vector<std::uint32_t>& chosen, const auto& all) {
    std::vector<trails::Element> seen;
    std::vector<trails::Location> at;
    for (std::uint32_t i = 0; i < chosen.size(); ++i) {
      for (const std::uint32_t place : all[chosen[i]].places) {
        seen.push_back(i);
        at.push_back(place);
      }
    }
    return trails::Side(chosen.size(), seen, at);
  };
  const trails::World world{tables.places.size(), side(left.people, tables.people),
                            side(left.samples, tables.samples)};
  MethodResult result;
  try {
    const auto attack = trails::attack(
        world, trails::find_disclosure(world, trails::Reserved::deidentified), {}, progress);
    for (const auto& link : attack.links) {
      links[left.samples[link.deidentified]] = left.people[link.identified];
      ++result.named;
    }
    result.compared = world.identified.seen() > 0 && world.deidentified.seen() > 0;
  } catch (const Error& error) {
    // Somebody's list is not complete, or was matched wrongly: nothing follows.
    if (error.code() != ErrorCode::bad_input) throw;
    result.left_out = true;
  }
  return result;
}

}  // namespace

Outcome attack_all(const PhenotypeRequest& request, const Run& run) {
  if (request.pedigrees.empty() != request.genealogies.empty()) {
    throw Error::input("families need both pedigrees and genealogies")
        .hint("Give pedigrees of the samples with --pedigrees, and names with --register.");
  }
  const PhenotypeTables tables = read_phenotype_tables(request, run);
  std::optional<NamedFamilies> families;
  if (!request.pedigrees.empty())
    families.emplace(request.pedigrees, request.genealogies, tables, run);
  // Whom a dictionary names needs no other attack, and narrows the others.
  const std::array<Method, 4> methods = {
      {{"dictionary",
        [&](Links& links) { return by_dictionary(tables, request, links, run.progress); }},
       {"family", [&](Links& links) { return by_families(families, links, run.progress); }},
       {"phenotype", [&](Links& links) { return by_phenotype(tables, links, run.progress); }},
       {"trails", [&](Links& links) { return by_trails(tables, links, run.progress); }}}};
  bool tried = false;
  bool left_out = false;
  Json alone = Json::object();
  std::map<std::string, std::uint64_t> by_method;
  for (const auto& [name, name_samples] : methods) {
    Links own(tables.samples.size());
    const MethodResult result = name_samples(own);
    alone[name] = result.named;
    by_method[name] = 0;
    tried = tried || result.compared;
    left_out = left_out || result.left_out;
  }
  Links links(tables.samples.size());
  Json rounds = Json::array();
  for (std::uint64_t in_round = 1; in_round > 0;) {
    in_round = 0;
    Json round = Json::object();
    for (const auto& [name, name_samples] : methods) {
      const std::uint64_t named = name_samples(links).named;
      round[name] = named;
      by_method[name] += named;
      in_round += named;
    }
    if (in_round > 0) rounds.push_back(std::move(round));
  }
  const std::uint64_t samples = count_samples(tables);
  const std::uint64_t reidentified = count_samples(tables, links);
  const double share = tried ? static_cast<double>(reidentified) / static_cast<double>(samples) : 0;
  Json result = {{"samples", samples},
                 {"people", tables.people.size()},
                 {"places", tables.places.size()},
                 {"on", tables.on}};
  if (families) result["in_pedigrees"] = families->samples();
  result["alone"] = alone;
  for (const auto& [name, named] : by_method) result[name] = named;
  result["reidentified"] = reidentified;
  result["reidentified_share"] = tried ? Json(share) : Json(nullptr);
  result["rounds"] = rounds;
  result["tried"] = tried;
  if (left_out)
    result["note"] = "trails were left out: where samples and people were contradicts each other";
  if (!tried) {
    result["note"] =
        "not tried: no attack had anything to compare, be it pseudonyms, families, genes of the "
        "map "
        "or places";
  }
  if (!request.truth.empty()) result["right"] = right_links(tables, links, request.truth, run);
  if (!request.out.empty()) {
    write_links(tables, links, request.out, run);
    result["out"] = request.out;
  }
  return {result, !request.fail_above || (tried && share <= *request.fail_above)};
}

}  // namespace pratique::genomes::flow
