#include "pratique/consortium/flow/unfinished.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/file.h"

namespace pratique::consortium::flow {
namespace {

void keep_private_json(const std::string& path, const Json& content) {
  AtomicFile file(path, 0600);
  file.write(to_text(content));
  file.commit();
}

}  // namespace

Unfinished::Unfinished(const Configuration& configuration, const std::string& name)
    : path_(configuration.file(name + ".unfinished.json")) {}

void Unfinished::keep(const Json& content) const { keep_private_json(path_, content); }

bool Unfinished::is_there() const { return std::filesystem::exists(path_); }

Json Unfinished::read() const { return read_json_file(path_); }

void Unfinished::remove() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void keep_commit(const Configuration& configuration, const std::string& name,
                 const std::string& session, std::string_view commit) {
  Json signatures = Json::object();
  for (const auto& site : configuration.sites)
    if (const auto signature = signature_for(site, commit)) signatures[site] = to_hex(*signature);
  keep_private_json(configuration.file(name + ".commit.json"),
                    {{"session", session}, {"signatures", signatures}});
}

std::optional<std::string> earlier_session(const Configuration& configuration,
                                           const std::string& name) {
  const std::string path = configuration.file(name + ".commit.json");
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Json content = read_json_file(path);
  const Json session = content.is_object() ? content.value("session", Json()) : Json();
  return session.is_string() ? session.get<std::string>() : "unknown";
}

std::optional<Signature> signature_in(const std::string& hex) {
  Signature signature{};
  if (hex.size() != 2 * signature.size()) return std::nullopt;
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const auto digit = std::string_view("0123456789abcdef").find(hex[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    signature[i / 2] = static_cast<std::uint8_t>(std::size_t{signature[i / 2]} * 16 + digit);
  }
  return signature;
}

Signature read_commit(const std::string& path, const std::string& session,
                      const std::string& site) {
  const Json content = read_json_file(path);
  const bool fits = content.is_object() && content.value("session", Json()) == Json(session) &&
                    content.value("signatures", Json()).is_object();
  const Json recorded = fits ? content["signatures"].value(site, Json()) : Json();
  const auto signature =
      recorded.is_string() ? signature_in(recorded.get<std::string>()) : std::nullopt;
  if (!signature)
    throw Error::input(
        fmt::format("this is not the commit of the session that {} did not finish", site))
        .at(path)
        .hint(fmt::format(
            "Ask a participant that finished the session {} for its NAME.commit.json.", session));
  return *signature;
}

}  // namespace pratique::consortium::flow
