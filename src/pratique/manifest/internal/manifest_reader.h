// Reads one object of a manifest by its keys; every error says which.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/manifest/manifest.h"

namespace pratique {

class ManifestReader {
 public:
  ManifestReader(const Json& object, std::string name, const std::string& place);

  [[nodiscard]] bool has(const char* key) const;
  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] std::uint64_t whole(const char* key) const;
  [[nodiscard]] const Json& object(const char* key) const;
  [[nodiscard]] const Json& list(const char* key) const;
  // What may be missing.
  [[nodiscard]] std::string text_or_none(const char* key) const;
  [[nodiscard]] std::uint64_t whole_or_none(const char* key) const;
  // Each member of a list of objects.
  void each(const char* key, const std::function<void(const ManifestReader&)>& use) const;

  [[nodiscard]] Error wrong(const std::string& key, const std::string& what) const;

 private:
  [[nodiscard]] const Json& at(const char* key) const;
  [[nodiscard]] std::string inner(const std::string& key) const;

  const Json& object_;
  std::string name_;
  const std::string& place_;
};

[[nodiscard]] ResultFigure read_figure(const ManifestReader& reader);
[[nodiscard]] Json to_json(const std::vector<ResultFigure>& figures);

}  // namespace pratique
