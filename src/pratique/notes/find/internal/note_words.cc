#include "pratique/notes/find/internal/note_words.h"

#include <algorithm>
#include <unordered_map>

namespace pratique::notes {
namespace {

using namespace words;  // NOLINT(google-build-using-namespace): its constants name kinds

struct WordsOfRole {
  Role role;
  std::string_view words;
};

constexpr WordsOfRole kRoles[] = {
    {kTitleRole,
     "attending attorney aunty capt chaplain coach cpl cpt dear det doctor dott dottor dottoressa "
     "dr dra drs fr frau hr herr imam judge lt ltc madam maj mdm mevr mevrouw mlle mw "
     "miss mme monsieur mr mrs ms mx nurse ofc officer pastor pfc prof professor rabbi resident "
     "rev "
     "reverend senor senora sgt shri sig signor signora sir smt sr sra sri ssgt"},
    {kFormOfAddressRole,
     "doctor dott dr dra frau herr madam mdm mevr mevrouw miss mlle mme mr mrs ms mw mx prof "
     "professor rev sig sir smt"},
    {kClinicianTitleRole,
     "attending doctor dr drs nurse physician prof professor resident surgeon"},
    {kCredentialRole,
     "aprn cnm crna dds dpm fnp frcp lcsw licsw lpn mbbs md msw np otr pa pharmd phd "
     "rn rrt"},
    {kKinRole,
     "aunt bf boyfriend bro brother bruder caregiver cousin dad daughter daughters "
     "daugter dgtr dtr ehefrau ehemann epouse esposa esposo father fiance fille fils "
     "friend gf girlfriend godmother granddaughter granddtr grandfather grandma "
     "grandmother grandpa grandson guardian hcp hija hijo husband inlaw mari mom "
     "mother mutter nana neighbor nephew niece papa partner roomate roommate "
     "schwester sis sister sohn son sons spouse stepdad stepdaughter stepfather "
     "stepmom stepmother stepson tochter uncle vater wife mum mummy fiancee hubby "
     "granddad grandaughter granny roomie housemate widow widower esposa marido "
     "moglie marito figlia figlio vrouw dochter zoon"},
    {kAnnouncesNameRole,
     "am attn by called cc client contact from hello hi is md me name named patient "
     "physician provider pt rn signed surgeon with"},
    {kFollowsNameRole,
     "and asked called can dds denies do esq explained had has is jr lived lives lpn "
     "md met np pa paged phd presented reports rn said saw says shouted spent spoke states told "
     "was will "
     "works wrote"},
    {kAnnouncesPlaceRole,
     "at born city country from in live lives moved near of state to town visit "
     "visited"},
    {kHospitalWordRole,
     "clinic hospice hospital hospitals infirmary klinik klinikum krankenhaus memorial clinique "
     "ziekenhuis ospedale policlinico sanatorium sanitarium rehab vna medcenter"},
    // What a practice or a department is called by; a practice has another word before it.
    {kPracticeRole,
     "associates cardiology care center centre dental dentistry dermatology dialysis ent "
     "gastroenterology gynecology gynaecology health healthcare imaging laboratories laboratory "
     "labs "
     "manor medicine neurology nephrology obgyn oncology ophthalmology optometry orthopaedics "
     "orthopedics paediatrics pathology pediatrics physicians practice psychiatry radiology "
     "regional rheumatology specialists surgery urology wellness"},
    {kGenericRole,
     "a acute adult advanced ambulatory and another any area associate behavioral brief cardiac "
     "care "
     "children chronic clinic clinical community continuing correctional critical day department "
     "dept "
     "diagnostic division east emergency evening express extended external family first floor "
     "follow for "
     "from general geriatric group health high home hospital in initial inpatient intensive "
     "internal "
     "interventional laboratory local long main managed maternal maternity med medical medicine "
     "mental minor "
     "neonatal new night north nuclear nursing occupational of office old on orthopedic other our "
     "outpatient outside own palliative pediatric pain patient personal physical physician plan "
     "plastic "
     "post pre prenatal prep preventive primary prior private psychiatric public quality radiation "
     "referring "
     "rehabilitation renal respiratory same second section senior service services short skilled "
     "social south special specialty speech spine sports standard state stroke surgical teaching "
     "team "
     "term the therapy this thoracic to transfer transplant trauma unit urgent vascular visit "
     "walk ward west with women women's wound your previous current discharge admission admitting "
     "attending "
     "preop postop his her their my its no see per via at by step stepdown down human resources "
     "telemetry"},
    {kMovesRole,
     "admitted admission arrived born brought came care discharged dispo disposition evaluated "
     "flown followed "
     "follow hospitalised hospitalized moved placed presented presenting readmitted received "
     "referred refer "
     "rehab sent seen stay stayed surgery taken transfer transferred transferring treated tx "
     "visited xfer xferred went"},
    {kCompanyWordRole,
     "agency ambulance airlines analytics association bank church co college company "
     "consulting corp ems corporation enterprises foundation gmbh group health holdings "
     "inc industries institute insurance international labs llc ltd media networks "
     "partners school services software solutions sons stores systems technologies "
     "university ventures"},
    {kFindingRole,
     "agar anastomosis anemia angle anomaly approach arthroplasty assay ataxia bandage "
     "biplane blade block bodies body boot boots brace bypass cannula catheter catheters "
     "cells chorea clamp clamps class classification clip clips collar contracture corpuscles "
     "crisis criteria cuff cyst deformity diet disease dislocation drain drains dressing "
     "dystrophy encephalopathy esophagus flap forceps formula fracture fundoplication gait "
     "grade graft grid hernia hose impression incision index inventory joint knife lamp "
     "laser law line lines loop lymphoma maneuver mask mesh method milestones monitor mucosa "
     "nail needle needles nephropathy net node nodes nodules operation osteotomy palsy patch "
     "phenomenon pin pins plate position pouch procedure prosthesis protocol pupil questionnaire "
     "reflex regimen repair resection retractor retractors ring rods rule sarcoma scale scan "
     "scissors score screw screws shunt sign signs snare solution speculum spine splint spots "
     "stage stain stapler stent stockings suture sutures syndrome system table tear technique "
     "test tests traction tray triad tube tubes tumor tumour type ulcer vaccine valve view "
     "views wire wires absence agent bag balloon bath bend blue canal capsule casting cells "
     "chamber "
     "collapse color coma cream disk dot duct exercises facies foam foot gel gland glands gown "
     "groove "
     "hand harness heart immobilizer inequality infiltrate kidney lens lesion lesions levels "
     "ligament "
     "malformation march mark membrane method metaplasia mole movements murmur murmurs nails "
     "negatives "
     "nerve nevus nipple notch oil pad palsy paralysis paresis paste phenotype physiology plane "
     "point "
     "powder projection questions red rhythm ridge roll rosettes rot rub sac sarcoidosis scar "
     "sequence "
     "sheath shock sling sore space spasm sphincter spot stance stones striae striations strip "
     "stroke "
     "swab tic toxin tract transform treadmill tremor triangle tumors ulcers variant vein virus "
     "walker "
     "wave waves wedge wrap zone screening antigen antibody titer titers serology smear culture "
     "panel blot"},
    {kClinicalRole,
     "abdomen abdominal acute allergies aspirin auscultation benign bid bilateral bilaterally "
     "biopsy bp "
     "carotid catheter "
     "chronic cm colon colonoscopy denies diagnosis dose edema erythema exam extremities fracture "
     "hx "
     "incision lab labs lesion lungs mcg medications mg mild ml mm moderate mitral nausea negative "
     "normal pain patient po polyp positive postoperative prn pt pulmonary qhs respiratory staples "
     "surgery symptoms tablet tender therapy tid vomiting wnl wound"},
    {kSpeaksRole,
     "asked asks called calls complained complains denied denies explained lived lives "
     "refused refuses reported reports said says saw shouted spoke states told works wrote"},
    {kMonthOrDayRole,
     "april august december february friday january july june march may monday "
     "november october saturday september sunday thursday tuesday wednesday"},
    {kEverydayRole,
     "a admit age alert all am american an and any are art as ask at avec bad be bid "
     "best bill black blood brown but by call can case chest china cipro clear con "
     "dans das date day dear del denies der des die discharge do dob dr early een "
     "ein eine english er est fax foot for frau french german go god good gray green "
     "grey had hand has have he head her herr het hi his history home hope how i if "
     "in is it just ki lab labs las left les like long los love low mae man max may "
     "md me member mild min mit monday more most mr mrs ms my na name neck new no "
     "not of ok on one or our page pain para patient per plan please po por pour price prn qd qhs "
     "prior rash re regards right rn san see sehr service sex sharp she sincerely "
     "sir small so soft some son song sur tel temp thanks that the then there they "
     "this to two una und une unit up us va van von was we what when where white who "
     "why will xl yes you young your regards groetjes groet gruss mfg saludos cordialement"},
};

std::uint32_t roles_of(std::string_view word) {
  static const std::unordered_map<std::string_view, std::uint32_t> table = [] {
    std::unordered_map<std::string_view, std::uint32_t> roles;
    for (const auto& [role, listed] : kRoles) {
      for (std::string_view rest = listed; !rest.empty();) {
        const auto name = rest.substr(0, rest.find(' '));
        roles[name] |= role;
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      }
    }
    return roles;
  }();
  const auto entry = table.find(word);
  return entry == table.end() ? 0 : entry->second;
}

// LFTs, FiO, PrP: signs of a laboratory, not of a person.
bool is_symbol(std::string_view spelled) {
  std::size_t capitals = 0;
  for (const char c : spelled) capitals += c >= 'A' && c <= 'Z' ? 1 : 0;
  const bool plural = spelled.size() > 2 && spelled.back() == 's' && capitals + 1 == spelled.size();
  return plural || (spelled.size() < 5 && capitals > 1 && capitals < spelled.size());
}

// What no list has may still be made of a word that one has: respirations, inferiorly, nonfocal.
std::uint16_t kinds_of_derived(const std::string& small) {
  if (small.size() < 6) return 0;
  const auto is_word = [](std::string_view stem) {
    return stem.size() > 3 && (kinds_of(stem) & (kEnglish | kMedical)) != 0;
  };
  const auto bare = [&](std::string_view word) {
    if (is_word(word)) return true;
    for (const std::string_view ending : {"s", "es", "ly", "ed", "ing", "al", "able"}) {
      if (word.ends_with(ending) && is_word(word.substr(0, word.size() - ending.size())))
        return true;
    }
    return false;
  };
  if (bare(small)) return kEnglish;
  // Cholecystemomy: a word of medicine even with an error in it, and drugs of a family.
  for (const std::string_view ending :
       {"ctomy",   "stomy",   "otomy",   "itis",    "emia",      "aemia",    "uria",   "pathy",
        "graphy",  "scopy",   "plasty",  "algia",   "osis",      "globulin", "mycin",  "cillin",
        "statin",  "prazole", "sartan",  "dipine",  "tidine",    "oxacin",   "azepam", "azolam",
        "tinib",   "zumab",   "ximab",   "gliptin", "gliflozin", "glutide",  "vudine", "conazole",
        "cycline", "profen",  "triptan", "setron",  "thiazide",  "phylline", "solone", "nafil"}) {
    if (small.size() > ending.size() + 2 && small.ends_with(ending)) return kMedical;
  }
  for (const std::string_view beginning :
       {"non",     "un",      "re",    "pre",   "post",  "peri",  "intra",  "hyper", "hypo",
        "anti",    "sub",     "inter", "trans", "micro", "macro", "immuno", "neuro", "cardio",
        "electro", "thermo",  "multi", "bi",    "over",  "under", "para",   "poly",  "osteo",
        "gastro",  "broncho", "echo",  "retro", "supra", "infra", "mid",    "super", "ultra",
        "de",      "dis",     "mis",   "co",    "auto",  "hemi",  "myo"}) {
    if (small.starts_with(beginning) && bare(std::string_view(small).substr(beginning.size())))
      return kEnglish;
  }
  return 0;
}

// SON DENNIS IN TO VISIT. RESP- LS CLEAR: where whole lines are written so, a capital tells
// nothing. A short line, and one that a word with a colon opens, may be a heading or somebody's
// name.
void mark_shouted(std::string_view text, std::vector<NoteWord>& words) {
  constexpr std::size_t kHeading = 6;  // words
  for (std::size_t from = 0; from < words.size();) {
    std::size_t to = from;
    std::size_t capitals = 0;
    std::size_t all = 0;
    const std::size_t line_end = std::min(text.find('\n', words[from].start), text.size());
    for (; to < words.size() && words[to].start < line_end; ++to) {
      if (words[to].end - words[to].start < 2) continue;
      ++all;
      capitals += words[to].capitals ? 1 : 0;
    }
    const auto last = text.find_last_not_of(" \t\r", line_end == 0 ? 0 : line_end - 1);
    const bool sentence = all > 3 && last != std::string_view::npos && text[last] == '.' &&
                          text.substr(words[from].start, line_end - words[from].start).find(':') ==
                              std::string_view::npos;
    if ((all > kHeading || sentence) && capitals * 10 >= all * 8) {
      for (std::size_t i = from; i < to; ++i) {
        words[i].shouted = words[i].capitals || words[i].end - words[i].start == 1;
        if (words[i].shouted) words[i].capital = words[i].capitals = words[i].symbol = false;
      }
    }
    from = to;
  }
}

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital_letter(char c) { return c >= 'A' && c <= 'Z'; }

std::uint16_t kinds_with_derived(const std::string& small) {
  const auto kinds = kinds_of(small);
  return kinds == 0 ? kinds_of_derived(small) : kinds;
}

// M0NTGOMERY, Lindqu1st: a scanner's 0 and 1 within letters. Not A1c, T1DM, q10h.
bool is_misread_digit(std::string_view text, std::size_t start, std::size_t at) {
  if ((text[at] != '0' && text[at] != '1') || at == start) return false;
  std::size_t behind = 0;
  while (at + 1 + behind < text.size() && is_word_byte(text[at + 1 + behind])) ++behind;
  const std::size_t before = at - start;
  const bool digit_behind =
      at + 1 + behind < text.size() && text[at + 1 + behind] >= '0' && text[at + 1 + behind] <= '9';
  if (before + behind < 4 || (digit_behind && behind < 2)) return false;
  if (behind > 1) return true;
  return behind == 1 && before > 2 && !digit_behind &&
         is_capital_letter(text[at - 1]) == is_capital_letter(text[at + 1]);
}

// What the scanner saw, as letters: wr1st may be a wrist.
std::string as_letters(const std::string& small) {
  if (small.find_first_of("01") == std::string::npos) return small;
  std::string word = small;
  std::replace(word.begin(), word.end(), '0', 'o');
  std::string other = word;
  std::replace(word.begin(), word.end(), '1', 'l');
  std::replace(other.begin(), other.end(), '1', 'i');
  return kinds_of(word) == 0 && kinds_of(other) != 0 ? other : word;
}

// Stenosis, pneumonia: dictionaries of English have them, too, but only of medicine are there many.
bool is_illness(const NoteWord& word) {
  if ((word.kinds & kMedical) == 0 || word.small.size() < 6) return false;
  for (const std::string_view ending :
       {"osis", "itis", "emia", "thmia", "nia", "oma", "pnea", "tomy", "scopy", "graphy", "uria",
        "rdia", "pathy", "algia", "phagia", "plasty", "thorax", "oxia"}) {
    if (word.small.ends_with(ending)) return true;
  }
  return false;
}

// PROCEDUREThe, HypertensionPast, MaryAnn: where lines ran together two words are one. Not
// MacDonald, DeShawn, nor a brand (AyrGel), which is no word and another.
std::size_t end_of_first_word(std::string_view spelled) {
  const auto kinds = [](std::string_view part) { return kinds_with_derived(folded(part)); };
  for (std::size_t i = 3; i + 1 < spelled.size(); ++i) {
    if (!is_capital_letter(spelled[i]) || !is_small_letter(spelled[i + 1])) continue;
    const auto head = spelled.substr(0, i);
    std::size_t end = i + 1;
    while (end < spelled.size() && is_small_letter(spelled[end])) ++end;
    const auto first = kinds(head);
    const auto second = kinds(spelled.substr(i, end - i));
    const bool plain = (first & (kEnglish | kMedical)) != 0;
    if (is_small_letter(head.back())) {
      if ((plain && i > 3) || ((first & kGiven) != 0 && (second & kName) != 0)) return i;
    } else if (plain || (second & (kEnglish | kMedical)) != 0) {
      return i;
    }
  }
  return spelled.size();
}

// A capital behind small letters, where no two words ran together.
bool is_brand(std::string_view spelled) {
  for (std::size_t i = 3; i < spelled.size(); ++i) {
    if (!is_capital_letter(spelled[i]) || !is_small_letter(spelled[i - 1])) continue;
    const std::string head = folded(spelled.substr(0, i));
    for (const std::string_view prefix :
         {"mac", "van", "von", "fitz", "san", "del", "des", "dos", "der", "ter", "ibn", "bin"}) {
      if (head == prefix) return false;
    }
    return true;
  }
  return false;
}

}  // namespace

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

bool is_title(const NoteWord& word) {
  if ((word.roles & kTitleRole) == 0) return false;
  // Mild MR, trace TR: a heart's.
  if (word.small == "mr" || word.small == "dr")
    return word.pointed || word.shouted || !word.capitals;
  const bool other = is_one_of(word.small, {"sr", "ms", "lt", "sra", "maj", "det", "fr", "hr", "mw",
                                            "dra", "drs", "sig", "sri", "cpt", "ltc", "pfc"});
  // A French patient is no French catheter: 16 Fr, HR 80.
  if (word.small == "fr" || word.small == "hr" || word.small == "mw" || word.small == "drs")
    return word.pointed && (word.capital || word.shouted) && !word.symbol;
  return !other || word.pointed || (word.capital && !word.capitals && !word.shouted);
}

std::vector<NoteWord> words_of(std::string_view text) {
  std::vector<NoteWord> result;
  std::size_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_byte(text[at]) || text.substr(at, 2) == "\xE2\x80" ||
        text.substr(at, 2) == "\xC2\xA0") {
      at += text.substr(at, 2) == "\xE2\x80" ? 3 : text.substr(at, 2) == "\xC2\xA0" ? 2 : 1;
      at = std::min(at, text.size());
      continue;
    }
    NoteWord word;
    word.start = at;
    bool misread = false;
    while (at < text.size()) {
      const bool digit = is_misread_digit(text, word.start, at);
      misread = misread || digit;
      if (!digit && !(is_word_byte(text[at]) && text.substr(at, 2) != "\xE2\x80") &&
          !(text[at] == '\'' && at + 2 < text.size() && is_word_byte(text[at + 1]) &&
            is_word_byte(text[at + 2])))
        break;
      ++at;
    }
    at = word.start + end_of_first_word(text.substr(word.start, at - word.start));
    word.end = at;
    const auto spelled = text.substr(word.start, word.end - word.start);
    word.small = folded(spelled);
    if (misread) word.small = as_letters(word.small);
    word.kinds = kinds_with_derived(word.small);
    word.roles = roles_of(word.small);
    if (word.small.size() > 4 && word.small.back() == 's')
      word.roles |=
          roles_of(std::string_view(word.small).substr(0, word.small.size() - 1)) & kFindingRole;
    word.pointed = at < text.size() && text[at] == '.';
    // A capital folds to something else than itself.
    const std::size_t first = static_cast<unsigned char>(spelled[0]) >= 0xC2 ? 2 : 1;
    const auto head = spelled.substr(0, std::min(first, spelled.size()));
    word.capital =
        (spelled[0] >= 'A' && spelled[0] <= 'Z') ||
        (head.size() == 2 &&
         ((head[0] == '\xC3' && head[1] < '\x9F') || (head[0] == '\xC4' && head[1] % 2 == 0) ||
          (head[0] == '\xC5') || (head[0] == '\xCE') || (head[0] == '\xD0')));
    word.symbol = is_symbol(spelled) || is_brand(spelled);
    word.capitals = spelled.size() > 1 && std::none_of(spelled.begin(), spelled.end(),
                                                       [](char c) { return c >= 'a' && c <= 'z'; });
    const auto gap = text.substr(before, word.start - before);
    word.begins = result.empty() || gap.find_first_of("\n.!?:\"") != std::string_view::npos;
    // A point joins what is shortened (J. Smith, Dr. Lee), and ends a sentence otherwise (Dr. X.
    // She).
    const bool shortened =
        gap == ". " && !result.empty() && result.back().end - result.back().start <= 3 &&
        (!is_everyday(word) || (result.size() > 1 && (word.kinds & kFamily) != 0 &&
                                is_title(result[result.size() - 2]))) &&
        !result.back().symbol && (!result.back().capitals || is_title(result.back())) &&
        ((word.kinds & kEnglish) == 0 || (word.kinds & kName) != 0);
    word.joined =
        !result.empty() && (gap.empty() || gap == " " || gap == "-" || shortened || gap == " & ");
    before = at;
    result.push_back(std::move(word));
  }
  mark_shouted(text, result);
  return result;
}

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> words) {
  if (word.empty()) return false;
  // Most words differ in length or first letter: this is asked for every word many times.
  return std::any_of(words.begin(), words.end(), [&](std::string_view other) {
    return other.size() == word.size() && other[0] == word[0] && other == word;
  });
}

bool is_foreign(const std::vector<NoteWord>& words) {
  constexpr std::size_t kFew = 3;
  static const std::unordered_map<std::string_view, int> kSmallWords = [] {
    std::unordered_map<std::string_view, int> sides;
    for (const std::string_view word :
         {"the",  "of",  "and", "with", "was",  "is", "for", "to", "has", "at", "by",
          "from", "her", "his", "this", "that", "my", "she", "he", "on",  "it"})
      sides[word] = 1;
    for (const std::string_view word :
         {"der",  "die", "das", "und",   "den",  "dem",  "mit",   "wurde", "bei",  "eine",
          "nach", "zum", "zur", "ist",   "von",  "wir",  "des",   "sich",  "le",   "la",
          "les",  "une", "est", "pour",  "dans", "avec", "sur",   "pas",   "ne",   "il",
          "du",   "et",  "au",  "par",   "het",  "een",  "van",   "voor",  "zijn", "geen",
          "naar", "ik",  "uw",  "op",    "te",   "el",   "los",   "las",   "por",  "con",
          "una",  "del", "que", "desde", "di",   "che",  "della", "nella", "ho",   "og",
          "ikke", "med", "som", "til",   "och",  "att",  "ett",   "uma",   "com",  "dos",
          "da",   "na",  "ao",  "en",    "er",   "im",   "am",    "per",   "su",   "se"})
      sides[word] = -1;
    return sides;
  }();
  std::size_t english = 0;
  std::size_t other = 0;
  for (const NoteWord& word : words) {
    if (word.small.size() > 5 || word.capitals) continue;
    const auto listed = kSmallWords.find(word.small);
    if (listed == kSmallWords.end()) continue;
    ++(listed->second > 0 ? english : other);
  }
  return other >= kFew && other > 3 * english;
}

bool is_clinical(const std::vector<NoteWord>& words) {
  constexpr std::size_t kFew = 2;
  const auto medical = std::count_if(words.begin(), words.end(), [](const NoteWord& word) {
    return (word.roles & kClinicalRole) != 0 || is_illness(word) ||
           (word.small.size() > 3 && (word.kinds & kMedical) != 0 &&
            (word.kinds & (kName | kEnglish | kTown | kRegion)) == 0);
  });
  if (static_cast<std::size_t>(medical) >= kFew &&
      static_cast<std::size_t>(medical) * 50 >= words.size())
    return true;
  // Hamilton Anxiety 18, Columbia negative: little but what is named after somebody.
  std::size_t eponyms = 0;
  std::size_t findings = 0;
  for (const NoteWord& word : words) {
    eponyms += word.capital && (word.kinds & kEponym) != 0 ? 1 : 0;
    findings +=
        !word.capital && (names_finding(word) || is_one_of(word.small, {"negative", "positive"}))
            ? 1
            : 0;
  }
  constexpr std::size_t kSeveral = 3;
  const auto told = static_cast<std::size_t>(medical) + findings;
  return told > 0 && eponyms > 0 && told + eponyms >= kSeveral &&
         (told + eponyms) * 12 >= words.size();
}

}  // namespace pratique::notes
