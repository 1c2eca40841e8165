// Lines of notes, with slots: {name}, {date}. See note_writer.h for what each slot is.
#pragma once

#include <span>
#include <string_view>

namespace pratique::synthetic {

struct NoteTemplates {
  std::string_view kind;
  std::span<const std::string_view> head;  // the first of them that its half has
  std::span<const std::string_view> body;  // several of them
  std::span<const std::string_view> foot;
};

[[nodiscard]] std::span<const NoteTemplates> note_templates();

}  // namespace pratique::synthetic
