#include "pratique/tables/flow/known_table.h"

#include "pratique/core/error.h"
#include "pratique/kind/among.h"
#include "pratique/kind/own_forms.h"

namespace pratique::tables::flow {

GroupedTable known_to_adversary(const ProtectRequest& options, const PreparedTable& prepared,
                                const Run& run) {
  const Source source = run.open(options.rules_from);
  std::vector<std::string> columns;
  for (const auto& name : prepared.schema.quasi_identifiers) {
    if (release::among(source.columns, name)) columns.push_back(name);
  }
  const std::size_t known = columns.size();
  for (const Column* column : prepared.measured.sensitive) {
    if (release::among(source.columns, column->name)) columns.push_back(column->name);
  }
  if (known == 0 || columns.size() == known) {
    throw Error::input("--rules-from: the table has no quasi-identifier, or no sensitive column")
        .at(options.rules_from)
        .hint("Rules are about a sensitive column by quasi-identifiers, called as in the table.");
  }
  GroupedTable table = run.engine.group(source, columns, run.progress);
  // In its own form, whatever that of the table is.
  release::OwnForms forms({options.date_forms, options.number_forms}, source.columns);
  forms.leave_texts_of(prepared.schema, prepared.schema.quasi_identifiers);
  (void)forms.write(table.groups, prepared.schema.quasi_identifiers, source.name, table.counts);
  return table;
}

}  // namespace pratique::tables::flow
