#include "pratique/genomes/format/genotype_set.h"

#include "pratique/core/error.h"

namespace pratique::genomes {

GenotypeSet read_genotypes(const std::string& path, Progress& progress) {
  const auto file = GenotypeFile::open(path);
  if (file->samples().empty()) {
    throw Error::input("the file has no genotypes")
        .at(path)
        .hint("It needs people: a VCF, BCF or PLINK file with samples.");
  }
  GenotypeSet set{.samples = file->samples(),
                  .variants = {},
                  .alleles = {},
                  .store = GenotypeStore(file->samples().size())};
  progress.begin("reading genotypes", 0);
  while (file->next()) {
    const AlleleCount counted = file->count();
    progress.advance(1);
    if (counted.alleles == 0) continue;
    set.variants.push_back(file->variant());
    set.alleles.push_back(counted);
    set.store.add(file->dosages());
  }
  if (set.variants.empty()) throw Error::input("the file has no variant").at(path);
  return set;
}

}  // namespace pratique::genomes
