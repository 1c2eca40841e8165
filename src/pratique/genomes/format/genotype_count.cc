#include "pratique/genomes/format/genotypes.h"

namespace pratique::genomes {

AlleleCount GenotypeFile::count() const {
  AlleleCount counted;
  for (const Dosage dosage : dosages()) counted.add(dosage);
  return counted;
}

}  // namespace pratique::genomes
