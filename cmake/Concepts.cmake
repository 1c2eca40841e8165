# Test files are compiled as fast as can be.
set(PRATIQUE_TEST -O0 -g0)

# pratique_concept(NAME [USES OTHER...] [LINK LIBRARY...] [LONG_TESTS] [CALLS])
#
# Makes the library pratique_NAME from src/pratique/NAME (and its internal/ folder) and, from the
# *_test.cc files there, the program NAME_tests. LONG_TESTS: the tests themselves have so much to do
# that optimising them pays. CALLS: it calls others that have the work to do, and is optimised less, which
# takes a fifth off its time to compile.
function(pratique_concept name)
  cmake_parse_arguments(ARG "LONG_TESTS;CALLS" "" "USES;LINK" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/src/pratique/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(NOT sources)
    message(FATAL_ERROR "src/pratique/${name} has no source file")
  endif()

  pratique_batches(batches ${name} ${sources})
  add_library(pratique_${name} STATIC ${batches})
  target_include_directories(pratique_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  foreach(other ${ARG_USES})
    target_link_libraries(pratique_${name} PUBLIC pratique_${other})
  endforeach()
  target_link_libraries(pratique_${name} PUBLIC ${ARG_LINK})
  if(ARG_CALLS)
    target_compile_options(pratique_${name} PRIVATE -O1)
  endif()
  if(tests)
    pratique_batches(batches ${name}_tests ${tests})
    add_executable(${name}_tests ${batches})
    target_link_libraries(${name}_tests PRIVATE pratique_${name})
    pratique_test_program(${name}_tests)
    if(ARG_LONG_TESTS)
      target_compile_options(${name}_tests PRIVATE -O1)
    endif()
  endif()
endfunction()

# The libraries that are not built here are not instrumented; lsan.supp names those whose leaks are not ours.
set(PRATIQUE_SANITIZER_ENVIRONMENT
  "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1"
  "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tools/lsan.supp:print_suppressions=0"
  "UBSAN_OPTIONS=print_stacktrace=1")

# pratique_test_program(TARGET)
#
# Makes a GoogleTest program of TARGET, run from the root of the sources. ctest knows every suite in
# it by name: a process for each single test would take as long to start as most of them take to run.
function(pratique_test_program target)
  target_link_libraries(${target} PRIVATE GTest::gtest GTest::gtest_main rapidcheck)
  target_compile_options(${target} PRIVATE ${PRATIQUE_TEST})
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  file(GENERATE OUTPUT ${list} CONTENT "set(program \"$<TARGET_FILE:${target}>\")
set(folder \"${CMAKE_SOURCE_DIR}\")
set(environment \"${PRATIQUE_SANITIZER_ENVIRONMENT}\")
include(\"${CMAKE_SOURCE_DIR}/cmake/Suites.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${list})
endfunction()
