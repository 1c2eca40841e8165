#include "pratique/genomes/format/internal/vcf_file.h"

#include <fmt/format.h>
#include <htslib/hts.h>
#include <htslib/hts_log.h>
#include <htslib/vcf.h>

#include <algorithm>
#include <cstring>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::genomes {
namespace {

struct CloseHtsFile {
  void operator()(htsFile* file) const { hts_close(file); }
};
struct FreeHeader {
  void operator()(bcf_hdr_t* header) const { bcf_hdr_destroy(header); }
};
struct FreeRecord {
  void operator()(bcf1_t* record) const { bcf_destroy(record); }
};

std::string without_chr(std::string_view chrom) {
  if (chrom.starts_with("chr")) chrom.remove_prefix(3);
  return std::string(chrom);
}

class VcfFile final : public GenotypeFile {
 public:
  explicit VcfFile(std::string path) : path_(std::move(path)) {
    // A name that is no local file would be fetched from the network.
    require_readable_file(path_);
    hts_set_log_level(HTS_LOG_OFF);
    file_.reset(hts_open(path_.c_str(), "r"));
    if (file_) header_.reset(bcf_hdr_read(file_.get()));
    if (!file_ || !header_) {
      throw Error::input("the file is neither VCF nor BCF")
          .at(path_)
          .hint("VCF begins with ##fileformat=VCF and has a line #CHROM with the samples.");
    }
    record_.reset(bcf_init());
    for (int s = 0; s < bcf_hdr_nsamples(header_.get()); ++s)
      samples_.emplace_back(header_->samples[s]);
    dosages_.resize(samples_.size());
  }

  [[nodiscard]] const std::vector<std::string>& samples() const override { return samples_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  [[nodiscard]] std::span<const Dosage> dosages() const override { return dosages_; }

  [[nodiscard]] AlleleCount count() const override {
    AlleleCount counted;
    const bcf_fmt_t* calls = bcf_get_fmt(header_.get(), record_.get(), "GT");
    if (samples_.empty() || calls == nullptr || calls->n == 0) return counted;
    if (calls->type == BCF_BT_INT8) {
      count_calls(reinterpret_cast<const std::int8_t*>(calls->p), calls->n,
                  static_cast<std::int8_t>(bcf_int8_vector_end), counted);
    } else {
      count_calls(reinterpret_cast<const std::int16_t*>(calls->p), calls->n,
                  static_cast<std::int16_t>(bcf_int16_vector_end), counted);
    }
    return counted;
  }

  bool next() override {
    while (++allele_ >= alleles_) {
      const int read = bcf_read(file_.get(), header_.get(), record_.get());
      if (read == -1) return false;
      if (read < -1 || record_->errcode != 0 || record_->pos < 0)
        throw damaged("a record cannot be read");
      bcf_unpack(record_.get(), samples_.empty() ? BCF_UN_INFO : BCF_UN_ALL);
      alleles_ = record_->n_allele;
      allele_ = 0;
    }
    take_variant();
    if (!samples_.empty()) take_dosages();
    return true;
  }

 private:
  [[nodiscard]] Error damaged(const std::string& what) const {
    const std::string place =
        file_->format.format == vcf
            ? fmt::format("{}:{}", path_, file_->lineno)
            : fmt::format("{}, record at {}:{}", path_,
                          bcf_seqname_safe(header_.get(), record_.get()), record_->pos + 1);
    return Error::input(what).at(place).hint("bcftools view shows what is wrong with it.");
  }

  void take_variant() {
    variant_.chrom = without_chr(bcf_seqname_safe(header_.get(), record_.get()));
    variant_.position = record_->pos + 1;
    variant_.reference = record_->d.allele[0];
    variant_.alternative = record_->d.allele[allele_];
    variant_.frequency.reset();
    // Where there are people, frequencies are counted.
    if (samples_.empty()) take_told_frequency();
  }

  void take_told_frequency() {
    const bcf_info_t* told = bcf_get_info(header_.get(), record_.get(), "AF");
    if (told == nullptr || told->type != BCF_BT_FLOAT || told->len < allele_) return;
    float value = 0;
    std::memcpy(&value, told->vptr + sizeof(float) * static_cast<std::size_t>(allele_ - 1),
                sizeof(float));
    if (bcf_float_is_missing(value) == 0) variant_.frequency = value;
  }

  template <class Call>
  void count_calls(const Call* calls, int ploidy, Call end, AlleleCount& counted) const {
    const std::size_t all = samples_.size() * static_cast<std::size_t>(ploidy);
    for (std::size_t i = 0; i < all; ++i) {
      const int call = (static_cast<int>(calls[i]) >> 1) - 1;
      if (calls[i] == end || call < 0) continue;
      counted.alternative += call == allele_ ? 1 : 0;
      ++counted.alleles;
    }
  }

  template <class Call>
  void take_calls(const Call* calls, int ploidy, Call end) {
    for (std::size_t s = 0; s < samples_.size(); ++s, calls += ploidy) {
      int copies = 0;
      int called = 0;
      bool missing = false;
      for (int a = 0; a < ploidy && calls[a] != end; ++a) {
        // (allele + 1) << 1 | phased; 0 is missing.
        const int call = (static_cast<int>(calls[a]) >> 1) - 1;
        missing = missing || call < 0;
        copies += call == allele_ ? 1 : 0;
        ++called;
      }
      if (missing || called == 0) {
        dosages_[s] = kMissingDosage;
      } else if (called == 2) {
        dosages_[s] = static_cast<Dosage>(copies);
      } else if (called == 1) {
        dosages_[s] = static_cast<Dosage>(2 * copies);
      } else {
        throw damaged("a call has more than two alleles");
      }
    }
  }

  // Nearly all calls are two bytes each: what any two mean is worked out once for an allele.
  void take_byte_pairs(const std::uint8_t* calls) {
    if (allele_ != pairs_of_allele_) work_out_pairs();
    for (std::size_t s = 0; s < samples_.size(); ++s)
      dosages_[s] = pairs_[calls[2 * s] | static_cast<unsigned>(calls[2 * s + 1]) << 8U];
  }

  void work_out_pairs() {
    constexpr unsigned kEnd = 0x81;  // of a haploid call
    pairs_of_allele_ = allele_;
    pairs_.resize(std::size_t{1} << 16U);
    // Above 127 is what the format calls missing, or the end.
    const auto allele_in = [](unsigned byte) {
      return byte > 127 ? -1 : static_cast<int>(byte >> 1U) - 1;
    };
    for (unsigned first = 0; first < 256; ++first) {
      for (unsigned second = 0; second < 256; ++second) {
        const int a = allele_in(first);
        const int b = allele_in(second);
        Dosage dosage = kMissingDosage;
        if (second == kEnd && first != kEnd && a >= 0) {
          dosage = a == allele_ ? 2 : 0;
        } else if (first != kEnd && second != kEnd && a >= 0 && b >= 0) {
          dosage = static_cast<Dosage>((a == allele_ ? 1 : 0) + (b == allele_ ? 1 : 0));
        }
        pairs_[first | second << 8U] = dosage;
      }
    }
  }

  void take_dosages() {
    const bcf_fmt_t* calls = bcf_get_fmt(header_.get(), record_.get(), "GT");
    if (calls == nullptr || calls->n == 0) {
      std::fill(dosages_.begin(), dosages_.end(), kMissingDosage);
      return;
    }
    if (calls->type == BCF_BT_INT8 && calls->n == 2) {
      take_byte_pairs(calls->p);
    } else if (calls->type == BCF_BT_INT8) {
      take_calls(reinterpret_cast<const std::int8_t*>(calls->p), calls->n,
                 static_cast<std::int8_t>(bcf_int8_vector_end));
    } else if (calls->type == BCF_BT_INT16) {
      take_calls(reinterpret_cast<const std::int16_t*>(calls->p), calls->n,
                 static_cast<std::int16_t>(bcf_int16_vector_end));
    } else {
      throw damaged("the genotypes of a record are of a type that is not read here");
    }
  }

  std::string path_;
  std::unique_ptr<htsFile, CloseHtsFile> file_;
  std::unique_ptr<bcf_hdr_t, FreeHeader> header_;
  std::unique_ptr<bcf1_t, FreeRecord> record_;
  std::vector<std::string> samples_;
  std::vector<Dosage> dosages_;
  Variant variant_;
  int allele_ = 0;
  int alleles_ = 0;
  std::vector<Dosage> pairs_;  // by two bytes
  int pairs_of_allele_ = 0;
};

}  // namespace

std::unique_ptr<GenotypeFile> open_vcf(const std::string& path) {
  return std::make_unique<VcfFile>(path);
}

}  // namespace pratique::genomes
