#include "pratique/trails/flow/attack.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/chart.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/kind/publish.h"
#include "pratique/trails/attack/attack.h"
#include "pratique/trails/attack/sensitivity.h"
#include "pratique/trails/format/near_elements.h"
#include "pratique/trails/trail_figures.h"

namespace pratique::trails::flow {
namespace {

using trails::Algorithm;
using trails::Attack;
using trails::Disclosure;
using trails::NamedWorld;

// A file to be written beside the links: links.csv and "by-rank.svg" give links.by-rank.svg.
std::string beside(const std::string& out, const std::string& ending) {
  return std::filesystem::path(out).replace_extension(ending).string();
}

std::vector<std::string> files_to_write(const AttackRequest& options) {
  std::vector<std::string> files;
  for (const auto& path : {options.out, options.partners, options.probabilities}) {
    if (!path.empty()) files.push_back(path);
  }
  const auto add_curve = [&](bool wanted, const std::string& name) {
    if (!wanted || options.out.empty()) return;
    files.push_back(beside(options.out, name + ".csv"));
    files.push_back(beside(options.out, name + ".svg"));
  };
  add_curve(!options.by_rank.empty(), "by-rank");
  add_curve(options.leave_one_out, "leave-one-out");
  return files;
}

void refuse_overwriting(const AttackRequest& options, const trails::SideSource& identified,
                        const trails::SideSource& deidentified) {
  std::vector<Source> inputs = identified.sources;
  inputs.insert(inputs.end(), deidentified.sources.begin(), deidentified.sources.end());
  std::vector<std::string> others;
  if (!options.truth.empty()) others.push_back(options.truth);
  auto files = files_to_write(options);
  std::ranges::sort(files);
  if (std::ranges::adjacent_find(files) != files.end()) {
    throw Error::input("--out, --partners and --probabilities name the same file twice")
        .hint("Choose different names.");
  }
  for (const auto& file : files_to_write(options)) {
    release::refuse_overwriting_inputs(file, inputs, others);
  }
}

// Two columns of text, row by row.
void write_pairs(const Run& run, const std::string& path,
                 const std::pair<std::string, std::string>& header,
                 const std::vector<std::string>& first, const std::vector<std::string>& second) {
  std::vector<Code> codes(first.size());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<Code>(i);
  Output output;
  output.columns = {{header.first, &codes, &first}, {header.second, &codes, &second}};
  output.row_count = codes.size();
  output.is_private = true;
  run.engine.write(output, path, run.progress);
}

void write_links(const Run& run, const std::string& path, const NamedWorld& read,
                 const Attack& linkage) {
  std::vector<std::string> deidentified;
  std::vector<std::string> identified;
  std::multimap<trails::Element, std::string_view> other_names;
  for (const auto& [name, element] : read.variants) other_names.emplace(element, name);
  for (const auto& link : linkage.links) {
    deidentified.emplace_back(read.deidentified.value(link.deidentified));
    const auto [first, last] = other_names.equal_range(link.deidentified);
    for (auto other = first; other != last; ++other) deidentified.emplace_back(other->second);
    identified.resize(deidentified.size(), std::string(read.identified.value(link.identified)));
  }
  write_pairs(run, path, {"deidentified", "identified"}, deidentified, identified);
}

void write_partners(const Run& run, const std::string& path, const NamedWorld& read,
                    const Disclosure& disclosure, const Attack& linkage) {
  const bool of_identified = disclosure.identified_is_sub();
  const Dictionary& names = of_identified ? read.identified : read.deidentified;
  std::vector<std::string> elements;
  std::vector<std::string> counts;
  for (Code element = 0; element < linkage.partners.size(); ++element) {
    elements.emplace_back(names.value(element));
    counts.push_back(fmt::format("{}", linkage.partners[element]));
  }
  write_pairs(run, path, {of_identified ? "identified" : "deidentified", "partners"}, elements,
              counts);
}

// Section 5.5. No location is named: rare trails are people.
void write_probabilities(const std::string& path,
                         const std::vector<trails::TrailProbability>& trails) {
  std::string text = "visited,elements,log10_probability,alone\n";
  for (const auto& trail : trails) {
    text += fmt::format("{},{},{:.6f},{:.6g}\n", trail.visited, trail.elements,
                        trail.log10_probability, trail.alone);
  }
  AtomicFile file(path, 0600);
  file.write(text);
  file.commit();
}

Json visits_json(const trails::Side& side) {
  const auto figures = trails::visit_figures(side);
  return {
      {"elements", figures.elements}, {"min", figures.fewest},          {"max", figures.most},
      {"mean", figures.mean},         {"deviation", figures.deviation}, {"median", figures.median}};
}

// What the trails of the complete side tell before they are linked.
void add_trail_figures(const AttackRequest& options, const NamedWorld& read,
                       const trails::Side& complete, Json& result) {
  result["visits"] = {{"identified", visits_json(read.unblocked(read.world.identified))},
                      {"deidentified", visits_json(read.unblocked(read.world.deidentified))}};
  result["most_reidentifiable"] = trails::most_reidentifiable(
      complete.seen(), read.places, std::max<std::size_t>(read.blocks.size(), 1));
  const auto trails = trails::trail_probabilities(complete, read.places);
  double expected = 0;
  std::size_t unique = 0;
  for (const auto& trail : trails) {
    expected += trail.alone * static_cast<double>(trail.elements);
    unique += trail.elements == 1 ? 1 : 0;
  }
  result["unique_trails"] = unique;
  result["expected_unique_trails"] = expected;
  if (options.probabilities.empty()) return;
  write_probabilities(options.probabilities, trails);
  result["probabilities"] = options.probabilities;
}

// Table 5.3: the same by value of the shared attribute.
Json blocks_json(const AttackRequest& options, const NamedWorld& read, const Attack& linkage) {
  struct Figures {
    std::size_t identified = 0;
    std::size_t deidentified = 0;
    std::size_t reidentified = 0;
  };
  std::vector<Figures> figures(read.blocks.size());
  const auto block_of = [&](const trails::Side& side, trails::Element element) {
    return read.world.blocks[side.trail(element).front()];
  };
  for (trails::Element e = 0; e < read.world.identified.elements(); ++e) {
    ++figures[block_of(read.world.identified, e)].identified;
  }
  for (trails::Element e = 0; e < read.world.deidentified.elements(); ++e) {
    ++figures[block_of(read.world.deidentified, e)].deidentified;
  }
  for (std::size_t i = 0; i < linkage.links.size(); ++i) {
    const auto sample = linkage.links[i].deidentified;
    if (i > 0 && linkage.links[i - 1].deidentified == sample) continue;
    ++figures[block_of(read.world.deidentified, sample)].reidentified;
  }
  Json values = Json::array();
  for (Code block = 0; block < figures.size(); ++block) {
    const Figures& of_block = figures[block];
    values.push_back(
        {{"value", read.blocks.value(block)},
         {"identified", of_block.identified},
         {"deidentified", of_block.deidentified},
         {"reidentified", of_block.reidentified},
         {"share", of_block.deidentified == 0 ? Json(nullptr)
                                              : Json(static_cast<double>(of_block.reidentified) /
                                                     static_cast<double>(of_block.deidentified))}});
  }
  return {{"column", options.sides.block}, {"values", std::move(values)}};
}

std::size_t people_in(const Attack& linkage) {
  std::set<trails::Element> people;
  for (const auto& link : linkage.links) people.insert(link.identified);
  return people.size();
}

// How many links are right, and how many of the true pairs were found.
Json score(const Run& run, const std::string& path, const NamedWorld& read, const Attack& linkage) {
  const auto pairs = true_pairs(run, path, read);
  std::size_t correct = 0;
  for (const auto& link : linkage.links) {
    correct += pairs.contains({link.deidentified, link.identified}) ? 1 : 0;
  }
  return {{"pairs", pairs.size()},
          {"correct", correct},
          {"false", linkage.links.size() - correct},
          {"recall", static_cast<double>(correct) / static_cast<double>(pairs.size())}};
}

Json curve(const std::vector<trails::SensitivityPoint>& points, const Dictionary& locations) {
  Json list = Json::array();
  for (const auto& point : points) {
    list.push_back({{"location", locations.value(point.location)},
                    {"visitors", point.visitors},
                    {"locations", point.locations},
                    {"identified", point.identified},
                    {"deidentified", point.deidentified},
                    {"reidentified", point.reidentified},
                    {"most_reidentifiable", point.most_reidentifiable()},
                    {"share", point.share()}});
  }
  return list;
}

ChartSeries series(const std::string& name, const std::vector<trails::SensitivityPoint>& points,
                   const Dictionary& locations, bool by_rank,
                   double (*height)(const trails::SensitivityPoint&)) {
  ChartSeries drawn{name, {}, by_rank};
  for (const auto& point : points) {
    drawn.points.push_back({static_cast<double>(by_rank ? point.locations : point.visitors),
                            height(point), std::string(locations.value(point.location))});
  }
  return drawn;
}

void write_chart(const std::string& out, const std::string& name, const Chart& chart) {
  if (out.empty()) return;
  write_file_atomically(beside(out, name + ".csv"), to_csv(chart));
  write_file_atomically(beside(out, name + ".svg"), to_svg(chart));
}

void add_sensitivity(const Run& run, const AttackRequest& options, const NamedWorld& read,
                     const Disclosure& disclosure, Algorithm algorithm, Json& result) {
  if (!options.by_rank.empty()) {
    const auto rank = options.by_rank == "down" ? trails::Rank::down : trails::Rank::up;
    const auto points = attack_by_rank(read.world, disclosure, algorithm, rank, run.progress);
    result["by_rank"] = curve(points, read.locations);
    const auto line = [&](const std::string& name,
                          double (*height)(const trails::SensitivityPoint&)) {
      return series(name, points, read.locations, true, height);
    };
    write_chart(
        options.out, "by-rank",
        {.title = "Re-identification as locations join",
         .x_name = "locations",
         .y_name = "trails",
         .series = {line("identified",
                         [](const auto& point) { return static_cast<double>(point.identified); }),
                    line("deidentified",
                         [](const auto& point) { return static_cast<double>(point.deidentified); }),
                    line("most possible",
                         [](const auto& point) {
                           return static_cast<double>(point.most_reidentifiable());
                         }),
                    line("reidentified", [](const auto& point) {
                      return static_cast<double>(point.reidentified);
                    })}});
  }
  if (options.leave_one_out) {
    const auto points = attack_leaving_one_out(read.world, disclosure, algorithm, run.progress);
    result["leave_one_out"] = curve(points, read.locations);
    write_chart(options.out, "leave-one-out",
                {.title = "Re-identification without one location",
                 .x_name = "visitors",
                 .y_name = "share",
                 .series = {series("without it", points, read.locations, false,
                                   [](const auto& point) { return point.share(); })}});
  }
}

}  // namespace

Outcome attack(const AttackRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  const auto identified = options.sides.identified_side(run);
  const auto deidentified = options.sides.deidentified_side(run);
  refuse_overwriting(options, identified, deidentified);
  NamedWorld read = read_world(run.engine, identified, deidentified, run.progress);
  std::optional<trails::JoinedElements> joined;
  if (options.edits > 0) joined = trails::join_near_samples(read, options.edits, run.progress);
  if (options.errors.wanted()) {
    return attack_with_errors(
        run, {options.sides, options.errors, read, options.out, options.truth, options.fail_above});
  }
  const Algorithm algorithm = *trails::algorithm_from_text(options.algorithm);
  const Disclosure disclosure = algorithm == Algorithm::multiple
                                    ? find_disclosure_of_many(read.world, options.sides.said())
                                    : find_disclosure(read.world, options.sides.said());
  const std::uint64_t count_to =
      !options.partners.empty() ? std::numeric_limits<std::uint64_t>::max() : options.k.value_or(0);
  Attack linkage;
  try {
    linkage = attack(read.world, disclosure, {algorithm, count_to}, run.progress);
  } catch (trails::ImpossibleTrails& error) {
    const auto first = error.elements().front();
    throw std::move(
        error.identified()
            ? error.at(place_of(run.engine, identified, read.identified.value(first), run.progress))
            : error.at(place_of(run.engine, deidentified, read.deidentified.value(first),
                                run.progress)));
  }
  const trails::Side complete = read.unblocked(
      disclosure.identified_is_sub() ? read.world.deidentified : read.world.identified);
  Json result = {{"identified", read.identified.size()},
                 {"deidentified", read.deidentified.size()},
                 {"locations", read.places},
                 {"algorithm", trails::to_text(algorithm)},
                 {"assumption", disclosure.to_text()},
                 {"reserved", trails::to_text(disclosure.reserved)},
                 {"reidentified", linkage.reidentified()},
                 {"people_reidentified", people_in(linkage)},
                 {"share", *share_of_samples(linkage.reidentified(), read)}};
  if (joined) {
    result["joined"] = {{"edits", options.edits},
                        {"before", joined->before},
                        {"joined", joined->joined},
                        {"kept_apart", joined->apart}};
  }
  if (!options.sides.block.empty()) result["block"] = blocks_json(options, read, linkage);
  if (options.k) {
    result["k"] = *options.k;
    result["k_reidentified"] = linkage.fewer_partners_than(*options.k);
  }
  result["distinct_trails"] = linkage.distinct_trails;
  result["entropy_bits"] = entropy_bits(complete, read.places);
  add_trail_figures(options, read, complete, result);
  if (!options.truth.empty()) result["truth"] = score(run, options.truth, read, linkage);
  add_sensitivity(run, options, read, disclosure, algorithm, result);
  if (!options.partners.empty()) {
    write_partners(run, options.partners, read, disclosure, linkage);
    result["partners"] = options.partners;
  }
  if (!options.out.empty()) {
    write_links(run, options.out, read, linkage);
    result["out"] = options.out;
  }
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return judged(result, options.fail_above);
}

}  // namespace pratique::trails::flow
