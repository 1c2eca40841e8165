#include "pratique/engine/code_sets_reader.h"

namespace pratique {

CodeSets read_code_sets(Engine& engine, const Source& source, const std::string& patient,
                        const std::string& code, Progress& progress) {
  if (source.format == FileFormat::sets) {
    progress.begin("reading sets", 0);
    return parse_code_sets(engine.read_text(source, progress), source.name);
  }
  Table table = engine.load(source, {patient, code}, progress);
  return collect_code_sets(table.columns[0], std::move(table.columns[1]), source.name);
}

DisassociatedSets read_disassociated(Engine& engine, const Source& source, Progress& progress) {
  if (source.format == FileFormat::sets)
    return parse_disassociated(engine.read_text(source, progress), source.name);
  return collect_disassociated(
      engine.load(source, {"joint", "cluster", "records", "chunk", "part", "code"}, progress),
      source.name);
}

}  // namespace pratique
