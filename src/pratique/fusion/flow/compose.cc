#include "pratique/fusion/flow/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <list>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/data/settings.h"
#include "pratique/engine/people.h"
#include "pratique/fusion/composition.h"
#include "pratique/fusion/differencing.h"
#include "pratique/kind/publish.h"
#include "pratique/manifest/manifest.h"
#include "pratique/tables/flow/whose_rows.h"

namespace pratique::fusion::flow {
namespace {

using tables::flow::files_of;
using tables::flow::make_linking_hierarchies;
using tables::flow::require_quasi_identifiers;

using fusion::Locating;

// "2:nearest" is for the second release, "nearest" for all.
struct ForRelease {
  std::optional<std::size_t> release;  // counted from 0
  std::string value;
};

ForRelease for_release(const std::string& text, const std::string& flag, std::size_t releases) {
  const auto colon = text.find(':');
  const std::string number = text.substr(0, colon);
  if (colon == std::string::npos || number.empty() ||
      number.find_first_not_of("0123456789") != std::string::npos) {
    return {std::nullopt, text};
  }
  std::size_t release = 0;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), release);
  if (parsed.ec != std::errc() || release < 1 || release > releases) {
    throw Error::input(fmt::format("{} {}: there is no release {}", flag, text, number))
        .hint(fmt::format("Releases are numbered as they are given, from 1 to {}.", releases));
  }
  return {release - 1, text.substr(colon + 1)};
}

// By release: what the flag says of it, one release alone winning over all.
std::vector<std::string> by_release(const std::vector<std::string>& texts, const std::string& flag,
                                    std::size_t releases, const std::string& otherwise) {
  std::vector<std::string> values(releases, otherwise);
  std::vector<bool> alone(releases, false);
  for (const auto& text : texts) {
    const auto said = for_release(text, flag, releases);
    for (std::size_t r = 0; r < releases; ++r) {
      if (said.release ? *said.release != r : alone[r]) continue;
      values[r] = said.value;
      alone[r] = alone[r] || said.release.has_value();
    }
  }
  return values;
}

Locating locating_of(const std::string& text) {
  if (text == "auto") return Locating::automatic;
  if (text == "contain") return Locating::containing;
  if (text == "nearest") return Locating::nearest;
  throw Error::input(fmt::format("--locate takes auto, contain or nearest, not '{}'", text))
      .hint("For one release, write its number before it: 2:nearest.");
}

double presence_of(const std::string& text) {
  double value = -1;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !(value > 0) ||
      value > 1) {
    throw Error::input(
        fmt::format("--overlap-probability takes a probability above 0, up to 1, not '{}'", text))
        .hint("For one release, write its number before it: 2:0.8.");
  }
  return value;
}

// What a manifest of ours beside a release says of it; nothing where there is none.
struct Recorded {
  bool centroids = false;                                  // cells are means or medians
  std::string person = {};                                 // the column that says whose each row is
  bool rows_are_people = false;                            // somebody said so
  JsonValue parameters = {};                               // of the manifest
  std::optional<fusion::RandomisedColumn> sensitive = {};  // where chance was at work
};

Recorded recorded_beside(const std::string& path, const std::string& sensitive) {
  try {
    Recorded recorded;
    const auto manifest = Manifest::beside(path);
    if (!manifest) return recorded;
    const Json& parameters = *manifest->parameters;
    recorded.centroids = parameters.value("method", "") == "microaggregate" &&
                         parameters.value("centre", "") != "range";
    recorded.person = parameters.value("person", "");
    recorded.rows_are_people = manifest->options->value("rows-are-people", false);
    recorded.parameters = parameters;
    recorded.sensitive = fusion::randomised_column(*manifest, sensitive);
    return recorded;
  } catch (const Error&) {
    return {};
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Everything that compose points at.
class Inputs {
 public:
  Inputs(const ComposeRequest& options, const Run& run) {
    targets_source_ = run.open(options.targets);
    sources_.push_back(targets_source_);
    std::vector<std::string> columns = targets_source_.columns;
    for (const auto& path : options.releases) {
      sources_.push_back(run.open(path));
      for (const auto& name : sources_.back().columns) {
        if (!contains(columns, name)) columns.push_back(name);
      }
    }
    schema_ = options.columns.schema(columns, "the targets and the releases");
    require_quasi_identifiers(schema_);
    if (schema_.sensitive.size() != 1) {
      throw Error::input("the attack takes one sensitive attribute, named with --sensitive")
          .hint("Run it once for each.");
    }
    check_columns();
    if (!options.out.empty()) {
      release::refuse_overwriting_inputs(options.out, sources_, files_of(options.columns, schema_));
    }
    read(options, run);
    read_forms(options);
    describe(options);
  }

  std::vector<fusion::ComposedRelease> releases;
  Table targets;
  fusion::CompositionOptions wanted;
  [[nodiscard]] const release::FileForms& of_targets() const { return of_targets_; }

 private:
  void check_columns() const {
    for (const auto& name : schema_.quasi_identifiers) {
      (void)column_index(targets_source_.columns, name, targets_source_.name);
      if (std::none_of(sources_.begin() + 1, sources_.end(),
                       [&](const Source& source) { return contains(source.columns, name); })) {
        throw Error::input(fmt::format("no release has the column '{}'", name))
            .hint("Leave it out of --qi.");
      }
    }
    for (std::size_t r = 1; r < sources_.size(); ++r) {
      (void)column_index(sources_[r].columns, schema_.sensitive.front(), sources_[r].name);
    }
  }

  void read(const ComposeRequest& options, const Run& run) {
    std::vector<std::string> known = schema_.quasi_identifiers;
    if (!options.truth.empty() && !contains(known, options.truth)) known.push_back(options.truth);
    for (const auto& path : options.releases)
      recorded_.push_back(recorded_beside(path, schema_.sensitive.front()));
    const std::string whose = whose_targets(options, run);
    targets = whose.empty() ? run.engine.load(targets_source_, known, run.progress)
                            : load_people(run.engine, targets_source_, known, whose, run.progress);
    if (targets.rows() == 0) {
      throw Error::input("there are no targets to attack").at(targets_source_.name);
    }
    for (std::size_t r = 1; r < sources_.size(); ++r) {
      std::vector<std::string> columns;
      for (const auto& name : schema_.quasi_identifiers) {
        if (contains(sources_[r].columns, name)) columns.push_back(name);
      }
      if (columns.empty()) {
        throw Error::input("the release has none of the quasi-identifiers")
            .at(sources_[r].name)
            .hint("Name columns with --qi that both the targets and this release have.");
      }
      if (!contains(columns, schema_.sensitive.front())) {
        columns.push_back(schema_.sensitive.front());
      }
      const std::string& person = recorded_[r - 1].person;
      tables_.push_back(group_people(run.engine, sources_[r], columns,
                                     contains(sources_[r].columns, person) ? person : "",
                                     run.progress));
    }
  }

  // The column that says whose each row of the targets is, or empty. Who is there twice would count
  // twice.
  [[nodiscard]] std::string whose_targets(const ComposeRequest& options, const Run& run) const {
    if (options.rows_are_people && !options.person.empty()) {
      throw Error::input("--person and --rows-are-people contradict each other")
          .hint("Leave out --rows-are-people where a person has several rows, else --person.");
    }
    if (!options.person.empty()) {
      (void)column_index(targets_source_.columns, options.person, targets_source_.name);
      return options.person;
    }
    if (options.rows_are_people) return {};
    for (const auto& recorded : recorded_) {
      if (contains(targets_source_.columns, recorded.person)) return recorded.person;
    }
    if (std::none_of(recorded_.begin(), recorded_.end(),
                     [](const Recorded& recorded) { return recorded.rows_are_people; }))
      tables::flow::require_a_row_per_person(targets_source_, {}, run, "list of targets",
                                             "--person");
    return {};
  }

  // Dates are days and numbers plain ones in every file, whatever its form.
  void read_forms(const ComposeRequest& options) {
    release::OwnForms forms(options.forms, schema_.quasi_identifiers);
    forms.leave_texts_of(schema_, schema_.quasi_identifiers);
    const auto with_recorded = [&](std::size_t release) {
      if (!recorded_[release].parameters->is_object()) return;
      forms.fall_back_on(*recorded_[release].parameters);
    };
    for (std::size_t r = 0; r < recorded_.size(); ++r) with_recorded(r);
    of_targets_ = forms.write(targets, schema_.quasi_identifiers, targets_source_.name);
    std::size_t r = 0;
    for (auto& table : tables_) {
      with_recorded(r);
      (void)forms.write(table.groups, schema_.quasi_identifiers, sources_[++r].name, table.counts);
    }
    forms.refuse_unheard();
  }

  void describe(const ComposeRequest& options) {
    const std::size_t count = tables_.size();
    const auto locate = by_release(options.locate, "--locate", count, "auto");
    const auto presence = by_release(options.presence, "--overlap-probability", count, "1");
    std::vector<Schema> schemas(count, schema_);
    for (const auto& text : options.hierarchies) {
      const auto said = for_release(text, "--hierarchy-of", count);
      if (!said.release) {
        throw Error::input(fmt::format("--hierarchy-of takes N:COLUMN=SPEC, not '{}'", text))
            .hint("N is the number of the release; a hierarchy for all goes with --hierarchy.");
      }
      for (const auto& [column, spec] :
           column_values({said.value}, "--hierarchy-of", schema_.quasi_identifiers)) {
        (void)column_index(schema_.quasi_identifiers, column);
        schemas[*said.release].hierarchies[column] = spec;
      }
    }
    auto table = tables_.begin();
    for (std::size_t r = 0; r < count; ++r, ++table) {
      trees_.push_back(
          make_linking_hierarchies(schemas[r], schema_.quasi_identifiers, CountedTable(targets)));
      Locating how = locating_of(locate[r]);
      if (how == Locating::automatic && recorded_[r].centroids) how = Locating::nearest;
      releases.push_back(
          {options.releases[r], *table, how, presence_of(presence[r]), {}, recorded_[r].sensitive});
      for (const auto& [name, tree] : trees_.back()) releases.back().hierarchies[name] = &tree;
    }
    wanted.quasi_identifiers = schema_.quasi_identifiers;
    wanted.sensitive = schema_.sensitive.front();
    wanted.strength = options.strength;
    if (!options.truth.empty()) wanted.truth = options.truth;
    make_sensitive_tree();
  }

  // Over what the releases and the truth say of it.
  void make_sensitive_tree() {
    const auto spec = schema_.hierarchies.find(wanted.sensitive);
    if (spec == schema_.hierarchies.end()) return;
    Table all;
    Column& column = all.columns.emplace_back();
    column.name = wanted.sensitive;
    const auto add = [&](const Column& part) {
      for (const auto text : part.dictionary.values()) {
        if (text != "*") column.codes.push_back(column.dictionary.intern(text));
      }
    };
    for (const auto& table : tables_) add(table.groups.column(wanted.sensitive));
    if (wanted.truth) add(targets.column(*wanted.truth));
    sensitive_trees_ = make_linking_hierarchies(schema_, {wanted.sensitive}, CountedTable(all));
    wanted.sensitive_hierarchy = &sensitive_trees_.at(wanted.sensitive);
  }

  release::FileForms of_targets_;
  Source targets_source_;
  std::vector<Source> sources_;  // the targets, then the releases
  Schema schema_;
  std::list<GroupedTable> tables_;
  std::vector<Recorded> recorded_;  // beside the releases
  std::list<std::map<std::string, Hierarchy>> trees_;
  std::map<std::string, Hierarchy> sensitive_trees_;
};

struct Differenced {
  std::uint64_t people = 0;
  fusion::DifferencingLimits limits = {};  // that they were too few for
};

// The most people whom the difference of two releases exposes. k is what each offers by itself.
Differenced differenced(const Inputs& inputs, const fusion::Composition& composition,
                        Progress& progress) {
  Differenced most{.limits = {.k = 0}};
  for (std::size_t later = 1; later < inputs.releases.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const fusion::DifferencingLimits limits{
          .k = std::min(composition.releases[earlier].k, composition.releases[later].k)};
      const auto people = fusion::subtract(inputs.releases[earlier], inputs.releases[later],
                                           inputs.targets, inputs.wanted, limits, progress)
                              .exposed();
      if (people > most.people || most.limits.k == 0) most = {people, limits};
    }
  }
  return most;
}

// Where nothing could be compared there is no share of anything.
void say_untried(Json& result) {
  for (const char* key : {"perfect_breach", "vulnerable", "differenced", "differenced_people"})
    result[key] = nullptr;
  for (auto& share : result["breach_at"]) share = nullptr;
  result["effective_anonymity"]["posterior"] = nullptr;
  for (auto& release : result["by_release"]) {
    if (release["located"] == 0.0) release["perfect_breach"] = nullptr;
  }
}

// The same in words.
Json for_a_person(Json result) {
  for (const char* key : {"perfect_breach", "vulnerable", "differenced", "differenced_people"}) {
    if (result[key].is_null()) result[key] = "not tried";
  }
  for (auto& share : result["breach_at"]) {
    if (share.is_null()) share = "not tried";
  }
  for (auto& release : result["by_release"]) {
    if (release["perfect_breach"].is_null()) release["perfect_breach"] = "not tried";
  }
  return result;
}

// A row per target: where it stands in its file, and figures. No name, no value: who may know those
// has both files.
void write_targets(const Run& run, const std::string& path,
                   const fusion::Composition& composition) {
  std::vector<std::string> rows;
  std::vector<std::string> prior;
  std::vector<std::string> left;
  std::vector<std::string> confidence;
  std::vector<std::string> bayes;
  for (const auto& finding : composition.findings) {
    prior.push_back(fmt::format("{}", finding.prior));
    left.push_back(fmt::format("{}", finding.left));
    confidence.push_back(finding.left == 0 ? "" : fmt::format("{:.4f}", 1.0 / finding.left));
    bayes.push_back(finding.guess == fusion::kNoValue ? ""
                                                      : fmt::format("{:.4f}", finding.probability));
  }
  std::vector<Code> numbers(composition.targets);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<Code>(i);
    rows.push_back(fmt::format("{}", i + 1));
  }
  Output output;
  output.columns = {{"target", &numbers, &rows},
                    {"prior", &composition.finding_of, &prior},
                    {"left", &composition.finding_of, &left},
                    {"confidence", &composition.finding_of, &confidence},
                    {"bayes", &composition.finding_of, &bayes}};
  output.row_count = numbers.size();
  output.is_private = true;
  run.engine.write(output, path, run.progress);
}

}  // namespace

Outcome compose_releases(const ComposeRequest& options, const Run& run) {
  if (!options.data.empty()) throw Error::input("--data goes with --simulate");
  if (options.releases.empty() || options.targets.empty()) {
    throw Error::input("fusion compose needs --release, once for each, and --targets")
        .hint("Or --simulate with --data, which makes releases of one table and attacks them.");
  }
  const Inputs inputs(options, run);
  const fusion::Composition composition =
      fusion::compose(inputs.releases, inputs.targets, inputs.wanted, run.progress);
  Json result = to_json(composition);
  for (std::size_t r = 0; r < inputs.releases.size(); ++r) {
    const auto& randomised = inputs.releases[r].randomised;
    if (!randomised || !randomised->has_operator()) continue;
    if (randomised->synthetic) {
      result["by_release"][r]["synthetic"] = true;
    } else {
      result["by_release"][r]["gamma"] = randomised->gamma;
    }
  }
  const auto [exposed, limits] = differenced(inputs, composition, run.progress);
  const double share_exposed =
      std::min(1.0, static_cast<double>(exposed) / static_cast<double>(composition.targets));
  result["differenced_people"] = exposed;
  result["differenced"] = share_exposed;
  if (limits.k > 0) {
    result["differenced_k"] = limits.k;
    result["differenced_l"] = limits.l;
  }
  for (const auto& release : composition.releases) {
    if (release.located > 0 || release.rows == 0) continue;
    result["note"] = fmt::format(
        "nobody was located in {}; if its cells are labels, give their --hierarchy", release.name);
  }
  if (!options.out.empty()) {
    write_targets(run, options.out, composition);
    result["out"] = options.out;
  }
  // Where no value was left to count nothing was tried, and an untried attack clears nothing.
  const bool tried = composition.located > composition.contradicted;
  if (!tried && !result.contains("note")) {
    result["note"] = composition.located > 0
                         ? "every target who was located is contradicted: they are not in all "
                           "releases, or differ in them"
                         : "nobody was located in all releases";
  }
  result["tried"] = tried;
  if (!tried) say_untried(result);
  if (!inputs.of_targets().unread.empty()) {
    result["unread_targets"] = inputs.of_targets().unread;
    if (!result.contains("note"))
      result["note"] = "some cells of the targets could not be read, and locate nobody";
  }
  const double breach = std::max(composition.perfect_breach, share_exposed);
  return {.result = result,
          .passed = !options.max_breach || (tried && breach <= *options.max_breach),
          .for_a_person = for_a_person(result)};
}

}  // namespace pratique::fusion::flow
