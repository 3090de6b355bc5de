# The CUDA language and its options; included when BATON_CUDA is on.
enable_language(CUDA)
find_package(CUDAToolkit 12.4 REQUIRED)
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
# CMake 3.25.1 does not know the flag for C++20 itself.
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

# Every target with .cu files of ours links this one.
add_library(baton_cuda_options INTERFACE)
target_link_libraries(baton_cuda_options INTERFACE baton_options)
target_compile_options(baton_cuda_options INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -diag-suppress=2810 -lineinfo -Xcompiler=-Wall,-Wno-unknown-pragmas -Xcompiler=-march=${BATON_MARCH}>)
