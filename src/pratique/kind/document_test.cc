#include "pratique/kind/document.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pratique::release::document_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Document hostile() {
  const std::string attack = "<script>alert(1)</script>'\"&|`";
  BarChart bars{attack, attack, attack, {attack}, {{attack, {3}}}};
  Chart chart{attack, attack, attack, false, false, {{attack, {{1, 2, attack, true}}}}};
  return {
      attack,
      {Verdict{Verdict::Tone::bad, attack}},
      {{attack,
        {{attack,
          {Paragraph{attack}, Listing{{attack}}, Verbatim{attack},
           Grid{attack, {attack}, {{attack}}}, Picture{bars, attack}, Picture{chart, attack}}}}}}};
}

TEST(Document, HtmlEscapesWhateverItIsGiven) {
  const std::string html = to_html(hostile());
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "alert(1)</script"));
  EXPECT_TRUE(has(html, "&lt;script&gt;alert(1)&lt;/script&gt;&#39;&quot;&amp;"));
}

TEST(Document, MarkdownEscapesWhateverItIsGiven) {
  const std::string markdown = to_markdown(hostile());
  EXPECT_TRUE(has(markdown, "\\<script\\>"));
  EXPECT_TRUE(has(markdown, "\\|\\`"));
}

TEST(Document, HtmlLoadsNothingAndNeedsNoScript) {
  const std::string html = to_html(hostile());
  EXPECT_TRUE(has(html, "default-src 'none'"));
  EXPECT_FALSE(has(html, "src="));
  EXPECT_FALSE(has(html, "url("));
  EXPECT_FALSE(has(html, "@import"));
  // The name of the SVG language is no address that is loaded; inside HTML it is the only one.
  std::string rest = html;
  for (std::size_t at = 0; (at = rest.find("http://www.w3.org/2000/svg")) != std::string::npos;)
    rest.erase(at, 26);
  EXPECT_FALSE(has(rest, "http://"));
  EXPECT_FALSE(has(rest, "https://"));
}

TEST(Document, HtmlIsMadeForEverybody) {
  const std::string html = to_html(hostile());
  EXPECT_TRUE(has(html, "<html lang=\"en\">"));
  EXPECT_TRUE(has(html, "class=\"skip\" href=\"#content\""));
  EXPECT_TRUE(has(html, "<main id=\"content\""));
  EXPECT_TRUE(has(html, "scope=\"col\""));
  EXPECT_TRUE(has(html, "scope=\"row\""));
  EXPECT_TRUE(has(html, "role=\"img\" aria-labelledby=\"picture-1\""));
  EXPECT_TRUE(has(html, "<title id=\"picture-1\">"));
  EXPECT_TRUE(has(html, "<title id=\"picture-2\">"));
  EXPECT_TRUE(has(html, "prefers-color-scheme:dark"));
}

// One of each block, two chapters, pictures side by side and one alone.
Document one_of_each() {
  const BarChart bars{
      "Ages", "age", "records", {"original", "released"}, {{"young", {3, 4}}, {"old", {1200, 0}}}};
  const Chart chart{"Map", "risk", "loss",
                    false, false,  {{"optimal", {{0.5, 0.25, "k 5", true}, {1, 2, "k 9", false}}}}};
  const Section text{
      "Text",
      {Paragraph{"Words."}, Listing{{"one", "two"}}, Verbatim{"run it"},
       Grid{"Sizes", {"name", "n"}, {{"a", "1"}, {"b", "2"}}}, Grid{"", {}, {{"hash", "x"}}}}};
  const Section pictures{
      "Pictures",
      {Picture{bars, "As they were."}, Picture{chart, ""}, Paragraph{"Then"}, Picture{bars, ""}}};
  return {"A title",
          {Verdict{Verdict::Tone::good, "It holds"}},
          {{"First", {text, pictures}}, {"Second", {}}},
          DataBlock{"some-data", R"({"a":"<b>"})"}};
}

TEST(Document, MarkdownHasEveryBlock) {
  const std::string ages =
      "| age | original | released |\n|---|---|---|\n| young | 3 | 4 |\n| old | 1,200 | 0 |\n\n";
  EXPECT_EQ(to_markdown(one_of_each()),
            "# A title\n\n<!-- some-data {\"a\":\"\\u003cb\\u003e\"} -->\n\n> **It holds**\n\n"
            "## First\n\n### Text\n\nWords.\n\n- one\n- two\n\n    run it\n\n"
            "Sizes\n\n| name | n |\n|---|---|\n| a | 1 |\n| b | 2 |\n\n"
            "|  |  |\n|---|---|\n| hash | x |\n\n"
            "### Pictures\n\nAges: As they were.\n\n" +
                ages +
                "Map\n\n| setting | risk | loss |\n|---|---|---|\n| k 5 | 0.5 | 0.25 |\n"
                "| k 9 | 1 | 2 |\n\nThen\n\nAges\n\n" +
                ages + "## Second\n\n");
}

// The names of the elements that are open at the end, or the first that is closed out of turn.
std::vector<std::string> left_open(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /"));
    if (tag[0] == '!' || name == "meta" || tag.back() == '/') continue;
    if (tag[0] != '/') {
      open.push_back(name);
      if (name == "style" || name == "script") at = html.find("</" + name, at) - 1;
      continue;
    }
    if (open.empty() || open.back() != tag.substr(1)) return {"closed out of turn: " + tag};
    open.pop_back();
  }
  return open;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(Document, HtmlHasEveryBlockAndClosesWhatItOpens) {
  const std::string html = to_html(one_of_each());
  EXPECT_EQ(left_open(html), std::vector<std::string>());
  const std::string contents =
      "<nav aria-label=\"Contents\">\n<ul>\n<li><a href=\"#c1\">First</a></li>\n"
      "<li><a href=\"#c2\">Second</a></li>\n</ul>\n</nav>";
  const std::string sizes =
      "<caption>Sizes</caption>\n<thead><tr><th scope=\"col\">name</th><th scope=\"col\" "
      "class=\"n\">n</th></tr></thead>\n<tbody>\n<tr><th scope=\"row\">a</th><td "
      "class=\"n\">1</td></tr>\n<tr><th scope=\"row\">b</th><td class=\"n\">2</td></tr>\n</tbody>";
  const std::string data =
      "<script type=\"application/json\" id=\"some-data\">{\"a\":\"\\u003cb\\u003e\"}</script>";
  const std::vector<std::string> parts = {contents,
                                          sizes,
                                          data,
                                          "<title>A title</title>",
                                          "<h1>A title</h1>",
                                          "<p class=\"verdict good\">It holds</p>",
                                          "<h2 id=\"c1\">First</h2>",
                                          "<h2 id=\"c2\">Second</h2>",
                                          "<h3 id=\"c1-1\">Text</h3>",
                                          "<h3 id=\"c1-2\">Pictures</h3>",
                                          "<p class=\"lead\">Words.</p>",
                                          "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
                                          "<code>run it</code>",
                                          "<th scope=\"row\">hash</th><td class=\"w\">x</td>",
                                          "<figcaption>As they were.</figcaption>"};
  for (const auto& part : parts) EXPECT_EQ(times(html, part), 1U) << part;
  // Two pictures are side by side, one is alone, and all have their own name and numbers.
  EXPECT_LT(html.find("<div class=\"pictures\">"), html.find("<div class=\"pictures one\">"));
  EXPECT_EQ(times(html, "<div class=\"pictures"), 2U);
  EXPECT_EQ(times(html, "<figure>"), 3U);
  EXPECT_EQ(times(html, "The numbers"), 3U);
  EXPECT_EQ(times(html, "<th scope=\"row\">old</th><td class=\"n\">1,200</td>"), 2U);
  EXPECT_EQ(times(html, "<th scope=\"row\">k 9</th><td class=\"w\">optimal</td>"), 1U);
  for (const char* name : {"picture-1", "picture-2", "picture-3"}) {
    EXPECT_EQ(times(html, std::string("role=\"img\" aria-labelledby=\"") + name), 1U) << name;
    EXPECT_EQ(times(html, std::string("<title id=\"") + name), 1U) << name;
  }
  EXPECT_EQ(times(html, "<style"), 1U);  // the page's own
  // Of one chapter the contents are its sections.
  Document one = one_of_each();
  one.chapters.pop_back();
  EXPECT_TRUE(has(to_html(one),
                  "<ul>\n<li><a href=\"#c1-1\">Text</a></li>\n<li><a "
                  "href=\"#c1-2\">Pictures</a></li>\n</ul>"));
}

TEST(Document, ProgramsFindTheirBlockWhereItStandsOnce) {
  const Document document = one_of_each();
  const std::string json = "{\"a\":\"\\u003cb\\u003e\"}";
  for (const auto& text : {to_html(document), to_markdown(document)}) {
    EXPECT_EQ(find_data_block(text, "some-data"), json);
    EXPECT_EQ(find_data_block(text, "other-data"), "");
    EXPECT_EQ(find_data_block(text + text, "some-data"), "");
  }
}

// Of all characters that UTF-8 writes with up to three bytes.
TEST(Document, EveryCharacterThatControlsOrTurnsTextIsReplaced) {
  for (unsigned c = 1; c < 0x10000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    if (c < 0x80) {
      text = {static_cast<char>(c)};
    } else if (c < 0x800) {
      text = {static_cast<char>(0xC0 | c >> 6U), static_cast<char>(0x80 | (c & 0x3FU))};
    } else {
      text = {static_cast<char>(0xE0 | c >> 12U), static_cast<char>(0x80 | (c >> 6U & 0x3FU)),
              static_cast<char>(0x80 | (c & 0x3FU))};
    }
    const bool controls = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool turns =
        c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    ASSERT_EQ(cleaned(text), controls || turns ? "\xef\xbf\xbd" : text) << std::hex << c;
  }
}

TEST(Document, CleanTextHasNoControlCharacters) {
  EXPECT_EQ(cleaned("a\nb\x01\x7f"),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(cleaned("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(cleaned("caf\xe9"), "caf\xef\xbf\xbd");
  EXPECT_EQ(cleaned("\xe2\x80\xae"
                    "abc"),
            "\xef\xbf\xbd"
            "abc");                                // U+202E turns text round
  EXPECT_EQ(cleaned("\xc2\x85"), "\xef\xbf\xbd");  // U+0085, a line break to some
}

}  // namespace
}  // namespace pratique::release::document_test
