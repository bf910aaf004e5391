// Functions compiled several times, for processors with wider vectors; the linker picks the widest that the machine has.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__gnu_linux__)
#define ZERMELO_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ZERMELO_WIDE
#endif
