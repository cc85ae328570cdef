# What every target of the project shares: warnings as errors in our own code, sanitizers, include paths from the root.
add_library(poplens_options INTERFACE)
target_include_directories(poplens_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(poplens_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                                   -Wno-missing-field-initializers -Werror)
if(POPLENS_SANITIZE)
  target_compile_options(poplens_options INTERFACE -fsanitize=${POPLENS_SANITIZE} -fno-sanitize-recover=undefined
                                                   -fno-omit-frame-pointer)
  target_link_options(poplens_options INTERFACE -fsanitize=${POPLENS_SANITIZE})
endif()

# poplens_library(NAME DIRECTORY): a static library of every .cpp directly in DIRECTORY.
function(poplens_library name directory)
  file(GLOB sources CONFIGURE_DEPENDS ${directory}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC poplens_options)
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE poplens_options)
  endif()
endfunction()

# poplens_uses(TARGET LIBRARY...): what a room may use; a room that has no source yet only hands it on.
function(poplens_uses target)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(${target} INTERFACE ${ARGN})
  else()
    target_link_libraries(${target} PUBLIC ${ARGN})
  endif()
endfunction()
