# The default model of notes: trained when the program is built, on notes that the project generates, and built in.
set(notes_model_out ${CMAKE_BINARY_DIR}/notes_model)
file(CONFIGURE OUTPUT ${notes_model_out}/notes_model.S CONTENT [[
.section .rodata
.balign 16
.global pratique_notes_model
pratique_notes_model:
.incbin "@notes_model_out@/model"
.global pratique_notes_model_end
pratique_notes_model_end:
.section .note.GNU-stack,"",%progbits
]] @ONLY)
add_custom_command(OUTPUT ${notes_model_out}/model
  COMMAND train_notes_model ${notes_model_out}
  DEPENDS train_notes_model
  COMMENT "training the default model of notes" VERBATIM)
set_source_files_properties(${notes_model_out}/notes_model.S PROPERTIES OBJECT_DEPENDS ${notes_model_out}/model)
