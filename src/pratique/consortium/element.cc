#include "pratique/consortium/element.h"

#include <unicode/unorm2.h>
#include <unicode/ustring.h>

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

bool is_ascii(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return true;
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
  // ASCII is in every normal form already.
  if ((form.unicode != "none" && !is_ascii(text)) || folds) {
    std::u16string letters = wide(text);
    if (form.unicode != "none") letters = normalised(letters, form.unicode);
    if (folds) {
      letters = folded(letters);
      if (form.unicode != "none") letters = normalised(letters, form.unicode);
    }
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
