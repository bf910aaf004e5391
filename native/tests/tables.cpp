// Builds endgame tables of chess on two threads, and checks their longest wins and every position against those after it.
// Exits 1 at the first difference.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "games/chess/chess.hpp"
#include "tables/builder.hpp"

using namespace zermelo;

namespace {

struct Known {
    const char* name;
    int64_t material;
    uint32_t plies;  // of the longest win
};

constexpr Known KNOWN[] = {{"KQK", int64_t{1} << 27, 19}, {"KRK", int64_t{1} << 24, 31}, {"KPK", int64_t{1} << 15, 55}};

void expect(bool right, const char* what, const char* slice) {
    if (right) return;
    std::printf("%s of %s differs\n", what, slice);
    std::exit(1);
}

SharedSlice slice_of(const std::vector<Cell>& cells) {
    std::vector<Cell> palette = cells;
    std::sort(palette.begin(), palette.end());
    palette.erase(std::unique(palette.begin(), palette.end()), palette.end());
    std::vector<uint8_t> codes;
    for (const Cell cell : cells)
        codes.push_back(static_cast<uint8_t>(std::lower_bound(palette.begin(), palette.end(), cell) - palette.begin()));
    const uint64_t size = codes.size();
    return std::make_shared<Slice>(size, 0, 1, std::move(palette), std::move(codes));
}

}  // namespace

int main() {
    const Game game(*chess::game().table);
    Watch watch([] { return false; });
    SolveProgress progress;
    Tables tables;
    for (const Known& known : KNOWN) {
        const std::vector<Cell> cells =
            SliceBuilder(game, tables, {known.material, 1, std::size_t{1} << 30, 2}, watch, progress).build();
        uint32_t longest = 0;
        for (const Cell cell : cells)
            if (const Verdict verdict = verdict_of(cell); verdict.result > 0)
                longest = std::max(longest, verdict.distance);
        expect(longest == known.plies, "the longest win", known.name);
        tables.add(known.material, slice_of(cells));
        expect(tables.agrees(game, known.material, cells.size(), watch), "a position", known.name);
    }
    std::printf("%zu slices\n", std::size(KNOWN));
}
