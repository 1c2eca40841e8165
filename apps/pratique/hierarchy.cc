#include "command.h"
#include "nouns.h"
#include "pratique/tables/flow/hierarchy_draft.h"
#include "table_options.h"

namespace pratique::app {

void add_hierarchy(CommandLine& program, Session& session) {
  program.nouns.push_back({"hierarchy", "How the values of a column become coarser"});
  auto request = std::make_shared<tables::flow::HierarchyDraftRequest>();
  Verb& verb = program.add("hierarchy", "draft", "Write a column's hierarchy as a CSV file to edit",
                           session.flow([request, &session](const Run& run) {
                             request->replace = session.force;
                             return tables::flow::draft_hierarchy(*request, run);
                           }));
  verb.quick = true;
  verb.file_read("FILE", &request->file, "the table: CSV, Parquet or FILE.duckdb:TABLE").require();
  verb.column("COLUMN", &request->column, "the column").require();
  declare_hierarchies(verb, request->columns);
  declare_date_form(verb, request->date_forms);
  declare_number_form(verb, request->number_forms);
  declare_config(verb, request->columns);
  verb.group("Output");
  verb.file_written(
          "out", &request->out,
          "the CSV file: a line for each value, leaf first, root last; it names values of "
          "the data, so only its owner can read it")
      .require()
      .replaces({""});  // draft_hierarchy() looks for itself
}

}  // namespace pratique::app
