#include "games/chess/terms.hpp"

namespace zermelo::chess {

namespace {

constexpr const char* PIECES[6] = {"pawn", "knight", "bishop", "rook", "queen", "king"};

constexpr const char* SINGLE[TERMS - DOUBLED_PAWN] = {
    "doubled pawn",
    "isolated pawn",
    "backward pawn",
    "passed pawn may step",
    "passed pawn has a safe way",
    "passed pawn is blocked",
    "passed pawn is guarded by a pawn",
    "own king far from passed pawn",
    "other king far from passed pawn",
    "passed pawn cannot be caught",
    "rook behind its passed pawn",
    "rook behind the other's passed pawn",
    "bishop pair",
    "pawns in a bishop's way",
    "knight outpost",
    "bishop outpost",
    "rook on an open file",
    "rook on a half-open file",
    "pawns before the king",
    "open files at the king",
    "pawns that come to the king",
    "attack on the king",
    "danger to the king",
    "safe knight check",
    "safe bishop check",
    "safe rook check",
    "safe queen check",
    "pawn attacks a piece",
    "pawn can come to attack a piece",
    "minor attacks a rook or queen",
    "minor attacks a minor",
    "rook attacks a queen",
    "undefended and attacked",
    "space",
    "to move",
};

// A table of related terms: its first index, its name, and the number of its first entry.
struct Table {
    int first;
    const char* name;
    const char* counter;
    int number;
};

constexpr Table TABLES[] = {
    {KNIGHT_MOBILITY, "knight mobility", " ", 0},     {BISHOP_MOBILITY, "bishop mobility", " ", 0},
    {ROOK_MOBILITY, "rook mobility", " ", 0},         {QUEEN_MOBILITY, "queen mobility", " ", 0},
    {CONNECTED_PAWN, "connected pawn", ", rank ", 2}, {PASSED_PAWN, "passed pawn", ", rank ", 2},
};

const Table& table_of(int term) {
    const Table* found = TABLES;
    for (const Table& table : TABLES)
        if (table.first <= term) found = &table;
    return *found;
}

std::string square_name(int piece, int rank, int file) {
    const std::string number = std::to_string(rank + 1);
    return std::string(PIECES[piece]) + " on " + static_cast<char>('a' + file) + number + "/" +
           static_cast<char>('h' - file) + number;
}

}  // namespace

std::string term_name(int term) {
    if (term < PAWN_SQUARES) return PIECES[term];
    if (term < PIECE_SQUARES) return square_name(PAWN, 1 + (term - PAWN_SQUARES) / 4, (term - PAWN_SQUARES) % 4);
    if (term < KNIGHT_MOBILITY) {
        const int place = term - PIECE_SQUARES;
        return square_name(KNIGHT + place / 32, place % 32 / 4, place % 4);
    }
    if (term >= DOUBLED_PAWN) return SINGLE[term - DOUBLED_PAWN];
    const Table& table = table_of(term);
    return table.name + (table.counter + std::to_string(table.number + term - table.first));
}

std::string term_group(int term) {
    if (term < PAWN_SQUARES) return "material";
    if (term < KNIGHT_MOBILITY) return "squares";
    return term >= DOUBLED_PAWN ? SINGLE[term - DOUBLED_PAWN] : table_of(term).name;
}

}  // namespace zermelo::chess
