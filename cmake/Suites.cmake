# ctest reads this once for each GoogleTest `program`: its suites become tests, run in `folder` with
# `environment`.
get_filename_component(name ${program} NAME)
if(NOT EXISTS ${program})
  # Not built; ctest says so.
  add_test(${name} ${program})
  return()
endif()
execute_process(COMMAND ${program} --gtest_list_tests WORKING_DIRECTORY ${folder}
  OUTPUT_VARIABLE listed RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${program} cannot list its tests: ${failed}")
endif()
string(REGEX MATCHALL "(^|\n)[A-Za-z_][^ \n]*\\." suites "${listed}")
foreach(suite ${suites})
  string(REGEX REPLACE "[\n.]+" "" suite ${suite})
  string(REGEX REPLACE "_tests$" "" concept ${name})
  add_test(${concept}.${suite} ${program} --gtest_filter=${suite}.* --gtest_brief=1)
  set_tests_properties(${concept}.${suite} PROPERTIES TIMEOUT 600 ENVIRONMENT "${environment}"
    WORKING_DIRECTORY ${folder})
endforeach()
