#include "pratique/genomes/flow/attack_phenotype.h"

#include <nlohmann/json.hpp>

#include "pratique/genomes/attack/genotype_phenotype.h"
#include "pratique/genomes/flow/internal/phenotype_tables.h"

namespace pratique::genomes::flow {

Outcome attack_phenotype(const PhenotypeRequest& request, const Run& run) {
  const PhenotypeTables tables = read_phenotype_tables(request, false, run);
  const auto finding = attack_phenotypes(tables.samples, tables.people, tables.map, run.progress);
  const bool tried = finding.informative > 0 && finding.people > 0;
  const double share = finding.samples == 0 ? 0
                                            : static_cast<double>(finding.reidentified) /
                                                  static_cast<double>(finding.samples);
  Json result = {{"samples", finding.samples},
                 {"people", finding.people},
                 {"diseases", tables.map.size()},
                 {"on", tables.on},
                 {"informative", finding.informative},
                 {"unmatched", finding.unmatched},
                 {"before", finding.before},
                 {"after", finding.after},
                 {"reidentified_before", finding.reidentified_before},
                 {"reidentified", finding.reidentified},
                 {"reidentified_share", tried ? Json(share) : Json(nullptr)},
                 {"tried", tried}};
  if (!tried)
    result["note"] = "not tried: no sample has a gene of the map, or there is nobody to match";
  if (!request.truth.empty())
    result["right"] = right_links(tables, finding.link, request.truth, run);
  if (!request.out.empty()) {
    write_links(tables, finding.link, request.out, run);
    result["out"] = request.out;
  }
  return {result, !request.fail_above || (tried && share <= *request.fail_above)};
}

}  // namespace pratique::genomes::flow
