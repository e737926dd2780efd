#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop: calls back with one input after the other; returns only when its time is over.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
