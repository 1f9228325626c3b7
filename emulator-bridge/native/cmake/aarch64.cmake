# For ARM with 64 bits, on another processor: Debian's g++-aarch64-linux-gnu and its libraries of that architecture (docs/package.md).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Else the libraries of this processor are found first.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig)
# Headers that are the same for all lie in /usr/include, where the compiler looks by itself.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
