# What a test program tests is compiled once more, at -O1 and with AddressSanitizer and
# UndefinedBehaviorSanitizer, so that every unit test runs under both. The tests themselves are
# compiled as fast as can be.
set(PRATIQUE_CHECKED -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
set(PRATIQUE_TEST -O0 -g0)

# pratique_concept(NAME [USES OTHER...] [LINK LIBRARY...])
#
# Makes the library pratique_NAME from src/pratique/NAME (and its internal/ folder) and, from the
# *_test.cc files there, the program NAME_tests, which links pratique_NAME_checked.
function(pratique_concept name)
  cmake_parse_arguments(ARG "" "" "USES;LINK" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/src/pratique/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(NOT sources)
    message(FATAL_ERROR "src/pratique/${name} has no source file")
  endif()

  pratique_library(pratique_${name} "")
  if(PRATIQUE_FUZZ)
    # Only what a fuzzer links is worth compiling again.
    set_target_properties(pratique_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  pratique_library(pratique_${name}_checked _checked)
  target_compile_options(pratique_${name}_checked PRIVATE ${PRATIQUE_CHECKED})
  if(tests)
    add_executable(${name}_tests ${tests})
    target_link_libraries(${name}_tests PRIVATE pratique_${name}_checked)
    pratique_test_program(${name}_tests)
  endif()
endfunction()

# pratique_library(TARGET SUFFIX): from the sources and arguments of pratique_concept, with the
# libraries of the same SUFFIX under it.
macro(pratique_library target suffix)
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_precompile_headers(${target} REUSE_FROM pratique_pch${suffix})
  foreach(other ${ARG_USES})
    target_link_libraries(${target} PUBLIC pratique_${other}${suffix})
  endforeach()
  target_link_libraries(${target} PUBLIC ${ARG_LINK})
endmacro()

# The libraries that are not built here are not instrumented; lsan.supp names those whose leaks are not ours.
set(PRATIQUE_SANITIZER_ENVIRONMENT
  "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1"
  "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tools/lsan.supp:print_suppressions=0"
  "UBSAN_OPTIONS=print_stacktrace=1")

# pratique_test_program(TARGET)
#
# Makes a GoogleTest program of TARGET, run from the root of the sources. ctest knows every test in
# it by name.
function(pratique_test_program target)
  target_link_libraries(${target} PRIVATE GTest::gtest GTest::gtest_main rapidcheck)
  target_compile_options(${target} PRIVATE ${PRATIQUE_TEST})
  target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  target_precompile_headers(${target} REUSE_FROM pratique_test_pch)
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT 300 ENVIRONMENT "${PRATIQUE_SANITIZER_ENVIRONMENT}"
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()
