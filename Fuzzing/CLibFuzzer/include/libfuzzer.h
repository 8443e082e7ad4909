// libFuzzer's entry for programs that have a main function of their own (compiler-rt, FuzzerInterface).
#ifndef LIBFUZZER_H
#define LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs the fuzzer with the program's arguments. `run` answers 0, or −1 for an input that is not to be kept.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t length));

#endif
