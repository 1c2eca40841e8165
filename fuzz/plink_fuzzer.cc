// Any three files of PLINK are people and variants or refused with an Error. The input is bed, bim
// and fam behind each other, with a line of three percent signs between them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/genomes/format/plink_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  static const PrivateFolder folder;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto part = [&] {
    constexpr std::string_view kBetween = "%%%\n";
    const auto end = text.find(kBetween);
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + kBetween.size());
    return taken;
  };
  const std::string stem = folder.path() + "/f";
  // Without waiting for the disk each time.
  for (const char* ending : {".bed", ".bim", ".fam"})
    std::ofstream(stem + ending, std::ios::binary) << part();
  try {
    const auto file = genomes::open_plink(stem + ".bed");
    const std::size_t people = file->samples().size();
    while (file->next()) {
      if (file->dosages().size() != people || file->variant().position < 0) std::abort();
      const auto counted = file->count();
      if (counted.alternative > counted.alleles || counted.alleles > 2 * people) std::abort();
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
