# The checks beside the unit tests: format, layers, scripts, the workbench in a browser. Each is a test of ctest in
# the plain build. Lint is one of the checked build: it takes minutes and says nothing about what the program does.
set(TOOLS ${CMAKE_SOURCE_DIR}/tools)

# pratique_check(NAME COMMAND...)
function(pratique_check name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS check)
endfunction()

include(ProcessorCount)
ProcessorCount(cores)
if(PRATIQUE_CHECKED)
  # The program and the benchmarks are compiled by the plain build alone.
  pratique_check(check.tidy ${TOOLS}/check_tidy.py ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/build)
  pratique_check(check.tidy_catches ${TOOLS}/check_tidy.py --self-test)
  # It uses every core itself.
  set_tests_properties(check.tidy PROPERTIES PROCESSORS ${cores} TIMEOUT 1500)
  return()
endif()
pratique_check(check.format ${TOOLS}/check-format.sh)
pratique_check(check.layers ${TOOLS}/check_layers.py)
pratique_check(check.layers_catches ${TOOLS}/check_layers_test.py)
pratique_check(check.mutants ${TOOLS}/mutants_test.py)
pratique_check(check.scripts bash -c "shellcheck -x tools/*.sh .ci/run")

# The workbench in a browser, by mouse and by keyboard. It starts its own servers on free ports.
pratique_check(web.workbench ${TOOLS}/web-test.sh)
# Most of its time it waits, so it begins first and others run beside it.
set_tests_properties(web.workbench PROPERTIES COST 1000 TIMEOUT 600)
