# pratique_concept(NAME [USES OTHER...] [LINK LIBRARY...])
#
# Makes the library pratique_NAME from src/pratique/NAME (and its internal/ folder) and, from the
# *_test.cc files there, the program NAME_tests, every test of which ctest knows by name.
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

  add_library(pratique_${name} STATIC ${sources})
  target_include_directories(pratique_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_precompile_headers(pratique_${name} REUSE_FROM pratique_pch)
  foreach(other ${ARG_USES})
    target_link_libraries(pratique_${name} PUBLIC pratique_${other})
  endforeach()
  target_link_libraries(pratique_${name} PUBLIC ${ARG_LINK})

  if(tests AND NOT PRATIQUE_FUZZ)
    add_executable(${name}_tests ${tests})
    target_link_libraries(${name}_tests PRIVATE pratique_${name} GTest::gtest GTest::gtest_main rapidcheck)
    target_precompile_headers(${name}_tests REUSE_FROM pratique_pch)
    gtest_discover_tests(${name}_tests DISCOVERY_MODE PRE_TEST
      PROPERTIES TIMEOUT 300
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endif()
endfunction()
