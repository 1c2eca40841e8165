#include "pratique/server/csv_rows.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "pratique/core/error.h"

namespace pratique::server {
namespace {

constexpr std::uint64_t kStride = 1024;
constexpr std::size_t kSliceBytes = 4U << 20U;
constexpr std::size_t kReadBytes = 256U << 10U;
constexpr std::size_t kMostPageBytes = 8U << 20U;

}  // namespace

std::vector<std::string> split_record(std::string_view record, char delimiter) {
  std::vector<std::string> fields(1);
  std::size_t i = 0;
  bool at_start = true;
  while (i < record.size()) {
    const char c = record[i++];
    if (c == '"' && at_start) {
      at_start = false;
      while (i < record.size()) {
        const char q = record[i++];
        if (q != '"') {
          fields.back() += q;
        } else if (i < record.size() && record[i] == '"') {
          fields.back() += '"';
          ++i;
        } else {
          break;
        }
      }
      continue;
    }
    at_start = false;
    if (c == delimiter) {
      fields.emplace_back();
      at_start = true;
    } else if (c == '\n' || c == '\r') {
      break;
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

CsvRows::CsvRows(int descriptor, const std::string& name) : descriptor_(descriptor) {
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) throw Error::machine("cannot read this file").at(name);
    size_ = static_cast<std::uint64_t>(status.st_size);
    const std::string sample = read_at(0, kCsvSampleBytes);
    dialect_ = sniff_csv(sample, sample.size() == size_, {}, name);
  } catch (...) {
    close(descriptor_);
    throw;
  }
  scanned_ = dialect_.header_bytes;
  scanner_.emplace(dialect_.delimiter, scanned_);
}

CsvRows::~CsvRows() { close(descriptor_); }

std::string CsvRows::read_at(std::uint64_t offset, std::size_t bytes) const {
  std::string text(bytes, '\0');
  std::size_t have = 0;
  while (have < bytes) {
    const ssize_t bytes_read =
        pread(descriptor_, text.data() + have, bytes - have, static_cast<off_t>(offset + have));
    if (bytes_read < 0 && errno == EINTR) continue;
    if (bytes_read <= 0) break;
    have += static_cast<std::size_t>(bytes_read);
  }
  text.resize(have);
  return text;
}

bool CsvRows::scan_on() {
  const std::lock_guard lock(mutex_);
  return scan_slice();
}

bool CsvRows::scan_slice() {
  if (complete_) return false;
  const auto ended = [this](std::uint64_t start, std::uint64_t, bool blank) {
    if (blank && dialect_.columns.size() > 1) return;
    if (rows_ % kStride == 0) places_.push_back(start);
    ++rows_;
  };
  const std::string block = read_at(scanned_, kSliceBytes);
  scanner_->feed(block, ended);
  scanned_ += block.size();
  complete_ = block.size() < kSliceBytes;
  if (complete_) scanner_->finish(ended);
  return !complete_;
}

std::size_t CsvRows::index_bytes() const {
  const std::lock_guard lock(mutex_);
  return places_.size() * sizeof(places_[0]);
}

std::string CsvRows::decoded(std::string text) const {
  if (dialect_.encoding == CsvEncoding::utf8) return text;
  bool ignored = false;
  return normalise_csv(text, dialect_, ignored);
}

CsvRows::Page CsvRows::page(std::uint64_t offset, std::size_t limit) {
  Page page;
  std::uint64_t row = 0;
  std::uint64_t place = 0;
  // Slice by slice, so that somebody who asks for an earlier page need not wait for this one.
  while (true) {
    const std::lock_guard lock(mutex_);
    if (rows_ <= offset + limit && scan_slice()) continue;
    if (complete_) page.total = rows_;
    if (offset >= rows_ || limit == 0) return page;
    const std::uint64_t stride = offset / kStride;
    row = stride * kStride;
    place = places_[stride];
    break;
  }

  RecordScanner scanner(dialect_.delimiter, place);
  std::string text;  // from `place` on, as far as it is needed
  std::uint64_t read_to = place;
  std::size_t page_bytes = 0;
  bool full = false;
  const auto ended = [&](std::uint64_t start, std::uint64_t end, bool blank) {
    if (full || (blank && dialect_.columns.size() > 1)) return;
    if (row++ < offset) return;
    const std::string_view record = std::string_view(text).substr(start - place, end - start);
    page_bytes += record.size();
    auto fields = split_record(record, dialect_.delimiter);
    for (auto& field : fields) field = decoded(std::move(field));
    page.rows.push_back(std::move(fields));
    full = page.rows.size() == limit || page_bytes > kMostPageBytes;
  };
  std::uint64_t last_end = place;
  const auto ended_and_kept = [&](std::uint64_t start, std::uint64_t end, bool blank) {
    ended(start, end, blank);
    last_end = end;
  };
  while (!full) {
    const std::string block = read_at(read_to, kReadBytes);
    if (block.empty()) {
      scanner.finish(ended_and_kept);
      break;
    }
    text += block;
    scanner.feed(block, ended_and_kept);
    read_to += block.size();
    text.erase(0, last_end - place);
    place = last_end;
    if (text.size() > 4 * kLongestRecordBytes) {
      throw Error::input("a record of this file is too long to show");
    }
  }
  return page;
}

}  // namespace pratique::server
