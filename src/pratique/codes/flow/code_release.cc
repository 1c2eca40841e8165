#include "pratique/codes/flow/code_release.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "pratique/core/error.h"
#include "pratique/kind/row_order.h"

namespace pratique::release {
namespace {

// The labels of a set in the order of their texts.
class InOrderOfText {
 public:
  explicit InOrderOfText(const codes::Recoding& recoding)
      : recoding_(recoding), by_text_(recoding.labels.size()), rank_(by_text_.size()) {
    std::iota(by_text_.begin(), by_text_.end(), 0U);
    std::sort(by_text_.begin(), by_text_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return recoding.labels[a].text < recoding.labels[b].text;
    });
    for (std::uint32_t i = 0; i < rank_.size(); ++i) rank_[by_text_[i]] = i;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& labels() const { return by_text_; }
  [[nodiscard]] std::uint32_t rank(std::uint32_t label) const { return rank_[label]; }

  // All texts of a set as one.
  [[nodiscard]] const std::string& text(std::size_t set, char between) {
    ranks_.clear();
    for (const auto label : recoding_.set(set)) ranks_.push_back(rank_[label]);
    std::sort(ranks_.begin(), ranks_.end());
    text_.clear();
    for (const auto rank : ranks_) {
      if (!text_.empty()) text_ += between;
      text_ += recoding_.labels[by_text_[rank]].text;
    }
    return text_;
  }

 private:
  const codes::Recoding& recoding_;
  std::vector<std::uint32_t> by_text_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> ranks_;
  std::string text_;
};

}  // namespace

void make_writable(codes::Recoding& recoding, bool long_form) {
  if (long_form) return;
  std::unordered_set<std::string> taken;
  for (auto& label : recoding.labels) {
    std::replace_if(
        label.text.begin(), label.text.end(),
        [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }, '_');
    if (label.text.empty() || !taken.insert(label.text).second) {
      throw Error::input(
          "two labels of the hierarchy differ only in blanks, which separate codes here")
          .hint("Name them differently, or release a long file with --patient and --code.");
    }
  }
}

CodeRelease::CodeRelease(const codes::CodeFile& file, const codes::Recoding& recoding,
                         std::uint64_t seed) {
  if (file.long_form()) {
    long_form(file, recoding, seed);
  } else {
    sets_form(file, recoding, seed);
  }
  output_.rows = file.long_form() ? nullptr : &rows_;
  output_.delimiter = file.source.delimiter;
  if (file.long_form()) {
    artefact_ = std::make_unique<TableArtefact>(output_);
  } else {
    artefact_ = std::make_unique<SetsArtefact>(output_);
  }
}

void CodeRelease::sets_form(const codes::CodeFile& file, const codes::Recoding& recoding,
                            std::uint64_t seed) {
  columns_.push_back(std::make_unique<OwnedColumn>());
  OwnedColumn& lines = *columns_.back();
  Dictionary distinct;
  InOrderOfText ordered(recoding);
  std::vector<std::uint64_t> counts;
  for (std::size_t s = 0; s < file.sets.size(); ++s) {
    if (recoding.set(s).empty()) continue;
    const Code line = distinct.intern(ordered.text(s, ' '));
    if (line == counts.size()) counts.push_back(0);
    counts[line] += file.sets.counts[s];
  }
  Content content{.counts = &counts};
  for (Code line = 0; line < distinct.size(); ++line) {
    lines.codes.push_back(line);
    lines.values.emplace_back(distinct.value(line));
    content.groups.push_back(line);
  }
  output_.columns = {{"codes", &lines.codes, &lines.values}};
  content.columns = output_.columns;
  rows_ = order_by_content(content, seed);
  output_.row_count = rows_.size();
  patients_ = rows_.size();
}

void CodeRelease::long_form(const codes::CodeFile& file, const codes::Recoding& recoding,
                            std::uint64_t seed) {
  // Patients in their order of leaving.
  InOrderOfText ordered(recoding);
  std::vector<std::string> set_texts;
  for (std::size_t s = 0; s < file.sets.size(); ++s) set_texts.push_back(ordered.text(s, '\n'));
  const std::vector<std::uint64_t> counts(file.sets.patients(), 1);
  Content content{.columns = {{"codes", &file.sets.set_of, &set_texts}}, .counts = &counts};
  std::vector<std::vector<std::string>> rider_values;
  rider_values.reserve(file.riders.columns.size());
  for (const auto& rider : file.riders.columns) {
    const auto& values = rider.dictionary.values();
    rider_values.emplace_back(values.begin(), values.end());
    content.columns.push_back({rider.name, &rider.codes, &rider_values.back()});
  }
  for (std::uint32_t p = 0; p < file.sets.patients(); ++p) {
    if (!recoding.set(file.sets.set_of[p]).empty()) content.groups.push_back(p);
  }
  const auto order = order_by_content(content, seed);
  patients_ = order.size();

  for (const auto& original_name : file.source.columns) {
    // Of several columns of codes, the first is where the released one stands.
    const auto& of_codes = file.cells.columns;
    const auto among = std::find(of_codes.begin(), of_codes.end(), original_name);
    if (among != of_codes.end() && among != of_codes.begin()) continue;
    const std::string& name = among == of_codes.end() ? original_name : file.columns.code;
    const auto rider = std::find_if(file.riders.columns.begin(), file.riders.columns.end(),
                                    [&](const Column& column) { return column.name == name; });
    const bool patient = name == file.columns.patient;
    const bool code = name == file.columns.code;
    if (!patient && !code && rider == file.riders.columns.end()) continue;
    columns_.push_back(std::make_unique<OwnedColumn>());
    OwnedColumn& column = *columns_.back();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto items = recoding.set(file.sets.set_of[order[i]]);
      if (patient) column.values.push_back(std::to_string(i + 1));
      const auto begin = column.codes.size();
      for (const auto label : items) {
        column.codes.push_back(patient ? static_cast<Code>(i)
                               : code  ? ordered.rank(label)
                                       : rider->codes[order[i]]);
      }
      if (code) {
        std::sort(column.codes.begin() + static_cast<std::ptrdiff_t>(begin), column.codes.end());
      }
    }
    if (code) {
      for (const auto label : ordered.labels())
        column.values.push_back(recoding.labels[label].text);
    } else if (!patient) {
      column.values = rider_values[static_cast<std::size_t>(rider - file.riders.columns.begin())];
    }
    output_.columns.push_back({name, &column.codes, &column.values});
    output_.row_count = column.codes.size();
  }
}

}  // namespace pratique::release
