#include "pratique/tables/method/microaggregate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"
#include "pratique/tables/method/internal/class_mending.h"
#include "pratique/tables/method/internal/mdav.h"
#include "pratique/tables/method/internal/microaggregated.h"
#include "pratique/tables/method/internal/mondrian_partition.h"

namespace pratique::tables {
namespace {

using Options = MicroaggregationOptions;

constexpr std::array<std::pair<Options::Centre, std::string_view>, 3> kCentres = {
    {{Options::Centre::mean, "mean"},
     {Options::Centre::median, "median"},
     {Options::Centre::range, "range"}}};

std::size_t decimals_of(const Attribute& attribute) {
  std::size_t most = 0;
  for (const auto value : attribute.column->dictionary.values()) {
    if (!value.empty()) most = std::max(most, decimals(value));
  }
  return most;
}

// Dates of an attribute are of one precision.
bool is_of_months(const Attribute& attribute) {
  const auto& values = attribute.column->dictionary.values();
  const auto known = std::find_if(values.begin(), values.end(),
                                  [](std::string_view value) { return !value.empty(); });
  return known != values.end() && parse_iso_date(*known)->day == 0;
}

std::string mean_text(const Attribute& attribute, double mean, std::size_t places) {
  if (attribute.kind == Attribute::Kind::date) {
    PartialDate date = civil_from_days(static_cast<std::int32_t>(std::lround(mean)));
    if (is_of_months(attribute)) date.day = 0;
    return to_string(date);
  }
  std::string text = fmt::format("{:.{}f}", mean, places);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

// The known values of one class, in order, with how many records have them.
struct Known {
  std::vector<std::pair<Code, std::uint64_t>> values;
  std::uint64_t records = 0;
  double mean = 0;
  double squares = 0;  // from the mean
};

Known known_values(const Attribute& attribute, std::span<const Item> items) {
  const auto by_rank = [&](Code a, Code b) { return attribute.rank[a] < attribute.rank[b]; };
  std::map<Code, std::uint64_t, decltype(by_rank)> counts(by_rank);
  for (const Item& item : items) {
    const Code code = attribute.column->codes[item.group];
    if (!std::isnan(attribute.position[code])) counts[code] += item.count;
  }
  Known known;
  known.values.assign(counts.begin(), counts.end());
  for (const auto& [code, count] : known.values) {
    known.records += count;
    known.mean += attribute.position[code] * static_cast<double>(count);
  }
  if (known.records > 0) known.mean /= static_cast<double>(known.records);
  for (const auto& [code, count] : known.values) {
    const double off = attribute.position[code] - known.mean;
    known.squares += off * off * static_cast<double>(count);
  }
  return known;
}

Code median_of(const Known& known) {
  std::uint64_t seen = 0;
  for (const auto& [code, count] : known.values) {
    seen += count;
    if (2 * seen >= known.records) return code;
  }
  return known.values.back().first;
}

RecodedColumn centres(const Attribute& attribute, std::span<const Items> classes,
                      const Recoding& recoding, Options::Centre centre) {
  const std::size_t places =
      attribute.kind == Attribute::Kind::number ? decimals_of(attribute) + 1 : 0;
  RecodedColumn column;
  std::map<std::pair<std::string, double>, Code> seen;
  std::vector<Code> cell_of_class;
  for (const Items& items : classes) {
    const Known known = known_values(attribute, items);
    std::string text;
    double leaves = 1;
    if (known.records > 0) {
      const std::string_view exact = attribute.column->dictionary.value(median_of(known));
      const bool keeps = known.values.size() == 1 || centre == Options::Centre::median;
      text =
          keeps ? GeneralisedValue::text(exact).print() : mean_text(attribute, known.mean, places);
      leaves = attribute.leaves_between(known.values.front().first, known.values.back().first);
    }
    const auto [place, added] =
        seen.emplace(std::pair(text, leaves), static_cast<Code>(column.values.size()));
    if (added) {
      column.values.push_back(text);
      column.leaves.push_back(leaves);
    }
    cell_of_class.push_back(place->second);
  }
  for (const ClassId id : recoding.class_of) column.codes.push_back(cell_of_class[id]);
  return column;
}

std::vector<Items> mdav_classes(const ProtectionInput& input, const Models& models,
                                const LossSpace& space, const Options& options, Items items,
                                Progress& progress) {
  const StandardSpace standard(input);
  MondrianOptions cutting;
  cutting.style = options.style;
  const std::size_t enough = options.bucket == 0 ? items.size() : options.bucket;
  progress.begin("cutting into buckets", items.size());
  auto parts = partition(input, models, space, cutting, std::move(items), enough, progress);
  progress.begin("microaggregating", parts.size());
  std::vector<std::vector<Items>> buckets(parts.size());
  parallel_blocks(parts.size(), 1, [&](std::size_t at, std::size_t) {
    buckets[at] = mdav(input, models, standard, std::move(parts[at]));
    progress.advance(1);
  });
  std::vector<Items> classes;
  for (auto& bucket : buckets) {
    for (auto& members : bucket) classes.push_back(std::move(members));
  }
  return classes;
}

// The cells of a mean or a median contain nobody of the population, or few.
void refuse_points(const ProtectionInput& input, const Models& models, const Options& options) {
  if (options.centre == Options::Centre::range) return;
  if (std::all_of(input.attributes.begin(), input.attributes.end(), [](const auto& attribute) {
        return attribute.kind == Attribute::Kind::category;
      })) {
    return;
  }
  for (const auto& model : models) {
    if (!model->needs_population()) continue;
    throw Error::input(fmt::format("{} counts the people whom a class's cells contain, and a mean "
                                   "or a median contains none",
                                   model->name()))
        .hint("Use --centre range.");
  }
}

}  // namespace

std::string_view name_of(Options::Centre centre) {
  return kCentres.at(static_cast<std::size_t>(centre)).second;
}

std::vector<std::string> centre_names() {
  std::vector<std::string> names;
  for (const auto& [centre, name] : kCentres) names.emplace_back(name);
  return names;
}

Options::Centre centre_of_name(std::string_view name) {
  for (const auto& [centre, candidate] : kCentres) {
    if (candidate == name) return centre;
  }
  throw Error::input(fmt::format("there is no centre '{}'", name))
      .hint(fmt::format("Choose one of {}.", fmt::join(centre_names(), ", ")));
}

Microaggregation microaggregate(const ProtectionInput& input, const Models& models,
                                const MicroaggregationOptions& options, Progress& progress) {
  const bool univariate = options.algorithm == Options::Algorithm::univariate;
  if (univariate && (input.attributes.size() != 1 ||
                     input.attributes.front().kind == Attribute::Kind::category)) {
    throw Error::input("univariate microaggregation takes one number or date")
        .hint("Name one such quasi-identifier, or use MDAV for several or for categories.");
  }
  refuse_points(input, models, options);
  const LossSpace space(input, options.style, Loss::lm);
  const auto search = [&](const ProtectionInput& searched, Items records) {
    return univariate
               ? least_squares_classes(searched, models, records)
               : mdav_classes(searched, models, space, options, std::move(records), progress);
  };
  Microaggregation shown = show_microaggregated(
      input, classes_by(search, input, models, space, options.style, progress), options);
  // Classes may show the same means: then they are one, which may break a model.
  ProtectionInput alone = input;  // whom the cells contain is as it was
  alone.population = nullptr;
  ModelCheck check(alone, models);
  while (!all_monotone(models)) {
    std::vector<Items> classes = classes_in(shown.recoding);
    if (std::all_of(classes.begin(), classes.end(),
                    [&](const Items& items) { return check.holds(items); })) {
      break;
    }
    const auto keep_classes = [&](const ProtectionInput&, const Items&) { return classes; };
    shown = show_microaggregated(
        input, classes_by(keep_classes, input, models, space, options.style, progress), options);
  }
  return shown;
}

Microaggregation show_microaggregated(const ProtectionInput& input,
                                      const std::vector<Items>& clusters,
                                      const MicroaggregationOptions& options) {
  Microaggregation result;
  // What a centre stands in for need not be the same where ranges or labels are.
  result.recoding = options.centre == Options::Centre::range
                        ? recoding_of(input, clusters, options.style)
                        : recoding_of_each(input, clusters, options.style);
  const std::vector<Items> classes = classes_in(result.recoding);
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const Attribute& attribute = input.attributes[a];
    double share = 0;
    if (attribute.kind != Attribute::Kind::category) {
      if (options.centre != Options::Centre::range) {
        result.recoding.columns[a] = centres(attribute, classes, result.recoding, options.centre);
      }
      const double all = known_values(attribute, all_items(input)).squares;
      double within = 0;
      for (const Items& members : classes) within += known_values(attribute, members).squares;
      share = all > 0 ? within / all : 0;
    }
    result.squared_error_share.push_back(share);
  }
  join_equal_classes(result.recoding);
  return result;
}

}  // namespace pratique::tables
