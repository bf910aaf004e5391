// The slot `inputs` of a native game from its `input_words`.
#pragma once

#include <bit>
#include <cstdint>

#include "core/table.h"

namespace zermelo {

template <int WORDS>
zermelo_status list_inputs(decltype(zermelo_table::input_words) write, const void* context, const void* state,
                           int32_t player, int64_t* inputs, uint64_t capacity, uint64_t* count) {
    uint64_t words[WORDS];
    if (const zermelo_status status = write(context, state, player, words, WORDS); status != ZERMELO_OK) return status;
    *count = 0;
    for (int word = 0; word < WORDS; ++word)
        for (uint64_t left = words[word]; left; left &= left - 1, ++*count)
            if (*count < capacity) inputs[*count] = 64 * word + std::countr_zero(left);
    return ZERMELO_OK;
}

}  // namespace zermelo
