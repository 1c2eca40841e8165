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
#include "pratique/dp/flow/synthetic_release.h"
#include "pratique/dp/person_rows.h"
#include "pratique/dp/synthesis/encoding.h"
#include "pratique/dp/synthesis/generate.h"
#include "pratique/dp/synthesis/mst.h"
#include "pratique/kind/publish.h"

namespace pratique::dp::flow {
namespace {

constexpr std::uint64_t kDeltaParts = 10;
constexpr double kDefaultMemory = 1e9;

// Those of --columns in that order, or all that have a domain.
std::vector<Attribute> chosen_attributes(const SynthesizeRequest& request, const Source& source,
                                         const std::string& person) {
  auto declared = parse_attributes(request.domains);
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
  require_same_data(request.ledger, state, [&] { return run.engine.identify(source).sha256; });
  const auto attributes = chosen_attributes(request, source, terms.person);
  std::vector<std::string> names;
  std::vector<SynthesisColumn> columns;
  for (const auto& attribute : attributes) {
    names.push_back(attribute.column());
    columns.push_back({attribute.cells(), attribute.ordered()});
  }
  const PrivacyLoss loss{Epsilon::from(*request.epsilon), wanted_delta(request, terms)};
  SynthesisSettings settings{
      .rho = zcdp_within(loss.epsilon, loss.delta.value()),
      .max_rows = terms.max_rows,
      .marginals = {},
      .memory = request.memory > 0 ? static_cast<double>(request.memory) : kDefaultMemory};
  for (const auto& text : request.marginals) {
    settings.marginals.push_back(named_marginal(text, names));
  }
  require_model_fits(columns, settings, names);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings());
  release::refuse_overwriting_inputs(request.out, {}, {request.ledger});
  const BudgetState after = charge_budget(
      request.ledger,
      {loss, "dp synthesize", fmt::format("{}", fmt::join(names, ", ")), request.analyst},
      run.progress);

  // Charged: from here on the data may be looked at.
  std::vector<std::string> read = names;
  if (!terms.person.empty()) read.push_back(terms.person);
  const GroupedTable table = run.engine.group(source, read, run.progress);
  Noise noise(request.insecure_seed);
  std::vector<std::uint64_t> counts = table.counts;
  if (!terms.person.empty()) {
    RandomBits choice = noise.phase("rows of people");
    counts = rows_within(counts, table.groups.columns.back(), terms.max_rows, choice);
  }
  const SyntheticModel synthetic = fit_mst(encoded(attributes, table.groups, std::move(counts)),
                                           columns, settings, noise, run.progress);
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
