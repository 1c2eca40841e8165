// Any bytes are genotypes or refused with an Error, as VCF or BCF, compressed or not: what is
// counted of a variant is at most two alleles of everybody, and calls and counts agree.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/genomes/format/genotypes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  // Inflating in other threads would start and end some for each input.
  static const ThreadLimit one(1);
  static const PrivateFolder folder;
  const std::string path = folder.path() + "/f.vcf";
  // Without waiting for the disk each time.
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    if (!genomes::looks_like_genotypes(path)) return 0;
    const auto file = genomes::GenotypeFile::open(path);
    const std::size_t people = file->samples().size();
    while (file->next()) {
      const auto dosages = file->dosages();
      if (dosages.size() != people || file->variant().position < 1) std::abort();
      const auto counted = file->count();
      if (counted.alternative > counted.alleles || counted.alleles > 2 * people) std::abort();
      // Whoever has a call is counted with one allele of it, or two.
      std::uint64_t called = 0;
      for (const auto dosage : dosages) {
        if (dosage > genomes::kMissingDosage) std::abort();
        called += dosage == genomes::kMissingDosage ? 0 : 1;
      }
      if (counted.alleles < called) std::abort();
      (void)file->variant().key();
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
