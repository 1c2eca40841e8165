# Source files are compiled in batches: most of a file's time goes to the headers that it shares with its
# neighbours. CMake's own UNITY_BUILD would name files by their absolute path, so that a compiler cache could not
# know them again in another clone.
#
# A name in an anonymous namespace must differ from all others in its folder, whichever batch they are in; lint
# reads a folder as a whole and so notices at once.
#
# Where a batch ends is told by the names of its files, so that a file that is added or removed changes the batch it is
# in and hardly ever others.
set(PRATIQUE_BATCH 10 CACHE STRING "How many source files are compiled as one, about; 1 for each alone")

# pratique_batches(OUT NAME FILE...)
#
# Sets OUT to the files to compile in place of the FILEs.
function(pratique_batches out name)
  if(PRATIQUE_BATCH EQUAL 1)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  math(EXPR least "${PRATIQUE_BATCH} * 3 / 4")
  math(EXPR most "${PRATIQUE_BATCH} * 3 / 2")
  set(batches)
  set(batch)
  set(count 0)
  foreach(source ${ARGN})
    file(RELATIVE_PATH included ${CMAKE_SOURCE_DIR}/src ${source})
    string(MD5 digest ${included})
    # One in five begins a batch, once the one before is nearly full.
    if(count EQUAL 0 OR count EQUAL most OR (count GREATER_EQUAL least AND digest MATCHES "^[012]"))
      pratique_write_batch("${batch}" "${text}")
      string(MAKE_C_IDENTIFIER ${included} first)
      set(batch ${CMAKE_BINARY_DIR}/batches/${name}-${first}.cc)
      list(APPEND batches ${batch})
      set(text)
      set(count 0)
    endif()
    string(APPEND text "#include \"${included}\"\n")
    math(EXPR count "${count} + 1")
  endforeach()
  pratique_write_batch("${batch}" "${text}")
  # g++ takes the included files for headers, where a type of an anonymous namespace may be no member of a class.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set_source_files_properties(${batches} PROPERTIES COMPILE_OPTIONS -Wno-subobject-linkage)
  endif()
  set(${out} ${batches} PARENT_SCOPE)
endfunction()

# Written only when it is another, so that nothing is compiled again without need.
function(pratique_write_batch batch text)
  if(batch)
    file(CONFIGURE OUTPUT ${batch} CONTENT "${text}" @ONLY)
  endif()
endfunction()
