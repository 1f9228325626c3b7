# libbpf loads compiled congestion controls into the kernel. Without it the programs are complete but for that, and say so.
find_path(LIBBPF_INCLUDE_DIR bpf/libbpf.h)
find_library(LIBBPF_LIBRARY bpf)
if(LIBBPF_INCLUDE_DIR AND LIBBPF_LIBRARY)
  target_compile_definitions(paceline_drivers PRIVATE PACELINE_HAS_LIBBPF=1)
  target_include_directories(paceline_drivers SYSTEM PRIVATE ${LIBBPF_INCLUDE_DIR})
  # The recorder is linked statically and takes nothing from the drivers that needs it.
  target_link_libraries(paceline_drivers PUBLIC $<$<NOT:$<BOOL:$<TARGET_PROPERTY:PACELINE_ALONE>>>:${LIBBPF_LIBRARY}>)
else()
  message(STATUS "libbpf is not installed: no BPF congestion control")
endif()
