#include "pratique/trails/flow/attack_with_errors.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/attack/probable_links.h"

namespace pratique::trails::flow {
namespace {

using trails::NamedWorld;
using trails::ProbableLink;
using trails::ProbableLinks;

std::optional<double> rate_of(std::string_view text) {
  double rate = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return rate;
}

double checked(std::optional<double> rate, const std::string& place) {
  if (!rate || !(*rate >= 0 && *rate <= kLargestErrorRate)) {
    throw Error::input("an error rate is a number from 0 to 0.5")
        .at(place)
        .hint("It is how often a location's list is wrong about a person, such as 0.02.");
  }
  return *rate;
}

std::vector<double> rates_per_location(const Run& run, const std::string& given,
                                       const Dictionary& locations) {
  if (const auto rate = rate_of(given)) {
    return std::vector<double>(locations.size(), checked(rate, "--errors"));
  }
  const Source source = run.open(given);
  const Table table = run.engine.load(source, {"location", "rate"}, run.progress);
  std::vector<std::optional<double>> rates(locations.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto rate =
        checked(rate_of(table.columns[1].text(row)), fmt::format("{}, row {}", given, row + 1));
    const auto location = locations.find(table.columns[0].text(row));
    if (location) rates[*location] = rate;
  }
  std::vector<double> result;
  for (Code location = 0; location < rates.size(); ++location) {
    if (!rates[location]) {
      throw Error::input(
          fmt::format("the location '{}' has no error rate", locations.value(location)))
          .at(given)
          .hint("The file needs columns location,rate and a row for every location.");
    }
    result.push_back(*rates[location]);
  }
  return result;
}

void write_links(const Run& run, const std::string& path, const NamedWorld& read,
                 const ProbableLinks& probable) {
  std::vector<std::string> deidentified;
  std::vector<std::string> identified;
  std::vector<std::string> posterior;
  std::vector<Code> rows;
  for (const ProbableLink& link : probable.links) {
    rows.push_back(static_cast<Code>(rows.size()));
    deidentified.emplace_back(read.deidentified.value(link.deidentified));
    identified.emplace_back(read.identified.value(link.identified));
    posterior.push_back(fmt::format("{:.4f}", link.posterior));
  }
  Output output;
  output.columns = {{"deidentified", &rows, &deidentified},
                    {"identified", &rows, &identified},
                    {"posterior", &rows, &posterior}};
  output.row_count = rows.size();
  output.is_private = true;
  run.engine.write(output, path, run.progress);
}

// The first link of each de-identified element is its likeliest.
std::vector<const ProbableLink*> likeliest(const ProbableLinks& probable) {
  std::vector<const ProbableLink*> result;
  for (const ProbableLink& link : probable.links) {
    if (result.empty() || result.back()->deidentified != link.deidentified) {
      result.push_back(&link);
    }
  }
  return result;
}

// How often links of each tenth of posterior are right.
Json score(const Run& run, const std::string& path, const NamedWorld& read,
           const ProbableLinks& probable) {
  const auto pairs = true_pairs(run, path, read);
  const auto right = [&](const ProbableLink& link) {
    return pairs.contains({link.deidentified, link.identified});
  };
  struct Tenth {
    std::size_t links = 0;
    std::size_t correct = 0;
    double expected = 0;
  };
  std::array<Tenth, 10> tenths = {};
  for (const ProbableLink& link : probable.links) {
    Tenth& tenth = tenths[std::min<std::size_t>(9, static_cast<std::size_t>(link.posterior * 10))];
    ++tenth.links;
    tenth.correct += right(link) ? 1 : 0;
    tenth.expected += link.posterior;
  }
  Json calibration = Json::array();
  for (std::size_t t = 0; t < tenths.size(); ++t) {
    if (tenths[t].links == 0) continue;
    calibration.push_back({{"posterior_from", static_cast<double>(t) / 10},
                           {"links", tenths[t].links},
                           {"expected", tenths[t].expected},
                           {"correct", tenths[t].correct}});
  }
  std::size_t correct = 0;
  for (const ProbableLink* link : likeliest(probable)) correct += right(*link) ? 1 : 0;
  return {{"pairs", pairs.size()}, {"correct", correct}, {"calibration", std::move(calibration)}};
}

}  // namespace

Outcome attack_with_errors(const Run& run, const ErrorAttack& attack) {
  const auto began = std::chrono::steady_clock::now();
  const NamedWorld& read = attack.read;
  const auto rates = rates_per_location(run, attack.options.errors, read.locations);
  const bool fewer_people = read.world.identified.sightings() < read.world.deidentified.sightings();
  const auto reserved = attack.sides.said().value_or(fewer_people ? trails::Reserved::identified
                                                                  : trails::Reserved::deidentified);
  if (reserved == trails::Reserved::both) {
    throw Error::input("--errors takes one side for the incomplete one")
        .hint("Say --reserved deidentified, identified or none.");
  }
  const std::uint64_t seed = attack.options.seed ? *attack.options.seed : draw_seed();
  const auto probable = probable_links(
      read.world,
      {.reserved = reserved, .error = rates, .least = attack.options.least, .seed = seed},
      run.progress);
  std::size_t certain = 0;
  for (const ProbableLink* link : likeliest(probable)) {
    certain += link->posterior >= attack.options.certain ? 1 : 0;
  }
  Json result = {{"identified", read.identified.size()},
                 {"deidentified", read.deidentified.size()},
                 {"locations", read.world.locations},
                 {"algorithm", "errors"},
                 {"assumption", trails::Disclosure{reserved, {}, !attack.sides.said()}.to_text()},
                 {"reidentified", certain},
                 {"share", *share_of_samples(certain, read)},
                 {"certain", attack.options.certain},
                 {"expected_correct", probable.expected_correct},
                 {"links", probable.links.size()},
                 {"disagreement", probable.disagreement},
                 {"seed", seed}};
  if (!attack.truth.empty()) result["truth"] = score(run, attack.truth, read, probable);
  if (!attack.out.empty()) {
    write_links(run, attack.out, read, probable);
    result["out"] = attack.out;
  }
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return judged(result, attack.fail_above);
}

}  // namespace pratique::trails::flow
