#include "pratique/trails/flow/simulate.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/trails/simulation.h"

namespace pratique::trails::flow {
namespace {

std::optional<double> number_of(std::string_view text, double highest) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(number >= 0 && number <= highest)) {
    return {};
  }
  return number;
}

// uniform:P, zipf:THETA, zipf:THETA:SHARE
trails::Access access_of(const std::string& text) {
  const bool zipf = text.starts_with("zipf:");
  const std::string_view numbers = std::string_view(text).substr(text.find(':') + 1);
  const auto colon = zipf ? numbers.find(':') : std::string_view::npos;
  const auto parameter = number_of(numbers.substr(0, colon), zipf ? 10 : 1);
  const std::optional<double> scale = colon == std::string_view::npos
                                          ? std::optional<double>(1)
                                          : number_of(numbers.substr(colon + 1), 1);
  if ((!zipf && !text.starts_with("uniform:")) || !parameter || !scale) {
    throw Error::input(fmt::format("'{}' is not a way to visit locations", text))
        .hint(
            "--access uniform:P, zipf:THETA or zipf:THETA:SHARE, with P and SHARE from 0 to 1 and "
            "THETA from 0 to 10.");
  }
  return {zipf ? trails::AccessKind::zipf : trails::AccessKind::uniform, *parameter, *scale};
}

trails::WorldShape shape_of(const SimulateRequest& options, const Run& run) {
  if (options.like.identified.empty()) {
    return {options.subjects, options.locations, access_of(options.access), options.missing};
  }
  Sides sides = options.like;
  if (sides.deidentified.empty()) sides.deidentified = sides.identified;
  const auto world = sides.read(run).world;
  if (world.identified.seen() == 0) {
    throw Error::input("the list names nobody, so there are no rates").at(sides.identified);
  }
  trails::WorldShape shape;
  shape.subjects = options.subjects;
  shape.rates = trails::empirical_rates(world, options.times);
  shape.locations = shape.rates.size();
  return shape;
}

std::string beside_grid(const std::string& out, const std::string& ending) {
  return std::filesystem::path(out).replace_extension(ending).string();
}

std::string sightings_csv(const trails::Side& side, const std::vector<std::string>& names) {
  std::string text = "location,element\n";
  for (trails::Element element = 0; element < side.elements(); ++element) {
    for (const auto location : side.trail(element)) {
      text += fmt::format("L{},{}\n", location + 1, names[element]);
    }
  }
  return text;
}

// The world of the first run, as trails commands read it. Samples are numbered by chance, so that a
// number tells nothing.
void write_world(const SimulateRequest& options, const trails::WorldShape& shape,
                 std::uint64_t seed) {
  SeededRandom random(seed, 0);
  const auto world = trails::random_world(shape, random);
  std::vector<std::size_t> numbers(options.subjects);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i + 1;
  random.shuffle(numbers);
  std::vector<std::string> people;
  std::vector<std::string> samples;
  std::string truth = "deidentified,identified\n";
  for (trails::Element subject = 0; subject < options.subjects; ++subject) {
    people.push_back(fmt::format("P{}", subject + 1));
    samples.push_back(fmt::format("S{}", numbers[subject]));
    if (!world.deidentified.trail(subject).empty()) {
      truth += fmt::format("{},{}\n", samples.back(), people.back());
    }
  }
  std::filesystem::create_directories(options.world);
  write_file_atomically(options.world + "/identified.csv", sightings_csv(world.identified, people));
  write_file_atomically(options.world + "/deidentified.csv",
                        sightings_csv(world.deidentified, samples));
  write_file_atomically(options.world + "/truth.csv", truth);
}

Json simulate_one(const SimulateRequest& options, std::uint64_t seed, const Run& run) {
  const auto shape = shape_of(options, run);
  const auto simulation = trails::simulate(
      {shape, *trails::algorithm_from_text(options.algorithm), options.runs, seed}, run.progress);
  Json result = {{"subjects", options.subjects},
                 {"locations", shape.locations},
                 {"access", shape.rates.empty() ? options.access : "empirical"},
                 {"missing", shape.rates.empty() ? Json(options.missing) : Json(nullptr)},
                 {"algorithm", options.algorithm},
                 {"runs", options.runs},
                 {"mean_share", simulation.share.mean},
                 {"sd_share", simulation.share.deviation},
                 {"entropy_bits", simulation.entropy_bits}};
  if (!options.world.empty()) {
    write_world(options, shape, seed);
    result["world"] = options.world;
  }
  return result;
}

Json write_grid(const SimulateRequest& options, const trails::Grid& grid) {
  Json files = Json::array();
  const auto write = [&](const std::string& path, const std::string& text) {
    write_file_atomically(path, text);
    files.push_back(path);
  };
  write(options.out, trails::points_csv(grid));
  write(beside_grid(options.out, "curves.csv"), trails::curves_csv(grid));
  const auto draw = [&](const std::string& name, const std::string& title,
                        double (*figure)(const trails::GridCurve&)) {
    write(beside_grid(options.out, name + ".svg"),
          to_svg(trails::curves_chart(grid, title, figure)));
  };
  draw("maximum", "Largest share re-identified", [](const auto& curve) { return curve.maximum; });
  draw("area", "Area under the curve", [](const auto& curve) { return curve.area; });
  draw("shape", "Shape", [](const auto& curve) { return curve.shape; });
  draw("shift", "Shift", [](const auto& curve) { return curve.shift; });
  for (const auto kind : {trails::AccessKind::uniform, trails::AccessKind::zipf}) {
    write(beside_grid(options.out, fmt::format("{}.svg", trails::to_text(kind))),
          to_svg(trails::share_chart(grid, kind)));
  }
  return files;
}

Json simulate_grid(const SimulateRequest& options, std::uint64_t seed, const Run& run) {
  if (options.first_locations > options.last_locations) {
    throw Error::input("--from is above --to").hint("The defaults are --from 3 --to 40.");
  }
  const auto grid = trails::simulate_grid(
      {options.subjects, options.first_locations, options.last_locations, options.missing,
       *trails::algorithm_from_text(options.algorithm), options.runs, seed},
      run.progress);
  Json curves = Json::array();
  for (const auto& curve : grid.curves) {
    curves.push_back({{"access", trails::to_text(curve.kind)},
                      {"locations", curve.locations},
                      {"maximum", curve.maximum},
                      {"maximum_at", curve.maximum_at},
                      {"area", curve.area},
                      {"shape", curve.shape},
                      {"shift", curve.shift}});
  }
  Json result = {{"subjects", options.subjects},   {"missing", options.missing},
                 {"algorithm", options.algorithm}, {"runs", options.runs},
                 {"points", grid.points.size()},   {"curves", std::move(curves)}};
  if (!options.out.empty()) result["files"] = write_grid(options, grid);
  return result;
}

}  // namespace

Outcome simulate(const SimulateRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  if (options.grid && !options.world.empty()) {
    throw Error::input("--world writes one world, --grid makes many");
  }
  if (options.like.identified.empty() && !options.like.deidentified.empty()) {
    throw Error::input("--like-samples goes with --like").hint("--like names the lists of people.");
  }
  if (!options.grid && !options.out.empty()) {
    throw Error::input("--out goes with --grid")
        .hint("One simulation is printed; --world writes the world itself.");
  }
  const std::uint64_t seed = options.seed ? *options.seed : draw_seed();
  Json result = options.grid ? simulate_grid(options, seed, run) : simulate_one(options, seed, run);
  result["seed"] = seed;
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return {result};
}

}  // namespace pratique::trails::flow
