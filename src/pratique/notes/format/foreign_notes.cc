#include "pratique/notes/format/foreign_notes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/core/ascii.h"
#include "pratique/core/json.h"
#include "pratique/data/utf8.h"
#include "pratique/notes/format/json_lines.h"

namespace pratique::notes {
namespace {

std::optional<std::string> decoded_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=' || c == '\n' || c == '\r' || c == ' ') continue;
    std::uint32_t value = 0;
    if (c >= 'A' && c <= 'Z') {
      value = static_cast<std::uint32_t>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      value = static_cast<std::uint32_t>(c - 'a') + 26;
    } else if (is_digit(c)) {
      value = static_cast<std::uint32_t>(c - '0') + 52;
    } else if (c == '+' || c == '-') {
      value = 62;
    } else if (c == '/' || c == '_') {
      value = 63;
    } else {
      return std::nullopt;
    }
    bits = (bits << 6U) | value;
    if (++count == 4) {
      bytes += static_cast<char>((bits >> 16U) & 0xFFU);
      bytes += static_cast<char>((bits >> 8U) & 0xFFU);
      bytes += static_cast<char>(bits & 0xFFU);
      bits = 0;
      count = 0;
    }
  }
  if (count == 1) return std::nullopt;
  if (count >= 2) bytes += static_cast<char>((bits >> (count == 2 ? 4U : 10U)) & 0xFFU);
  if (count == 3) bytes += static_cast<char>((bits >> 2U) & 0xFFU);
  return bytes;
}

void append_code_point(std::string& text, std::uint32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0U | (c >> 6U));
    text += static_cast<char>(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0U | (c >> 12U));
    text += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    text += static_cast<char>(0x80U | (c & 0x3FU));
  } else if (c < 0x110000) {
    text += static_cast<char>(0xF0U | (c >> 18U));
    text += static_cast<char>(0x80U | ((c >> 12U) & 0x3FU));
    text += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    text += static_cast<char>(0x80U | (c & 0x3FU));
  }
}

// What an entity stands for, appended; its length in `xml`, 1 where it is none.
std::size_t append_entity(std::string_view xml, std::string& text) {
  const auto end = xml.substr(0, 12).find(';');
  if (end == std::string_view::npos) {
    text += '&';
    return 1;
  }
  const auto name = xml.substr(1, end - 1);
  constexpr std::array<std::pair<std::string_view, char>, 5> kNamed = {
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  for (const auto& [known, character] : kNamed) {
    if (name == known) {
      text += character;
      return end + 1;
    }
  }
  std::uint32_t number = 0;
  const bool hexadecimal = name.starts_with("#x");
  const auto digits = name.substr(std::min<std::size_t>(name.size(), hexadecimal ? 2 : 1));
  const auto read =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  const bool surrogate = number >= 0xD800 && number < 0xE000;
  if (name.starts_with("#") && read.ec == std::errc() && number > 0 && !surrogate) {
    append_code_point(text, number);
    return end + 1;
  }
  text += '&';
  return 1;
}

// The name of a tag without its prefix and attributes: "section" of <hl7:section classCode="x">.
std::string_view tag_name(std::string_view tag) {
  if (tag.starts_with("/")) tag.remove_prefix(1);
  tag = tag.substr(0, tag.find_first_of(" \t\r\n/"));
  const auto colon = tag.find(':');
  return colon == std::string_view::npos ? tag : tag.substr(colon + 1);
}

std::string attribute_of(std::string_view tag, std::string_view name) {
  const std::string wanted = std::string(name) + "=\"";
  for (auto at = tag.find(wanted); at != std::string_view::npos; at = tag.find(wanted, at + 1)) {
    if (at > 0 && tag[at - 1] != ' ' && tag[at - 1] != '\n') continue;
    const auto begin = at + wanted.size();
    return std::string(tag.substr(begin, tag.find('"', begin) - begin));
  }
  return {};
}

bool ends_line(std::string_view tag) {
  for (const char* name : {"paragraph", "tr", "item", "br", "title", "text", "list", "table"}) {
    if (tag == name) return true;
  }
  return false;
}

// Without tags, so that a name that is bold in part is one word again.
std::string text_of_markup(std::string_view markup) {
  std::string text;
  for (std::size_t at = 0; at < markup.size();) {
    if (markup[at] == '&') {
      at += append_entity(markup.substr(at), text);
      continue;
    }
    const bool tag = markup[at] == '<' && at + 1 < markup.size() &&
                     (markup[at + 1] == '/' || markup[at + 1] == '!' ||
                      (markup[at + 1] >= 'A' && markup[at + 1] <= 'z'));
    if (!tag) {
      text += markup[at++];
      continue;
    }
    const bool comment = markup.substr(at, 4) == "<!--";
    const auto end = markup.find(comment ? "-->" : ">", at);
    if (end == std::string_view::npos) break;
    const std::string name = lower(std::string(tag_name(markup.substr(at + 1, end - at - 1))));
    at = end + (comment ? 3 : 1);
    if (name == "style" || name == "script") {
      at = std::min(markup.find("</", at), markup.size());
    } else if (ends_line(name) || name == "p" || name == "div" || name == "li" || name == "h1" ||
               name == "h2" || name == "h3" || name == "h4") {
      if (!text.empty() && text.back() != '\n') text += '\n';
    } else if (name == "td" || name == "th") {
      text += ' ';
    }
  }
  return text;
}

// None where a byte means nothing there, or is a control character that no text has.
std::optional<std::string> from_windows_1252(std::string_view bytes) {
  // 0x80 to 0x9F; 0: not used. The rest is as in Unicode.
  static constexpr std::array<std::uint16_t, 32> kUpper = {
      0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const std::uint32_t point = byte >= 0x80 && byte < 0xA0 ? kUpper[byte - 0x80U] : byte;
    const bool control = byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
    if (point == 0 || control) return std::nullopt;
    append_code_point(text, point);
  }
  return text;
}

// With its mark; none where half of a pair is missing.
std::optional<std::string> from_utf16(std::string_view bytes) {
  const bool little = bytes.starts_with("\xFF\xFE");
  if (bytes.size() % 2 != 0) return std::nullopt;
  std::string text;
  std::uint32_t high = 0;
  for (std::size_t at = 2; at < bytes.size(); at += 2) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    const std::uint32_t unit = little ? first | second << 8U : first << 8U | second;
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (unit == 0 || is_low != (high != 0)) return std::nullopt;
    if (unit >= 0xD800 && unit < 0xDC00) {
      high = unit;
      continue;
    }
    append_code_point(text, is_low ? 0x10000 + ((high - 0xD800) << 10U) + (unit - 0xDC00) : unit);
    high = 0;
  }
  if (high != 0) return std::nullopt;
  return text;
}

std::string text_member(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string()
             ? object[key].get<std::string>()
             : std::string();
}

std::string parse_document_reference(const Json& resource, std::vector<Note>& notes) {
  Note note;
  note.id = text_member(resource, "id");
  if (resource.contains("subject")) note.patient = text_member(resource["subject"], "reference");
  const Json content = resource.value("content", Json::array());
  if (!content.is_array()) return "content that is not a list";
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (!content[i].is_object() || !content[i].contains("attachment")) continue;
    const Json& attachment = content[i]["attachment"];
    const std::string type = text_member(attachment, "contentType");
    const std::string data = text_member(attachment, "data");
    if (data.empty() || !(type.empty() || type.starts_with("text/"))) continue;
    const auto bytes = decoded_base64(data);
    if (!bytes) return "an attachment that is not Base64";
    Note attached = note;
    if (i > 0) attached.id += "/" + std::to_string(i);
    if (auto why = parse_plain_text(*bytes, attached); !why.empty()) return why;
    if (type.starts_with("text/html") || type.starts_with("text/xml"))
      attached.text = text_of_markup(attached.text);
    notes.push_back(std::move(attached));
    return {};
  }
  return "a document without text inside";
}

}  // namespace

std::string parse_plain_text(std::string_view bytes, Note& note, std::string* repaired) {
  if (repaired != nullptr && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))) {
    auto text = from_utf16(bytes);
    if (!text) return "a binary file";
    note.text = std::move(*text);
    *repaired = "read as UTF-16";
    return {};
  }
  if (bytes.find('\0') != std::string_view::npos) return "a binary file";
  if (!is_utf8(bytes)) {
    if (repaired == nullptr) return "not UTF-8";
    auto text = from_windows_1252(bytes);
    if (!text) return "a binary file";
    note.text = std::move(*text);
    *repaired = "not UTF-8, read as Windows-1252";
    return {};
  }
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  note.text = std::string(bytes);
  return {};
}

std::string parse_brat(std::string_view annotations, Note& note) {
  const CodePoints places(note.text);
  while (!annotations.empty()) {
    const auto end = std::min(annotations.find('\n'), annotations.size());
    std::string_view line = annotations.substr(0, end);
    annotations.remove_prefix(std::min(end + 1, annotations.size()));
    if (!line.starts_with("T")) continue;  // relations, events and comments
    const auto first = line.find('\t');
    if (first == std::string_view::npos) return "an annotation without its place";
    line = line.substr(first + 1);
    line = line.substr(0, line.find('\t'));
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) return "an annotation without its place";
    const std::string type = lower(std::string(line.substr(0, blank)));
    std::string_view rest = line.substr(blank + 1);
    while (!rest.empty()) {
      const auto fragment = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(fragment.size() + 1, rest.size()));
      std::size_t start = 0;
      std::size_t stop = 0;
      const char* last = fragment.data() + fragment.size();
      const auto begin = std::from_chars(fragment.data(), last, start);
      if (begin.ec != std::errc() || begin.ptr == last || *begin.ptr != ' ' ||
          std::from_chars(begin.ptr + 1, last, stop).ec != std::errc())
        return "an annotation without its place";
      if (start >= stop) return "an annotation that ends before it begins";
      if (stop > places.count()) return "an annotation beyond the end of its text";
      note.spans.push_back({places.byte_of(start), places.byte_of(stop), type});
    }
  }
  return {};
}

std::string parse_inline_tags(std::string_view tagged, Note& note) {
  const auto& types = span_types();
  std::string text;
  std::optional<Span> open;
  for (std::size_t at = 0; at < tagged.size();) {
    if (tagged[at] == '<') {
      const auto close = tagged.substr(at, 24).find('>');
      if (close != std::string_view::npos) {
        const bool ends = tagged.substr(at + 1, 1) == "/";
        const auto begin = at + (ends ? 2 : 1);
        const std::string word = lower(std::string(tagged.substr(begin, at + close - begin)));
        if (std::find(types.begin(), types.end(), word) != types.end()) {
          if (ends != open.has_value() || (ends && open->type != word))
            return "tags that do not close each other";
          if (ends) {
            open->end = text.size();
            if (open->start < open->end) note.spans.push_back(*open);
            open.reset();
          } else {
            open = Span{text.size(), text.size(), word};
          }
          at += close + 1;
          continue;
        }
      }
    }
    text += tagged[at++];
  }
  if (open) return "a tag that is not closed";
  note.text = std::move(text);
  return {};
}

std::string parse_cda(std::string_view xml, Note& note) {
  if (!is_utf8(xml)) return "not UTF-8";
  if (xml.find("ClinicalDocument") == std::string_view::npos) return "no ClinicalDocument";
  std::vector<std::string_view> open;
  const auto within = [&](std::string_view name) {
    return std::find(open.begin(), open.end(), name) != open.end();
  };
  const auto narrative = [&] {
    if (!within("section")) return false;
    return within("text") || (!open.empty() && open.back() == "title");
  };
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] != '<') {
      if (!narrative()) {
        ++at;
      } else if (xml[at] == '&') {
        at += append_entity(xml.substr(at), note.text);
      } else {
        note.text += xml[at++];
      }
      continue;
    }
    if (xml.substr(at, 4) == "<!--") {
      const auto end = xml.find("-->", at);
      if (end == std::string_view::npos) return "XML that breaks off";
      at = end + 3;
      continue;
    }
    if (xml.substr(at, 9) == "<![CDATA[") {
      const auto end = xml.find("]]>", at);
      if (end == std::string_view::npos) return "XML that breaks off";
      if (narrative()) note.text += xml.substr(at + 9, end - at - 9);
      at = end + 3;
      continue;
    }
    const auto end = xml.find('>', at);
    if (end == std::string_view::npos) return "XML that breaks off";
    const auto tag = xml.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.starts_with("?") || tag.starts_with("!")) continue;
    const auto name = tag_name(tag);
    const bool told = narrative();
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != name) return "XML whose tags do not close each other";
      open.pop_back();
      if (told && ends_line(name) && !note.text.empty() && note.text.back() != '\n')
        note.text += '\n';
      if (told && (name == "td" || name == "th")) note.text += ' ';
      continue;
    }
    if (name == "id" && open.size() == 1 && note.id.empty())
      note.id = attribute_of(tag, "root") + attribute_of(tag, "extension");
    if (name == "id" && !open.empty() && open.back() == "patientRole" && note.patient.empty())
      note.patient = attribute_of(tag, "root") + "/" + attribute_of(tag, "extension");
    if (tag.ends_with("/")) {
      if (told && name == "br") note.text += '\n';
    } else {
      open.push_back(name);
    }
  }
  if (!open.empty()) return "XML that breaks off";
  if (note.text.find_first_not_of(" \t\r\n") == std::string::npos) return "no narrative";
  return {};
}

std::string parse_fhir(std::string_view json, std::vector<Note>& notes) {
  if (!is_utf8(json)) return "not UTF-8";
  const Json resource = Json::parse(json, nullptr, false);
  if (resource.is_discarded()) return "not JSON";
  const std::string type = text_member(resource, "resourceType");
  if (type == "DocumentReference") return parse_document_reference(resource, notes);
  if (type != "Bundle") return type.empty() ? "no FHIR resource" : "";
  const Json entries = resource.value("entry", Json::array());
  if (!entries.is_array()) return "a Bundle whose entries are not a list";
  for (const auto& entry : entries) {
    if (!entry.is_object() || !entry.contains("resource")) continue;
    if (text_member(entry["resource"], "resourceType") != "DocumentReference") continue;
    if (auto why = parse_document_reference(entry["resource"], notes); !why.empty()) return why;
  }
  return {};
}

std::string to_brat(const Note& note, const std::vector<Span>& spans) {
  const CodePoints places(note.text);
  std::string lines;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    std::string covered = note.text.substr(spans[i].start, spans[i].end - spans[i].start);
    std::replace_if(
        covered.begin(), covered.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; },
        ' ');
    lines += "T" + std::to_string(i + 1) + "\t" + spans[i].type + " " +
             std::to_string(places.code_point_of(spans[i].start)) + " " +
             std::to_string(places.code_point_of(spans[i].end)) + "\t" + covered + "\n";
  }
  return lines;
}

std::string to_inline_tags(std::string_view text, const std::vector<Span>& spans) {
  std::string result;
  std::size_t from = 0;
  for (const Span& span : spans) {
    std::string type;
    for (const char c : span.type) type += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    result += text.substr(from, span.start - from);
    result += "<" + type + ">";
    result += text.substr(span.start, span.end - span.start);
    result += "</" + type + ">";
    from = span.end;
  }
  result += text.substr(from);
  return result;
}

}  // namespace pratique::notes
