#include "pratique/data/icd9.h"

#include <algorithm>

#include "pratique/core/ascii.h"

namespace pratique::icd9 {
namespace {

constexpr CodeRange kChapters[] = {
    {"001", "139", "Infectious and parasitic diseases"},
    {"140", "239", "Neoplasms"},
    {"240", "279", "Endocrine, nutritional and metabolic diseases, and immunity disorders"},
    {"280", "289", "Diseases of the blood and blood-forming organs"},
    {"290", "319", "Mental disorders"},
    {"320", "389", "Diseases of the nervous system and sense organs"},
    {"390", "459", "Diseases of the circulatory system"},
    {"460", "519", "Diseases of the respiratory system"},
    {"520", "579", "Diseases of the digestive system"},
    {"580", "629", "Diseases of the genitourinary system"},
    {"630", "679", "Complications of pregnancy, childbirth, and the puerperium"},
    {"680", "709", "Diseases of the skin and subcutaneous tissue"},
    {"710", "739", "Diseases of the musculoskeletal system and connective tissue"},
    {"740", "759", "Congenital anomalies"},
    {"760", "779", "Certain conditions originating in the perinatal period"},
    {"780", "799", "Symptoms, signs, and ill-defined conditions"},
    {"800", "999", "Injury and poisoning"},
    {"V01", "V91", "Factors influencing health status and contact with health services"},
    {"E000", "E999", "External causes of injury and poisoning"},
};

constexpr CodeRange kSections[] = {
    {"001", "009", "Intestinal infectious diseases"},
    {"010", "018", "Tuberculosis"},
    {"020", "027", "Zoonotic bacterial diseases"},
    {"030", "041", "Other bacterial diseases"},
    {"042", "042", "Human immunodeficiency virus infection"},
    {"045", "049",
     "Poliomyelitis and other viral and prion diseases of the central nervous system"},
    {"050", "059", "Viral diseases generally accompanied by exanthem"},
    {"060", "066", "Arthropod-borne viral diseases"},
    {"070", "079", "Other diseases due to viruses and chlamydiae"},
    {"080", "088", "Rickettsioses and other arthropod-borne diseases"},
    {"090", "099", "Syphilis and other venereal diseases"},
    {"100", "104", "Other spirochetal diseases"},
    {"110", "118", "Mycoses"},
    {"120", "129", "Helminthiases"},
    {"130", "136", "Other infectious and parasitic diseases"},
    {"137", "139", "Late effects of infectious and parasitic diseases"},
    {"140", "149", "Malignant neoplasm of lip, oral cavity, and pharynx"},
    {"150", "159", "Malignant neoplasm of digestive organs and peritoneum"},
    {"160", "165", "Malignant neoplasm of respiratory and intrathoracic organs"},
    {"170", "176", "Malignant neoplasm of bone, connective tissue, skin, and breast"},
    {"179", "189", "Malignant neoplasm of genitourinary organs"},
    {"190", "199", "Malignant neoplasm of other and unspecified sites"},
    {"200", "208", "Malignant neoplasm of lymphatic and hematopoietic tissue"},
    {"209", "209", "Neuroendocrine tumors"},
    {"210", "229", "Benign neoplasms"},
    {"230", "234", "Carcinoma in situ"},
    {"235", "238", "Neoplasms of uncertain behavior"},
    {"239", "239", "Neoplasms of unspecified nature"},
    {"240", "246", "Disorders of thyroid gland"},
    {"249", "259", "Diseases of other endocrine glands"},
    {"260", "269", "Nutritional deficiencies"},
    {"270", "279", "Other metabolic and immunity disorders"},
    {"280", "289", "Diseases of the blood and blood-forming organs"},
    {"290", "294", "Organic psychotic conditions"},
    {"295", "299", "Other psychoses"},
    {"300", "316", "Neurotic, personality, and other nonpsychotic mental disorders"},
    {"317", "319", "Intellectual disabilities"},
    {"320", "326", "Inflammatory diseases of the central nervous system"},
    {"327", "327", "Organic sleep disorders"},
    {"330", "337", "Hereditary and degenerative diseases of the central nervous system"},
    {"338", "338", "Pain"},
    {"339", "339", "Other headache syndromes"},
    {"340", "349", "Other disorders of the central nervous system"},
    {"350", "359", "Disorders of the peripheral nervous system"},
    {"360", "379", "Disorders of the eye and adnexa"},
    {"380", "389", "Diseases of the ear and mastoid process"},
    {"390", "392", "Acute rheumatic fever"},
    {"393", "398", "Chronic rheumatic heart disease"},
    {"401", "405", "Hypertensive disease"},
    {"410", "414", "Ischemic heart disease"},
    {"415", "417", "Diseases of pulmonary circulation"},
    {"420", "429", "Other forms of heart disease"},
    {"430", "438", "Cerebrovascular disease"},
    {"440", "449", "Diseases of arteries, arterioles, and capillaries"},
    {"451", "459", "Diseases of veins and lymphatics, and other diseases of circulatory system"},
    {"460", "466", "Acute respiratory infections"},
    {"470", "478", "Other diseases of the upper respiratory tract"},
    {"480", "488", "Pneumonia and influenza"},
    {"490", "496", "Chronic obstructive pulmonary disease and allied conditions"},
    {"500", "508", "Pneumoconioses and other lung diseases due to external agents"},
    {"510", "519", "Other diseases of respiratory system"},
    {"520", "529", "Diseases of oral cavity, salivary glands, and jaws"},
    {"530", "539", "Diseases of esophagus, stomach, and duodenum"},
    {"540", "543", "Appendicitis"},
    {"550", "553", "Hernia of abdominal cavity"},
    {"555", "558", "Noninfectious enteritis and colitis"},
    {"560", "569", "Other diseases of intestines and peritoneum"},
    {"570", "579", "Other diseases of digestive system"},
    {"580", "589", "Nephritis, nephrotic syndrome, and nephrosis"},
    {"590", "599", "Other diseases of urinary system"},
    {"600", "608", "Diseases of male genital organs"},
    {"610", "612", "Disorders of breast"},
    {"614", "616", "Inflammatory disease of female pelvic organs"},
    {"617", "629", "Other disorders of female genital tract"},
    {"630", "633", "Ectopic and molar pregnancy"},
    {"634", "639", "Other pregnancy with abortive outcome"},
    {"640", "649", "Complications mainly related to pregnancy"},
    {"650", "659", "Normal delivery, and other indications for care in pregnancy and delivery"},
    {"660", "669", "Complications occurring mainly in the course of labor and delivery"},
    {"670", "677", "Complications of the puerperium"},
    {"678", "679", "Other maternal and fetal complications"},
    {"680", "686", "Infections of skin and subcutaneous tissue"},
    {"690", "698", "Other inflammatory conditions of skin and subcutaneous tissue"},
    {"700", "709", "Other diseases of skin and subcutaneous tissue"},
    {"710", "719", "Arthropathies and related disorders"},
    {"720", "724", "Dorsopathies"},
    {"725", "729", "Rheumatism, excluding the back"},
    {"730", "739", "Osteopathies, chondropathies, and acquired musculoskeletal deformities"},
    {"740", "759", "Congenital anomalies"},
    {"760", "763", "Maternal causes of perinatal morbidity and mortality"},
    {"764", "779", "Other conditions originating in the perinatal period"},
    {"780", "789", "Symptoms"},
    {"790", "796", "Nonspecific abnormal findings"},
    {"797", "799", "Ill-defined and unknown causes of morbidity and mortality"},
    {"800", "804", "Fracture of skull"},
    {"805", "809", "Fracture of neck and trunk"},
    {"810", "819", "Fracture of upper limb"},
    {"820", "829", "Fracture of lower limb"},
    {"830", "839", "Dislocation"},
    {"840", "848", "Sprains and strains of joints and adjacent muscles"},
    {"850", "854", "Intracranial injury, excluding those with skull fracture"},
    {"860", "869", "Internal injury of thorax, abdomen, and pelvis"},
    {"870", "879", "Open wound of head, neck, and trunk"},
    {"880", "887", "Open wound of upper limb"},
    {"890", "897", "Open wound of lower limb"},
    {"900", "904", "Injury to blood vessels"},
    {"905", "909", "Late effects of injuries, poisonings, and other external causes"},
    {"910", "919", "Superficial injury"},
    {"920", "924", "Contusion with intact skin surface"},
    {"925", "929", "Crushing injury"},
    {"930", "939", "Effects of foreign body entering through orifice"},
    {"940", "949", "Burns"},
    {"950", "957", "Injury to nerves and spinal cord"},
    {"958", "959", "Certain traumatic complications and unspecified injuries"},
    {"960", "979", "Poisoning by drugs, medicinal and biological substances"},
    {"980", "989", "Toxic effects of substances chiefly nonmedicinal as to source"},
    {"990", "995", "Other and unspecified effects of external causes"},
    {"996", "999", "Complications of surgical and medical care"},
    {"V01", "V06", "Potential health hazards related to communicable diseases"},
    {"V07", "V09", "Need for isolation, other potential hazards and prophylactic measures"},
    {"V10", "V19", "Potential health hazards related to personal and family history"},
    {"V20", "V29", "Circumstances related to reproduction and development"},
    {"V30", "V39", "Liveborn infants according to type of birth"},
    {"V40", "V49", "A condition influencing the health status"},
    {"V50", "V59", "Specific procedures and aftercare"},
    {"V60", "V69", "Health services in other circumstances"},
    {"V70", "V82", "No reported diagnosis, examination of individuals and populations"},
    {"V83", "V84", "Genetics"},
    {"V85", "V85", "Body mass index"},
    {"V86", "V86", "Estrogen receptor status"},
    {"V87", "V87", "Other specified personal exposures and history"},
    {"V88", "V88", "Acquired absence of other organs and tissue"},
    {"V89", "V89", "Other suspected conditions not found"},
    {"V90", "V90", "Retained foreign body"},
    {"V91", "V91", "Multiple gestation placenta status"},
    {"E000", "E000", "External cause status"},
    {"E001", "E030", "Activity"},
    {"E800", "E807", "Railway accidents"},
    {"E810", "E819", "Motor vehicle traffic accidents"},
    {"E820", "E825", "Motor vehicle nontraffic accidents"},
    {"E826", "E829", "Other road vehicle accidents"},
    {"E830", "E838", "Water transport accidents"},
    {"E840", "E845", "Air and space transport accidents"},
    {"E846", "E848", "Vehicle accidents not elsewhere classifiable"},
    {"E849", "E849", "Place of occurrence"},
    {"E850", "E858", "Accidental poisoning by drugs, medicinal substances, and biologicals"},
    {"E860", "E869", "Accidental poisoning by other solid and liquid substances, gases, vapors"},
    {"E870", "E876", "Misadventures to patients during surgical and medical care"},
    {"E878", "E879", "Procedures as the cause of later complication, without misadventure"},
    {"E880", "E888", "Accidental falls"},
    {"E890", "E899", "Accidents caused by fire and flames"},
    {"E900", "E909", "Accidents due to natural and environmental factors"},
    {"E910", "E915", "Accidents caused by submersion, suffocation, and foreign bodies"},
    {"E916", "E928", "Other accidents"},
    {"E929", "E929", "Late effects of accidental injury"},
    {"E930", "E949", "Drugs and biologicals causing adverse effects in therapeutic use"},
    {"E950", "E959", "Suicide and self-inflicted injury"},
    {"E960", "E969", "Homicide and injury purposely inflicted by other persons"},
    {"E970", "E978", "Legal intervention"},
    {"E979", "E979", "Terrorism"},
    {"E980", "E989", "Injury undetermined whether accidentally or purposely inflicted"},
    {"E990", "E999", "Injury resulting from operations of war"},
};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// V codes after the numbers, E codes after those; a category of the wrong length is before all.
int position(std::string_view category) {
  if (category.empty()) return -1;
  const char letter = upper(category.front());
  const bool lettered = letter == 'V' || letter == 'E';
  const std::size_t digits = letter == 'V' ? 2 : 3;
  if (lettered) category.remove_prefix(1);
  if (category.size() != digits || !std::all_of(category.begin(), category.end(), is_digit)) {
    return -1;
  }
  int number = 0;
  for (const char c : category) number = 10 * number + (c - '0');
  return number + (letter == 'V' ? 1000 : 0) + (letter == 'E' ? 2000 : 0);
}

const CodeRange* range_of(std::span<const CodeRange> ranges, std::string_view category) {
  const int at = position(category);
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), at,
                       [](int p, const CodeRange& r) { return p < position(r.first); });
  if (after == ranges.begin()) return nullptr;
  const CodeRange& range = *std::prev(after);
  return at <= position(range.last) ? &range : nullptr;
}

}  // namespace

std::string Code::text(std::size_t digits, bool point) const {
  const std::string shown = detail.substr(0, digits);
  return category + (point && !shown.empty() ? "." : "") + shown;
}

std::optional<Code> parse(std::string_view text) {
  const std::size_t point = text.find('.');
  const bool external = !text.empty() && upper(text.front()) == 'E';
  const std::size_t length = external ? 4 : 3;
  if (text.size() < length || (point != std::string_view::npos && point != length)) {
    return std::nullopt;
  }
  Code code;
  for (const char c : text.substr(0, length)) code.category += upper(c);
  code.detail = text.substr(point == std::string_view::npos ? length : length + 1);
  const bool detail_missing = point != std::string_view::npos && code.detail.empty();
  if (position(code.category) < 0 || detail_missing || code.detail.size() > (external ? 1U : 2U) ||
      !std::all_of(code.detail.begin(), code.detail.end(), is_digit)) {
    return std::nullopt;
  }
  return code;
}

std::span<const CodeRange> sections() { return kSections; }
std::span<const CodeRange> chapters() { return kChapters; }

const CodeRange* section_of(std::string_view category) { return range_of(kSections, category); }
const CodeRange* chapter_of(std::string_view category) { return range_of(kChapters, category); }

}  // namespace pratique::icd9
