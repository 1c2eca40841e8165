# Source files are compiled in batches: most of a file's time goes to the headers that it shares with its
# neighbours. CMake's own UNITY_BUILD would name files by their absolute path, so that a compiler cache could not
# know them again in another clone.
#
# A name in an anonymous namespace must differ from all others in its folder, whichever batch they are in; lint
# reads a folder as a whole and so notices at once.
set(PRATIQUE_BATCH 10 CACHE STRING "How many source files are compiled as one")

# pratique_batches(OUT NAME FILE...)
#
# Sets OUT to the files to compile in place of the FILEs.
function(pratique_batches out name)
  if(PRATIQUE_BATCH EQUAL 1)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(batches)
  set(text)
  set(count 0)
  list(LENGTH ARGN left)
  foreach(source ${ARGN})
    file(RELATIVE_PATH included ${CMAKE_SOURCE_DIR}/src ${source})
    string(APPEND text "#include \"${included}\"\n")
    math(EXPR count "${count} + 1")
    math(EXPR left "${left} - 1")
    if(count EQUAL PRATIQUE_BATCH OR left EQUAL 0)
      list(LENGTH batches number)
      set(batch ${CMAKE_BINARY_DIR}/batches/${name}_${number}.cc)
      # Written only when it is another, so that nothing is compiled again without need.
      file(CONFIGURE OUTPUT ${batch} CONTENT "${text}" @ONLY)
      list(APPEND batches ${batch})
      set(text)
      set(count 0)
    endif()
  endforeach()
  # g++ takes the included files for headers, where a type of an anonymous namespace may be no member of a class.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set_source_files_properties(${batches} PROPERTIES COMPILE_OPTIONS -Wno-subobject-linkage)
  endif()
  set(${out} ${batches} PARENT_SCOPE)
endfunction()
