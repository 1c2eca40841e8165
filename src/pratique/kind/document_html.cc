#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/markup.h"
#include "pratique/kind/document.h"
#include "pratique/kind/internal/data_block.h"

namespace pratique::release {
namespace {

// Contrast of text: at least 7 : 1 in both schemes; of verdicts 4.5 : 1 on their own ground.
constexpr const char* kStyle = R"css(
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#4a525b;--paper:#fff;--card:#f5f7f9;--line:#c9d0d8;--link:#0a4f9e;
--good:#0b5a2b;--good-paper:#e6f4ea;--bad:#8c1313;--bad-paper:#fdeaea;--open:#5c4300;--open-paper:#fdf3d8}
@media (prefers-color-scheme:dark){:root{--ink:#e9edf1;--soft:#b4bdc7;--paper:#14181c;--card:#1e242a;--line:#3d4650;--link:#8fc1ff;
--good:#9be3b3;--good-paper:#12301d;--bad:#ffb4b4;--bad-paper:#3b1616;--open:#f2d58c;--open-paper:#332a10}}
@media print{:root{color-scheme:light;--ink:#000;--soft:#333;--paper:#fff;--card:#fff;--line:#999;--link:#000;
--good:#0b5a2b;--good-paper:#fff;--bad:#8c1313;--bad-paper:#fff;--open:#5c4300;--open-paper:#fff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header,nav{max-width:62rem;margin:0 auto;padding:0 1.25rem}
main{padding-bottom:3rem}
header{padding-top:2rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.5rem;line-height:1.25;margin:2.5rem 0 .5rem;padding-top:1rem;border-top:3px solid var(--ink);overflow-wrap:anywhere}
h3{font-size:1.15rem;margin:2rem 0 .4rem}
p{margin:.5rem 0;max-width:46rem}
li{max-width:46rem;margin:.3rem 0}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem;z-index:1}
nav ul{margin:.25rem 0;padding-left:1.25rem;columns:18rem}
nav li{overflow-wrap:anywhere;margin:0;padding:.15rem 0;break-inside:avoid}
.scroll{overflow-x:auto;margin:.75rem 0 1.25rem}
table{border-collapse:collapse;font-size:.94rem}
caption{text-align:left;color:var(--soft);padding-bottom:.35rem;font-size:.94rem}
th,td{padding:.3rem 1.2rem .3rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
tbody th{max-width:24rem;font-weight:400}
thead th{color:var(--soft);font-weight:600;border-bottom-color:var(--ink)}
th:last-child,td:last-child{padding-right:0}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.w{white-space:nowrap}
.hash{font:.82rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere;min-width:12rem}
.verdict{border-left:6px solid;padding:.6rem 1rem;margin:1rem 0;font-weight:600;max-width:52rem}
.good{color:var(--good);background:var(--good-paper)}
.bad{color:var(--bad);background:var(--bad-paper)}
.open{color:var(--open);background:var(--open-paper)}
pre{background:var(--card);border:1px solid var(--line);border-radius:.3rem;padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;
font:.88rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace}
figure{margin:1rem 0 1.5rem}
figure svg{display:block;max-width:100%;height:auto;color:var(--ink);background:none}
figcaption{color:var(--soft);font-size:.94rem;max-width:46rem}
summary{color:var(--soft);cursor:pointer;font-size:.94rem}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 2rem;align-items:start}
@media (max-width:40rem){h1{font-size:1.6rem}h2{font-size:1.3rem}main,header,nav{padding-left:1rem;padding-right:1rem}
table,caption{font-size:.85rem}th,td{padding-right:.6rem}.w{white-space:normal}}
@media print{@page{margin:15mm 16mm}body{font-size:9.5pt;line-height:1.4}nav,.skip,details{display:none}
main,header{max-width:none;padding:0}h1{font-size:18pt}h2{font-size:14pt;margin-top:9mm}h3{font-size:11pt;margin:5mm 0 1.5mm}
p,li,figcaption,.verdict{max-width:none}p,li{orphans:3;widows:3}table,caption,figcaption{font-size:9pt}th,td{padding-top:.8mm;padding-bottom:.8mm}
h2,h3,caption,.lead{break-after:avoid}tbody tr:first-child{break-before:avoid}tr,figure,.verdict,pre{break-inside:avoid}
.scroll{overflow:visible;margin:2mm 0 3mm}.hash{font-size:6.8pt;white-space:nowrap}pre{font-size:8pt;padding:2mm 3mm}
p,li{orphans:3;widows:3}
.pictures{display:block;columns:2;column-gap:8mm}.pictures.one{columns:auto}figure{margin:1mm 0 4mm}figure svg{max-height:75mm;max-width:100%;width:auto}.pictures:not(.one) svg{width:100%;max-height:none}}
)css";

constexpr std::size_t kShortCell = 20;  // characters that stay on one line

bool looks_numeric(const std::string& cell) {
  if (cell.empty() || cell == "–") return true;
  const bool digits =
      std::any_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && cell.find_first_not_of("0123456789.,-+ %e") == std::string::npos;
}

bool looks_like_hash(const std::string& cell) {
  return cell.size() == 64 && cell.find_first_not_of("0123456789abcdef") == std::string::npos;
}

class HtmlWriter {
 public:
  explicit HtmlWriter(std::string& out) : out_(out) {}

  void operator()(const Paragraph& block) {
    out_ += fmt::format("<p class=\"lead\">{}</p>\n", escape_markup(block.text));
  }
  void operator()(const Verdict& block) {
    const char* tone = block.tone == Verdict::Tone::good  ? "good"
                       : block.tone == Verdict::Tone::bad ? "bad"
                                                          : "open";
    out_ += fmt::format("<p class=\"verdict {}\">{}</p>\n", tone, escape_markup(block.text));
  }
  void operator()(const Listing& block) {
    out_ += "<ul>\n";
    for (const auto& item : block.items) out_ += fmt::format("<li>{}</li>\n", escape_markup(item));
    out_ += "</ul>\n";
  }
  void operator()(const Verbatim& block) {
    out_ += fmt::format("<pre tabindex=\"0\"><code>{}</code></pre>\n", escape_markup(block.text));
  }
  void operator()(const Grid& block) {
    std::vector<bool> numeric(block.head.size(), !block.rows.empty());
    for (const auto& row : block.rows) {
      for (std::size_t c = 0; c < row.size() && c < numeric.size(); ++c) {
        if (!looks_numeric(row[c])) numeric[c] = false;
      }
    }
    out_ += fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table: {0}\">"
        "<table><caption>{0}</caption>\n",
        escape_markup(block.caption));
    if (!block.head.empty()) {
      out_ += "<thead><tr>";
      for (std::size_t c = 0; c < block.head.size(); ++c) {
        out_ +=
            fmt::format("<th scope=\"col\"{}>{}</th>", numeric[c] && c > 0 ? " class=\"n\"" : "",
                        escape_markup(block.head[c]));
      }
      out_ += "</tr></thead>\n";
    }
    out_ += "<tbody>\n";
    for (const auto& row : block.rows) {
      out_ += "<tr>";
      for (std::size_t c = 0; c < row.size(); ++c) {
        const bool right = c > 0 && c < numeric.size() && numeric[c];
        const char* look = right                         ? " class=\"n\""
                           : looks_like_hash(row[c])     ? " class=\"hash\""
                           : row[c].size() <= kShortCell ? " class=\"w\""
                                                         : "";
        out_ += c == 0 ? fmt::format("<th scope=\"row\">{}</th>", escape_markup(row[c]))
                       : fmt::format("<td{}>{}</td>", look, escape_markup(row[c]));
      }
      out_ += "</tr>\n";
    }
    out_ += "</tbody></table></div>\n";
  }
  void operator()(const Picture& block) {
    const std::string name = fmt::format("picture-{}", ++pictures_);
    std::string svg = std::visit([](const auto& chart) { return to_svg(chart); }, block.chart);
    // Its first title is its name for those who do not see it. Its style would reach the others.
    if (const auto at = svg.find("<title>"); at != std::string::npos) {
      svg.replace(at, 7, fmt::format("<title id=\"{}\">", name));
    }
    if (const auto at = svg.find("<style>"); at != std::string::npos) {
      const std::string_view end = "</style>";
      svg.replace(at, svg.find(end) + end.size() - at, "");
    }
    svg.replace(svg.find("role='img'"), 10,
                fmt::format("role=\"img\" aria-labelledby=\"{}\"", name));
    // Text takes the page's ink.
    svg.replace(svg.find("<svg "), 5, "<svg fill=\"currentColor\" ");
    out_ += fmt::format("<figure>\n{}", svg);
    if (!block.caption.empty()) {
      out_ += fmt::format("<figcaption>{}</figcaption>\n", escape_markup(block.caption));
    }
    out_ += "<details><summary>The numbers</summary>\n";
    (*this)(numbers(block));
    out_ += "</details>\n</figure>\n";
  }

 private:
  static Grid numbers(const Picture& picture) {
    if (const auto* bars = std::get_if<BarChart>(&picture.chart)) {
      Grid grid{bars->title, {bars->category_name}, {}};
      grid.head.insert(grid.head.end(), bars->series.begin(), bars->series.end());
      for (const auto& row : bars->rows) {
        grid.rows.push_back({row.label});
        for (const double value : row.values) grid.rows.back().push_back(grouped_digits(value));
      }
      return grid;
    }
    const auto& chart = std::get<Chart>(picture.chart);
    Grid grid{chart.title, {"setting", "series", chart.x_name, chart.y_name}, {}};
    for (const auto& series : chart.series) {
      for (const auto& point : series.points) {
        grid.rows.push_back({point.label, series.name, fmt::format("{:.4g}", point.x),
                             fmt::format("{:.4g}", point.y)});
      }
    }
    return grid;
  }

  std::string& out_;
  std::size_t pictures_ = 0;
};

bool is_picture(const Block& block) { return std::holds_alternative<Picture>(block); }

// Pictures that follow each other stand side by side.
void write_blocks(const std::vector<Block>& blocks, HtmlWriter& writer, std::string& out) {
  for (auto block = blocks.begin(); block != blocks.end();) {
    const auto end = std::find_if_not(block, blocks.end(), is_picture);
    if (block == end) {
      std::visit(writer, *block++);
      continue;
    }
    out += end - block == 1 ? "<div class=\"pictures one\">\n" : "<div class=\"pictures\">\n";
    for (; block != end; ++block) std::visit(writer, *block);
    out += "</div>\n";
  }
}

}  // namespace

std::string to_html(const Document& document) {
  const std::string title = escape_markup(document.title);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{0}</title>\n{2}<style>{1}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>\n<h1>{0}</h1>\n",
      title, kStyle, document.data ? data_as_html(*document.data) : std::string());
  HtmlWriter writer(out);
  for (const auto& block : document.opening) std::visit(writer, block);
  out += "</header>\n<nav aria-label=\"Contents\">\n<ul>\n";
  const bool alone = document.chapters.size() == 1;
  for (std::size_t c = 0; c < document.chapters.size(); ++c) {
    const Chapter& chapter = document.chapters[c];
    if (!alone) {
      out += fmt::format("<li><a href=\"#c{}\">{}</a></li>\n", c + 1, escape_markup(chapter.title));
      continue;
    }
    for (std::size_t s = 0; s < chapter.sections.size(); ++s) {
      out += fmt::format("<li><a href=\"#c{}-{}\">{}</a></li>\n", c + 1, s + 1,
                         escape_markup(chapter.sections[s].title));
    }
  }
  out += "</ul>\n</nav>\n<main id=\"content\" tabindex=\"-1\">\n";
  for (std::size_t c = 0; c < document.chapters.size(); ++c) {
    const Chapter& chapter = document.chapters[c];
    out +=
        fmt::format("<section>\n<h2 id=\"c{0}\">{1}</h2>\n", c + 1, escape_markup(chapter.title));
    for (std::size_t s = 0; s < chapter.sections.size(); ++s) {
      const Section& section = chapter.sections[s];
      out += fmt::format("<section>\n<h3 id=\"c{0}-{1}\">{2}</h3>\n", c + 1, s + 1,
                         escape_markup(section.title));
      write_blocks(section.blocks, writer, out);
      out += "</section>\n";
    }
    out += "</section>\n";
  }
  out += "</main>\n</body>\n</html>\n";
  return out;
}

}  // namespace pratique::release
