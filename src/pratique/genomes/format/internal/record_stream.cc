#include "pratique/genomes/format/internal/record_stream.h"

#include <htslib/hts.h>

#include <algorithm>
#include <string_view>

#include "pratique/core/parallel.h"

namespace pratique::genomes {
namespace {

constexpr std::size_t kRecordsInBatch = 64;
constexpr std::size_t kBytesInBatch = std::size_t{1} << 19U;
constexpr std::size_t kBatches = 4;
constexpr std::size_t kMostInflating = 4;

}  // namespace

RecordStream::RecordStream(htsFile& file, bcf_hdr_t& header) : file_(file), header_(header) {
  const std::size_t threads = available_threads();
  ahead_ = threads > 1 && file.format.format == bcf;
  if (ahead_) {
    to_fill_.resize(kBatches);
    reader_ = std::thread([this] { read_ahead(); });
  } else if (threads > 1) {
    hts_set_threads(&file, static_cast<int>(std::min(threads - 1, kMostInflating)));
  }
}

RecordStream::~RecordStream() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (reader_.joinable()) reader_.join();
  ks_free(&line_);
}

bcf1_t* RecordStream::next() {
  while (taken_ == in_hand_.count) {
    if (in_hand_.status < 0) {
      ended_well_ = in_hand_.status == -1;
      return nullptr;
    }
    exchange();
    taken_ = 0;
  }
  return in_hand_.records[taken_++].get();
}

// htslib takes a line that breaks off for a record without genotypes, and drops columns that are
// too many.
int RecordStream::read_line(bcf1_t& record) {
  std::string_view line;
  do {
    const int length = hts_getline(&file_, '\n', &line_);
    if (length < 0) return length;
    line = {line_.s, line_.l};
  } while (line.empty() || line == "\r");
  constexpr std::ptrdiff_t kColumns = 8;
  const std::ptrdiff_t samples = bcf_hdr_nsamples(&header_);
  const auto columns = 1 + std::count(line.begin(), line.end(), '\t');
  uneven_line_ = samples > 0 ? columns != kColumns + 1 + samples : columns < kColumns;
  return uneven_line_ ? -2 : vcf_parse(&line_, &header_, &record);
}

int RecordStream::read(bcf1_t& record) {
  const int status =
      file_.format.format == vcf ? read_line(record) : bcf_read(&file_, &header_, &record);
  // A chromosome or a field that the header does not list is read all the same, as bcftools does.
  constexpr int kNotListed = BCF_ERR_CTG_UNDEF | BCF_ERR_TAG_UNDEF;
  return status == 0 && (record.errcode & ~kNotListed) != 0 ? -2 : status;
}

void RecordStream::fill(Batch& batch) {
  batch.count = 0;
  batch.status = 0;
  const std::size_t most = ahead_ ? kRecordsInBatch : 1;
  for (std::size_t bytes = 0; batch.count < most && bytes < kBytesInBatch;) {
    if (batch.count == batch.records.size()) batch.records.emplace_back(bcf_init());
    bcf1_t& record = *batch.records[batch.count];
    batch.status = read(record);
    if (batch.status < 0) return;
    ++batch.count;
    bytes += record.shared.l + record.indiv.l;
  }
}

void RecordStream::read_ahead() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopped_ || !to_fill_.empty(); });
    if (stopped_) return;
    Batch batch = std::move(to_fill_.front());
    to_fill_.pop_front();
    lock.unlock();
    fill(batch);
    lock.lock();
    const bool more = batch.status >= 0;
    filled_.push_back(std::move(batch));
    changed_.notify_all();
    if (!more) return;
  }
}

void RecordStream::exchange() {
  if (!ahead_) {
    fill(in_hand_);
    return;
  }
  std::unique_lock lock(mutex_);
  if (in_hand_.count > 0) {
    to_fill_.push_back(std::move(in_hand_));
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return !filled_.empty(); });
  in_hand_ = std::move(filled_.front());
  filled_.pop_front();
}

}  // namespace pratique::genomes
