// Tests the transposition table: which of two entries of one position it keeps. Exits 1 at the first that is wrong.
#include "core/transposition.hpp"

#include <cstdio>

using namespace zermelo;

namespace {

TableEntry entry_of(int depth, Bound bound, int action) {
    TableEntry entry;
    entry.depth = depth;
    entry.bound = bound;
    entry.action = action;
    return entry;
}

// What is found after `first` and then `second` are stored, `ages` searches apart.
TableEntry kept(const TableEntry& first, const TableEntry& second, int ages = 0) {
    TranspositionTable table(1 << 12);
    const TableKey key{1, 2};
    table.store(key, first);
    for (int i = 0; i < ages; ++i) table.grow_older();
    table.store(key, second);
    TableEntry found;
    return table.probe(key, found) ? found : TableEntry{};
}

bool is_right(bool right, const char* what) {
    if (!right) std::printf("wrong: %s\n", what);
    return right;
}

}  // namespace

int main() {
    const TableEntry deep = entry_of(12, Bound::lower, 3), shallow = entry_of(0, Bound::upper, TableEntry::NO_ACTION);
    const TableEntry exact = entry_of(0, Bound::exact, 5), near = entry_of(10, Bound::upper, TableEntry::NO_ACTION);
    bool right = is_right(kept(deep, shallow).depth == 12, "a deep entry gives way to a shallow bound");
    right &= is_right(kept(deep, exact).depth == 0, "an exact score is not stored");
    right &= is_right(kept(deep, near).depth == 10, "an entry of almost the same depth is not stored");
    right &= is_right(kept(deep, near).action == 3, "an action is lost to an entry that has none");
    right &= is_right(kept(deep, shallow, 1).depth == 0, "an entry of an earlier search is kept");
    right &= is_right(kept(shallow, deep).depth == 12, "a shallow entry is kept");
    return right ? 0 : 1;
}
