#include "pratique/data/icd10.h"

#include <algorithm>

#include "pratique/core/ascii.h"

namespace pratique::icd10 {
namespace {

// ICD-10-CM, the public tabular list of 2024.
constexpr CodeRange kChapters[] = {
    {"A00", "B99"}, {"C00", "D49"}, {"D50", "D89"}, {"E00", "E89"}, {"F01", "F99"}, {"G00", "G99"},
    {"H00", "H59"}, {"H60", "H95"}, {"I00", "I99"}, {"J00", "J99"}, {"K00", "K95"}, {"L00", "L99"},
    {"M00", "M99"}, {"N00", "N99"}, {"O00", "O9A"}, {"P00", "P96"}, {"Q00", "Q99"}, {"R00", "R99"},
    {"S00", "T88"}, {"U00", "U85"}, {"V00", "Y99"}, {"Z00", "Z99"},
};

constexpr CodeRange kBlocks[] = {
    {"A00", "A09"}, {"A15", "A19"}, {"A20", "A28"}, {"A30", "A49"}, {"A50", "A64"}, {"A65", "A69"},
    {"A70", "A74"}, {"A75", "A79"}, {"A80", "A89"}, {"A90", "A99"}, {"B00", "B09"}, {"B10", "B10"},
    {"B15", "B19"}, {"B20", "B20"}, {"B25", "B34"}, {"B35", "B49"}, {"B50", "B64"}, {"B65", "B83"},
    {"B85", "B89"}, {"B90", "B94"}, {"B95", "B97"}, {"B99", "B99"}, {"C00", "C14"}, {"C15", "C26"},
    {"C30", "C39"}, {"C40", "C41"}, {"C43", "C44"}, {"C45", "C49"}, {"C50", "C50"}, {"C51", "C58"},
    {"C60", "C63"}, {"C64", "C68"}, {"C69", "C72"}, {"C73", "C75"}, {"C7A", "C7A"}, {"C7B", "C7B"},
    {"C76", "C80"}, {"C81", "C96"}, {"D00", "D09"}, {"D10", "D36"}, {"D3A", "D3A"}, {"D37", "D48"},
    {"D49", "D49"}, {"D50", "D53"}, {"D55", "D59"}, {"D60", "D64"}, {"D65", "D69"}, {"D70", "D77"},
    {"D78", "D78"}, {"D80", "D89"}, {"E00", "E07"}, {"E08", "E13"}, {"E15", "E16"}, {"E20", "E35"},
    {"E36", "E36"}, {"E40", "E46"}, {"E50", "E64"}, {"E65", "E68"}, {"E70", "E88"}, {"E89", "E89"},
    {"F01", "F09"}, {"F10", "F19"}, {"F20", "F29"}, {"F30", "F39"}, {"F40", "F48"}, {"F50", "F59"},
    {"F60", "F69"}, {"F70", "F79"}, {"F80", "F89"}, {"F90", "F98"}, {"F99", "F99"}, {"G00", "G09"},
    {"G10", "G14"}, {"G20", "G26"}, {"G30", "G32"}, {"G35", "G37"}, {"G40", "G47"}, {"G50", "G59"},
    {"G60", "G65"}, {"G70", "G73"}, {"G80", "G83"}, {"G89", "G99"}, {"H00", "H05"}, {"H10", "H11"},
    {"H15", "H22"}, {"H25", "H28"}, {"H30", "H36"}, {"H40", "H42"}, {"H43", "H44"}, {"H46", "H47"},
    {"H49", "H52"}, {"H53", "H54"}, {"H55", "H57"}, {"H59", "H59"}, {"H60", "H62"}, {"H65", "H75"},
    {"H80", "H83"}, {"H90", "H94"}, {"H95", "H95"}, {"I00", "I02"}, {"I05", "I09"}, {"I10", "I1A"},
    {"I20", "I25"}, {"I26", "I28"}, {"I30", "I5A"}, {"I60", "I69"}, {"I70", "I79"}, {"I80", "I89"},
    {"I95", "I99"}, {"J00", "J06"}, {"J09", "J18"}, {"J20", "J22"}, {"J30", "J39"}, {"J40", "J4A"},
    {"J60", "J70"}, {"J80", "J84"}, {"J85", "J86"}, {"J90", "J94"}, {"J95", "J95"}, {"J96", "J99"},
    {"K00", "K14"}, {"K20", "K31"}, {"K35", "K38"}, {"K40", "K46"}, {"K50", "K52"}, {"K55", "K64"},
    {"K65", "K68"}, {"K70", "K77"}, {"K80", "K87"}, {"K90", "K95"}, {"L00", "L08"}, {"L10", "L14"},
    {"L20", "L30"}, {"L40", "L45"}, {"L49", "L54"}, {"L55", "L59"}, {"L60", "L75"}, {"L76", "L76"},
    {"L80", "L99"}, {"M00", "M02"}, {"M04", "M04"}, {"M05", "M14"}, {"M15", "M19"}, {"M20", "M25"},
    {"M26", "M27"}, {"M30", "M36"}, {"M40", "M43"}, {"M45", "M49"}, {"M50", "M54"}, {"M60", "M63"},
    {"M65", "M67"}, {"M70", "M79"}, {"M80", "M85"}, {"M86", "M90"}, {"M91", "M94"}, {"M95", "M95"},
    {"M96", "M96"}, {"M97", "M97"}, {"M99", "M99"}, {"N00", "N08"}, {"N10", "N16"}, {"N17", "N19"},
    {"N20", "N23"}, {"N25", "N29"}, {"N30", "N39"}, {"N40", "N53"}, {"N60", "N65"}, {"N70", "N77"},
    {"N80", "N98"}, {"N99", "N99"}, {"O00", "O08"}, {"O09", "O09"}, {"O10", "O16"}, {"O20", "O29"},
    {"O30", "O48"}, {"O60", "O77"}, {"O80", "O82"}, {"O85", "O92"}, {"O94", "O9A"}, {"P00", "P04"},
    {"P05", "P08"}, {"P09", "P09"}, {"P10", "P15"}, {"P19", "P29"}, {"P35", "P39"}, {"P50", "P61"},
    {"P70", "P74"}, {"P76", "P78"}, {"P80", "P83"}, {"P84", "P84"}, {"P90", "P96"}, {"Q00", "Q07"},
    {"Q10", "Q18"}, {"Q20", "Q28"}, {"Q30", "Q34"}, {"Q35", "Q37"}, {"Q38", "Q45"}, {"Q50", "Q56"},
    {"Q60", "Q64"}, {"Q65", "Q79"}, {"Q80", "Q89"}, {"Q90", "Q99"}, {"R00", "R09"}, {"R10", "R19"},
    {"R20", "R23"}, {"R25", "R29"}, {"R30", "R39"}, {"R40", "R46"}, {"R47", "R49"}, {"R50", "R69"},
    {"R70", "R79"}, {"R80", "R82"}, {"R83", "R89"}, {"R90", "R94"}, {"R97", "R97"}, {"R99", "R99"},
    {"S00", "S09"}, {"S10", "S19"}, {"S20", "S29"}, {"S30", "S39"}, {"S40", "S49"}, {"S50", "S59"},
    {"S60", "S69"}, {"S70", "S79"}, {"S80", "S89"}, {"S90", "S99"}, {"T07", "T07"}, {"T14", "T14"},
    {"T15", "T19"}, {"T20", "T25"}, {"T26", "T28"}, {"T30", "T32"}, {"T33", "T34"}, {"T36", "T50"},
    {"T51", "T65"}, {"T66", "T78"}, {"T79", "T79"}, {"T80", "T88"}, {"U00", "U49"}, {"U50", "U85"},
    {"V00", "V09"}, {"V10", "V19"}, {"V20", "V29"}, {"V30", "V39"}, {"V40", "V49"}, {"V50", "V59"},
    {"V60", "V69"}, {"V70", "V79"}, {"V80", "V89"}, {"V90", "V94"}, {"V95", "V97"}, {"V98", "V99"},
    {"W00", "W19"}, {"W20", "W49"}, {"W50", "W64"}, {"W65", "W74"}, {"W85", "W99"}, {"X00", "X08"},
    {"X10", "X19"}, {"X30", "X39"}, {"X50", "X50"}, {"X52", "X58"}, {"X71", "X83"}, {"X92", "Y09"},
    {"Y21", "Y33"}, {"Y35", "Y38"}, {"Y62", "Y69"}, {"Y70", "Y82"}, {"Y83", "Y84"}, {"Y90", "Y99"},
    {"Z00", "Z13"}, {"Z14", "Z15"}, {"Z16", "Z16"}, {"Z17", "Z17"}, {"Z18", "Z18"}, {"Z19", "Z19"},
    {"Z20", "Z29"}, {"Z30", "Z39"}, {"Z40", "Z53"}, {"Z55", "Z65"}, {"Z66", "Z66"}, {"Z67", "Z67"},
    {"Z68", "Z68"}, {"Z69", "Z76"}, {"Z77", "Z99"},
};

// Categories that stand in another place than their letter says.
struct Exception {
  std::string_view category;
  std::string_view first_of_block;
};
constexpr Exception kExceptions[] = {
    {"C4A", "C43"}, {"C7A", "C7A"}, {"C7B", "C7B"}, {"D3A", "D3A"}, {"M1A", "M05"}, {"Z3A", "Z30"},
};

const CodeRange* range_of(std::span<const CodeRange> ranges, std::string_view category) {
  const auto range = std::find_if(ranges.begin(), ranges.end(), [&](const CodeRange& r) {
    return r.first <= category && category <= r.last;
  });
  return range == ranges.end() ? nullptr : &*range;
}

bool is_letter(char c) { return c >= 'A' && c <= 'Z'; }

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

std::string Code::text(std::size_t characters, bool point) const {
  std::string text = category;
  const auto kept = detail.substr(0, characters);
  if (point && !kept.empty()) text += '.';
  return text + kept;
}

std::optional<Code> parse(std::string_view text) {
  constexpr std::size_t kCategory = 3;
  constexpr std::size_t kMostDetail = 4;
  const std::size_t point = text.find('.');
  if (text.size() < kCategory || (point != std::string_view::npos && point != kCategory)) {
    return std::nullopt;
  }
  Code code;
  for (const char c : text.substr(0, kCategory)) code.category += upper(c);
  const bool pointed = point != std::string_view::npos;
  for (const char c : text.substr(kCategory + (pointed ? 1 : 0))) code.detail += upper(c);
  // After a letter in the fourth place comes a digit or the placeholder: C09.AA05 is a drug.
  const bool two_letters = code.detail.size() > 1 && is_letter(code.detail[0]) &&
                           is_letter(code.detail[1]) && code.detail[1] != 'X';
  if (two_letters || !is_letter(code.category[0]) || !is_digit(code.category[1]) ||
      !(is_digit(code.category[2]) || is_letter(code.category[2])) ||
      (pointed && code.detail.empty()) || code.detail.size() > kMostDetail ||
      !std::all_of(code.detail.begin(), code.detail.end(),
                   [](char c) { return is_digit(c) || is_letter(c); })) {
    return std::nullopt;
  }
  return code;
}

std::span<const CodeRange> blocks() { return kBlocks; }
std::span<const CodeRange> chapters() { return kChapters; }

const CodeRange* block_of(std::string_view category) {
  const auto* exception = std::find_if(std::begin(kExceptions), std::end(kExceptions),
                                       [&](const Exception& e) { return e.category == category; });
  if (exception == std::end(kExceptions)) return range_of(kBlocks, category);
  return std::find_if(std::begin(kBlocks), std::end(kBlocks),
                      [&](const CodeRange& r) { return r.first == exception->first_of_block; });
}

const CodeRange* chapter_of(std::string_view category) { return range_of(kChapters, category); }

}  // namespace pratique::icd10
