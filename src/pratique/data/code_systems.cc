#include "pratique/data/code_systems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "pratique/core/ascii.h"
#include "pratique/data/icd10.h"
#include "pratique/data/icd9.h"

namespace pratique {
namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kAround = " \t\r\n";
  const auto begin = text.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kAround) - begin + 1);
}

std::optional<icd9::Code> icd9_code(std::string_view text) {
  auto code = icd9::parse(without_blanks(text));
  if (code && icd9::section_of(code->category) == nullptr) return std::nullopt;
  return code;
}

std::optional<std::string> icd9_normal(std::string_view text, bool points) {
  const auto code = icd9_code(text);
  if (!code) return std::nullopt;
  return code->text(code->detail.size(), points);
}

bool icd9_place(std::string_view text, bool points, std::vector<std::string>& labels) {
  const auto code = icd9_code(text);
  if (!code) return false;
  labels = {code->text(1, points), code->category, icd9::section_of(code->category)->label(),
            icd9::chapter_of(code->category)->label()};
  return true;
}

std::optional<icd10::Code> icd10_code(std::string_view text) {
  auto code = icd10::parse(without_blanks(text));
  if (code && icd10::block_of(code->category) == nullptr) return std::nullopt;
  return code;
}

std::optional<std::string> icd10_normal(std::string_view text, bool points) {
  const auto code = icd10_code(text);
  if (!code) return std::nullopt;
  return code->text(code->detail.size(), points);
}

bool icd10_place(std::string_view text, bool points, std::vector<std::string>& labels) {
  const auto code = icd10_code(text);
  if (!code) return false;
  labels = {code->text(3, points),
            code->text(2, points),
            code->text(1, points),
            code->category,
            icd10::block_of(code->category)->label(),
            icd10::chapter_of(code->category)->label()};
  return true;
}

// A letter, two digits, two letters, two digits; or the beginning of that, as long as a level has.
constexpr std::string_view kAtcGroups = "ABCDGHJLMNPRSV";
constexpr std::size_t kAtcLengths[] = {1, 3, 4, 5, 7};

std::optional<std::string> atc_normal(std::string_view text, bool /*points*/) {
  std::string code(without_blanks(text));
  for (char& c : code) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (std::find(std::begin(kAtcLengths), std::end(kAtcLengths), code.size()) ==
          std::end(kAtcLengths) ||
      kAtcGroups.find(code.front()) == std::string_view::npos) {
    return std::nullopt;
  }
  constexpr std::string_view kForm = "A00AA00";
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool letter = code[i] >= 'A' && code[i] <= 'Z';
    if (kForm[i] == 'A' ? !letter : !is_digit(code[i])) return std::nullopt;
  }
  return code;
}

bool atc_place(std::string_view text, bool points, std::vector<std::string>& labels) {
  const auto code = atc_normal(text, points);
  if (!code) return false;
  labels.clear();
  for (const std::size_t length : {5, 4, 3, 1}) labels.push_back(code->substr(0, length));
  return true;
}

constexpr CodeSystem kSystems[] = {
    {"icd9", "ICD-9-CM",
     "Write ICD-9-CM codes as 296.01 or 29601, leading zeros included (004.1), E codes as E812.3",
     4, icd9_normal, icd9_place},
    {"icd10", "ICD-10-CM", "Write ICD-10-CM codes as S52.521A or S52521A", 6, icd10_normal,
     icd10_place},
    {"atc", "ATC", "Write ATC codes as A10BA02, A10BA, A10B, A10 or A", 4, atc_normal, atc_place},
};

// A few misspelt codes do not make another system of it; they are named where codes are placed.
constexpr double kFits = 0.9;

struct Fit {
  const CodeSystem* system;
  double share;           // of what is written
  bool any_whole = true;  // some code goes down to the last level
};

std::vector<Fit> fits_of(const Dictionary& codes, const std::vector<std::uint64_t>& counts) {
  std::vector<Fit> fits;
  for (const CodeSystem& system : kSystems) {
    double all = 0;
    double fitting = 0;
    std::size_t longest = 0;
    for (Code code = 0; code < codes.size(); ++code) {
      const double count = counts.empty() ? 1 : static_cast<double>(counts[code]);
      const auto normal = system.normal(codes.value(code), false);
      all += count;
      if (normal) fitting += count;
      if (normal) longest = std::max(longest, normal->size());
    }
    // A drug is whole with seven characters; what is shorter could be a diagnosis as well.
    const bool whole = system.name != "atc" || longest == kAtcLengths[4];
    fits.push_back({&system, all == 0 ? 0 : fitting / all, whole});
  }
  return fits;
}

}  // namespace

std::span<const CodeSystem> code_systems() { return kSystems; }

const CodeSystem* find_code_system(std::string_view name) {
  const auto* system = std::find_if(std::begin(kSystems), std::end(kSystems),
                                    [&](const CodeSystem& s) { return s.name == name; });
  return system == std::end(kSystems) ? nullptr : system;
}

const CodeSystem* detect_code_system(const Dictionary& codes,
                                     const std::vector<std::uint64_t>& counts) {
  const Fit* best = nullptr;
  const auto fits = fits_of(codes, counts);
  bool tied = false;
  for (const Fit& fit : fits) {
    if (fit.share < kFits || !fit.any_whole) continue;
    tied = best != nullptr && fit.share == best->share;
    if (best == nullptr || fit.share > best->share) best = &fit;
  }
  return best == nullptr || tied ? nullptr : best->system;
}

std::string fit_of_code_systems(const Dictionary& codes, const std::vector<std::uint64_t>& counts) {
  std::vector<std::string> words;
  for (const Fit& fit : fits_of(codes, counts)) {
    words.push_back(fmt::format("{:.0f} % are written as {} ({})", 100 * fit.share,
                                fit.system->title, fit.system->name));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

bool written_with_points(const Dictionary& codes) {
  return std::any_of(codes.values().begin(), codes.values().end(), [](std::string_view value) {
    return value.find('.') != std::string_view::npos;
  });
}

}  // namespace pratique
