#include "pratique/notes/find/internal/patterns.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <memory>
#include <string>

#include "pratique/core/ascii.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

// Stands for the months in the expressions below.
constexpr std::string_view kMonthMark = "@month@";
constexpr std::string_view kOrdinalMark = "@ordinal@";
constexpr std::string_view kOrdinals =
    R"((?:(?:(?:twenty|thirty)[ -])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|)"
    R"((?:tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|)"
    R"(nineteenth|twentieth|thirtieth)))";
constexpr std::string_view kMonthNames =
    R"((?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[eé]vrier|mar(?:ch|s|zo)?|märz|apr(?:il)?|)"
    R"(avril|may|mai|mayo|maggio|june?|juni|juin|july?|juli|juillet|aug(?:ust)?|août|agosto|)"
    R"(sept?(?:ember|embre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember|embre)?|)"
    R"(d[eé]cembre|enero|febrero|abril|junio|julio|octubre|noviembre|diciembre|septiembre|)"
    R"(gennaio|febbraio|aprile|giugno|luglio|settembre|dicembre|ottobre)\.?)";

// One group: what is marked. Needed: a byte without which it cannot match, 0: a digit.
constexpr char kNothingNeeded = ' ';
struct ShapePattern {
  const char* type;
  double certainty;
  char needed;
  const char* expression;
  // Beginnings of words, of three bytes at most, one of which stands in or near every match: only
  // there is the expression tried. Null: everywhere.
  const char* keys = nullptr;
};

constexpr const char* kMonthKeys =
    "jan feb f\xC3\xA9 fev mar m\xC3\xA4 apr avr may mai mag jun jui jul aug ao\xC3 ago sep set "
    "oct "
    "okt ott nov dec dez d\xC3\xA9 dic ene abr gen giu lug";

constexpr ShapePattern kShapes[] = {
    {"email", 0.99, '@', R"(([A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*))"},
    {"url", 0.98, '.', R"((?i)\b((?:https?://|ftp://|www\.)[^\s<>"']+))"},
    {"url", 0.9, '.',
     R"((?i)\b([a-z0-9][a-z0-9\-]*(?:\.[a-z0-9\-]+)*\.(?:com|org|net|edu|gov|info|io|co\.uk|de|fr|ch|be|nl|hu|it|es|eu|biz)(?:/[^\s<>"']*)?)\b)"},
    {"ip", 0.97, '.', R"(\b((?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d))\b)"},
    {"ip", 0.95, ':', R"((?i)\b((?:[0-9a-f]{1,4}:){3,7}:?[0-9a-f]{1,4})\b)"},
    {"ssn", 0.97, '-', R"(\b(\d{3}-\d{2}-\d{4})\b)"},
    {"ssn", 0.97, '\0',
     R"((?i)(?:\bssn|social security)(?:\s+(?:number|no\.?|#))?(?:\s+is)?[\s:#]*(\d{3}[ -]?\d{2}[ -]?\d{4})\b)",
     "ssn soc"},
    {"fax", 0.97, '\0',
     R"((?i)\bfax(?:\s*(?:number|no\.?|#))?[\s:.]*((?:\+|\()?\d[\d().\-/ ]{5,20}\d))", "fax"},
    {"phone", 0.96, '\0',
     R"((?i)\b(?:phone|tele?(?:phone)?|cell|mobile|pager|beeper|call(?:ed|ing)?|contact|dial|reach(?:ed|able)?|ph|answering|number|whatsapp)[^\d\n+(]{0,30}((?:\+|\()?\d[\d().\-/ ]{5,20}\d(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?))",
     "pho tel cel mob pag bee cal con dia rea ph ans num wha"},
    {"phone", 0.95, '\0',
     R"((?:^|[^\w.])((?:\+?1[-. ]?|001-)?\(?\d{3}\)?[-. ]?\d{3}[-. ]\d{4}(?:\s?(?:x|ext\.?)\s?\d{1,6})?)\b)"},
    {"phone", 0.95, '+', R"((\+\d{1,3}[-. ]?(?:\(?\d{1,5}\)?[-. /]?){1,5}\d{2,4})\b)"},
    {"phone", 0.85, '(', R"((\(\d{2,5}\)\s?\d{3,5}[-. ]?\d{2,5})\b)"},
    {"phone", 0.8, '-',
     R"(\b(\d{2}-\d{2}-\d{2}-\d{2}|\d{3}-\d{4}|0\d{1,4}-\d{5,8}|\d{3}-\d{3}-\d{3})\b)"},
    {"phone", 0.75, ' ',
     R"(\b(0\d(?: \d{2}){4}|0\d{2,4} \d{3} \d{3,4}|0\d{3,4} \d{5,7}|0\d{2} \d{3} \d{2} \d{2}|0\d{2}(?: \d{2}){3}|\d{2} \d{2} \d{2} \d{2}|0\d \d{4} \d{4}|0\d{2} \d{4} \d{3,4}|\d{2} \d{2} \d{2}|\d{4} \d{4}|\d{2} \d{6})\b)"},
    {"date", 0.96, '\0',
     R"(\b(\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])(?:T[\d:.]+Z?)?)\b)"},
    {"date", 0.95, '\0',
     R"(\b((?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19|20)?\d{2})\b)"},
    {"date", 0.75, '/',
     R"((?i)\b(?:on|since|until|by|from|of|dated?|through|before|after|and)\s+((?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]))(?:$|\.(?:\D|$)|[^\d/%.]))"},
    {"date", 0.6, '/',
     R"((?:^|[^\d/.])((?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01]))(?:$|\.(?:\D|$)|[^\d/%.]))"},
    {"date", 0.95, '\0',
     R"((?i)\b(@month@ ?(?:\d{1,2}(?:st|nd|rd|th)?)(?:,? ?(?:19|20)\d{2}|, ?'?\d{2})?)\b)",
     kMonthKeys},
    {"date", 0.95, '\0',
     R"((?i)\b((?:the )?\d{1,2}(?:st|nd|rd|th|\.)?[ -]?(?:of )?(?:de )?@month@(?:[ ,-]{1,2}(?:de )?(?:19|20)?\d{2})?)\b)",
     kMonthKeys},
    {"date", 0.9, '\0', R"((?i)\b(@month@ (?:of )?(?:19|20)\d{2})\b)", kMonthKeys},
    {"date", 0.65, '\0',
     R"((?i)\b(?:in|since|from|until|of|year|during|before|after|by)\s+((?:19|20)\d{2})\b)",
     "in sin fro unt of yea dur bef aft by"},
    {"age", 0.9, '\0', R"((?i)\b(\d{1,3})[ -]*(?:years?|yrs?|months?|weeks?|days?)[ -]*old\b)",
     "yea yr yrs mon wee day"},
    {"age", 0.9, '\0', R"((?i)\b(\d{1,3})\s?-?(?:y\.?/?o\.?\b|yo[mf]?\b|yr-old))",
     "y yo yom yof yr"},
    {"age", 0.9, '\0', R"((?i)\bage[ds]?(?:\s+(?:is|of))?[\s:]*(\d{1,3})(?:\s?y(?:rs?|ears)?)?\b)",
     "age"},
    {"age", 0.85, '\0', R"((?i)\b(\d{1,3})[ -]?j(?:ä|ae)hrig)", "j\xC3\xA4 jae"},
    {"age", 0.7, '\0', R"(\b(\d{2})[MF]\b)"},
    {"age", 0.75, '\0',
     R"((?i)\b(?:s?he(?:'s|’s| is| was)|turn(?:ed|ing|s)) (9\d|1[01]\d)(?:$|\.(?:\D|$)|[^\d/%.]))",
     "she he tur"},
    {"age", 0.85, kNothingNeeded,
     R"((?i)\b((?:(?:one |a )?hundred(?: and)?[ -])?(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|(?:one |a )?hundred)[ -]years?[ -]old\b)",
     "hun twe thi for fif six sev eig nin"},
    {"age", 0.85, kNothingNeeded, R"((?i)\b(nonagenarian|centenarian)s?\b)", "non cen"},
    {"mrn", 0.95, '\0',
     R"((?i)\b(?:mrn|medical record|med rec|record|chart|patient id|unit)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*((?:[a-z]{1,4}-?)?\d[\d-]{3,13}\d))",
     "mrn med rec cha pat uni"},
    {"account", 0.94, '\0',
     R"((?i)\b(?:account|acct|billing|visit|invoice|card|cc)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*((?:[a-z]{1,4}-?)?\d[\d-]{3,20}\d))",
     "acc bil vis inv car cc"},
    {"plan", 0.94, '\0',
     R"((?i)\b(?:policy|member|subscriber|insurance|plan|medicare|medicaid|group|beneficiary)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*([a-z]{0,4}-?\d[\da-z-]{4,18}))",
     "pol mem sub ins pla med gro ben"},
    {"licence", 0.94, '\0',
     R"((?i)\b(?:licen[sc]e|licen[sc]e plate|dl|dea|npi|passport|certificate)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*([a-z]{0,3}-?\d[\da-z-]{3,14}))",
     "lic dl dea npi pas cer"},
    {"device", 0.93, '\0',
     R"((?i)\b(?:serial|device|pacemaker|implant|lot)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*([a-z]{0,4}-?\d[\da-z-]{3,14}))",
     "ser dev pac imp lot"},
    {"vehicle", 0.95, '\0',
     R"((?i)\b(?:licen[sc]e plate|plate|license tag)(?:\s*(?:number|no\.?|#))?(?:\s+is)?[\s:#]*((?:[a-z]{1,3}[ -]?\d{1,4}[a-z]{0,3}|\d{1,4}[ -]?[a-z]{1,3}[ -]?\d{0,4}))\b)",
     "lic pla"},
    {"vehicle", 0.96, '\0', R"((?i)\bvin[\s:#]*([a-hj-npr-z0-9]{17})\b)", "vin"},
    {"id", 0.85, '-', R"(\b([A-Z]{1,3}-?\d{2}-\d{3,6})\b)"},
    {"id", 0.7, '\0', R"(\b([A-Za-z]{1,4}\d{5,14}[A-Za-z]?|\d{7,19})\b)"},
    {"location", 0.93, '\0',
     R"((\d{1,6}[A-Za-z]?,? (?:[NSEWnsew]\.? )?(?:[\p{Lu}0-9][\p{L}\p{M}'.\-]*,? ){1,5}(?i:street|st|avenue|ave|road|rd|drive|dr|lane|ln|court|ct|boulevard|blvd|place|pl|way|terrace|circle|parkway|pkwy|square|highway|hwy|close|crescent|gardens|grove|mews|row|walk)\b\.?))"},
    {"location", 0.9, '\0',
     R"(((?:[\p{Lu}][\p{L}'.\-]* ){0,3}[\p{L}\-]+(?i:strasse|straße|str\.|weg|gasse|platz|laan|straat|vej|gatan|gata|vägen|gränd|allee|dreef|kade|katu|tie) ?\d{1,4}[a-zA-Z]?\b))"},
    {"location", 0.88, '\0',
     R"(((?:\b\d{1,4}(?: bis| ter)?,? )?(?:\b(?:(?i:rue|calle|avenida|av\.|rua|ul\.|ulica|piazza|chemin|quai|ulice|viale|paseo|carrer|c/|ctra\.|travessa)|Via|Place|Boulevard|Avenue|Strada|Corso|Vila|Plaza|VIA|PLACE|AVENUE) (?:(?:de|del|della|da|do|dos|la|las|los|le|les|du|des|van|di) )*)(?:[\p{Lu}\d][\p{L}\p{M}'.\-]* ?){1,4}\d{0,4}))"},
    {"location", 0.62, '\0',
     R"(((?:\d{1,5} )?\p{Lu}[\p{L}\p{M}.'\-]*(?: [\p{L}\p{M}.'\-]+){0,4} \d{1,4}[a-z]?)(?:$|\.?,|\n| Apt| Suite| and))"},
    {"location", 0.6, '\0',
     R"((?:^|\n|at |address:? |to |[>,] ?)(\d{1,5} (?:\d{1,4} )?\p{L}[\p{L}\p{M}.'\-]{3,}(?: [\p{L}\p{M}.'\-]+){0,4},? \d{1,4}[a-z]?)(?:$|\.?,|\n| apt| suite| and))"},
    {"location", 0.95, '\0',
     R"((?i)\b(p\.? ?o\.? ?box \d+|(?:unit|psc) \d+,? box \d+|(?:apo|fpo|dpo) (?:aa|ae|ap) \d{5}|(?:apt|suite|ste|flat|unit|apartment)\.? (?:#? ?\d+[a-z]?|[a-z]\d*)\b))",
     "box psc apo fpo dpo apt sui ste fla uni apa"},
    {"location", 0.9, '\0',
     R"(\b((?:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY])\.?,? \d{5}(?:-\d{4})?)\b)"},
    {"location", 0.88, '\0',
     R"(((?:\p{Lu}[\p{L}.'\-]+ ){0,2}\p{Lu}[\p{L}.'\-]+), (?:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]) \d{5})"},
    {"location", 0.8, '\0', R"((?:[\p{Ll}\p{Lu}],? )(\d{5}(?:-\d{4})?)(?:$|\n|[.,;"]))"},
    {"phone", 0.8, '\0',
     R"((?i)\b(?:ext(?:ension)?|pager|beeper|bleep)\.?[\s:#]*(\d{1,2}-\d{4}|\d{4,5})\b)",
     "ext pag bee ble"},
    {"email", 0.85, kNothingNeeded,
     R"((?i)\b([a-z0-9._\-]{2,}\s?(?:\(at\)|\[at\]|\sat\s)\s?(?:(?:gmail|yahoo|hotmail|outlook|icloud|aol|gmx)\b(?:\s?(?:\.|dot)\s?com)?|[a-z0-9\-]+\s?(?:\(dot\)|\[dot\]|\sdot\s)\s?[a-z]{2,3}))\b)",
     "at"},
    {"date", 0.8, '\0', R"(\b((?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))\b)"},
    {"ssn", 0.95, ' ', R"(\b([12] \d{2} \d{2} \d{2} \d{3} \d{3}(?: \d{2})?)\b)"},
    {"ssn", 0.9, '\0', R"(\b([A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D])\b)"},
    {"id", 0.85, '\0',
     R"((?i)\b(?:a-number|alien|case|fall|fallnummer|ref|reference|nhs|hosp|hospital|versichertennummer|versichertennr|aktenzeichen|badge|file|acc|accession|mr)\b\.?(?:\s*(?:number|num|no\.?|id|#|nr\.?))?[\s:#]*((?:[a-z]{1,4}[ -]?)?\d[\d -]{4,16}\d))",
     "a ali cas fal ref nhs hos ver akt bad fil acc mr"},
    {"id", 0.8, '\0',
     R"((?i)\b(?:wechat|skype|twitter|instagram|facebook|user|username|login)(?:\s*(?:id|handle|name))?[\s:#@]*([a-z][\w.\-]*\d[\w.\-]*))",
     "wec sky twi ins fac use log"},
    {"location", 0.85, '\0',
     R"((?i)\b(\d{1,5} (?:[nsew]\.? )?\d{1,3}(?:st|nd|rd|th) (?:street|st|avenue|ave|road|rd|place|pl))\b)"},
    {"location", 0.62, '\0', R"((?:^|\n|, ?)(\d{5} \p{Lu}[\p{L}\p{M}\-]{2,}))"},
    {"location", 0.85, ' ', R"(\b([A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)\b)"},
    {"date", 0.85, kNothingNeeded,
     R"((?i)\b((?:@ordinal@ (?:of )?@month@|@month@ (?:the )?@ordinal@)(?:,? (?:19|20)\d{2})?)\b)",
     kMonthKeys},
    {"date", 0.7, kNothingNeeded,
     R"((?i)\b(mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|tues|thurs|(?:(?:the|an?|one|two|three|four|five|six|seven|ten|\d{1,2}|a few|a couple of) (?:days?|weeks?|months?) (?:before|after) )?(?:christmas(?: eve| day)?|xmas|thanksgiving|easter(?: sunday| monday)?|new year'?s(?: eve| day)?|halloween|memorial day|labor day|independence day|hanukkah|ramadan|boxing day|good friday|passover|yom kippur|diwali|valentine'?s day|mother'?s day|father'?s day|columbus day|veterans day|(?:the )?(?:4th|fourth) of july)(?:,? (?:19|20)\d{2})?)\b)",
     "mon tue wed thu fri sat sun chr xma tha eas new hal mem lab ind han ram box goo pas yom diw "
     "val mot fat col vet fou"},
};

constexpr double kWeakStreet = 0.62;
constexpr std::string_view kLocationType = "location";

// "Linieweg 350", but not "Na 134" or "was informed on 3": a long word that is no word of medicine
// or English, and not too many that are.
bool may_be_street(std::string_view content) {
  std::size_t streets = 0;
  std::size_t plain = 0;
  for (std::size_t at = 0; at < content.size();) {
    const auto is_letter = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(content[i]);
      return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    const std::size_t start = at;
    while (at < content.size() && is_letter(at)) ++at;
    if (at == start) {
      ++at;
      continue;
    }
    const auto kinds = words::kinds_of(content.substr(start, at - start));
    if ((kinds & words::kMedical) != 0) return false;
    if ((kinds & words::kEnglish) != 0 && (kinds & (words::kTown | words::kStreet)) == 0) {
      ++plain;
    } else if (at - start >= 4) {
      ++streets;
    }
  }
  return streets > 0 && plain <= streets;
}

struct CompiledShape {
  std::unique_ptr<RE2> expression;
  // The group is all that the expression takes: nobody needs to look where it begins, which is
  // what makes matching slow.
  bool whole = false;
};

bool group_is_all(std::string_view expression) {
  for (const std::string_view before : {"(?i)", "\\b"}) {
    if (expression.starts_with(before)) expression.remove_prefix(before.size());
  }
  if (expression.ends_with("\\b")) expression.remove_suffix(2);
  if (!expression.starts_with("(") || expression.starts_with("(?")) return false;
  int depth = 0;
  bool in_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] == '\\') {
      ++i;
    } else if (in_class) {
      in_class = expression[i] != ']';
    } else if (expression[i] == '[') {
      in_class = true;
    } else if (expression[i] == '(') {
      ++depth;
    } else if (expression[i] == ')' && --depth == 0) {
      return i + 1 == expression.size();
    }
  }
  return false;
}

void put_in(std::string& expression, std::string_view mark, std::string_view names) {
  for (auto at = expression.find(mark); at != std::string::npos; at = expression.find(mark))
    expression.replace(at, mark.size(), names);
}

const std::vector<CompiledShape>& shape_expressions() {
  static const std::vector<CompiledShape> all = [] {
    std::vector<CompiledShape> compiled;
    for (const auto& shape : kShapes) {
      std::string expression = shape.expression;
      const bool whole = group_is_all(expression);
      put_in(expression, kMonthMark, kMonthNames);
      put_in(expression, kOrdinalMark, kOrdinals);
      compiled.push_back({std::make_unique<RE2>(expression), whole});
    }
    return compiled;
  }();
  return all;
}

struct TextPlace {
  std::size_t begin = 0, end = 0;
};

// Five bits for each of the first three bytes of a word, small and capital letters alike.
std::size_t key_code(std::string_view word) {
  std::size_t code = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t letter = 0;
    if (i < word.size()) {
      const auto c = static_cast<unsigned char>(word[i]);
      letter = c >= 0x80 ? 27 + (c & 3U) : (c | 0x20U) - 'a' + 1U;
    }
    code = code << 5U | (letter & 31U);
  }
  return code;
}

using ShapeSet = std::bitset<std::size(kShapes)>;

const std::vector<ShapeSet>& shapes_by_key() {
  static const std::vector<ShapeSet> table = [] {
    std::vector<ShapeSet> by_key(std::size_t{1} << 15U);
    for (std::size_t i = 0; i < std::size(kShapes); ++i) {
      std::string_view keys = kShapes[i].keys == nullptr ? "" : kShapes[i].keys;
      while (!keys.empty()) {
        const auto key = keys.substr(0, keys.find(' '));
        by_key[key_code(key)].set(i);
        keys.remove_prefix(std::min(key.size() + 1, keys.size()));
      }
    }
    return by_key;
  }();
  return table;
}

// By shape, around the words that have one of its keys.
std::vector<std::vector<TextPlace>> places_of_keys(std::string_view text) {
  constexpr std::size_t kBefore = 32;
  constexpr std::size_t kBehind = 96;
  const auto is_letter = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 0x80 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z');
  };
  const auto& by_key = shapes_by_key();
  std::vector<std::vector<TextPlace>> places(std::size(kShapes));
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at])) {
      ++at;
      continue;
    }
    const std::size_t start = at;
    while (at < text.size() && is_letter(text[at])) ++at;
    const ShapeSet& shapes = by_key[key_code(text.substr(start, at - start))];
    if (shapes.none()) continue;
    const TextPlace place{start - std::min(start, kBefore), std::min(text.size(), at + kBehind)};
    for (std::size_t i = 0; i < std::size(kShapes); ++i) {
      if (!shapes[i]) continue;
      if (!places[i].empty() && place.begin <= places[i].back().end) {
        places[i].back().end = place.end;
      } else {
        places[i].push_back(place);
      }
    }
  }
  return places;
}

void match_within(std::string_view text, const TextPlace& place, std::size_t number,
                  std::vector<Span>& candidates) {
  const ShapePattern& shape = kShapes[number];
  const CompiledShape& compiled = shape_expressions()[number];
  const re2::StringPiece all(text.data(), text.size());
  std::array<re2::StringPiece, 2> parts;
  for (std::size_t at = place.begin;
       at < place.end && compiled.expression->Match(all, at, place.end, RE2::UNANCHORED,
                                                    parts.data(), compiled.whole ? 1 : 2);) {
    const re2::StringPiece found = compiled.whole ? parts[0] : parts[1];
    at = static_cast<std::size_t>(parts[0].data() - text.data()) +
         std::max<std::size_t>(parts[0].size(), 1);
    if (found.empty()) continue;
    auto start = static_cast<std::size_t>(found.data() - text.data());
    auto end = start + found.size();
    while (end > start && (text[end - 1] == ' ' || text[end - 1] == '.' || text[end - 1] == ','))
      --end;
    if (end <= start || (shape.certainty <= kWeakStreet && shape.type == kLocationType &&
                         !may_be_street(text.substr(start, end - start))))
      continue;
    candidates.push_back({start, end, shape.type, shape.certainty});
  }
}

void add_checked_numbers(std::string_view text, std::vector<Span>& candidates) {
  static const RE2 card(R"(\b(\d(?:[ -]?\d){12,18})\b)");
  static const RE2 iban(R"((?i)\b([A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30})\b)");
  re2::StringPiece rest(text.data(), text.size());
  re2::StringPiece found;
  const auto offset = [&] { return static_cast<std::size_t>(found.data() - text.data()); };
  while (RE2::FindAndConsume(&rest, card, &found)) {
    std::string digits;
    for (const char c : found) {
      if (is_digit(c)) digits += c;
    }
    if (passes_luhn(digits))
      candidates.push_back({offset(), offset() + found.size(), "account", 0.98});
  }
  rest = re2::StringPiece(text.data(), text.size());
  while (RE2::FindAndConsume(&rest, iban, &found)) {
    if (passes_iban({found.data(), found.size()}))
      candidates.push_back({offset(), offset() + found.size(), "account", 0.99});
  }
}

}  // namespace

bool passes_luhn(std::string_view digits) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return !digits.empty() && sum % 10 == 0;
}

bool passes_iban(std::string_view iban) {
  std::string plain;
  for (const char c : iban) {
    if (c != ' ') plain += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  if (plain.size() < 15 || plain.size() > 34) return false;
  int rest = 0;
  for (const char c : plain.substr(4) + plain.substr(0, 4)) {
    if (is_digit(c)) {
      rest = (rest * 10 + (c - '0')) % 97;
    } else if (c >= 'A' && c <= 'Z') {
      rest = (rest * 100 + (c - 'A' + 10)) % 97;
    } else {
      return false;
    }
  }
  return rest == 1;
}

void add_pattern_candidates(std::string_view text, std::vector<Span>& candidates) {
  std::array<bool, 256> there{};
  for (const char c : text) there[static_cast<unsigned char>(c)] = true;
  const bool digits =
      std::any_of(there.begin() + '0', there.begin() + '9' + 1, [](bool b) { return b; });
  const auto near = places_of_keys(text);
  const std::vector<TextPlace> everywhere = {{0, text.size()}};
  for (std::size_t i = 0; i < std::size(kShapes); ++i) {
    const ShapePattern& shape = kShapes[i];
    if (shape.needed == '\0' && !digits) continue;
    if (shape.needed != '\0' && !there[static_cast<unsigned char>(shape.needed)]) continue;
    for (const TextPlace& place : shape.keys == nullptr ? everywhere : near[i])
      match_within(text, place, i, candidates);
  }
  if (digits) add_checked_numbers(text, candidates);
}

}  // namespace pratique::notes
