#include "pratique/dp/internal/registry.h"

#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/crypto/hash.h"

namespace pratique::dp {
namespace {

constexpr const char* kRegistryFormat = "pratique-dp-registry-1";

Error not_a_registry(const std::string& place) {
  return Error::check("this is not a registry of privacy budgets, or it was changed")
      .at(place)
      .hint("Put back the file that dp open and dp query wrote; without it nothing is answered.");
}

RegisteredData data_from(const Json& entry) {
  return {.data = entry.at("data").get<std::string>(),
          .commitment = entry.at("commitment").get<std::string>(),
          .columns = entry.value("columns", std::string()),
          .looks = entry.at("looks").get<std::vector<std::int64_t>>()};
}

Json data_json(const RegisteredData& data) {
  return {{"data", data.data},
          {"commitment", data.commitment},
          {"columns", data.columns},
          {"looks", data.looks}};
}

}  // namespace

std::vector<RegisteredData> RegisteredLedger::all_data() const {
  std::vector<RegisteredData> all = {data};
  all.insert(all.end(), tables.begin(), tables.end());
  return all;
}

Registry Registry::parse(std::string_view text, const std::string& place) {
  Registry registry;
  try {
    const Json json = parse_json(text, place);
    if (!json.is_object() || json.value("format", Json()) != kRegistryFormat) {
      throw not_a_registry(place);
    }
    for (const auto& entry : json.at("ledgers")) {
      RegisteredLedger ledger{.ledger = entry.at("ledger").get<std::string>(),
                              .key = entry.at("key").get<std::string>(),
                              .data = data_from(entry),
                              .tables = {},
                              .head = ledger::head_from_json(entry.at("head"), place)};
      for (const auto& table : entry.value("tables", Json::array())) {
        ledger.tables.push_back(data_from(table));
      }
      registry.ledgers.push_back(std::move(ledger));
    }
  } catch (const Error&) {
    throw not_a_registry(place);
  } catch (const nlohmann::json::exception&) {
    throw not_a_registry(place);
  }
  return registry;
}

Registry Registry::read(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  return parse(read_file(path), path);
}

std::string Registry::to_text() const {
  Json json = {{"format", kRegistryFormat}, {"ledgers", Json::array()}};
  for (const auto& entry : ledgers) {
    Json ledger = data_json(entry.data);
    ledger.update(
        Json{{"ledger", entry.ledger}, {"key", entry.key}, {"head", ledger::to_json(entry.head)}});
    for (const auto& table : entry.tables) ledger["tables"].push_back(data_json(table));
    json["ledgers"].push_back(std::move(ledger));
  }
  return pratique::to_text(json);
}

void Registry::write(const std::string& path) const {
  AtomicFile file(path, 0600);
  file.write(to_text());
  file.commit();
}

RegisteredLedger* Registry::find(const std::string& ledger) {
  for (auto& entry : ledgers) {
    if (entry.ledger == ledger || same_file(entry.ledger, ledger)) return &entry;
  }
  return nullptr;
}

std::string commitment_to(const std::string& fingerprint, const std::string& key) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(key.data());
  return to_hex(hmac_sha256({bytes, key.size()}, fingerprint));
}

std::vector<std::int64_t> looks_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {static_cast<std::int64_t>(status.st_dev),
          static_cast<std::int64_t>(status.st_ino),
          static_cast<std::int64_t>(status.st_size),
          static_cast<std::int64_t>(status.st_mtim.tv_sec),
          static_cast<std::int64_t>(status.st_mtim.tv_nsec),
          static_cast<std::int64_t>(status.st_ctim.tv_sec),
          static_cast<std::int64_t>(status.st_ctim.tv_nsec)};
}

}  // namespace pratique::dp
