#include "pratique/dp/budget/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/crypto/random.h"
#include "pratique/dp/internal/budget_entries.h"
#include "pratique/dp/internal/registry.h"
#include "pratique/kind/shell_quoted.h"
#include "pratique/ledger/ledger.h"

namespace pratique::dp {
namespace {

namespace fs = std::filesystem;

std::string absolute_path(const std::string& path) { return fs::weakly_canonical(path).string(); }

std::string random_key() {
  std::array<std::uint8_t, 32> bytes{};
  secure_bytes(std::as_writable_bytes(std::span(bytes)));
  return to_hex(bytes);
}

Error over_budget(const std::string& path, const std::string& whose, Epsilon wanted, Epsilon left) {
  return Error::check(fmt::format("this costs epsilon {}, and {} {} is left", wanted.value(), whose,
                                  left.value()))
      .at(path)
      .hint(left.billionths == 0
                ? "Nothing was answered or charged. The budget is spent."
                : fmt::format("Nothing was answered or charged. Ask with --epsilon "
                              "{} or less.",
                              left.value()));
}

void require_analyst(const std::string& path, const BudgetTerms& terms,
                     const std::string& analyst) {
  if (terms.analysts.empty() && !analyst.empty()) {
    throw Error::input("this budget has no shares of analysts")
        .at(path)
        .hint("Leave --analyst out.");
  }
  if (terms.analysts.empty() || terms.analysts.contains(analyst)) return;
  throw Error::input(analyst.empty() ? "this budget is shared among analysts: say who asks"
                                     : "this budget has no share for that analyst")
      .at(path)
      .hint(fmt::format("Add --analyst {}.", release::shell_quoted(terms.analysts.begin()->first)));
}

void require_affordable(const std::string& path, const BudgetState& state, const Charge& charge) {
  require_analyst(path, state.terms, charge.analyst);
  const PrivacyLoss left = state.left();
  if (charge.loss.epsilon > left.epsilon) {
    throw over_budget(path, "epsilon", charge.loss.epsilon, left.epsilon);
  }
  if (charge.loss.epsilon > state.left_to(charge.analyst)) {
    throw over_budget(path, "of this analyst's share", charge.loss.epsilon,
                      state.left_to(charge.analyst));
  }
  if (charge.loss.delta > left.delta) {
    throw Error::check(fmt::format("this costs delta {}, and delta {} is left",
                                   charge.loss.delta.value(), left.delta.value()))
        .at(path)
        .hint(
            "Nothing was answered or charged. Declare the keys with --domain, which needs no "
            "delta, or ask with a smaller --delta.");
  }
}

// What was saved of this ledger when it was last charged.
RegisteredLedger& registered(Registry& registry, const std::string& place,
                             const std::string& path) {
  RegisteredLedger* entry = registry.find(absolute_path(path));
  if (entry == nullptr) {
    throw Error::check("the registry does not know this ledger")
        .at(place)
        .hint("A copied or moved ledger is not answered from; use the one that dp open made.");
  }
  return *entry;
}

void require_grown_from(const ledger::Ledger& now, const RegisteredLedger& entry,
                        const std::string& path) {
  if (const auto fault = now.check_against(entry.head)) {
    throw Error::check("the ledger is not what it was after the last charge: " + fault->what)
        .at(path)
        .hint(
            "It was put back to an older state, or replaced. Nothing is answered until the ledger "
            "that the registry saw is back.");
  }
}

std::string sorted_names(std::vector<std::string> columns) {
  std::sort(columns.begin(), columns.end());
  return pratique::to_text(Json(columns));
}

// Neither this data, nor other data with the same columns.
void require_no_budget(const Registry& registry, const std::string& data,
                       const DataIdentity& identity) {
  for (const auto& entry : registry.ledgers) {
    for (const auto& known : entry.all_data()) {
      if (known.data == data ||
          commitment_to(identity.fingerprint, entry.key) == known.commitment) {
        throw Error::check("this data has a privacy budget already")
            .at(entry.ledger)
            .hint(
                "Use that ledger. A second one adds its epsilon to the first, for every person: if "
                "that is meant, add --additional.");
      }
      if (commitment_to(sorted_names(identity.columns), entry.key) != known.columns) continue;
      throw Error::check("data with the same columns has a privacy budget already")
          .at(entry.ledger)
          .hint(
              "Where the same people are in both, as in a file with one more row, two budgets add "
              "up for each of them: use that ledger. If they are other people, or the sum is "
              "meant, add --additional.");
    }
  }
}

void require_budget(const std::string& path) {
  std::error_code ignored;
  if (fs::status(path, ignored).type() != fs::file_type::not_found) return;
  throw Error::input("there is no budget's ledger here")
      .at(path)
      .hint("Check the spelling and the folder you are in; pratique dp open starts one.");
}

}  // namespace

PrivacyLoss BudgetState::left() const {
  return {terms.limit.epsilon - spent.epsilon, terms.limit.delta - spent.delta};
}

Epsilon BudgetState::left_to(const std::string& analyst) const {
  const auto share = terms.analysts.find(analyst);
  if (share == terms.analysts.end()) return left().epsilon;
  const auto used = spent_by.find(analyst);
  const Epsilon of_share = used == spent_by.end()         ? share->second
                           : used->second > share->second ? Epsilon{}
                                                          : share->second - used->second;
  return std::min(of_share, left().epsilon);
}

std::string registry_beside(const std::string& path) {
  return (fs::path(absolute_path(path)).parent_path() / ".pratique-dp.json").string();
}

void open_budget(const std::string& path, const BudgetTerms& terms, const std::string& registry,
                 const std::vector<DataIdentity>& identities, bool additional, Progress& progress) {
  const std::string place = absolute_path(registry);
  const FolderLock lock(place);
  Registry known = Registry::read(place);
  std::vector<std::string> files = {terms.data};
  for (const auto& table : terms.tables) files.push_back(table.data);
  if (!additional) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      require_no_budget(known, files[i], identities.at(i));
    }
  }
  ledger::LedgerFile::create(path, path + ".key");
  try {
    const std::string key = random_key();
    ledger::LedgerFile file(path, false, progress);
    std::vector<RegisteredData> registered;
    for (std::size_t i = 0; i < files.size(); ++i) {
      registered.push_back({.data = files[i],
                            .commitment = commitment_to(identities.at(i).fingerprint, key),
                            .columns = commitment_to(sorted_names(identities.at(i).columns), key),
                            .looks = looks_of(files[i])});
    }
    const auto head =
        file.append(kBudgetKind, budget_body(terms, place, registered.front().commitment),
                    SigningKey::load(path + ".key"));
    RegisteredData data = std::move(registered.front());
    registered.erase(registered.begin());
    known.ledgers.push_back({.ledger = absolute_path(path),
                             .key = key,
                             .data = std::move(data),
                             .tables = std::move(registered),
                             .head = head});
    known.write(place);
  } catch (...) {
    // Never entered anywhere: nobody can have asked.
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(path + ".key", ignored);
    throw;
  }
}

BudgetState parse_budget(std::span<const std::string> entries, const std::string& place) {
  return recorded_budget(entries, place).state;
}

BudgetState read_budget(const std::string& path) {
  require_budget(path);
  const ledger::Ledger ledger = ledger::Ledger::read(path);
  if (ledger.fault() && !ledger.fault()->torn) {
    throw Error::check("the ledger is not intact: " + ledger.fault()->what)
        .at(path)
        .hint(ledger.fault()->advice);
  }
  RecordedBudget recorded = recorded_budget(ledger.entries(), path);
  Registry registry = Registry::read(recorded.registry);
  require_grown_from(ledger, registered(registry, recorded.registry, path), path);
  return recorded.state;
}

BudgetState charge_budget(const std::string& path, const Charge& charge, Progress& progress,
                          const ChargeObserver& observer) {
  const auto reached = [&](ChargeStep step) {
    if (observer) observer(step);
  };
  const std::string place = [&] {
    const ledger::Ledger ledger = ledger::Ledger::read(path);
    return recorded_budget(ledger.entries(), path).registry;
  }();
  const FolderLock lock(place);
  // A line that a machine failed to finish was never acknowledged, and nothing was answered for it.
  ledger::LedgerFile file(path, true, progress);
  reached(ChargeStep::locked);
  Registry registry = Registry::read(place);
  RegisteredLedger& entry = registered(registry, place, path);
  require_grown_from(file.ledger(), entry, path);
  require_affordable(path, recorded_budget(file.ledger().entries(), path).state, charge);
  entry.head = file.append(kChargeKind, charge_body(charge), SigningKey::load(path + ".key"));
  reached(ChargeStep::appended);
  registry.write(place);
  reached(ChargeStep::registered);
  return recorded_budget(file.ledger().entries(), path).state;
}

void require_same_data(const std::string& path, const BudgetState& state,
                       const std::function<std::string(const std::string& data)>& fingerprint) {
  const ledger::Ledger ledger = ledger::Ledger::read(path);
  const std::string place = recorded_budget(ledger.entries(), path).registry;
  Registry registry = Registry::read(place);
  const RegisteredLedger& entry = registered(registry, place, path);
  std::vector<std::string> files = {state.terms.data};
  for (const auto& table : state.terms.tables) files.push_back(table.data);
  const auto recognised = entry.all_data();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i < recognised.size()) {
      const auto looks = looks_of(files[i]);
      if (!looks.empty() && looks == recognised[i].looks) continue;
      if (commitment_to(fingerprint(files[i]), entry.key) == recognised[i].commitment) continue;
    }
    throw Error::check("this is not the data that the budget was opened for: the file has changed")
        .at(files[i])
        .hint("Put the file back, or open a budget for the new one with dp open --additional.");
  }
}

}  // namespace pratique::dp
