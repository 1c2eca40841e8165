#include "pratique/dp/internal/budget_entries.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

Error not_a_budget(const std::string& place) {
  return Error::check("this is not the ledger of a privacy budget")
      .at(place)
      .hint("dp open makes one: pratique dp open budget.ledger --data patients.csv --epsilon 1");
}

std::uint64_t whole_in(const Json& json, const char* key) {
  const Json& value = json.at(key);
  // Sums of two such stay far below what numbers can hold.
  constexpr std::uint64_t kLargestPart = 2'000'000'000'000'000'000;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kLargestPart) {
    throw Error::check("not a whole number");
  }
  return value.get<std::uint64_t>();
}

BudgetTerms terms_of(const Json& body) {
  BudgetTerms terms{
      .data = body.at("data").get<std::string>(),
      .limit = {{whole_in(body, "epsilon_billionths")}, {whole_in(body, "delta_parts")}},
      .person = body.at("person").get<std::string>(),
      .max_rows = whole_in(body, "max_rows"),
      .analysts = {}};
  for (const auto& [name, share] : body.at("analysts").items()) {
    if (!share.is_number_unsigned()) throw Error::check("not a whole number");
    terms.analysts[name] = {share.get<std::uint64_t>()};
  }
  for (const auto& table : body.value("tables", Json::array())) {
    terms.tables.push_back(
        {table.at("name").get<std::string>(), table.at("data").get<std::string>()});
  }
  return terms;
}

}  // namespace

Json budget_body(const BudgetTerms& terms, const std::string& registry,
                 const std::string& commitment) {
  Json analysts = Json::object();
  for (const auto& [name, share] : terms.analysts) analysts[name] = share.billionths;
  Json body = {{"epsilon_billionths", terms.limit.epsilon.billionths},
               {"delta_parts", terms.limit.delta.parts},
               {"person", terms.person},
               {"max_rows", terms.max_rows},
               {"analysts", analysts},
               {"data", terms.data},
               {"commitment", commitment},
               {"registry", registry}};
  for (const auto& table : terms.tables) {
    body["tables"].push_back({{"name", table.name}, {"data", table.data}});
  }
  return body;
}

Json charge_body(const Charge& charge) {
  Json body = {{"epsilon_billionths", charge.loss.epsilon.billionths},
               {"delta_parts", charge.loss.delta.parts},
               {"command", charge.command},
               {"question", charge.question},
               {"analyst", charge.analyst}};
  if (charge.insecure) body["insecure_seed"] = true;
  return body;
}

RecordedBudget recorded_budget(std::span<const std::string> entries, const std::string& place) {
  RecordedBudget recorded;
  try {
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const Json entry = parse_json(entries[i], place);
      const Json& body = entry.at("body");
      const auto kind = entry.at("kind").get<std::string>();
      if ((i == 1) != (kind == kBudgetKind)) throw not_a_budget(place);
      if (i == 1) {
        recorded.state.terms = terms_of(body);
        recorded.registry = body.at("registry").get<std::string>();
        continue;
      }
      if (kind != kChargeKind) throw not_a_budget(place);
      BudgetState& state = recorded.state;
      const Epsilon epsilon{whole_in(body, "epsilon_billionths")};
      state.spent = {state.spent.epsilon + epsilon,
                     state.spent.delta + Delta{whole_in(body, "delta_parts")}};
      const auto analyst = body.at("analyst").get<std::string>();
      if (!analyst.empty()) state.spent_by[analyst] = state.spent_by[analyst] + epsilon;
      ++state.charges;
      if (body.value("insecure_seed", false)) ++state.insecure;
      if (!state.spent.within(state.terms.limit)) throw not_a_budget(place);
    }
  } catch (const Error&) {
    throw not_a_budget(place);
  } catch (const nlohmann::json::exception&) {
    throw not_a_budget(place);
  }
  if (entries.size() < 2) throw not_a_budget(place);
  return recorded;
}

}  // namespace pratique::dp
