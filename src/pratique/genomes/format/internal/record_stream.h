// Records of a VCF or BCF file, one after the other. Of BCF a thread of its own inflates and reads
// ahead while whoever asks works on those before: some batches of records are all that is held. Of
// VCF, whose reader may write to the header, htslib's threads inflate and the records are read when
// they are asked for.
#pragma once

#include <htslib/vcf.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pratique::genomes {

class RecordStream {
 public:
  // Both outlive it, and the file is read by nobody else.
  RecordStream(htsFile& file, bcf_hdr_t& header);
  ~RecordStream();
  RecordStream(const RecordStream&) = delete;
  RecordStream& operator=(const RecordStream&) = delete;

  // Valid until the next one. Null: there is none, or it cannot be read.
  [[nodiscard]] bcf1_t* next();
  // False: after the last one that was given there is one that cannot be read.
  [[nodiscard]] bool ended_well() const { return ended_well_; }
  // That one is a line of VCF with more or fewer columns than the header has.
  [[nodiscard]] bool has_uneven_line() const { return uneven_line_; }

 private:
  struct FreeRecord {
    void operator()(bcf1_t* record) const { bcf_destroy(record); }
  };
  struct Batch {
    std::vector<std::unique_ptr<bcf1_t, FreeRecord>> records;
    std::size_t count = 0;  // that were read; further ones are kept to be used again
    int status = 0;         // of the last reading: below 0 there are no more
  };

  [[nodiscard]] int read(bcf1_t& record);
  [[nodiscard]] int read_line(bcf1_t& record);
  void fill(Batch& batch);
  void read_ahead();
  // The batch in hand is given back for another.
  void exchange();

  htsFile& file_;
  bcf_hdr_t& header_;
  bool ahead_ = false;
  bool ended_well_ = true;
  bool uneven_line_ = false;
  kstring_t line_ = KS_INITIALIZE;
  Batch in_hand_;
  std::size_t taken_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> filled_;
  std::deque<Batch> to_fill_;
  bool stopped_ = false;
  std::thread reader_;
};

}  // namespace pratique::genomes
