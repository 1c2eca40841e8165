# The web app: built by npm (locked) when a source of it changed, compressed and put into the program.
# Where web/ is not there, the program has none, and its server says so.
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/src/* ${CMAKE_SOURCE_DIR}/web/public/*)
# Not recursive: node_modules lies there, too.
file(GLOB web_settings CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/*.html ${CMAKE_SOURCE_DIR}/web/*.json
  ${CMAKE_SOURCE_DIR}/web/vite.config.ts ${CMAKE_SOURCE_DIR}/web/*.js)
set(web_out ${CMAKE_BINARY_DIR}/web)
set(web_dist ${CMAKE_SOURCE_DIR}/web/dist)
set(web_stamp)
if(EXISTS ${CMAKE_SOURCE_DIR}/web/package-lock.json)
  set(web_stamp ${web_out}/built)
  add_custom_command(OUTPUT ${web_stamp}
    COMMAND ${CMAKE_SOURCE_DIR}/tools/build-web.sh
    COMMAND ${CMAKE_COMMAND} -E make_directory ${web_out}
    COMMAND ${CMAKE_COMMAND} -E touch ${web_stamp}
    DEPENDS ${web_sources} ${web_settings} ${CMAKE_SOURCE_DIR}/tools/build-web.sh
    COMMENT "building the web app" VERBATIM)
endif()
add_custom_command(OUTPUT ${web_out}/web_assets.S ${web_out}/web_assets.cc
  COMMAND ${CMAKE_SOURCE_DIR}/tools/embed.py ${web_dist} ${web_out}
  DEPENDS ${web_stamp} ${CMAKE_SOURCE_DIR}/tools/embed.py
  VERBATIM)
# The assembler does not tell what it includes.
set_source_files_properties(${web_out}/web_assets.S PROPERTIES OBJECT_DEPENDS ${web_out}/web_assets.cc)
