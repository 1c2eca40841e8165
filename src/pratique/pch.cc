// Exists to carry the precompiled header (see CMakeLists.txt).
