// `genomes attack all`: attacks that help each other (Malin 2006, B.3.5). Whoever one attack names
// leaves the candidates of the others, so that these name more; again, until nobody new is found.
#pragma once

#include "pratique/genomes/flow/attack_phenotype.h"
#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

// JSON keys: samples, people, places, in_pedigrees, dictionary, family, phenotype, trails (named by
// each, in the round that did), reidentified, reidentified_share, alone (the same, named by each
// alone), rounds[]; with a truth right.
[[nodiscard]] Outcome attack_all(const PhenotypeRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
