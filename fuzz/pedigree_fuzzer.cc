// Any bytes are families or refused with an Error; every family has a structure, and parents are
// people of it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/genomes/attack/family_structure.h"
#include "pratique/genomes/format/pedigree.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const auto& pedigree : genomes::parse_pedigrees("input", text)) {
      for (const auto& person : pedigree.people) {
        for (const auto parent : {person.father, person.mother}) {
          if (parent != genomes::kNoParent &&
              static_cast<std::size_t>(parent) >= pedigree.people.size())
            std::abort();
        }
      }
      if (genomes::canonical_structure(pedigree, {}).empty()) std::abort();
      (void)genomes::canonical_structure(pedigree, {.birth_order = false});
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
