#include "pratique/genomes/format/internal/vcf_file.h"

#include <fmt/format.h>
#include <htslib/hts.h>
#include <htslib/hts_log.h>
#include <htslib/vcf.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <sstream>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/genomes/format/internal/call_bytes.h"
#include "pratique/genomes/format/internal/record_stream.h"
#include "pratique/genomes/format/internal/variants_at_place.h"

namespace pratique::genomes {
namespace {

struct CloseHtsFile {
  void operator()(htsFile* file) const { hts_close(file); }
};
struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};
struct FreeHeader {
  void operator()(bcf_hdr_t* header) const { bcf_hdr_destroy(header); }
};

bool are_bases(std::string_view text) {
  constexpr std::string_view kLetters = "ACGTNRYSWKMBDHVacgtnryswkmbdhv";
  return !text.empty() && text.find_first_not_of(kLetters) == std::string_view::npos;
}

bool is_same_allele(std::string_view a, std::string_view b) {
  return a.size() == b.size() && lower(std::string(a)) == lower(std::string(b));
}

// What stands among the alternatives for all that is not listed, or for what a deletion before has
// taken away: no variant of its own.
bool is_no_variant(std::string_view alternative) {
  return alternative == "*" || alternative == "<*>" || alternative == "<NON_REF>" ||
         alternative == "<X>";
}

bool is_alternative(std::string_view text) {
  if (text == "*" || are_bases(text)) return true;
  if (text.starts_with('<')) return text.ends_with('>') && text.size() > 2;
  // Breakends: where the other end lies stands in brackets, or nowhere.
  return text.find_first_of("[]") != std::string_view::npos ||
         (text.size() > 1 && (text.starts_with('.') || text.ends_with('.')));
}

class VcfFile final : public GenotypeFile {
 public:
  explicit VcfFile(std::string path) : path_(std::move(path)) {
    // A name that is no local file would be fetched from the network.
    require_readable_file(path_);
    refuse_endless_header();
    hts_set_log_level(HTS_LOG_OFF);
    file_.reset(hts_open(path_.c_str(), "r"));
    if (file_) header_.reset(bcf_hdr_read(file_.get()));
    if (!file_ || !header_) {
      refuse_repeated_samples();
      throw Error::input("the file is neither VCF nor BCF")
          .at(path_)
          .hint("VCF begins with ##fileformat=VCF and has a line #CHROM with the samples.");
    }
    // What a BGZF file ends with; without it, records at its end may be gone.
    if (hts_get_format(file_.get())->compression == bgzf && hts_check_EOF(file_.get()) == 0) {
      throw Error::input("the file is cut off: its end mark is missing")
          .at(path_)
          .hint("Copy it again; bgzip -t or bcftools view says whether it is whole.");
    }
    for (int s = 0; s < bcf_hdr_nsamples(header_.get()); ++s)
      samples_.emplace_back(header_->samples[s]);
    dosages_.resize(samples_.size());
  }

  [[nodiscard]] const std::vector<std::string>& samples() const override { return samples_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  [[nodiscard]] std::span<const Dosage> dosages() const override {
    // Whoever passes a variant over, or counts alleles alone, does not pay for it.
    if (dosages_of_ != allele_) {
      take_calls();
      dosages_of_ = allele_;
    }
    return dosages_;
  }

  [[nodiscard]] AlleleCount count() const override {
    const bcf_fmt_t* calls = calls_;
    if (calls == nullptr) return {};
    if (calls->type == BCF_BT_INT8) return count_alleles(bytes_of(*calls), allele_);
    AlleleCount counted;
    const auto* wide = reinterpret_cast<const std::int16_t*>(calls->p);
    const std::size_t all = samples_.size() * static_cast<std::size_t>(calls->n);
    for (std::size_t i = 0; i < all; ++i) {
      const int call = (static_cast<int>(wide[i]) >> 1) - 1;
      if (wide[i] == static_cast<std::int16_t>(bcf_int16_vector_end) || call < 0) continue;
      counted.alternative += call == allele_ ? 1 : 0;
      ++counted.alleles;
    }
    return counted;
  }

  bool next() override {
    while (true) {
      if (++allele_ >= alleles_) {
        if (!next_record()) return false;
        continue;
      }
      const std::string_view alternative = record_->d.allele[allele_];
      if (is_no_variant(alternative)) continue;
      take_variant();
      if (seen_.take(variant_)) break;
      if (alternative.starts_with('<')) throw symbolic_twice();
    }
    dosages_of_ = 0;
    return true;
  }

 private:
  bool next_record() {
    // Whoever asks for the samples alone reads no records.
    if (!records_) records_.emplace(*file_, *header_);
    record_ = records_->next();
    if (record_ == nullptr && records_->ended_well()) return false;
    if (record_ == nullptr) throw unreadable();
    if (record_->pos < 0) throw damaged("a record cannot be read");
    if (record_->n_sample != samples_.size())
      throw damaged("a record has more or fewer genotypes than the file has samples");
    // Of people, INFO is left as it is.
    bcf_unpack(record_, samples_.empty() ? BCF_UN_INFO : BCF_UN_STR | BCF_UN_FMT);
    alleles_ = record_->n_allele;
    allele_ = 0;
    check_alleles();
    find_calls();
    return true;
  }

  void check_alleles() const {
    if (alleles_ == 0) throw damaged("a record has no alleles");
    const std::span<char* const> alleles(record_->d.allele, static_cast<std::size_t>(alleles_));
    if (!are_bases(alleles.front()))
      throw damaged("the reference allele of a record is no letters of bases");
    for (std::size_t a = 1; a < alleles.size(); ++a) {
      if (!is_alternative(alleles[a]))
        throw damaged("an alternative of a record is no allele that VCF knows");
      for (std::size_t before = 0; before < a; ++before) {
        if (is_same_allele(alleles[before], alleles[a]))
          throw damaged("a record has the same allele twice, so its calls tell nothing");
      }
    }
  }

  [[nodiscard]] std::string place_of_record() const {
    return file_->format.format == vcf
               ? fmt::format("{}:{}", path_, file_->lineno)
               : fmt::format("{}, record at {}:{}", path_, bcf_seqname_safe(header_.get(), record_),
                             record_->pos + 1);
  }
  [[nodiscard]] Error damaged(const std::string& what) const {
    return Error::input(what)
        .at(place_of_record())
        .hint("bcftools view shows what is wrong with it.");
  }
  // Where a deletion ends, say, stands in INFO, which is not read.
  [[nodiscard]] Error symbolic_twice() const {
    return Error::input(
               "a symbolic allele stands at one place twice, and nothing tells the two apart")
        .at(place_of_record())
        .hint("Leave symbolic alleles out: bcftools view -e 'ALT~\"<\"'.");
  }

  // A damaged BCF may claim a header of 4 GB, and htslib takes as much memory before it reads it.
  void refuse_endless_header() const {
    constexpr std::uint32_t kMostBytes = 256U << 20U;
    const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path_.c_str(), "rb"));
    std::array<unsigned char, 9> begin{};  // BCF, two bytes of version, the length
    if (!file || gzread(file.get(), begin.data(), begin.size()) != int{begin.size()}) return;
    if (begin[0] != 'B' || begin[1] != 'C' || begin[2] != 'F') return;
    const std::uint32_t length = begin[5] | std::uint32_t{begin[6]} << 8U |
                                 std::uint32_t{begin[7]} << 16U | std::uint32_t{begin[8]} << 24U;
    if (length <= kMostBytes) return;
    throw Error::input("the header of the file is damaged: it claims more than 256 MB")
        .at(path_)
        .hint("Copy it again; bcftools view -h shows a header.");
  }

  // htslib reads no header with a sample twice, and does not say why.
  void refuse_repeated_samples() const {
    const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path_.c_str(), "rb"));
    std::string line;
    std::array<char, 4096> some{};
    for (std::size_t number = 1; file && gzgets(file.get(), some.data(), some.size()) != nullptr;) {
      line += some.data();
      if (!line.ends_with('\n')) continue;
      if (!line.starts_with('#')) return;
      while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
      if (line.starts_with("#CHROM")) {
        std::istringstream columns(line);
        std::set<std::string> names;
        for (std::string name; std::getline(columns, name, '\t');) {
          if (names.insert(name).second) continue;
          throw Error::input("a sample stands there twice")
              .at(fmt::format("{}:{}", path_, number))
              .hint("One column for each person, under one name.");
        }
        return;
      }
      line.clear();
      ++number;
    }
  }

  // Records are read ahead: of BCF all that is known of this one is what stood before it.
  [[nodiscard]] Error unreadable() const {
    std::string place = fmt::format("{}:{}", path_, file_->lineno);
    if (file_->format.format != vcf && variant_.position == 0) {
      place = fmt::format("{}, its first record", path_);
    } else if (file_->format.format != vcf) {
      place =
          fmt::format("{}, after the record at {}:{}", path_, variant_.chrom, variant_.position);
    }
    return Error::input(records_->has_uneven_line()
                            ? "a line has more or fewer columns than there are samples"
                            : "a record cannot be read")
        .at(place)
        .hint("bcftools view shows what is wrong with it.");
  }

  void take_variant() {
    variant_.chrom = plain_chromosome(bcf_seqname_safe(header_.get(), record_));
    variant_.position = record_->pos + 1;
    variant_.reference = record_->d.allele[0];
    variant_.alternative = record_->d.allele[allele_];
    variant_.covers = record_->rlen;  // with INFO/END, where there is one
    if (variant_.alternative.starts_with('<') && !variant_.alternative.starts_with("<INS"))
      variant_.covers = std::max(variant_.covers, told_length() + 1);
    variant_.frequency.reset();
    // Where there are people, frequencies are counted.
    if (samples_.empty()) take_told_frequency();
  }

  // Of a symbolic allele, the longest that INFO/SVLEN has; deletions have a negative one.
  [[nodiscard]] std::int64_t told_length() const {
    bcf_unpack(record_, BCF_UN_INFO);
    const bcf_info_t* told = bcf_get_info(header_.get(), record_, "SVLEN");
    std::int64_t longest = 0;
    const auto take = [&]<class Number>(Number /*type*/) {
      for (int i = 0; i < told->len; ++i) {
        Number length = 0;
        std::memcpy(&length, told->vptr + sizeof length * static_cast<std::size_t>(i),
                    sizeof length);
        longest = std::max(longest, std::abs(static_cast<std::int64_t>(length)));
      }
    };
    if (told == nullptr) return longest;
    if (told->type == BCF_BT_INT8) take(std::int8_t{});
    if (told->type == BCF_BT_INT16) take(std::int16_t{});
    if (told->type == BCF_BT_INT32) take(std::int32_t{});
    return longest;
  }

  void take_told_frequency() {
    const bcf_info_t* told = bcf_get_info(header_.get(), record_, "AF");
    if (told == nullptr || told->type != BCF_BT_FLOAT || told->len < allele_) return;
    float value = 0;
    std::memcpy(&value, told->vptr + sizeof(float) * static_cast<std::size_t>(allele_ - 1),
                sizeof(float));
    if (bcf_float_is_missing(value) == 0) variant_.frequency = value;
  }

  [[nodiscard]] std::span<const std::uint8_t> bytes_of(const bcf_fmt_t& calls) const {
    return {calls.p, samples_.size() * static_cast<std::size_t>(calls.n)};
  }

  // The calls of a record, once for all of its alleles.
  void find_calls() {
    calls_ = samples_.empty() || alleles_ < 2 ? nullptr : bcf_get_fmt(header_.get(), record_, "GT");
    if (calls_ == nullptr) return;
    if (calls_->n == 0) {
      calls_ = nullptr;
      return;
    }
    if (calls_->type != BCF_BT_INT8 && calls_->type != BCF_BT_INT16)
      throw damaged("the genotypes of a record are of a type that is not read here");
    const std::size_t size = calls_->type == BCF_BT_INT8 ? 1 : 2;
    if (calls_->p_len < samples_.size() * static_cast<std::size_t>(calls_->n) * size)
      throw damaged("a record has fewer genotypes than the file has samples");
    if (!are_known_alleles()) throw damaged("a call names an allele that its line does not have");
    constexpr int kDiploid = 2;
    if (calls_->n > kDiploid) require_two_alleles();
  }

  [[nodiscard]] bool are_known_alleles() const {
    if (calls_->type == BCF_BT_INT8) return are_alleles_of(bytes_of(*calls_), alleles_);
    const auto* wide = reinterpret_cast<const std::int16_t*>(calls_->p);
    const std::size_t all = samples_.size() * static_cast<std::size_t>(calls_->n);
    return std::all_of(wide, wide + all,
                       [&](std::int16_t call) { return (call >> 1) <= alleles_; });
  }

  // A record may leave room for more than its calls need.
  void require_two_alleles() const {
    const auto in_use = [&](auto* calls, auto end) {
      for (std::size_t s = 0; s < samples_.size(); ++s, calls += calls_->n) {
        if (calls[2] != end) throw damaged("a call has more than two alleles");
      }
    };
    if (calls_->type == BCF_BT_INT8) {
      in_use(reinterpret_cast<const std::int8_t*>(calls_->p),
             static_cast<std::int8_t>(bcf_int8_vector_end));
    } else {
      in_use(reinterpret_cast<const std::int16_t*>(calls_->p),
             static_cast<std::int16_t>(bcf_int16_vector_end));
    }
  }

  void take_calls() const {
    if (calls_ == nullptr) {
      std::fill(dosages_.begin(), dosages_.end(), kMissingDosage);
    } else if (calls_->type == BCF_BT_INT8 && calls_->n == 2) {
      take_dosages(bytes_of(*calls_), allele_, dosages_);
    } else if (calls_->type == BCF_BT_INT8) {
      take_each(reinterpret_cast<const std::int8_t*>(calls_->p),
                static_cast<std::int8_t>(bcf_int8_vector_end));
    } else {
      take_each(reinterpret_cast<const std::int16_t*>(calls_->p),
                static_cast<std::int16_t>(bcf_int16_vector_end));
    }
  }

  template <class Call>
  void take_each(const Call* calls, Call end) const {
    for (std::size_t s = 0; s < samples_.size(); ++s, calls += calls_->n) {
      int copies = 0;
      int called = 0;
      bool missing = false;
      for (int a = 0; a < calls_->n && calls[a] != end; ++a) {
        // (allele + 1) << 1 | phased; 0 is missing.
        const int call = (static_cast<int>(calls[a]) >> 1) - 1;
        missing = missing || call < 0;
        copies += call == allele_ ? 1 : 0;
        ++called;
      }
      dosages_[s] = missing || called == 0 ? kMissingDosage
                                           : static_cast<Dosage>(called == 1 ? 2 * copies : copies);
    }
  }

  std::string path_;
  std::unique_ptr<htsFile, CloseHtsFile> file_;
  std::unique_ptr<bcf_hdr_t, FreeHeader> header_;
  std::optional<RecordStream> records_;
  bcf1_t* record_ = nullptr;
  VariantsAtPlace seen_;
  std::vector<std::string> samples_;
  const bcf_fmt_t* calls_ = nullptr;  // of the record; none where it has no genotypes
  mutable std::vector<Dosage> dosages_;
  mutable int dosages_of_ = 0;  // the allele; 0: not worked out
  Variant variant_;
  int allele_ = 0;
  int alleles_ = 0;
};

}  // namespace

std::unique_ptr<GenotypeFile> open_vcf(const std::string& path) {
  return std::make_unique<VcfFile>(path);
}

}  // namespace pratique::genomes
