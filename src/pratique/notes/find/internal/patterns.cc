#include "pratique/notes/find/internal/patterns.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string>

#include "pratique/core/ascii.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

// Stands for the months in the expressions below.
constexpr std::string_view kMonthMark = "@month@";
constexpr std::string_view kOrdinalMark = "@ordinal@";
// A number of a person or a thing, with letters and in groups: 55 20 118, 2447781K, 434-22-9918A.
constexpr std::string_view kCodeMark = "@code@";
constexpr std::string_view kCodes =
    R"((?:\d[\da-z]{3,19}(?:[ \-./]\d[\da-z]{1,8}){0,4}|\d[\da-z]{1,4}(?:[ \-./]\d[\da-z]{1,8}){2,4}|)"
    R"(\d[\da-z]{1,4}[ \-./]\d[\da-z]{2,8})(?:-[a-z]{2})?)";
constexpr std::string_view kOrdinals =
    R"((?:(?:(?:twenty|thirty)[ -])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|)"
    R"((?:tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|)"
    R"(nineteenth|twentieth|thirtieth)))";
constexpr std::string_view kMonthNames =
    R"((?:jan(?:uary|uari|uar|vier)?|feb(?:ruary|ruari|ruar)?|f[eé]vrier|mar(?:ch|s|zo)?|märz|maart|mrt|apr(?:il)?|)"
    R"(avril|may|mai|mei|mayo|maggio|june?|juni|juin|july?|juli|juillet|aug(?:ust)?|août|agosto|)"
    R"(sept?(?:ember|embre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember|embre)?|)"
    R"(d[eé]cembre|enero|febrero|abril|junio|julio|octubre|noviembre|diciembre|septiembre|)"
    R"(gennaio|febbraio|aprile|giugno|luglio|settembre|dicembre|ottobre)\.?)";

// One group: what is marked.
struct ShapePattern {
  const char* type;
  double certainty;
  const char* expression;
  // What one of stands in or near every match: only there is the expression tried. Beginnings of
  // words, of three bytes at most; or #y, a year; #, how many digits run, and the bytes one of
  // which is behind them (_ is a blank, ^ a blank and what begins the name of a street, $ a letter,
  // . a point or comma, anything else itself; none: whatever is); or ! and a sign, between letters
  // or digits (+ # @ and an opening bracket: before one).
  const char* keys;
  // How far from the key a match may begin and end.
  std::size_t before = 2;
  std::size_t behind = 96;
  // Small letters, one of which ends what stands before the key, a blank aside; none: whatever
  // does.
  const char* endings = nullptr;
};

constexpr const char* kMonthKeys =
    "jan feb f\xC3\xA9 fev mar maa mrt mei m\xC3\xA4 apr avr may mai mag jun jui jul aug ao\xC3 "
    "ago sep set "
    "oct "
    "okt ott nov dec dez d\xC3\xA9 dic ene abr gen giu lug";

constexpr ShapePattern
    kShapes
        [] =
            {
                {"email", 0.99, R"(([A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*))", "!@",
                 72, 96},
                {"url", 0.98, R"((?i)\b((?:https?://|ftp://|www\.)[^\s<>"']+))", "htt ftp www"},
                {"url", 0.9,
                 R"((?i)\b([a-z0-9][a-z0-9\-]*(?:\.[a-z0-9\-]+)*\.(?:com|org|net|edu|gov|info|io|co\.uk|de|fr|ch|be|nl|hu|it|es|eu|biz)(?:/[^\s<>"']*)?)\b)",
                 "!.", 72, 96},
                {"ip", 0.97,
                 R"(\b((?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d))\b)",
                 "#1. #2. #3.", 4, 40},
                {"ip", 0.95, R"((?i)\b((?:[0-9a-f]{1,4}:){3,7}:?[0-9a-f]{1,4})\b)", "!:", 8, 64},
                {"ssn", 0.97, R"(\b(\d{3}-\d{2}-\d{4})\b)", "#3-", 4, 40},
                {"ssn", 0.97,
                 R"((?i)(?:\bssn|social security)(?:\s+(?:number|no\.?|#))?(?:\s+is)?[\s:#]*(\d{3}[ -]?\d{2}[ -]?\d{4})\b)",
                 "ssn soc"},
                {"fax", 0.97,
                 R"((?i)\bfax(?:\s*(?:number|no\.?|#))?[\s:.]*((?:\+|\()?\d[\d().\-/ ]{5,20}\d))",
                 "fax"},
                {"phone", 0.96,
                 R"((?i)\b(?:phone|tele?(?:phone)?|cell|mobile|pager|beeper|call(?:ed|ing)?|contact|dial|reach(?:ed|able)?|ph|answering|number|whatsapp)[^\d\n+(]{0,30}((?:\+|\()?\d[\d().\-/ ]{5,20}\d(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?))",
                 "pho tel cel mob pag bee cal con dia rea ph ans num wha"},
                {"phone", 0.95,
                 R"((?:^|[^\w.])((?:\+?1[-. ]?|001-)?\(?\d{3}\)?[-. /]?\d{3}[-. ]\d{4}(?:\s?(?:x|ext\.?)\s?\d{1,6})?)\b)",
                 "#4", 24, 24},
                {"phone", 0.95, R"((\+\d{1,3}[-. ]?(?:\(?\d{1,5}\)?[-. /]?){1,5}\d{2,4})\b)", "!+",
                 2, 48},
                {"phone", 0.85, R"((\(\d{2,5}\)\s?\d{3,5}[-. ]?\d{2,5})\b)", "!(", 2, 48},
                {"phone", 0.8,
                 R"(\b(\d{2}-\d{2}-\d{2}-\d{2}|\d{3}-\d{4}|0\d{1,4}-\d{5,8}|\d{3}-\d{3}-\d{3})\b)",
                 "#2- #3- #4- #5-", 4, 40},
                // A scanner's O, l and I.
                {"phone", 0.97, R"(\b(\d{3}[-. ][\dOlI]{3}[-. ][\dOlI]{4})\b)", "#3- #3. #3_", 2,
                 16},
                {"date", 0.85,
                 R"(\b((?:[OlI][\dOlI]?|\d[OlI])/[\dOlI]{1,2}/[\dOlI]{2}(?:[\dOlI]{2})?|\d{1,2}/(?:[OlI][\dOlI]?|\d[OlI])/[\dOlI]{2}(?:[\dOlI]{2})?|\d{1,2}/\d{1,2}/(?:[\dOlI]{0,3}[OlI][\dOlI]{1,3}|[\dOlI]{1,3}[OlI]))\b)",
                 "!/", 6, 10},
                {"phone", 0.75,
                 R"(\b(0\d(?: \d{2}){4}|0\d{2,4} \d{3} \d{3,4}|0\d{3,4} \d{5,7}|0\d{2} \d{3} \d{2} \d{2}|0\d{2}(?: \d{2}){3}|\d{2} \d{2} \d{2} \d{2}|0\d \d{4} \d{4}|0\d{2} \d{4} \d{3,4}|\d{2} \d{2} \d{2}|\d{4} \d{4}|\d{2} \d{6})\b)",
                 "#2_ #3_ #4_ #5_", 4, 40},
                {"date", 0.96,
                 R"(\b(\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])(?:T[\d:.]+Z?)?)\b)",
                 "#4- #4/ #4.", 4, 40},
                {"date", 0.95,
                 R"(\b((?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19|20)?\d{2})\b)",
                 "#1- #1/ #1. #2- #2/ #2.", 4, 40},
                {"date", 0.75,
                 R"((?i)\b(?:on|(?:morning|evening|night|afternoon) of|since|until|till|from|dated?|before|after|dx'?d?|diagnosed|onset|bx|biopsy|orif|adm|admit|admitted|admission|seen|dc'?d?|d/c'?d?|discharged?|disch|lmp|labs?|visit|appt|surgery|s/p|op|started|stopped|last|next|inr|cath|extub|extubated|intub|intubated|placed|due|eta|transferred|xfer|born|written|signed|given|pap|colonoscopy|mammogram|ekg|ecg|echo|tte|cxr|ct|mri|cx|bcx|ucx|hd|pod|trach)\s*[:=(,]?\s*((?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]))(?:$|\.(?:\D|$)|[^\d/%.]))",
                 "#1/ #2/", 28, 16},
                {"date", 0.75,
                 R"((?i)\b((?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]) ?(?:-|to|thru|through|until|and) ?(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]))(?:$|\.(?:\D|$)|[^\d/%.]))",
                 "#1/ #2/", 4, 40},
                {"date", 0.5,
                 R"((?:^|\n)[ \t]*((?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]))(?: ?[:\-] | \d{4}\b| (?i:am|pm|npn|note)\b))",
                 "#1/ #2/", 4, 40},
                {"date", 0.6,
                 R"((?:^|[^\d/.])((?:0?[1-9]|1[0-2])/(?:11|1[3-9]|2\d|3[01]))(?:$|\.(?:\D|$)|[^\d/%.]))",
                 "#1/ #2/", 4, 40},
                {"date", 0.7,
                 R"((?i)\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|today|tomorrow|tmrw|yesterday|tonight)[.,]? +\(?((?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]))(?:$|\.(?:\D|$)|[^\d/%.]))",
                 "#1/ #2/", 16, 8},
                {"date", 0.7, R"(\b((?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])) at \d)", "#1/ #2/",
                 4, 16},
                {"date", 0.93, R"((?i)\b(\d{1,2}[- ]?@month@[- ]?(?:19|20)\d{2})\b)", kMonthKeys, 4,
                 16},
                {"date", 0.55,
                 R"((?i)\b(?:on|til|till|until|by|for|from|since|is|was) (the \d{1,2}(?:st|nd|rd|th))(?:$|[.,;)?!\n]| (?:and|at|for|with|to|of (?:the|this|next|last) month)\b))",
                 "#1$ #2$", 12, 20},
                {"date", 0.95,
                 R"((?i)\b(@month@ ?(?:\d{1,2}(?:st|nd|rd|th)?)(?:,? ?(?:19|20)\d{2}|, ?'?\d{2})?)\b)",
                 kMonthKeys, 2, 48},
                {"date", 0.95,
                 R"((?i)\b((?:the )?\d{1,2}(?:st|nd|rd|th|\.)?[ -]?(?:of )?(?:de )?@month@(?:[ ,-]{1,2}(?:de )?(?:19|20)?\d{2})?)\b)",
                 kMonthKeys, 24, 32},
                {"date", 0.9, R"((?i)\b(@month@ (?:of )?(?:19|20)\d{2})\b)", kMonthKeys, 2, 48},
                {"date", 0.6,
                 R"((?i)\b(?:since|in|last|next|until|till|by|from|through|of|during|early|late|mid|before|after|this|for|end of)[ -]((?-i:J)anuary|(?-i:F)ebruary|(?-i:M)arch|(?-i:A)pril|(?-i:M)ay|(?-i:J)une|(?-i:J)uly|(?-i:A)ugust|(?-i:S)eptember|(?-i:O)ctober|(?-i:N)ovember|(?-i:D)ecember|january|february|september|october|november|december|sept|oct|nov|dec|feb)\b)",
                 kMonthKeys, 24, 16},
                {"date", 0.5,
                 R"((?i)\b(?:on|until|till|by|since|next|last|this|for|from) ((?:mon|tue|tues|wed|weds|thu|thur|thurs|fri)\b\.?))",
                 "mon tue wed thu fri", 12, 16},
                {"date", 0.5,
                 R"((?i)(?:\(|, |; |~|\bcirca |\bapprox\.? |\bapproximately |\bearly |\blate |\bmid |\bmid-|\bspring |\bsummer |\bfall |\bwinter |\baround |\bback |\bprior to |\bcabg |\bdx |\bdx'd |\bpe |\bmi |\bcva |\bdvt )((?:19[3-9]\d|20[0-4]\d))(?:\)|,|;|\.(?:\s|$)|$|\n| and\b| with\b| for\b| -))",
                 "#y", 28, 16},
                {"date", 0.55,
                 R"((?i)\b(?:in|since|of|circa|from|until|age|late|early|,|\(|turp|cabg|mi) ?('\d{2})\b)",
                 "#2", 28, 16, "'"},
                {"date", 0.6,
                 R"((?i)\b(?:vom|am|bis|seit|ab|zum|den) (\d{1,2}\.\d{1,2}\.)(?:$|[^\d]))",
                 "#1. #2.", 8, 16},
                {"date", 0.93,
                 R"((?i)\b(\d{1,2}(?:er|re)?[-/ ]?@month@[-/ ,.]{0,2}(?:(?:19|20)?\d{2})?)\b)",
                 kMonthKeys, 8, 16},
                {"date", 0.9, R"(\b((?:0?[1-9]|1[0-2])[-/](?:18|19|20)\d{2})\b)", "#1- #1/ #2- #2/",
                 2, 8},
                {"date", 0.85,
                 R"((?i)\b(?:dob|d\.o\.b\.?|born|birth ?date|birth)(?: (?:in|on|is))?[\s:#]*((?:0?[1-9]|1[0-2])[-/]\d{2})\b)",
                 "dob d bor bir", 2, 40},
                {"date", 0.6, R"(\b((?:19|20)\d{2}-(?:19|20)?\d{2})\b)", "#4-"},
                {"date", 0.65,
                 R"((?i)\b(?:in|since|from|until|of|year|during|before|after|by)\s+((?:19|20)\d{2})\b)",
                 "in sin fro unt of yea dur bef aft by", 2, 12},
                {"age", 0.9,
                 R"((?i)\b(\d{1,3})[ -]*(?:years?|yrs?|months?|weeks?|days?)[ -]*o[l1i]d\b)",
                 "yea yr yrs mon wee day", 16, 32},
                {"age", 0.9, R"((?i)\b(\d{1,3})\s?-?(?:y\.?/?o\.?\b|yo[mf]?\b|yr-old))",
                 "y yo yom yof yr", 12, 16},
                {"age", 0.9,
                 R"((?i)\bage[ds]?(?:\s+(?:is|of))?[\s:]*(\d{1,3})(?:\s?y(?:rs?|ears)?)?\b)",
                 "age"},
                {"age", 0.85, R"((?i)\b(\d{1,3})[ -]?j(?:ä|ae)hrig)", "j\xC3\xA4 jae", 12, 16},
                {"age", 0.8,
                 R"((?i)\b(\d{1,3})[ -]?(?:y|yr|yrs|yo|y/o|yrs?\.? old)[ ,-]?(?:m|f|male|female|man|woman|boy|girl|gentleman|lady)\b)",
                 "y yr yrs yo", 12, 32},
                {"age", 0.75, R"((?i)\b(\d{1,3}) (?:años|anos|ans|anni|jaar|lat|år)\b)",
                 "a\xC3\xB1 ano ans ann jaa lat \xC3\xA5r", 12, 16},
                {"age", 0.9, R"((?i)\b(\d{2,3})[ -]?y(?:rs?|ears?)?[-/ .]{1,2}o(?:ld)?\b)",
                 "y yr yrs yea", 12, 16},
                {"age", 0.8,
                 R"((?i)\b(9\d|1[01]\d)(?: (?:fe)?male\b| ?[fmw] (?:with|w/|who|presents?|presenting|admitted|adm|s/p|here|pt|h/o|c/o|from|in|found|fell)\b))",
                 "#2_ #2$ #3_ #3$", 2, 20},
                {"age", 0.85, R"((?i)\b(?:aged?|age of|turned|turning|turns|is|was|at) ((?:(?:one|a) hundred(?:[ -](?:and )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen))?|ninety(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?))(?:\.|,|;|$|\n| and\b| years\b| with\b| who\b| but\b| when\b))",
                 "hun nin", 24, 40},
                {"age", 0.7,
                 R"((?i)\b(?:died|deceased|passed(?: away)?|expired|diagnosed|dx'?d|onset|stroke|mi|ca|cancer|married|menarche|menopause)[^.\n\d]{0,24} (?:at|age) (\d{2})\b)",
                 "die dec pas exp dia dx ons str mi ca can mar men", 2, 64},
                {"age", 0.7, R"(\b(\d{2})[MF]\b)", "#2$", 2, 8},
                {"age", 0.8, R"(\b(\d{1,3})/[MF]\b)", "#1/ #2/ #3/", 2, 4},
                // Not a temp of 97 F.
                {"age", 0.7,
                 R"(\b([1-8]\d) [MF](?:[,;:]|\s(?i:with|w/|who|presents?|presenting|admitted|adm|s/p|here|pt|h/o|c/o|found|fell)\b))",
                 "#2_", 2, 24},
                {"age", 0.7, R"((?i)\b(\d{2}) (?:fe)?male\b)", "#2_", 2, 12},
                {"age", 0.75,
                 R"((?i)\b(?:s?he(?:'s|’s| is| was)|turn(?:ed|ing|s)) (9\d|1[01]\d)(?:$|\.(?:\D|$)|[^\d/%.]))",
                 "she he tur", 2, 24},
                {"age", 0.85,
                 R"((?i)\b((?:(?:one |a )?hundred(?: and)?[ -])?(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|(?:one |a )?hundred)[ -]years?[ -]old\b)",
                 "hun twe thi for fif six sev eig nin", 48, 48},
                {"age", 0.85, R"((?i)\b(nonagenarian|centenarian)s?\b)", "non cen"},
                {"mrn", 0.95,
                 R"((?i)\b(?:mrn|medical record|med rec|record|chart|patient id|unit|uhid|ipp)(?:\s*(?:number|num|no\.?|n0|nº|n°|id|#))?(?:\s+is)?[\s:#]*((?:[a-z]{1,4}[-.]?)?[\dlo][\dolis-]{3,20}\d[a-z]?))",
                 "mrn med rec cha pat uni uhi ipp", 2, 56},
                {"account", 0.94,
                 R"((?i)\b(?:account|acct|billing|visit|invoice|card|cc)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*((?:[a-z]{1,4}-?)?\d[\d-]{3,20}\d))",
                 "acc bil vis inv car cc", 2, 56},
                {"plan", 0.94,
                 R"((?i)\b(?:policy|member|subscriber|insurance|plan|medicare|medicaid|group|beneficiary)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*([a-z]{0,4}-?\d[\da-z-]{4,24}|\d{3,5}(?: \d{3,5}){1,3}(?: \d)?|[a-z]{1,3}(?:/\d{2,8}){2,5}))",
                 "pol mem sub ins pla med gro ben", 2, 64},
                {"licence", 0.94,
                 R"((?i)\b(?:licen[sc]e|licen[sc]e plate|dl|dea|npi|passport|certificate)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*([a-z]{0,3}-?\d[\da-z-]{3,24}))",
                 "lic dl dea npi pas cer"},
                {"location", 0.65,
                 R"((?i)\b(?:room|rm|bed|bay|ward)(?:\.? #?| ?#)?(\d{1,4}[a-z]?|[a-z]-?\d{1,3})\b)",
                 "roo rm bed bay war"},
                {"ssn", 0.9,
                 R"((?i)\b(?:ssn|social security|social|last (?:4|four))[^\d\n]{0,20}(\d{4})\b)",
                 "ssn soc las"},
                {"ssn", 0.95, R"((?i)(?:^|[^\w*])([x*]{3}-?[x*]{2}-?\d{4})\b)", "#4", 12, 8},
                {"id", 0.65, R"((?:^|[\s(:,A-Za-z])# ?([A-Z]{0,4}-?\d{4,14})\b)", "!#", 2, 24},
                {"id", 0.85,
                 R"((?i)\b(?:band|bracelet|badge|tag|tracking|confirmation|sample|specimen|barcode)(?:\s*(?:number|num|no\.?|id|#))+[\s:#]*([a-z]{0,4}-?\d[\da-z-]{3,14}))",
                 "ban bra bad tag tra con sam spe bar", 2, 56},
                {"id", 0.85,
                 R"((?i)\b(?:userid|user id|user name|username|login|logged in as|handle|screen name|user)[\s:#]+(@?[a-z0-9.]*[_@][\w.\-]*\w))",
                 "use log han scr"},
                {"id", 0.8, R"((?:^|[\s(:,])(@[A-Za-z]\w{2,})\b)", "!@", 2, 40},
                {"location", 0.9,
                 R"(([A-Z][A-Za-z .'\-]{2,30}\^(?:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY])\^\d{5}(?:-?\d{4})?))",
                 "#5 #9", 40, 8},
                {"id", 0.8,
                 R"((?i)\b(?:id|nr|nummer|application|claim|subject|order|docket|case)(?:\s*(?:number|num|no\.?|#))?[\s:#]{1,3}((?:[a-z]{1,4}-?)?\d[\d/-]{3,16}\d))",
                 "id nr num app cla sub ord doc cas", 2, 48},
                {"id", 0.8, R"((?i)\b(?:badge[\s:#]*(?:no\.? ?|number )?(\d{3,7})\b))", "bad"},
                {"id", 0.8,
                 R"((?i)\b(?:job|kit|subj|interpreter|docket|log|file)\b\.?(?:\s*(?:number|num|no\.?|id|#))*[\s:#]*([a-z]{0,4}-?\d[\da-z/-]{4,14}))",
                 "job kit sub int doc log fil"},
                {"id", 0.75, R"(\b(\d{4} \d{4} \d{4}(?: \d{4})?|\d{4} \d{3} \d{3})\b)", "#4_", 4,
                 24},
                {"id", 0.7, R"(\b([A-Z]{2,5}-\d{5,8}(?:-[A-Z0-9]{1,4})?)\b)", "#5 #6 #7 #8", 8, 8},
                {"id", 0.75, R"(\b([A-Z](?:/\d{2,8}){2,5})\b)", "#2/ #3/ #4/ #5/ #6/", 8, 40},
                {"id", 0.75, R"(\b([A-Z]{2,4}[/-]\d{2,6}(?:[/-]\d{2,6})+)\b)",
                 "#2- #2/ #3- #3/ #4- #4/ #5- #5/ #6- #6/", 8, 32},
                {"location", 0.65,
                 R"(\b((?:I-|(?:Route|Rte\.?|Rt\.?|Hwy\.?|Highway|Interstate) ?)\d{1,3}[A-Z]?)\b)",
                 "i rou rte rt hwy hig int", 2, 16},
                {"phone", 0.7, R"((?:^|[ (])x ?(\d{4,5})\b)", "#4 #5", 6, 4},
                {"age", 0.6, R"(\(\p{Lu}\p{Ll}+, (\d{1,2})\))", "#1) #2)", 32, 4},
                {"device", 0.93,
                 R"((?i)\b(?:serial|device|pacemaker|implant|lot|s/n)(?:\s*(?:number|num|no\.?|id|#))?(?:\s+is)?[\s:#]*([a-z]{0,4}[- ]?\d[\da-z-]{3,24}))",
                 "ser dev pac imp lot n"},
                {"vehicle", 0.95,
                 R"((?i)\b(?:licen[sc]e plate|plate|license tag)(?:\s*(?:number|no\.?|#))?(?:\s+is)?[\s:#]*((?:[a-z]{1,3}[ -]?\d{1,4}[a-z]{0,3}|\d{1,4}[ -]?[a-z]{1,3}[ -]?\d{0,4}))\b)",
                 "lic pla"},
                {"vehicle", 0.96, R"((?i)\bvin[\s:#]*([a-hj-npr-z0-9]{17})\b)", "vin"},
                {"id", 0.965, R"(\b([A-Z]{1,3}-?\d{2}-\d{3,8})\b)", "#2-", 8, 16},
                {"id", 0.7, R"(\b([A-Za-z]{1,4}\d{5,30}[A-Za-z]?|\d{7,30})\b)", "#5 #6 #7 #8 #9", 8,
                 24},
                {"location", 0.93,
                 R"((\d{1,6}[A-Za-z]?,? (?:[NSEWnsew]\.? )?(?:[\p{Lu}0-9][\p{L}\p{M}'.\-]*,? ){1,5}(?i:street|st|avenue|ave|road|rd|drive|dr|lane|ln|court|(?-i:[Cc]t)|boulevard|blvd|place|pl|way|terrace|terr?|trail|trl|loop|pike|sq|circle|cir|parkway|pkwy|square|highway|hwy|close|crescent|gardens|grove|mews|row|walk|(?-i:Parade|Pde|Hollow|Concourse|Alley|Bend|Cove|Crossing|Esplanade|Glen|Heights|Hill|Hills|Manor|Meadows?|Mews|Mill|Mount|Park|Path|Plaza|Point|Ridge|Rise|Run|Spur|Track|Trace|Turnpike|Tpke|Vale|View|Vista|Walk|Wharf|Estates?|Junction|Junctions|Extension|Expressway|Expy|Fwy|Freeway|Green|Gate|Gdns|Grove|Cres|Crossroad|Causeway|Common|Court|Drive|Falls|Ferry|Field|Fields|Ford|Forge|Fork|Fort|Garden|Harbor|Haven|Island|Isle|Key|Knoll|Lake|Landing|Locks|Lodge|Mall|Motorway|Oval|Overpass|Passage|Pine|Pines|Prairie|Quay|Ranch|Rapid|River|Route|Shore|Shoals|Spring|Springs|Stream|Summit|Throughway|Tunnel|Union|Valley|Viaduct|Village|Ville|Well|Wells))\b\.?))",
                 "#1^ #2^ #3^ #4^ #5^ #6^ #1. #2. #3. #4. #5. #6. #1, #2, #3, #4, #5, #1$ #2$ #3$ "
                 "#4$ #5$ "
                 "#6$",
                 8, 128},
                {"location", 0.9,
                 R"(((?:[\p{Lu}][\p{L}'.\-]* ){0,3}[\p{L}\-]+(?i:strasse|straße|str\.|weg|gasse|platz|laan|straat|vej|gatan|gata|vägen|gränd|allee|dreef|kade|katu|tie) ?\d{1,4}[a-zA-Z]?\b))",
                 "#1 #2 #3 #4", 96, 16,
                 "sse a\xC3\x9F"
                 "e tr. weg atz aan aat vej tan ata gen \xC3\xA4nd lee eef ade atu tie"},
                {"location", 0.88,
                 R"(((?:\b\d{1,4}(?: bis| ter)?,? )?(?:\b(?:(?i:rue|calle|avenida|av\.|rua|ul\.|ulica|piazza|chemin|quai|ulice|viale|paseo|carrer|c/|ctra\.|travessa)|Via|Place|Boulevard|Avenue|Strada|Corso|Vila|Plaza|VIA|PLACE|AVENUE) (?:(?:de|del|della|da|do|dos|la|las|los|le|les|du|des|van|di) )*)(?:[\p{Lu}\d][\p{L}\p{M}'.\-]* ?){1,4}\d{0,4}))",
                 "rue cal ave av rua ul uli pia che qua via pas car c ctr tra pla bou str cor vil",
                 16, 96},
                {"location", 0.62,
                 R"(((?:\d{1,5} )?\p{Lu}[\p{L}\p{M}.'\-]*(?: [\p{L}\p{M}.'\-]+){0,4} \d{1,4}[a-z]?)(?:$|\.?,|\n| Apt| Suite| and))",
                 "#1 #2 #3 #4", 120, 16},
                {"location", 0.6,
                 R"((?:^|\n|at |address:? |to |[>,] ?)(\d{1,5} (?:\d{1,4} )?\p{L}[\p{L}\p{M}.'\-]{3,}(?: [\p{L}\p{M}.'\-]+){0,4},? \d{1,4}[a-z]?)(?:$|\.?,|\n| apt| suite| and))",
                 "#1_ #2_ #3_ #4_ #5_", 16, 120},
                {"location", 0.95,
                 R"((?i)\b(p\.? ?o\.? ?box \d+|(?:unit|psc) \d+,? box \d+|(?:apo|fpo|dpo) (?:aa|ae|ap) \d{5}|(?:apt|suite|ste|flat|unit|apartment)\.? (?:#? ?\d+[a-z]?|[a-z]\d*)\b))",
                 "box psc apo fpo dpo apt sui ste fla uni apa", 24, 40},
                {"location", 0.9,
                 R"(\b((?:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY])\.?,? \d{5}(?:-\d{4})?)\b)",
                 "#5", 16, 24},
                {"location", 0.88,
                 R"(((?:\p{Lu}[\p{L}.'\-]+ ){0,2}\p{Lu}[\p{L}.'\-]+), (?:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]) \d{5})",
                 "#5", 96, 16},
                {"location", 0.8,
                 R"((?:\p{Ll}|\b\p{Lu}{2}|\p{Lu}{4}),? (\d{5}(?:-\d{4})?)(?:$|\n|[.,;"]))", "#5", 8,
                 16},
                {"phone", 0.8,
                 R"((?i)\b(?:ext(?:ension)?|pager|beeper|bleep)\.?[\s:#]*(\d{1,2}-\d{4}|\d{4,5})\b)",
                 "ext pag bee ble"},
                {"email", 0.85,
                 R"((?i)\b([a-z0-9._\-]{2,}\s?(?:\(at\)|\[at\]|\sat\s)\s?(?:(?:gmail|yahoo|hotmail|outlook|icloud|aol|gmx)\b(?:\s?(?:\.|dot)\s?com)?|[a-z0-9\-]+\s?(?:\(dot\)|\[dot\]|\sdot\s)\s?[a-z]{2,3}))\b)",
                 "gma yah hot out icl aol gmx dot", 64, 24},
                {"date", 0.8, R"(\b((?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))\b)",
                 "#8", 4, 40},
                {"ssn", 0.95, R"(\b([12] \d{2} \d{2} \d{2} \d{3} \d{3}(?: \d{2})?)\b)", "#1_", 4,
                 40},
                {"ssn", 0.9, R"(\b([A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D])\b)",
                 "#2_ #2$ #6$ #6_ #4$ #4_", 16, 24},
                {"id", 0.85,
                 R"((?i)\b(?:a-number|alien|case|fall|fallnummer|ref|reference|nhs|hosp|hospital|versichertennummer|versichertennr|aktenzeichen|badge|file|acc|accession|mr)\b\.?(?:\s*(?:number|num|no\.?|id|#|nr\.?))?[\s:#]*((?:[a-z]{1,4}[ -]?)?\d[\d -]{4,16}\d))",
                 "a ali cas fal ref nhs hos ver akt bad fil acc mr", 2, 48},
                {"id", 0.8,
                 R"((?i)\b(?:wechat|skype|twitter|instagram|facebook|user|username|login)(?:\s*(?:id|handle|name))?[\s:#@]*([a-z][\w.\-]*\d[\w.\-]*))",
                 "wec sky twi ins fac use log"},
                {"location", 0.85,
                 R"((?i)\b(\d{1,5} (?:[nsew]\.? )?\d{1,3}(?:st|nd|rd|th) (?:street|st|avenue|ave|road|rd|place|pl))\b)",
                 "#1$ #2$ #3$", 16, 24},
                {"location", 0.62, R"((?:^|\n|, ?)(\d{5} \p{Lu}[\p{L}\p{M}\-]{2,}))", "#5_", 4, 64},
                {"location", 0.85,
                 R"(\b([A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)\b)", "#1$", 12, 8},
                {"date", 0.85,
                 R"((?i)\b((?:@ordinal@ (?:of )?@month@|@month@ (?:the )?@ordinal@)(?:,? (?:19|20)\d{2})?)\b)",
                 kMonthKeys, 40, 64},
                // What other hospitals, countries and writers do.
                {"date", 0.55, R"((?:^|[^\d/.:])([1-9]/0[1-9])(?:$|\.(?:\D|$)|[^\d/%.x:]))", "#1/",
                 4, 12},
                {"date", 0.6,
                 R"((?:^|[^\d/.:])((?:0?[1-9]|1[0-2])/'?(?:3[2-9]|[4-9]\d))(?:$|\.(?:\D|$)|[^\d/%.x:]))",
                 "#1/ #2/", 4, 16},
                {"date", 0.65,
                 R"((?i)\b(?:on|dated?|lmp|seen|since|due|until|til|by|started|returns?|born|dob|adm|dc'?d on|next|visit|appt)[ :]+((?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01]))(?:$|[.,;:)\n]| at| and| for| with| by| @))",
                 "#1- #2-", 16, 8},
                {"date", 0.6,
                 R"((?:^|\n)[ \t]*((?:0?[1-9]|1[0-2])[-.](?:0?[1-9]|[12]\d|3[01]))(?:: | [A-Z]))",
                 "#1- #2- #1. #2.", 4, 8},
                {"date", 0.65,
                 R"((?i)\b(?:on|by|until|till|from|since|due|dated?|seen|handover|adm|admitted|discharged|home|appt|visit|review|ward round)[ :]+((?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2]))(?:$|\.(?:\D|$)|[^\d/%.]))",
                 "#2/", 24, 8},
                {"date", 0.55,
                 R"((?i)\b(?:quit|stopped|since|in|deceased|died|d\.|widowed|divorced|married|retired|tetanus|colonoscopy|last|surgery|[a-z]{3,12}(?:ectomy|plasty|scopy|otomy)|x|s/p|diagnosed|dx|sober|c\.|clean|year|class of|summer of|spring of|fall of|winter of|smoker until)[ :]{1,2}((?:19[3-9]\d|20[0-4]\d))(?:$|[.,;:)\n]| [a-z(]))",
                 "#y", 24, 8},
                {"date", 0.55,
                 R"((?:^|[\s(,;])((?:19[6-9]|20[6-9])\d)(?:$|[.,;:)]|\s(?:[a-z(]{3}|[A-Z])))", "#y",
                 2, 8},
                {"date", 0.85,
                 R"((?i)\b((?:early|mid|late|spring|summer|fall|autumn|winter|end of|beginning of)[- ](?:of )?(?:@month@|(?:of )?(?:19|20)\d{2})(?:[ ,]{1,2}(?:19|20)\d{2})?)\b)",
                 "ear mid lat spr sum fal aut win end beg", 2, 48},
                {"date", 0.9,
                 R"((?i)\b((?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd|4th|2nd|) ?(?:week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday) (?:in|of) @month@)\b)",
                 "wee mon tue wed thu fri sat sun", 12, 32},
                {"date", 0.85,
                 R"((?i)\b(\d{1,2}[-./ ](?-i:I{1,3}|IV|V|VI{1,3}|IX|X|XI{1,2})[-./ ](?:(?:19|20)\d{2}|\d{2}))\b)",
                 "#1- #1. #1/ #2- #2. #2/", 4, 16},
                {"date", 0.55,
                 R"((?i)\b(?:en|im|in|seit|depuis|desde|op|sinds|au mois de|fin|début|ab|dal|nel) (januar|februar|märz|april|mai|juni|juli|september|oktober|november|dezember|janvier|f[eé]vrier|mars|avril|juin|juillet|ao[uû]t|septembre|octobre|novembre|d[eé]cembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|januari|februari|maart|mei|augustus|oktober|gennaio|febbraio|maggio|giugno|luglio|settembre|ottobre|dicembre)\b)",
                 kMonthKeys, 16, 24},
                {"date", 0.6,
                 R"((?i)\b(?:before|by|until|due|on|bis|av|le|el|du|au) (\d{1,2}\.\d{1,2}\.)(?:$|[^\d]))",
                 "#1. #2.", 8, 12},
                {"date", 0.5, R"(\b(Mon|Tue|Wed|Weds|Thu|Thur|Fri)\b(?:$|[^a-z/\-]))",
                 "mon tue wed thu fri", 2, 8},
                {"date", 0.5,
                 R"((?i)\b(?:on|until|till|by|since|next|last|seen|rtc|d/c|discharge|again|home|returns?) ((?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b\.?)(?:$|[^a-z/\-]))",
                 "mon tue wed thu fri sat sun", 16, 8},
                {"date", 0.8,
                 R"((?i)\b((?:super bowl sunday|guy fawkes(?: night)?|(?:patriots'?|mlk|martin luther king(?:'s)?|presidents'?|st\.? patrick'?s|anzac|australia|canada|victoria|bastille|flag|groundhog|april fools'?|all saints'?|tax|king'?s|queen'?s) (?:birth)?day|cinco de mayo|ash wednesday|advent|eid(?: al-\w+)?|lunar new year|chinese new year|kwanzaa|michaelmas|juneteenth)(?: weekend)?(?:,? (?:19|20)\d{2})?)\b)",
                 "day bow faw cin ash adv eid lun kwa mic chi", 24, 24},
                {"age", 0.85,
                 R"((?i)\b((?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|one|two|three|four|five|six|seven|eight|nine))[ -](?:year|month|week|day)s?[ -]old\b)",
                 "yea mon wee day", 20, 12},
                {"age", 0.75,
                 R"((?i)\b(?:now|almost|nearly|aged?|turn(?:ed|s|ing)?|turned|lady of|is|was|at|of) ((?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -](?:one|two|three|four|five|six|seven|eight|nine))(?:$|[.,;)\n]| and| years| when| with| who))",
                 "twe thi for fif six sev eig nin", 12, 24},
                {"age", 0.65,
                 R"((?i)\b(?:s?he(?:'s|’s| is| was)|i am|i'm|i’m|im|will be|will turn|turned|turns?|turning|now) (\d{2})(?:$|[.;!)\n,](?:\D|$)| and| years| yo\b| today| now| next| on| who| when| with))",
                 "she he i im wil tur now", 2, 28},
                {"age", 0.75,
                 R"((?i)\b(?:died|deceased|passed(?: away)?|expired|dec\.?)(?: of [a-z ]{2,24}| from [a-z ]{2,24}|[^.\n\d]{0,12})? ?(?:at|age|aged|@) ?(?:age |the age of )?(\d{1,3})\b)",
                 "die dec pas exp", 2, 64},
                {"age", 0.6,
                 R"((?i)\b(?:mother|father|brother|sister|mgm|mgf|pgm|pgf|mom|dad|aunt|uncle|son|daughter)[^.;\n\d]{0,20}\b(?:d|d\.|died|mi|ca|cva|htn|dm) ?(?:of |@ ?|at )?(?:age )?(\d{2})(?:$|[,.;)\s]))",
                 "mot fat bro sis mgm mgf pgm pgf mom dad aun unc son dau", 2, 64},
                {"age", 0.8,
                 R"((?i)\b(?:his|her|their|my|your) ((?:early |mid |late |early to mid |mid to late |early-|mid-|late-)?(?:\d0'?s|teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties))\b)",
                 "ear mid lat tee twe thi for fif six sev eig nin #2$ #2'", 16, 16},
                {"age", 0.7,
                 R"((?i)\b((?:early |mid |late |early-|mid-|late-)?\d0['’]?s),? (?-i:M|F|male|female|man|woman|gentleman|lady|yo|yom|yof)\b)",
                 "#2$ #2'", 8, 16},
                {"age", 0.6, R"((?i)[(,] ?((?:early|mid|late)[ -]\d0['’]?s)[),])", "ear mid lat", 4,
                 16},
                {"age", 0.85,
                 R"((?i)\b(\d{1,3}(?:-\d{1,3})? ?(?:yrs?|years|y)\.?)(?:/| / |, |,| )(?:m|f|male|female)\b)",
                 "yr yrs yea y", 8, 16},
                {"age", 0.8, R"((?i)\b(\d{2}-\d{2})[ -]?(?:yo|y/o|y\.o\.|years? old|year-old)\b)",
                 "#2-", 2, 16},
                {"age", 0.75,
                 R"((?i)[(,:] ?(\d{1,3} ?(?:yrs?|jahre?|j|jr|jaar|ans|años|anni|a))[.),])",
                 "yr yrs jah j jr jaa ans a\xC3\xB1 ann a", 8, 8},
                {"age", 0.7,
                 R"((?i)\b(?:patient|man|woman|male|female|lady|gentleman|homme|femme|patiente|mann|frau|paciente) (?:de|von|of|aged) (\d{1,3})\b)",
                 "pat man wom mal fem lad gen hom mann fra pac", 2, 32},
                {"age", 0.65,
                 R"((?i)(?:^|[,;.] ?|\bfor )(\d{1,3} ?(?:mo|mos|wk|wks|dol|mth|mths)) (?:old|m\b|f\b|male|female|infant|boy|girl|baby|wcc|well))",
                 "mo mos wk wks dol mth mot", 8, 16},
                {"id", 0.7,
                 R"((?i)\b[a-z][a-z.\-]{1,16}\.?(?: ?(?:no|nr|num|number|id|code|ref)\b\.?| ?#|\.? ?n[o°º]\.?)[:# ]{1,3}((?:(?-i:[A-Z]{1,4})[-./ ]?|[a-z]{1,4})?@code@)\b)",
                 "no nr num id cod ref n", 24, 32},
                {"id", 0.7,
                 R"((?i)\b[a-z]{2,16} ?#[: ]{0,2}((?:(?-i:[A-Z]{1,4})[-./ ]?|[a-z]{1,4})?@code@)\b)",
                 "!#", 24, 32},
                {"mrn", 0.9,
                 R"((?i)\b(?:mrn|mr#|mr|urn|ur|nhc|hosp(?:ital)?|chart|pt id)(?: ?(?:no|nr|number|num|id))?\.?[ :#]{1,4}(\d{2,4}(?:[ \-.]\d{2,4}){1,3}|\d{5,12}|[a-z]{1,4}\.?\d{4,12})\b)",
                 "mrn mr urn ur nhc hos cha pt", 2, 40},
                {"plan", 0.9,
                 R"((?i)\b(?:hic|hicn|medi-?cal|medicaid|medicare|ohip|hcn|phn|ramq|health ?card|dva|cin|nhs|chi|ihi|insurance|policy|group|member|subscriber|tricare|masshealth|carte vitale|krankenkasse|mbi)(?: ?(?:no|nr|number|num|id|claim))?\.?[ :#]{1,4}((?:(?-i:[A-Z]{1,5})[-./ ]?|[a-z]{1,5})?@code@)\b)",
                 "hic med ohi hcn phn ram hea dva cin nhs chi ihi ins pol gro mem sub tri mas car "
                 "kra mbi",
                 2, 56},
                {"licence", 0.85,
                 R"((?i)\b(?:gmc|nmc|ahpra|provider|lanr|bsnr|rpps|colegiado|npi|dea|licen[cs]e|clia|dl|passport)(?: ?(?:no|nr|number|num|id))?\.?[ :#]{1,4}((?:(?-i:[A-Z]{1,3})[-./ ]?|[a-z]{1,3})?@code@)\b)",
                 "gmc nmc ahp pro lan bsn rpp col npi dea lic cli dl pas", 2, 40},
                {"ssn", 0.9,
                 R"((?i)\b(?:ssn?|ss|soc(?:ial)? sec(?:urity)?|bsn|cpr|personnummer|cf|codice fiscale|sin|tfn|dni|nie|nino?|pesel)(?: ?(?:no|nr|number|num|id))?\.?[ :#]{1,4}([a-z]{0,6}@code@)\b)",
                 "ssn ss soc bsn cpr per cf cod sin tfn dni nie ni nin pes", 2, 56},
                {"ssn", 0.9, R"(\b([A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z])\b)", "#2$", 12, 16},
                {"vehicle", 0.85,
                 R"((?i)\b(?:plates?|tags?|rego?|registration|licen[cs]e plate|kennzeichen|number plate)(?: ?(?:no|number|is|#))?[ :#]{1,3}((?-i:[A-Z]{2} )?(?-i:[A-Z]{1,3})[- ]?\d{2,5}[A-Z]{0,3}|\d{1,4}[- ]?(?-i:[A-Z]{2,4})|(?-i:[A-Z]{2})\d{2} ?(?-i:[A-Z]{3}))\b)",
                 "pla tag reg lic ken num", 2, 40},
                {"vehicle", 0.75, R"(\b([A-Z]{2}\d{2} [A-Z]{3})\b)", "#2_", 4, 8},
                {"vehicle", 0.85,
                 R"((?i)\b((?:19|20)?\d{2} (?:acura|audi|bmw|buick|cadillac|chevrolet|chevy|chrysler|dodge|fiat|ford|gmc|honda|hyundai|infiniti|jeep|kia|lexus|lincoln|mazda|mercedes|mitsubishi|nissan|opel|peugeot|pontiac|porsche|ram|renault|saab|seat|skoda|subaru|suzuki|tesla|toyota|volkswagen|volvo|vw)(?: [A-Z][a-z\d-]+)?)\b)",
                 "#4^ #2^", 4, 32},
                {"location", 0.64,
                 R"((\b\p{Lu}[\p{L}'\-]{2,} (?:Street|Avenue|Lane|Road|Boulevard|Ave|Rd|Blvd|Ln|Terrace|Highway)\b\.?))",
                 "str ave lan roa bou rd blv ln ter hig", 32, 12},
                {"location", 0.75,
                 R"((\b\d{1,5}(?:st|nd|rd|th)? (?:and|&) (?:Main|Market|\p{Lu}\p{Ll}{3,12})(?: (?:St|Street|Ave|Avenue))?|(?:Hwy|Highway|Route|Rte|I-) ?\d{1,3} (?:and|&) \p{Lu}\p{Ll}{2,12}|\d{1,3}(?:st|nd|rd|th) (?:and|&) (?:\p{Lu}\p{Ll}{2,12}|\d{1,3}(?:st|nd|rd|th)))\b)",
                 "#1$ #2$ #3$ hwy hig rou rte i", 4, 40},
                {"location", 0.63,
                 R"((\b\p{Lu}[\p{L}'.\-]+ (?:Building|Bldg|Pavilion|Annexe?|Towers?|Dormitory|Dorm|Barracks|Apartments|Apts|Prison|Jail|Shelter|Bridge)\b(?:,? (?:\d{1,2}(?:st|nd|rd|th)? (?:floor|fl)|(?:floor|level|room|rm|suite) [\w\-]+))?))",
                 "bui bld pav ann tow dor bar apa apt pri jai she bri", 40, 40},
                {"location", 0.63,
                 R"((?i)\b(\d{1,2}(?:st|nd|rd|th) floor|(?:floor|level) \d{1,2})\b)", "flo lev", 8,
                 8},
                {"location", 0.63,
                 R"(\b(\d{1,2} ?(?:North|South|East|West|Tower)(?: \d{1,4}(?:-\d{1,2})?)?)\b)",
                 "nor sou eas wes tow", 4, 16},
                {"location", 0.85,
                 R"((?i)\b(?:zip|postcode|postal code|plz|pin)(?: ?code)?[ :#]{1,3}(\d{4,6}(?:-\d{4})?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|[a-z]\d[a-z] ?\d[a-z]\d)\b)",
                 "zip pos plz pin", 2, 28},
                {"location", 0.8, R"(\b(?:State|ST|St)[ :]{1,3}([A-Z]{2})\b)", "sta st", 2, 8},
                {"location", 0.8,
                 R"((?:\p{Lu}[\p{L}'.\-]+,? )((?:NSW|VIC|QLD|TAS|N\.Y\.?|Calif\.?|Mich\.?|Minn\.?|Ariz\.?|Okla\.?),? ?(?:\d{4,5})?)(?:$|[^\p{L}]))",
                 "nsw vic qld tas n cal mic min ari okl", 24, 12},
                {"location", 0.85, R"((?i)\b([a-z]{1,2}\d[a-z\d]? \d[abd-hjlnp-uw-z]{2})\b)",
                 "#1$ #1_ #2_", 4, 8},
                {"location", 0.63,
                 R"((?i)\b((?:room|rm|bed|bay|ward|unit|flat|apt|pod) ?#?\d{1,4}[a-z]?)\b)",
                 "roo rm bed bay war uni fla apt", 2, 12},
                {"location", 0.63,
                 R"((\bH\.? ?No\.? ?[\d\-/]{2,12},? ?(?:\p{Lu}[\p{L}.\-]+,? ?){1,4}(?:- ?\d{6})?|R/[oO]:? ?[^\n.;]{4,60}))",
                 "h r", 2, 80},
                {"location", 0.75, R"((\p{Lu}[\p{L}.\-]+ - \d{6})\b)", "#6", 32, 4},
                {"phone", 0.75,
                 R"((?i)\b(?:mob|mobile|cell|ph|tel|phone|bleep|pager|pgr|callback|call back|text|sms|fx|ext|handy|gsm)(?: ?(?:no|number|num))?\.?[ :#]{1,3}(\+?\d[\d ().\-/]{2,18}\d))",
                 "mob cel ph tel pho ble pag pgr cal tex sms fx ext han gsm", 2, 40},
                {"phone", 0.6,
                 R"((?i)\b(?:call|please call|pager|page|x|#) ?(\d{1,2}-\d{4}|\d{5})(?:$|[^\d/\-]))",
                 "cal ple pag x", 2, 24},
                {"date", 0.7,
                 R"((?i)\b(mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|tues|thurs|(?:(?:the|an?|one|two|three|four|five|six|seven|ten|\d{1,2}|a few|a couple of) (?:days?|weeks?|months?) (?:before|after) )?(?:christmas(?: eve| day)?|xmas|thanksgiving|easter(?: sunday| monday)?|new year'?s(?: eve| day)?|halloween|memorial day|labor day|independence day|hanukkah|(?:(?:first|second|third|last|1st|2nd|3rd) week of )?ramadan|boxing day|good friday|passover|yom kippur|diwali|valentine'?s day|mother'?s day|father'?s day|columbus day|veterans day|(?:the )?(?:4th|fourth) of july)(?: weekend)?(?:,? (?:19|20)\d{2})?)\b)",
                 "mon tue wed thu fri sat sun chr xma tha eas new hal mem lab ind han ram box goo "
                 "pas "
                 "yom diw "
                 "val mot fat col vet fou",
                 48, 40},
};

// Of this certainty and less, a place has to be made of words that may be a street's.
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
    // Epworth 11
    const bool alone =
        start == 0 && content.find_first_not_of(" 0123456789", at) == std::string_view::npos;
    // BISAP 1, Montgomery-Asberg 30
    const bool one_word = content.find(' ') == content.find_last_of(' ') && content[0] > '9';
    if (one_word &&
        ((kinds & words::kEponym) != 0 ||
         (at - start > 1 &&
          content.substr(start, at - start).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
              std::string_view::npos)))
      return false;
    if ((kinds & words::kMedical) != 0 || (alone && (kinds & words::kEponym) != 0)) return false;
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
      put_in(expression, kCodeMark, kCodes);
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

// Shapes by their number.
struct ShapeSet {
  static_assert(std::size(kShapes) <= 192);
  std::array<std::uint64_t, 3> bits = {};

  void add(std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }
  [[nodiscard]] bool empty() const { return (bits[0] | bits[1] | bits[2]) == 0; }
  template <class Take>
  void each(const Take& take) const {
    for (std::size_t part = 0; part < bits.size(); ++part) {
      for (std::uint64_t rest = bits[part]; rest != 0; rest &= rest - 1)
        take(static_cast<std::size_t>(std::countr_zero(rest)) + 64 * part);
    }
  }
};

constexpr std::size_t kLongestRun = 9;  // of digits; and all that are longer

struct ShapesByKey {
  std::vector<ShapeSet> words = std::vector<ShapeSet>(std::size_t{1} << 15U);
  std::array<std::array<ShapeSet, 256>, kLongestRun + 1> runs = {};  // by length and byte behind
  // Before a blank and what begins the name of a street.
  std::array<ShapeSet, kLongestRun + 1> runs_before_name = {};
  ShapeSet years;  // four digits, as 19 or 20 begins them
  std::array<ShapeSet, 256> signs = {};
};

void add_run_key(std::string_view key, std::size_t shape, ShapesByKey& by_key) {
  if (key == "#y") {
    by_key.years.add(shape);
    return;
  }
  const auto length = static_cast<std::size_t>(key[1] - '0');
  const std::string_view behind = key.substr(2);
  if (behind == "^") {
    by_key.runs_before_name[length].add(shape);
    return;
  }
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const char small = static_cast<char>(byte | 0x20U);
    const bool letter = byte >= 0x80 || (small >= 'a' && small <= 'z');
    const bool fits = behind.empty()     ? true
                      : behind[0] == '_' ? c == ' ' || c == '\n' || c == '\t'
                      : behind[0] == '$' ? letter
                      : behind[0] == '.' ? c == '.' || c == ','
                                         : c == behind[0];
    if (fits) by_key.runs[length][byte].add(shape);
  }
}

const ShapesByKey& shapes_by_key() {
  static const ShapesByKey table = [] {
    ShapesByKey by_key;
    for (std::size_t i = 0; i < std::size(kShapes); ++i) {
      std::string_view keys = kShapes[i].keys;
      while (!keys.empty()) {
        const auto key = keys.substr(0, keys.find(' '));
        if (key[0] == '#') {
          add_run_key(key, i, by_key);
        } else if (key[0] == '!') {
          by_key.signs[static_cast<unsigned char>(key[1])].add(i);
        } else {
          by_key.words[key_code(key)].add(i);
        }
        keys.remove_prefix(std::min(key.size() + 1, keys.size()));
      }
    }
    return by_key;
  }();
  return table;
}

struct KeysOfText {
  std::vector<std::vector<TextPlace>> places;  // by shape
  bool long_number = false;                    // with as many digits as a card has
  bool may_be_iban = false;
};

bool ends_with_one(std::string_view text, std::string_view endings) {
  if (text.ends_with(" ")) text.remove_suffix(1);
  for (; !endings.empty();
       endings.remove_prefix(std::min(endings.find(' '), endings.size() - 1) + 1)) {
    const auto ending = endings.substr(0, endings.find(' '));
    if (text.size() < ending.size()) continue;
    const auto tail = text.substr(text.size() - ending.size());
    if (std::equal(tail.begin(), tail.end(), ending.begin(), [](char a, char b) {
          return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
        }))
      return true;
  }
  return false;
}

// A capital, a number, or the n of "88 n 112th st".
bool begins_name(char c) {
  return (c >= 'A' && c <= 'Z') || is_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
         c == 'n' || c == 's' || c == 'e' || c == 'w';
}

// One pass: by shape, around what has one of its keys.
KeysOfText keys_of(std::string_view text) {
  constexpr std::size_t kDigitsOfCard = 13;
  const auto is_letter = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 0x80 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z');
  };
  const auto& by_key = shapes_by_key();
  KeysOfText keys;
  keys.places.resize(std::size(kShapes));
  const auto add = [&](const ShapeSet& shapes, std::size_t start, std::size_t end) {
    shapes.each([&](std::size_t i) {
      if (kShapes[i].endings != nullptr &&
          !ends_with_one(text.substr(0, start), kShapes[i].endings))
        return;
      auto& places = keys.places[i];
      const TextPlace place{start - std::min(start, kShapes[i].before),
                            std::min(text.size(), end + kShapes[i].behind)};
      if (!places.empty() && place.begin <= places.back().end) {
        places.back().end = place.end;
      } else {
        places.push_back(place);
      }
    });
  };
  std::size_t cluster = 0;  // digits with single blanks or hyphens between
  std::size_t cluster_end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const char c = text[at];
    if (is_letter(c)) {
      while (at < text.size() && is_letter(text[at])) ++at;
      const ShapeSet& shapes = by_key.words[key_code(text.substr(start, at - start))];
      if (!shapes.empty()) add(shapes, start, at);
    } else if (is_digit(c)) {
      while (at < text.size() && is_digit(text[at])) ++at;
      const std::size_t length = at - start;
      const unsigned char behind = at < text.size() ? static_cast<unsigned char>(text[at]) : '\n';
      const ShapeSet& shapes = by_key.runs[std::min(length, kLongestRun)][behind];
      if (!shapes.empty()) add(shapes, start, at);
      if (length == 4 && (text.substr(start, 2) == "19" || text.substr(start, 2) == "20"))
        add(by_key.years, start, at);
      if (behind == ' ' && at + 1 < text.size() && begins_name(text[at + 1])) {
        const ShapeSet& named = by_key.runs_before_name[std::min(length, kLongestRun)];
        if (!named.empty()) add(named, start, at);
      }
      cluster = cluster_end + 1 == start ? cluster + length : length;
      cluster_end = at;
      keys.long_number = keys.long_number || cluster >= kDigitsOfCard;
      keys.may_be_iban =
          keys.may_be_iban ||
          (start >= 2 && length >= 2 && is_letter(text[start - 1]) && is_letter(text[start - 2]));
    } else {
      ++at;
      const ShapeSet& shapes = by_key.signs[static_cast<unsigned char>(c)];
      if (shapes.empty() || at == text.size()) continue;
      const bool opens = c == '+' || c == '(' || c == '#' || c == '@';
      const auto tells = [&](std::size_t i) { return is_letter(text[i]) || is_digit(text[i]); };
      if (opens ? tells(at) || text[at] == '(' || text[at] == ' '
                : start > 0 && text[start - 1] > ' ' && tells(at))
        add(shapes, start, at);
    }
  }
  return keys;
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
    const re2::StringPiece match = compiled.whole ? parts[0] : parts[1];
    at = static_cast<std::size_t>(parts[0].data() - text.data()) +
         std::max<std::size_t>(parts[0].size(), 1);
    if (match.empty()) continue;
    auto start = static_cast<std::size_t>(match.data() - text.data());
    auto end = start + match.size();
    while (end > start && (text[end - 1] == ' ' || text[end - 1] == '.' || text[end - 1] == ','))
      --end;
    if (end <= start || (shape.certainty <= kWeakStreet && shape.type == kLocationType &&
                         !may_be_street(text.substr(start, end - start))))
      continue;
    candidates.push_back({start, end, shape.type, shape.certainty});
  }
}

void add_checked_numbers(std::string_view text, const KeysOfText& keys,
                         std::vector<Span>& candidates) {
  static const RE2 card(R"(\b(\d(?:[ -]?\d){12,18})\b)");
  static const RE2 iban(R"((?i)\b([A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30})\b)");
  re2::StringPiece rest(text.data(), text.size());
  re2::StringPiece match;
  const auto offset = [&] { return static_cast<std::size_t>(match.data() - text.data()); };
  while (keys.long_number && RE2::FindAndConsume(&rest, card, &match)) {
    std::string digits;
    for (const char c : match) {
      if (is_digit(c)) digits += c;
    }
    if (passes_luhn(digits))
      candidates.push_back({offset(), offset() + match.size(), "account", 0.98});
  }
  rest = re2::StringPiece(text.data(), text.size());
  while (keys.may_be_iban && RE2::FindAndConsume(&rest, iban, &match)) {
    if (passes_iban({match.data(), match.size()}))
      candidates.push_back({offset(), offset() + match.size(), "account", 0.99});
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
  const KeysOfText keys = keys_of(text);
  for (std::size_t i = 0; i < std::size(kShapes); ++i) {
    for (const TextPlace& place : keys.places[i]) match_within(text, place, i, candidates);
  }
  add_checked_numbers(text, keys, candidates);
}

}  // namespace pratique::notes
