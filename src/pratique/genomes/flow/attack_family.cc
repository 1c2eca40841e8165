#include "pratique/genomes/flow/attack_family.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/genomes/attack/family_structure.h"
#include "pratique/genomes/flow/internal/named_families.h"

namespace pratique::genomes::flow {
namespace {

double share_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

void write_links(const FamilyFinding& finding, const std::vector<Pedigree>& pedigrees,
                 const std::vector<Pedigree>& named, const std::string& out, const Run& run) {
  std::vector<std::string> here;
  std::vector<std::string> there;
  for (const auto& [family, registered] : finding.links) {
    here.push_back(pedigrees[family].family);
    there.push_back(named[registered].family);
  }
  std::vector<Code> rows(here.size());
  std::iota(rows.begin(), rows.end(), 0U);
  Output output;
  output.is_private = true;
  output.row_count = rows.size();
  output.columns = {{"pedigree", &rows, &here}, {"registered", &rows, &there}};
  run.engine.write(output, out, run.progress);
}

Json words_of(const FamilyKnowledge& knowledge) {
  Json words = Json::array({"descent"});
  if (knowledge.sex) words.push_back("sex");
  if (knowledge.status) words.push_back("status");
  if (knowledge.birth_order) words.push_back("birth order");
  return words;
}

}  // namespace

Outcome attack_family(const FamilyRequest& request, const Run& run) {
  FamilyKnowledge knowledge;
  for (const auto& what : request.without) {
    if (what == "sex") {
      knowledge.sex = false;
    } else if (what == "status") {
      knowledge.status = false;
    } else if (what == "order") {
      knowledge.birth_order = false;
    } else {
      throw Error::input("--without names something that pedigrees do not tell")
          .hint("It takes sex, status and order.");
    }
  }
  const auto pedigrees = read_pedigrees(request.pedigrees, run);
  const auto named = request.register_file.empty() ? std::vector<Pedigree>()
                                                   : read_pedigrees(request.register_file, run);
  const FamilyFinding finding = attack_families(pedigrees, named, knowledge, run.progress);
  Json result = {{"structures", finding.structures},
                 {"distinct", finding.distinct},
                 {"unique", finding.unique},
                 {"unique_share", share_of(finding.unique, finding.structures)},
                 {"people", finding.people},
                 {"people_unique", finding.people_unique},
                 {"known", words_of(knowledge)}};
  double share = share_of(finding.unique, finding.structures);
  if (!named.empty()) {
    share = share_of(finding.reidentified, finding.structures);
    result["registered"] = finding.registered;
    result["matched"] = finding.matched;
    result["reidentified"] = finding.reidentified;
    result["reidentified_share"] = share;
    result["mean_candidates"] = finding.mean_candidates;
    result["compared_by"] = words_of(finding.compared_by);
  }
  if (!request.out.empty()) {
    write_links(finding, pedigrees, named, request.out, run);
    result["out"] = request.out;
  }
  return {result, !request.fail_above || share <= *request.fail_above};
}

}  // namespace pratique::genomes::flow
