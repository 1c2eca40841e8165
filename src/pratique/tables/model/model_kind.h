// A model as users ask for it: its settings with their words, how they are read, and how the model
// is built. It stands in the model's own files; model_kinds.cc has the list, a line each.
//
// A setting is a flag and a key of `models:` in YAML (data/schema.h). Most take VALUE[@COLUMN]:
// without a column they are about every sensitive attribute; with a column about that one, which
// wins. A column may be asked one thing once.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/tables/attribute.h"
#include "pratique/tables/model/model.h"

namespace pratique::tables {

class ModelSettings;
struct ModelRequest;

// A table of people beside the table (population.h).
struct PopulationFile {
  std::string path;
  std::map<std::string, std::string> dates = {};  // columns with dates that are not ISO: their form
  std::map<std::string, std::string> numbers = {};  // the same of numbers with commas
};

// What models need beside the protection's input. All of it must outlive the models.
struct ModelContext {
  const Table& table;       // grouped; has every column of the request
  Hierarchies hierarchies;  // over sensitive attributes
  std::optional<PopulationFile> population = {};
};

// What a model is built from.
class ModelParts {
 public:
  // `attributes` are the sensitive attributes that models are about; `input` has them among its
  // sensitive columns.
  ModelParts(std::size_t attributes, const ModelContext& context, const ProtectionInput& input)
      : attributes_(attributes), context_(context), input_(input) {}

  [[nodiscard]] ModelAttribute attribute(const std::string& column) const;
  // The same for a model that counts values: one for all spellings.
  [[nodiscard]] ModelAttribute counted_attribute(const std::string& column) const;
  [[nodiscard]] const Column& counted_column(const std::string& column) const;
  // Its place in ClassView::sensitive.
  [[nodiscard]] std::size_t index(const std::string& column) const;
  [[nodiscard]] const Column& column(const std::string& column) const;
  [[nodiscard]] const Hierarchy* hierarchy(const std::string& column) const;  // null: none
  // Throws Error, in the name of the flag `key`, when there is none.
  [[nodiscard]] const PopulationFile& population(const std::string& key) const;
  [[nodiscard]] const ProtectionInput& input() const { return input_; }

 private:
  std::size_t attributes_;
  const ModelContext& context_;
  const ProtectionInput& input_;
};

// One model, asked of the table or of one of its columns.
struct AskedModel {
  std::string column = {};    // the sensitive attribute that it is about; empty: none
  std::string withheld = {};  // another column that it looks at and that does not leave, or empty
  bool needs_population = false;
  std::function<std::unique_ptr<Model>(const ModelParts&)> make = {};
};

enum class SettingType { text, choice, whole_number, number, share, file_read };

struct ModelSettingKind {
  std::string_view key;
  SettingType type;
  std::string_view words;
  bool per_column = false;  // VALUE@COLUMN says it of one column alone
  bool once = false;        // about the table, so that there is one value
  // Of numbers. An open range leaves its ends out.
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool open = false;
  std::span<const std::string_view> choices = {};
  std::string_view fallback = {};  // the default
};

struct ModelKind {
  std::span<const ModelSettingKind> settings;
  // Adds what the settings ask for. Throws Error, placed where the word stands in its file, that
  // says what is wrong and how to mend it.
  void (*read)(ModelSettings& settings, ModelRequest& request);
};

// Every model that can be asked for.
[[nodiscard]] std::span<const ModelKind* const> model_kinds();
// All settings of all models, in the order of help; and their keys alone.
[[nodiscard]] std::vector<ModelSettingKind> model_settings();
[[nodiscard]] std::vector<std::string> model_keys();

}  // namespace pratique::tables
