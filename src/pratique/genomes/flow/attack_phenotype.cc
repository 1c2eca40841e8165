#include "pratique/genomes/flow/attack_phenotype.h"

#include <nlohmann/json.hpp>

#include "pratique/genomes/attack/genotype_phenotype.h"
#include "pratique/genomes/flow/internal/phenotype_tables.h"

namespace pratique::genomes::flow {

Outcome attack_phenotype(const PhenotypeRequest& request, const Run& run) {
  const PhenotypeTables tables = read_phenotype_tables(request, run);
  const auto finding = attack_phenotypes(tables.samples, tables.people, tables.map, run.progress);
  const bool tried = finding.compared > 0;
  const std::uint64_t samples = count_samples(tables);
  const std::uint64_t reidentified = count_samples(tables, finding.link);
  const double share =
      samples == 0 ? 0 : static_cast<double>(reidentified) / static_cast<double>(samples);
  Json result = {{"samples", samples},
                 {"people", finding.people},
                 {"places", tables.places.size()},
                 {"diseases", tables.map.size()},
                 {"on", tables.on},
                 {"informative", finding.informative},
                 {"unmatched", finding.unmatched},
                 {"before", finding.before},
                 {"after", finding.after},
                 {"reidentified_before", count_samples(tables, finding.link_before)},
                 {"reidentified", reidentified},
                 {"reidentified_share", tried ? Json(share) : Json(nullptr)},
                 {"tried", tried}};
  if (!tried)
    result["note"] =
        "not tried: no sample has a gene of the map, or nobody agrees with one in what both tables "
        "tell";
  if (!request.truth.empty())
    result["right"] = right_links(tables, finding.link, request.truth, run);
  if (!request.out.empty()) {
    write_links(tables, finding.link, request.out, run);
    result["out"] = request.out;
  }
  return {result, !request.fail_above || (tried && share <= *request.fail_above)};
}

}  // namespace pratique::genomes::flow
