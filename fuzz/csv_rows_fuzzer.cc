// The records of any bytes are the same however they are cut into blocks, cover them without a gap,
// and a record that is split gives back its fields' bytes at most.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "pratique/server/csv_rows.h"

namespace {

using pratique::server::RecordScanner;

struct Record {
  std::uint64_t start;
  std::uint64_t end;
  bool blank;
  bool operator==(const Record&) const = default;
};

std::vector<Record> records_of(std::string_view text, std::size_t block) {
  std::vector<Record> found;
  const auto ended = [&](std::uint64_t start, std::uint64_t end, bool blank) {
    found.push_back({start, end, blank});
  };
  RecordScanner scanner(',', 0);
  for (std::size_t i = 0; i < text.size(); i += block) scanner.feed(text.substr(i, block), ended);
  scanner.finish(ended);
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = records_of(text, text.size());
  if (whole != records_of(text, 1 + data[0] % 64)) std::abort();
  std::uint64_t end = 0;
  for (const auto& record : whole) {
    if (record.start != end || record.end <= record.start) std::abort();
    end = record.end;
    std::size_t bytes = 0;
    const std::string_view one = text.substr(record.start, record.end - record.start);
    for (const auto& field : pratique::server::split_record(one, ',')) bytes += field.size();
    if (bytes > one.size()) std::abort();
  }
  if (end != text.size()) std::abort();
  return 0;
}
