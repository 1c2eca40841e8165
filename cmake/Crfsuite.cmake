# CRFsuite trains the models of notes (src/pratique/notes/model/training.h). Its sources are compiled as they are.
set(CRFSUITE_ROOT ${CMAKE_SOURCE_DIR}/.deps/crfsuite)
if(NOT EXISTS ${CRFSUITE_ROOT}/crfsuite/include/crfsuite.hpp)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/tools/fetch-crfsuite.sh COMMAND_ERROR_IS_FATAL ANY)
endif()
file(GLOB crfsuite_sources ${CRFSUITE_ROOT}/crfsuite/lib/crf/src/*.c)
add_library(crfsuite STATIC ${crfsuite_sources}
  ${CRFSUITE_ROOT}/crfsuite/lib/cqdb/src/cqdb.c
  ${CRFSUITE_ROOT}/crfsuite/lib/cqdb/src/lookup3.c
  ${CRFSUITE_ROOT}/liblbfgs/lib/lbfgs.c)
target_include_directories(crfsuite SYSTEM PUBLIC ${CRFSUITE_ROOT}/crfsuite/include)
target_include_directories(crfsuite PRIVATE ${CRFSUITE_ROOT}/crfsuite/lib/cqdb/include ${CRFSUITE_ROOT}/liblbfgs/include)
# Not ours: no warnings, no sanitizers; who is told of an iteration may end the training by an exception.
target_compile_options(crfsuite PRIVATE -w -O2 -fexceptions)
if(PRATIQUE_CHECKED)
  target_compile_options(crfsuite PRIVATE -fno-sanitize=all)
endif()
