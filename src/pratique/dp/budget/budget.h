// A privacy budget that is kept for its users: bound to a data set, charged before every answer,
// never overspent.
//
// The ledger is a record that can only grow (ledger/ledger.h: a hash chain, every line signed and
// on disk before it counts). Its entries:
//   dp-budget  what was agreed: epsilon, delta, whose rows are whose, shares of analysts, a
//              commitment to the data, where data, tables beside it and registry lie. The second
//              entry, once.
//   dp-charge  what an answer costs, the command and the question that it was asked for, and
//              whether its noise was drawn from a seed. No answer, and nothing of the data.
//
// Charging, under the lock of the registry and the lock of the ledger:
//   1. The ledger is read and verified, and held against the head that the registry keeps: a ledger
//      that is not what it was, or what has become of it, was put back to an older state or is
//      another one, and nothing is answered.
//   2. The cost is added to what was spent. Above the limit it is refused; that depends on nothing
//      but the ledger.
//   3. The charge is appended and on disk.
//   4. The registry keeps the new head, on disk.
// Only then may the answer be computed. A machine that fails after 3 has spent budget for nothing,
// and one that fails before has answered nothing: no step costs privacy.
//
// The registry lies beside the data (.pratique-dp.json), readable by its owner only, and knows
// every ledger of every data set there: a second ledger for the same data, or for a file in the
// same place, is refused unless it is asked for as additional, because budgets add up over ledgers.
// Data sets are recognised by an HMAC of their hash under a random key that stays in the registry;
// neither ledger nor registry tell the hash. Whoever puts back registry and ledger together to an
// older state is not noticed here; a head saved elsewhere (ledger verify --save-head) does that.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/dp/accounting/privacy_loss.h"

namespace pratique::dp {

// Another table of the same people, by the name that questions use.
struct BoundTable {
  std::string name;
  std::string data;
};

struct BudgetTerms {
  std::string data;    // the file, or table of a database, as it is opened; absolute
  PrivacyLoss limit;   // for all answers together
  std::string person;  // the column that says whose a row is; empty: every row is somebody else's
  std::uint64_t max_rows = 1;               // of one person in any answer
  std::map<std::string, Epsilon> analysts;  // what each may spend; empty: nobody is told apart
  std::vector<BoundTable> tables = {};      // beside the data; each has the person's column
};

// By what a table is recognised: its SHA-256 and the names of its columns.
struct DataIdentity {
  std::string fingerprint;
  std::vector<std::string> columns;
};

struct BudgetState {
  BudgetTerms terms;
  PrivacyLoss spent;
  std::map<std::string, Epsilon> spent_by;  // of the analysts
  std::uint64_t charges = 0;
  std::uint64_t insecure = 0;  // of these, answers whose noise followed from a seed

  [[nodiscard]] PrivacyLoss left() const;
  // What this analyst may still spend of epsilon.
  [[nodiscard]] Epsilon left_to(const std::string& analyst) const;
};

struct Charge {
  PrivacyLoss loss;
  std::string command;    // dp query
  std::string question;   // what was asked, in the analyst's words
  std::string analyst;    // empty where there are none
  bool insecure = false;  // the noise follows from a seed: not private, whatever it costs
};

// Steps of a charge, in this order; each has happened when it is told.
enum class ChargeStep { locked, appended, registered };
using ChargeObserver = std::function<void(ChargeStep)>;

// Makes the ledger and its key (PATH.key) and enters it into the registry. Throws Error::input
// where the name is taken, Error::check where the data has a budget already, or other data with the
// same columns has one, which may be of the same people a day earlier, and `additional` is not set.
// `identities`: of the data, and of the tables beside it in their order.
void open_budget(const std::string& path, const BudgetTerms& terms, const std::string& registry,
                 const std::vector<DataIdentity>& identities, bool additional, Progress& progress);

// From the entries of a ledger, as Ledger::entries gives them. Throws Error::check.
[[nodiscard]] BudgetState parse_budget(std::span<const std::string> entries,
                                       const std::string& place);
// Reads and verifies it, and holds it against the registry. Changes nothing.
[[nodiscard]] BudgetState read_budget(const std::string& path);

// On disk when it returns; what is left is returned. Throws Error::check over budget, and where
// ledger or registry are not what they were.
BudgetState charge_budget(const std::string& path, const Charge& charge, Progress& progress,
                          const ChargeObserver& observer = {});

// Throws Error::check where this is not the data that the ledger was opened for, or a table beside
// it is not. `fingerprint` is asked for only where a file looks changed since it was last
// recognised; it is given what is to be opened.
void require_same_data(const std::string& path, const BudgetState& state,
                       const std::function<std::string(const std::string& data)>& fingerprint);

// The default registry for data at `path`.
[[nodiscard]] std::string registry_beside(const std::string& path);

}  // namespace pratique::dp
