// Any bytes are sequences or refused with an Error, however they are cut into blocks; what was read
// is read again from what is written of it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/genomes/format/fasta.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  genomes::SequenceSet read;
  try {
    read = genomes::parse_fasta("input", text);
  } catch (const Error&) {
    return 0;
  }
  if (read.names.size() != read.sequences.size() || read.size() == 0) std::abort();
  std::string written;
  for (const auto& sequence : read.sequences) written += ">1\n" + genomes::to_text(sequence) + "\n";
  genomes::FastaParser parser("again");
  const std::size_t half = written.size() / 2;
  parser.take(std::string_view(written).substr(0, half));
  parser.take(std::string_view(written).substr(half));
  if (parser.finish().sequences != read.sequences) std::abort();
  return 0;
}
