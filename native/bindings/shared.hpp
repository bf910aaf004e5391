// External tables: looked up by symbol in a shared library, checked, and copied for Python.
#pragma once

#if __has_include(<link.h>)
#include <dlfcn.h>
#include <link.h>
#endif

#include <bit>
#include <cmath>

#include "bindings/table.hpp"

namespace zermelo {

// What the linker reports about a symbol. If it does not report the type, the symbol is taken for a function.
struct SymbolKind {
    bool function = true;
    uint64_t size = 0;  // of an object, in bytes
};

inline SymbolKind symbol_kind([[maybe_unused]] const void* address) {
#ifdef __GLIBC__
    Dl_info info;
    void* entry = nullptr;
    if (dladdr1(address, &info, &entry, RTLD_DL_SYMENT) != 0 && entry != nullptr) {
        const auto* symbol = static_cast<const ElfW(Sym)*>(entry);
        return {(symbol->st_info & 0xf) != STT_OBJECT, symbol->st_size};
    }
#endif
    return {};
}

[[noreturn]] inline void refuse(const std::string& why) { throw nb::value_error(why.c_str()); }

// The table at a symbol: the symbol itself, or the result of the function of that name. Slots that its header did not
// have yet are null.
inline zermelo_table table_at(uintptr_t address) {
    const auto* found = reinterpret_cast<const zermelo_table*>(address);
    const SymbolKind kind = symbol_kind(found);
    if (kind.function) {
        found = reinterpret_cast<const zermelo_table* (*)()>(address)();
        if (!found) refuse("is a function that returned no table");
    } else if (kind.size < 2 * sizeof(uint32_t)) {
        refuse("is neither a zermelo_table nor a function that returns one");
    }
    if (found->version != ZERMELO_TABLE_VERSION)
        refuse("has version " + std::to_string(found->version) + " of the game table, and this zermelo knows version " +
               std::to_string(ZERMELO_TABLE_VERSION) + "; compile it with this zermelo's table.h");
    const uint64_t size = kind.function ? found->size : std::min<uint64_t>(found->size, kind.size);
    if (size < ZERMELO_TABLE_LEAST_SIZE)
        refuse("has a table of " + std::to_string(size) + " bytes where " + std::to_string(sizeof(zermelo_table)) +
               " are needed; set `size` to sizeof(zermelo_table) and compile it with this zermelo's table.h");
    zermelo_table table{};
    std::memcpy(&table, found, std::min<uint64_t>(size, sizeof table));
    table.size = sizeof table;
    return table;
}

inline void check_facts(const zermelo_table& table) {
    if (table.state_size == 0 || table.state_size % 8 != 0 || table.state_size > (1u << 20))
        refuse("has states of " + std::to_string(table.state_size) + " bytes; it takes a multiple of 8, at most 2^20");
    if (!std::has_single_bit(table.state_alignment) || table.state_alignment > 64)
        refuse("has states aligned to " + std::to_string(table.state_alignment) + " bytes; it takes 1, 2, 4 … 64");
    if (table.players < 1 || table.players > MAX_PLAYERS)
        refuse("has " + std::to_string(table.players) + " players; a native game has 1 to 64");
    if (table.max_actions > (1u << 20))
        refuse("has a max_actions above 2^20, which is only a hint: take a smaller one");
    if (!(table.low <= table.high)) refuse("has a least utility `low` that is not below the greatest, `high`");
    if (!std::isfinite(table.neutral) || !(table.low <= table.neutral && table.neutral <= table.high))
        refuse("has a `neutral` utility that is not between `low` and `high`");
    if (!std::isfinite(table.unit) || table.unit < 0) refuse("has a `unit` that is no number of points");
    if (!table.initial || !table.actions || !table.step || !table.info)
        refuse("lacks one of the slots initial, actions, step and info, which every game needs");
}

inline void bind_shared(nb::module_& module) {
    // The library must stay loaded for the lifetime of the table.
    module.def(
        "shared_table",
        [](uintptr_t address) {
            const zermelo_table table = table_at(address);
            check_facts(table);
            return new PythonTable(table);
        },
        nb::arg("address"), nb::rv_policy::take_ownership);
}

}  // namespace zermelo
