#include "pratique/dp/flow/synthesize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/dp/accounting/zcdp.h"
#include "pratique/dp/budget/budget.h"
#include "pratique/dp/flow/charged_rows.h"
#include "pratique/dp/flow/found_attributes.h"
#include "pratique/dp/flow/synthetic_release.h"
#include "pratique/dp/synthesis/encoding.h"
#include "pratique/dp/synthesis/generate.h"
#include "pratique/dp/synthesis/mst.h"
#include "pratique/kind/publish.h"

namespace pratique::dp::flow {
namespace {

constexpr std::uint64_t kDeltaParts = 10;
constexpr double kDefaultMemory = 1e9;

// Those of --columns in that order, or all that have a domain. Cuts that are to be found have room
// for all of their parts.
std::vector<Attribute> chosen_attributes(const SynthesizeRequest& request, const Source& source,
                                         const std::vector<WantedCuts>& cuts,
                                         const std::string& person) {
  auto declared = parse_attributes(request.domains);
  for (const auto& wanted : cuts) {
    const bool twice = std::any_of(declared.begin(), declared.end(), [&](const Attribute& other) {
      return other.column() == wanted.column;
    });
    if (twice) {
      throw Error::input(fmt::format("the column {} has a domain already", wanted.column))
          .hint("Give it one --domain, or one --find-cuts.");
    }
    declared.push_back(wanted.placeholder());
  }
  std::vector<std::string> names = request.columns;
  if (names.empty()) {
    for (const auto& attribute : declared) names.push_back(attribute.column());
  }
  std::vector<Attribute> chosen;
  for (const auto& name : names) {
    (void)column_index(source.columns, name, source.name);
    const auto domain =
        std::find_if(declared.begin(), declared.end(),
                     [&](const Attribute& attribute) { return attribute.column() == name; });
    if (domain == declared.end()) {
      throw Error::input(fmt::format("the column {} needs a domain", name))
          .hint(fmt::format("Declare it without looking at the data, such as --domain {}=0..120 or "
                            "--domain '{}=a|b|c'.",
                            name, name));
    }
    if (name == person) {
      throw Error::input(fmt::format("the column {} says whose a row is", name))
          .hint("It does not belong into a synthetic table.");
    }
    chosen.push_back(*domain);
  }
  if (chosen.empty()) {
    throw Error::input("a synthetic table needs columns with domains")
        .hint("Declare each: --domain age=0..120 --domain 'sex=F|M'.");
  }
  return chosen;
}

// a+b, by the names of columns.
ColumnSet named_marginal(const std::string& text, const std::vector<std::string>& names) {
  ColumnSet columns;
  std::istringstream stream(text);
  std::string name;
  while (std::getline(stream, name, '+')) columns.push_back(column_index(names, name));
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  if (columns.size() < 2) {
    throw Error::input("--marginals takes columns joined by +, such as age+sex");
  }
  return columns;
}

std::vector<SynthesisColumn> columns_of(const std::vector<Attribute>& attributes) {
  std::vector<SynthesisColumn> columns;
  for (const auto& attribute : attributes) {
    columns.push_back({attribute.cells(), attribute.ordered()});
  }
  return columns;
}

// One after the other: cuts of each column, and the table.
struct SharedEpsilon {
  Epsilon of_column;
  Epsilon of_table;
};

SharedEpsilon share_with_cuts(Epsilon epsilon, const SynthesizeRequest& request,
                              std::size_t columns) {
  if (columns == 0) return {{}, epsilon};
  const auto [of_cuts, of_table] = epsilon.split(request.cuts_share);
  // Bounds take half of it, in two halves.
  constexpr std::uint64_t kQuarters = 4;
  if (of_cuts.part_of(kQuarters * columns).billionths == 0) {
    throw Error::input("epsilon is too small to find cuts with");
  }
  return {of_cuts.part_of(columns), of_table};
}

Delta wanted_delta(const SynthesizeRequest& request, const BudgetTerms& terms) {
  const Delta delta =
      request.delta ? Delta::from(*request.delta) : Delta{terms.limit.delta.parts / kDeltaParts};
  if (delta.parts == 0) {
    throw Error::input("a synthetic table needs a delta above 0: its noise is Gaussian")
        .hint("Open the budget with one, such as --delta 1e-6, and give --delta here.");
  }
  return delta;
}

}  // namespace

Outcome synthesize(const SynthesizeRequest& request, const Run& run) {
  if (request.from.empty() == request.ledger.empty()) {
    throw Error::input("name a LEDGER or --from HISTOGRAM, one of them")
        .hint("From a ledger the data is read and charged; from a histogram nothing is.");
  }
  if (!request.from.empty()) return synthesize_from_histogram(request, run);
  if (!request.epsilon) {
    throw Error::input("--epsilon is missing").hint("Say what to spend on it: --epsilon 1.");
  }
  const BudgetState state = read_budget(request.ledger);
  const BudgetTerms& terms = state.terms;
  const Source source = run.open(std::filesystem::proximate(terms.data).string());
  require_same_data(request.ledger, state,
                    [&](const std::string& data) { return run.engine.identify(data).sha256; });
  std::vector<WantedCuts> cuts;
  for (const auto& text : request.cuts) cuts.push_back(WantedCuts::parse(text));
  auto attributes = chosen_attributes(request, source, cuts, terms.person);
  std::vector<std::string> names;
  for (const auto& attribute : attributes) names.push_back(attribute.column());
  const PrivacyLoss loss{Epsilon::from(*request.epsilon), wanted_delta(request, terms)};
  const SharedEpsilon shared = share_with_cuts(loss.epsilon, request, cuts.size());
  SynthesisSettings settings{
      .rho = zcdp_within(shared.of_table, loss.delta.value()),
      .max_rows = terms.max_rows,
      .marginals = {},
      .memory = request.memory > 0 ? static_cast<double>(request.memory) : kDefaultMemory};
  for (const auto& text : request.marginals) {
    settings.marginals.push_back(named_marginal(text, names));
  }
  require_model_fits(columns_of(attributes), settings, names);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings());
  release::refuse_overwriting_inputs(request.out, {}, {request.ledger});
  Noise noise(request.insecure_seed);
  auto [after, table, counts] =
      charged_rows(request.ledger, terms,
                   {loss, "dp synthesize", fmt::format("{}", fmt::join(names, ", ")),
                    request.analyst, request.insecure_seed.has_value()},
                   source, names, noise, run);
  for (const auto& wanted : cuts) {
    const std::size_t at = column_index(names, wanted.column);
    attributes[at] = find_attribute(wanted, table.groups.columns[at], counts, terms.max_rows,
                                    shared.of_column, noise);
  }
  const SyntheticModel synthetic = fit_mst(encoded(attributes, table.groups, std::move(counts)),
                                           columns_of(attributes), settings, noise, run.progress);
  const std::uint64_t rows =
      request.rows.value_or(static_cast<std::uint64_t>(std::llround(synthetic.rows())));
  RandomBits of_rows = noise.phase("synthetic rows");
  const auto cells = generate(synthetic, rows, of_rows);

  Json measured = Json::array();
  for (const auto& marginal : synthetic.measured) {
    std::vector<std::string> of;
    for (const auto column : marginal) of.push_back(names[column]);
    measured.push_back(fmt::format("{}", fmt::join(of, "+")));
  }
  Json result = publish_synthetic({.attributes = attributes,
                                   .cells = cells,
                                   .method = request.method,
                                   .epsilon = loss.epsilon.value(),
                                   .delta = loss.delta.value(),
                                   .max_rows = terms.max_rows,
                                   .is_private = noise.is_private(),
                                   .marginals = measured,
                                   .inputs = {source},
                                   .settings = files_of_domains(request.domains, request.ledger)},
                                  request.out, run);
  result["epsilon_spent"] = loss.epsilon.value();
  result["epsilon_left"] = after.left_to(request.analyst).value();
  result["delta_spent"] = loss.delta.value();
  result["delta_left"] = after.left().delta.value();
  return {result};
}

}  // namespace pratique::dp::flow
