# Language, warnings and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# Programs look for libraries beside themselves first (scripts/bundle.sh); DT_RPATH, unlike DT_RUNPATH, holds
# for what those libraries need as well.
set(CMAKE_BUILD_RPATH "$ORIGIN/../lib")
add_link_options(-Wl,--disable-new-dtags)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(BATON_CCACHE ccache)
if(BATON_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${BATON_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${BATON_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${BATON_CCACHE})
endif()

# Every target of ours links this one. GCC 12 sees overlapping copies where std::string concatenation is inlined
# at -O3 (GCC bug 105651), hence -Wno-restrict.
add_library(baton_options INTERFACE)
target_include_directories(baton_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_options(baton_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Werror -march=${BATON_MARCH} -madx>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-Wno-restrict>)
if(BATON_SANITIZE)
  target_compile_options(baton_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${BATON_SANITIZE} -fno-omit-frame-pointer -g>)
  target_link_options(baton_options INTERFACE -fsanitize=${BATON_SANITIZE})
endif()
if(BATON_FAULTS)
  target_compile_definitions(baton_options INTERFACE BATON_FAULTS=1)
endif()

configure_file(${PROJECT_SOURCE_DIR}/shared/support/project_version.hpp.in
               ${PROJECT_BINARY_DIR}/shared/support/project_version.hpp @ONLY)
