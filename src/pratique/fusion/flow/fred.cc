#include "pratique/fusion/flow/fred.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/chart.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/data/settings.h"
#include "pratique/fusion/fcl.h"
#include "pratique/fusion/flow/leaving_columns.h"
#include "pratique/fusion/flow/number_reading.h"
#include "pratique/fusion/fred.h"
#include "pratique/fusion/named_release.h"
#include "pratique/fusion/release/words.h"
#include "pratique/kind/among.h"
#include "pratique/kind/publish.h"
#include "pratique/tables/method/microaggregate.h"
#include "pratique/tables/model/k_anonymity.h"

namespace pratique::fusion::flow {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> auxiliary_files(const FredRequest& command) {
  std::vector<std::string> files;
  if (!command.auxiliary.empty()) files.push_back(command.auxiliary);
  if (!command.attack_set.empty()) {
    std::error_code problem;
    std::vector<std::string> in_folder;
    for (const auto& entry : fs::directory_iterator(command.attack_set, problem)) {
      const std::string name = entry.path().filename().string();
      const bool table = name.ends_with(".csv") || name.ends_with(".parquet");
      if (table && name.front() != '.' && entry.is_regular_file()) {
        in_folder.push_back(entry.path().string());
      }
    }
    if (problem || in_folder.empty()) {
      throw Error::input("there is no .csv or .parquet file in this folder")
          .at(command.attack_set)
          .hint("--attack-set names a folder with one file of facts per source.");
    }
    std::sort(in_folder.begin(), in_folder.end());
    files.insert(files.end(), in_folder.begin(), in_folder.end());
  }
  if (files.empty()) {
    throw Error::input("there are no facts for the release to resist")
        .hint("Name a file with --auxiliary, or a folder of them with --attack-set.");
  }
  return files;
}

void check_columns(const FredRequest& command, const LoadedTable& table) {
  if (command.quasi_identifiers.empty()) {
    throw Error::input("no quasi-identifiers were given").hint("Name them with --qi A,B.");
  }
  std::vector<std::string> seen = {command.names.key, command.target};
  for (const auto& name : {command.names.key, command.target}) (void)table.column(name);
  for (const auto* list :
       {&command.quasi_identifiers, &command.identifiers, &command.insensitive}) {
    for (const auto& name : *list) {
      (void)table.column(name);
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
        throw Error::input(fmt::format("the column '{}' has two roles", name))
            .hint(
                "A column is the key, the target, an identifier, a quasi-identifier or "
                "insensitive.");
      }
      seen.push_back(name);
    }
  }
  if (command.names.key == command.target) {
    throw Error::input("the key and the target are the same column")
        .hint("Change --key or --target.");
  }
  for (const double number :
       {command.fred.protection, command.fred.utility, command.fred.w1, command.fred.w2}) {
    if (!std::isfinite(number)) {
      throw Error::input("thresholds and weights are plain numbers").hint("Such as 2.5e8.");
    }
  }
  if (table.table.rows() < 2) {
    throw Error::input("the table has fewer than two people")
        .at(command.file)
        .hint("Nobody can be hidden among others.");
  }
}

// One file of facts, and who is who in it.
struct FactSource {
  LoadedTable loaded;
  fusion::NameMatches matches;
  fusion::NameMatches matches_of_sample;
};

fusion::WebAdversary make_adversary(const FredRequest& command) {
  RulesFor rules = read_rules(command.rules, command.target);
  std::vector<std::string> ignored;
  for (const auto& name : {command.names.key, command.names.key_in_auxiliary(), command.target}) {
    ignored.push_back(fusion::fcl_identifier(name));
  }
  return {std::move(rules.system), rules.output, std::move(ignored)};
}

// What was written anew in the table: quasi-identifiers leave so, and other columns as they were.
struct Rewritten {
  release::DateForms dates;      // of quasi-identifiers
  release::NumberForms numbers;  // and of any column
  struct Cells {
    std::vector<Code> codes;
    std::vector<std::string> values;
  };
  std::map<std::string, Cells> as_they_were;  // by column

  void record(Json& parameters, const std::vector<std::string>& quasi_identifiers) const {
    for (const auto& [column, form] : dates) parameters["dates"][column] = to_string(form);
    for (const auto& [column, form] : numbers) {
      if (release::among(quasi_identifiers, column))
        parameters["numbers"][column] = to_string(form);
    }
  }
};

Rewritten read_forms(const FredRequest& command, LoadedTable& loaded, NumberReading& numbers) {
  Rewritten rewritten;
  Schema schema;
  schema.quasi_identifiers = command.quasi_identifiers;
  rewritten.dates = release::find_date_forms(
      loaded.table, schema, column_values(command.date_forms, "--date-form", loaded.source.columns),
      loaded.source.name);
  release::write_as_days(loaded.table, rewritten.dates);
  for (const auto& column : loaded.table.columns) {
    if (release::among(command.quasi_identifiers, column.name)) continue;
    const auto& values = column.dictionary.values();
    rewritten.as_they_were[column.name] = {column.codes, {values.begin(), values.end()}};
  }
  rewritten.numbers = numbers.read(loaded, command.quasi_identifiers);
  std::erase_if(rewritten.as_they_were,
                [&](const auto& kept) { return rewritten.numbers.count(kept.first) == 0; });
  return rewritten;
}

// Everything an adversary brings, and the private values that tell how far it comes.
class Attackers {
 public:
  Attackers(const Run& run, const FredRequest& command, const Table& release,
            std::vector<double> truth, fusion::WebAdversary adversary, NumberReading& numbers)
      : run_(run),
        names_(command.names),
        truth_(std::move(truth)),
        adversary_(std::move(adversary)) {
    look_at_unchanged(command, release);
    if (!command.learn.empty()) {
      sample_.emplace(numbers.load(run, command.learn), command.names, command.target);
      sample_->find_in(run, release, command.names);
      for (const auto row : sample_->rows_in_release()) {
        if (row != fusion::kNotFound) truth_[row] = std::nan("");
      }
    }
    std::vector<const Table*> tables = {&release};
    for (const auto& file : auxiliary_files(command)) {
      FactSource& source = sources_.emplace_back();
      source.loaded = numbers.load(run, file);
      source.matches = fusion::match_names(release.column(names_.key),
                                           source.loaded.column(names_.key_in_auxiliary()),
                                           names_.matching, run.progress);
      if (sample_) source.matches_of_sample = sample_->find_facts(run, source.loaded, names_);
    }
    for (const auto& source : sources_) tables.push_back(&source.loaded.table);
    numbers.refuse_unheard();
    require_inputs(adversary_.rules(), tables, command.rules);
    if (sample_) {
      // Tuned once, on the facts that are known of most; every level is then attacked with it.
      const auto most = std::max_element(
          sources_.begin(), sources_.end(), [](const FactSource& a, const FactSource& b) {
            return a.matches_of_sample.matched < b.matches_of_sample.matched;
          });
      adversary_.learn(sample_->beside(release, most->loaded.table, most->matches_of_sample),
                       run.progress);
    }
  }

  // The strongest over all sources, and its place among them.
  std::pair<fusion::WebAttack, std::size_t> strongest(const Table& release) {
    std::optional<fusion::WebAttack> worst;
    std::size_t place = 0;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const FactSource& source = sources_[s];
      const fusion::People people{&release, &source.loaded.table, source.matches.row_of};
      std::optional<fusion::Sample> sample;
      if (sample_) {
        sample = sample_->beside(release, source.loaded.table, source.matches_of_sample);
      }
      auto attack = adversary_.attack(people, truth_, sample ? &*sample : nullptr, run_.progress);
      if (!worst || attack.after().dissimilarity < worst->after().dissimilarity) {
        worst = std::move(attack);
        place = s;
      }
    }
    return {std::move(*worst), place};
  }

  // The nearest estimate of all: with facts, without them, or the mean for everybody.
  fusion::LevelAttack nearest(const Table& release) {
    const auto [attack, place] = strongest(release);
    fusion::LevelAttack level{.before = attack.before().dissimilarity,
                              .after = attack.after().dissimilarity,
                              .dissimilarity = attack.after().dissimilarity,
                              .adversary = attack.adversaries[attack.strongest].name,
                              .source = sources_[place].loaded.source.name};
    const auto is_nearer = [&](double dissimilarity, const std::string& adversary) {
      if (dissimilarity >= level.dissimilarity) return;
      level.dissimilarity = dissimilarity;
      level.adversary = adversary;
      level.source.clear();
    };
    is_nearer(level.before, attack.adversaries[attack.strongest_before].name);
    is_nearer(variance(), "mean");
    if (unchanged_) is_nearer(*unchanged_, "unchanged columns");
    return level;
  }

  [[nodiscard]] double variance() const { return fusion::variance_of_known(truth_); }

  // Whether some input of the rules is a column of some source.
  [[nodiscard]] bool rules_use_facts() const {
    const auto& inputs = adversary_.rules().inputs;
    return std::any_of(sources_.begin(), sources_.end(), [&](const FactSource& source) {
      const auto& columns = source.loaded.table.columns;
      return std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
        return std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
          return fusion::fcl_identifier(input.name) == fusion::fcl_identifier(column.name);
        });
      });
    });
  }
  [[nodiscard]] bool matched_anybody() const {
    return std::any_of(sources_.begin(), sources_.end(),
                       [](const FactSource& source) { return source.matches.matched > 0; });
  }

  [[nodiscard]] const std::vector<FactSource>& sources() const { return sources_; }
  [[nodiscard]] std::vector<Source> files() const {
    std::vector<Source> all;
    for (const auto& source : sources_) all.push_back(source.loaded.source);
    if (sample_) all.push_back(sample_->loaded().source);
    return all;
  }

 private:
  // Columns that leave as they are may tell the target at every level: each alone, and all
  // together.
  void look_at_unchanged(const FredRequest& command, const Table& release) {
    std::vector<std::vector<std::string>> looks;
    for (const auto& name : command.insensitive) looks.push_back({name});
    if (looks.size() > 1) looks.push_back(command.insensitive);
    for (const auto& columns : looks) {
      std::map<std::vector<Code>, std::size_t> groups;
      std::vector<std::size_t> group_of(release.rows());
      for (std::size_t row = 0; row < release.rows(); ++row) {
        std::vector<Code> cells;
        for (const auto& name : columns) cells.push_back(release.column(name).codes[row]);
        group_of[row] = groups.emplace(std::move(cells), groups.size()).first->second;
      }
      const double near = fusion::dissimilarity_by_groups(truth_, group_of);
      unchanged_ = std::min(near, unchanged_.value_or(near));
    }
  }

  const Run& run_;
  const NameRequest& names_;
  std::vector<double> truth_;
  std::optional<double> unchanged_;  // the dissimilarity of who sees the columns that stay
  fusion::WebAdversary adversary_;
  std::optional<LearningSample> sample_;
  std::vector<FactSource> sources_;
};

Json describe(const fusion::FredLevel& level) {
  return {{"k", level.k},
          {"classes", level.classes},
          {"dissimilarity_before", level.attack.before},
          {"dissimilarity_after", level.attack.after},
          {"dissimilarity", level.attack.dissimilarity},
          {"gain", level.gain()},
          {"utility", level.utility},
          {"h", level.h},
          {"weighted_sum", level.weighted_sum},
          {"admitted", level.admitted},
          {"adversary", level.attack.adversary},
          {"source", level.attack.source.empty() ? Json(nullptr) : Json(level.attack.source)}};
}

Json warnings_about(const FredRequest& command, const Attackers& attackers) {
  Json warnings = Json::array();
  if (command.fred.protection > attackers.variance()) {
    warnings.push_back(
        fmt::format("--tp is above the variance of the target, {:g}: who guesses the mean comes "
                    "nearer than that, whatever is released",
                    attackers.variance()));
  }
  if (!attackers.rules_use_facts()) {
    warnings.push_back(
        "the rules ask for no column of the facts, so they are the same with and without the web");
  } else if (!attackers.matched_anybody()) {
    warnings.push_back(
        "nobody in the table is in a file of facts: check --key and --auxiliary-key");
  }
  return warnings;
}

std::string choice_of(const fusion::Fred& scan) {
  const auto admitted = std::count_if(scan.levels.begin(), scan.levels.end(),
                                      [](const auto& level) { return level.admitted; });
  const auto& best = scan.levels[*scan.best];
  if (admitted == 1) return fmt::format("k = {} alone satisfies both thresholds", best.k);
  const std::string reason = fmt::format(
      "{} levels satisfy both thresholds, and H is largest at k = {}", admitted, best.k);
  if (scan.least == scan.best) return reason + ", the smallest of them";
  const auto& least = scan.levels[*scan.least];
  return fmt::format("{} ({:g}); the smallest is k = {} ({:g}), and --k-max {} would release it",
                     reason, best.h, least.k, least.h, least.k);
}

void write_charts(const FredRequest& command, const fusion::Fred& scan) {
  std::error_code ignored;
  fs::create_directory(command.charts, ignored);
  const auto write =
      [&](const std::string& name, const std::string& title, const std::string& height,
          const std::vector<std::pair<std::string, double (*)(const fusion::FredLevel&)>>& lines) {
        Chart chart{.title = title, .x_name = "k", .y_name = height, .series = {}};
        for (const auto& [line, value] : lines) {
          ChartSeries series{line, {}, true};
          for (std::size_t i = 0; i < scan.levels.size(); ++i) {
            const auto& level = scan.levels[i];
            series.points.push_back(
                {static_cast<double>(level.k), value(level), "", scan.best && *scan.best == i});
          }
          chart.series.push_back(std::move(series));
        }
        const fs::path folder(command.charts);
        write_file_atomically((folder / (name + ".csv")).string(), to_csv(chart));
        write_file_atomically((folder / (name + ".svg")).string(), to_svg(chart));
      };
  using Level = const fusion::FredLevel&;
  write("dissimilarity", "How far estimates are from the private values", "dissimilarity",
        {{"before fusion", [](Level level) { return level.attack.before; }},
         {"after fusion", [](Level level) { return level.attack.after; }},
         {"nearest of all", [](Level level) { return level.attack.dissimilarity; }},
         {"information gain", [](Level level) { return level.gain(); }}});
  write("utility", "Utility", "1 / discernibility",
        {{"utility", [](Level level) { return level.utility; }}});
  write("objective", "Protection and utility, weighted", "H",
        {{"H", [](Level level) { return level.h; }},
         {"weighted sum", [](Level level) { return level.weighted_sum; }}});
}

release::Published publish(const Run& run, const FredRequest& command, const Table& table,
                           const Rewritten& rewritten, const std::vector<std::string>& allowed,
                           std::uint64_t k, const std::vector<Source>& sources,
                           const Seeded& seeded, const Json& results) {
  std::vector<std::vector<std::string>> values;
  release::Content content;
  for (const auto& column : table.columns) {
    const auto& known = column.dictionary.values();
    values.emplace_back(known.begin(), known.end());
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto kept = rewritten.as_they_were.find(table.columns[c].name);
    const bool as_it_was = kept != rewritten.as_they_were.end();
    content.columns.push_back({table.columns[c].name,
                               as_it_was ? &kept->second.codes : &table.columns[c].codes,
                               as_it_was ? &kept->second.values : &values[c]});
  }
  content.groups.resize(table.rows());
  std::iota(content.groups.begin(), content.groups.end(), 0);
  const std::vector<std::uint64_t> counts(table.rows(), 1);
  content.counts = &counts;
  Json parameters = {{"method", command.method},
                     {"quasi_identifiers", command.quasi_identifiers},
                     {"key", command.names.key},
                     {"auxiliary_key", command.names.key_in_auxiliary()},
                     {"target", command.target},
                     {"identifiers", command.identifiers},
                     {"tp", command.fred.protection},
                     {"tu", command.fred.utility},
                     {"w1", command.fred.w1},
                     {"w2", command.fred.w2},
                     {"insensitive", command.insensitive},
                     {"allowed", allowed}};
  if (command.rows_are_people) parameters["rows_are_people"] = true;
  if (command.method == "microaggregate")
    parameters["centre"] = tables::name_of(tables::MicroaggregationOptions{}.centre);
  rewritten.record(parameters, command.quasi_identifiers);
  Json claims = Json::array();
  claims.push_back(tables::k_anonymity(k)->claim(command.quasi_identifiers));
  return release::publish(run.engine, content, command.out,
                          {.kind = "fusion",
                           .verb = "fred",
                           .command = seeded.command,
                           .seed = seeded.seed,
                           .inputs = sources,
                           .other_files = run.settings({command.rules}),
                           .options = seeded.options,
                           .figures = fusion::figures(),
                           .told = fusion::told_results(),
                           .private_folder = run.private_folder},
                          parameters, claims, results, run.progress);
}

}  // namespace

Outcome fred(const FredRequest& command, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  LoadedTable loaded = load_table(run, command.file);
  check_columns(command, loaded);
  const auto allowed = decide_columns(command, loaded);
  require_a_row_per_person(command, loaded);
  fusion::WebAdversary adversary = make_adversary(command);
  const fusion::FuzzySystem rules = adversary.rules();
  NumberReading numbers(command.number_forms, &rules, command.target, command.names,
                        !command.learn.empty());
  const Rewritten rewritten = read_forms(command, loaded, numbers);
  auto truth = target_numbers(loaded.column(command.target), loaded.source.name);
  auto removed = command.identifiers;
  removed.push_back(command.target);
  std::vector<Source> sources = {loaded.source};
  fusion::NamedRelease named(std::move(loaded.table), command.quasi_identifiers, removed);
  Attackers attackers(run, command, named.table(), std::move(truth), std::move(adversary), numbers);
  const auto facts = attackers.files();
  sources.insert(sources.end(), facts.begin(), facts.end());
  release::refuse_overwriting_inputs(command.out, sources, run.settings({command.rules}));

  const auto [raw, raw_source] = attackers.strongest(named.table());
  if (raw.after().scored == 0) {
    throw Error::input(
        fmt::format("'{}' is not known for anybody outside the sample", command.target))
        .at(command.file)
        .hint("FRED needs the private values to measure how close an adversary gets.");
  }
  const auto attack = [&](const tables::Recoding& recoding) {
    return attackers.nearest(named.show(recoding));
  };
  const auto method = command.method == "mondrian"
                          ? tables::AnonymisationLevels::Method::mondrian
                          : tables::AnonymisationLevels::Method::microaggregate;
  const fusion::Fred scan = fusion::fred(named.input(), method, command.fred, attack, run.progress);
  if (!command.charts.empty()) write_charts(command, scan);

  Json result = {{"people", named.table().rows()}, {"method", command.method}};
  result["sources"] = Json::array();
  for (const auto& source : attackers.sources()) {
    result["sources"].push_back({{"source", source.loaded.source.name},
                                 {"matched", source.matches.matched},
                                 {"ambiguous", source.matches.ambiguous}});
  }
  result["variance_of_target"] = attackers.variance();
  numbers.add_to(result);
  const Json warnings = warnings_about(command, attackers);
  if (!warnings.empty()) result["warnings"] = warnings;
  result["as_it_is"] = Json::object();
  add_figures(result["as_it_is"], raw, true);
  result["levels"] = Json::array();
  for (const auto& level : scan.levels) result["levels"].push_back(describe(level));
  if (!scan.best) {
    result["k_opt"] = nullptr;
    result["nearest"] = describe(scan.levels[scan.nearest]);
    result["note"] = fmt::format(
        "no level from k = 2 to {} satisfies both thresholds{}; nothing was written. Ask for less "
        "with --tp or --tu",
        scan.levels.back().k,
        scan.utility_ended_it ? ", and no larger k can be useful enough" : "");
    return {result, false};
  }
  const std::uint64_t k = scan.levels[*scan.best].k;
  const Table& table = named.show(scan.recoding);
  result["k_opt"] = k;
  result["k_opt_weighted_sum"] = scan.levels[*scan.best_sum].k;
  result["k_least"] = scan.levels[*scan.least].k;
  result["choice"] = choice_of(scan);
  if (scan.levels[*scan.best].classes == 1) {
    result["warnings"].push_back(
        "everybody is in one class: nothing is left of the quasi-identifiers; a smaller --k-max or "
        "a "
        "larger --tu keeps something");
  }
  result["released"] = Json::object();
  add_figures(result["released"], attackers.strongest(table).first, true);
  result["unchanged"] = Json::array();
  for (const auto& column : table.columns) {
    const auto& qi = command.quasi_identifiers;
    if (std::find(qi.begin(), qi.end(), column.name) == qi.end()) {
      result["unchanged"].push_back(column.name);
    }
  }
  if (!allowed.empty()) result["allowed"] = allowed;
  const Seeded seeded = with_seed(run, command.seed);
  const auto published =
      publish(run, command, table, rewritten, allowed, k, sources, seeded, result);
  result["models"]["k"] = {{"required", published.claims.front().required},
                           {"achieved", published.claims.front().achieved}};
  result["out"] = command.out;
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
  result["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return {result};
}

}  // namespace pratique::fusion::flow
