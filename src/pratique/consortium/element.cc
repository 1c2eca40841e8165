#include "pratique/consortium/element.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/data/date_form.h"
#include "pratique/data/utf8.h"

namespace pratique::consortium {
namespace {

void must_convert(UErrorCode status) {
  if (U_FAILURE(status) != 0) throw Error::machine("ICU cannot normalise a text");
}

std::u16string wide(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  std::u16string result(text.size() + 1, u'\0');
  std::int32_t length = 0;
  u_strFromUTF8(result.data(), static_cast<std::int32_t>(result.size()), &length, text.data(),
                static_cast<std::int32_t>(text.size()), &status);
  must_convert(status);
  result.resize(static_cast<std::size_t>(length));
  return result;
}

std::string narrow(const std::u16string& text) {
  UErrorCode status = U_ZERO_ERROR;
  std::string result(text.size() * 3 + 1, '\0');
  std::int32_t length = 0;
  u_strToUTF8(result.data(), static_cast<std::int32_t>(result.size()), &length, text.data(),
              static_cast<std::int32_t>(text.size()), &status);
  must_convert(status);
  result.resize(static_cast<std::size_t>(length));
  return result;
}

std::u16string normalised(const std::u16string& text, const std::string& unicode) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* form =
      unicode == "nfkc" ? unorm2_getNFKCInstance(&status) : unorm2_getNFCInstance(&status);
  must_convert(status);
  std::u16string result(text.size() * 18 + 8, u'\0');  // the most that a character grows
  const std::int32_t length =
      unorm2_normalize(form, text.data(), static_cast<std::int32_t>(text.size()), result.data(),
                       static_cast<std::int32_t>(result.size()), &status);
  must_convert(status);
  result.resize(static_cast<std::size_t>(length));
  return result;
}

std::u16string folded(const std::u16string& text) {
  UErrorCode status = U_ZERO_ERROR;
  std::u16string result(text.size() * 3 + 8, u'\0');
  const std::int32_t length =
      u_strFoldCase(result.data(), static_cast<std::int32_t>(result.size()), text.data(),
                    static_cast<std::int32_t>(text.size()), U_FOLD_CASE_DEFAULT, &status);
  must_convert(status);
  result.resize(static_cast<std::size_t>(length));
  return result;
}

// Without what nobody sees: a mark at the beginning of a joined file, soft hyphens, marks of
// direction, controls. Every blank is one, whatever its width, if blanks do not count.
std::u16string as_seen(const std::u16string& text, bool single_blanks) {
  std::u16string result;
  const auto length = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < length;) {
    const std::int32_t begin = at;
    UChar32 letter = 0;
    U16_NEXT(text.data(), at, length, letter);
    const bool blank = u_isUWhiteSpace(letter) != 0;
    if (blank && single_blanks) {
      result += u' ';
    } else if (blank || (u_hasBinaryProperty(letter, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) == 0 &&
                         u_charType(letter) != U_CONTROL_CHAR)) {
      result.append(text, static_cast<std::size_t>(begin), static_cast<std::size_t>(at - begin));
    }
  }
  return result;
}

std::string with_single_blanks(std::string_view text) {
  std::string result;
  bool blank = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      blank = !result.empty();
      continue;
    }
    if (blank) result += ' ';
    blank = false;
    result += c;
  }
  return result;
}

// Letters, digits, signs and blanks of ASCII are in every normal form already.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n'; });
}

}  // namespace

std::string canonical(std::string_view element, const CanonicalForm& form,
                      const std::string& place) {
  if (!is_utf8(element))
    throw Error::input("an element is not UTF-8")
        .at(place)
        .hint("Save the file as UTF-8, or name its encoding with --encoding.");
  if (element.size() > 65'536)
    throw Error::input("an element is longer than 64 KB")
        .at(place)
        .hint("Elements are identifiers.");
  std::string text(element);
  const bool folds = form.letters == "fold";
  const bool normalises = form.unicode != "none";
  if ((normalises && !is_plain(text)) || folds) {
    std::u16string letters = wide(text);
    // Letters that something invisible kept apart may belong together then.
    if (normalises) letters = normalised(as_seen(letters, form.blanks == "single"), form.unicode);
    if (folds) {
      letters = folded(letters);
      if (normalises) letters = normalised(letters, form.unicode);
    }
    if (normalises) letters = as_seen(letters, form.blanks == "single");
    text = narrow(letters);
  }
  if (form.blanks == "single") text = with_single_blanks(text);
  if (form.dates != "keep") {
    if (const auto day = iso_day(text, date_form_of_name(form.dates).value())) text = *day;
  }
  if (text.empty())
    throw Error::input("a row has no element").at(place).hint("Remove rows without an element.");
  return text;
}

Point hash_to_group(std::string_view element, List list, const Sha256Digest& session) {
  std::string tag = "pratique-consortium-v1-";
  tag += list == List::samples ? "sample-" : "person-";
  tag += to_hex(session);
  return Point::hash(element, tag);
}

Point common_dummy(List list, const Sha256Digest& session) {
  return Point::hash(list == List::samples ? "sample" : "person",
                     "pratique-consortium-v1-common-dummy-" + to_hex(session));
}

}  // namespace pratique::consortium
