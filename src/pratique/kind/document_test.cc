#include "pratique/kind/document.h"

#include <gtest/gtest.h>

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
