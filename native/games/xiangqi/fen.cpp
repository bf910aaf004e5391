#include "games/xiangqi/fen.hpp"

#include <charconv>
#include <sstream>
#include <vector>

#include "games/xiangqi/moves.hpp"

namespace zermelo::xiangqi {

namespace {

constexpr std::string_view LETTERS = "KABNRCP";
constexpr const char* NAMES[] = {"king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"};
constexpr int MAX_COUNTS[] = {1, 2, 2, 2, 2, 2, 5};
constexpr int MAX_NUMBER = 60000;

const char* name_of(int colour) { return colour == RED ? "red" : "black"; }

std::string square_name(int square) {
    return static_cast<char>('a' + column_of(square)) + std::to_string(row_of(square) + 1);
}

uint8_t piece_of_letter(char letter) {
    const bool black = letter >= 'a' && letter <= 'z';
    char wanted = black ? static_cast<char>(letter - 'a' + 'A') : letter;
    if (wanted == 'E') wanted = 'B';
    if (wanted == 'H') wanted = 'N';
    const std::size_t kind = LETTERS.find(wanted);
    return kind == std::string_view::npos ? EMPTY : piece_of(static_cast<Kind>(kind), black ? BLACK : RED);
}

// A single byte of a multi-byte character would be invalid text.
std::string quoted(char letter) {
    return letter > ' ' && letter <= '~' ? std::string("the letter '") + letter + "'" : "a foreign letter";
}

bool read_board(std::string_view text, State& state, std::string& why) {
    int row = ROWS - 1, column = 0;
    for (const char letter : text) {
        if (letter == '/') {
            if (column != COLUMNS || row == 0) return why = "it needs ten rows of nine squares", false;
            --row;
            column = 0;
            continue;
        }
        if (letter >= '1' && letter <= '9') {
            column += letter - '0';
        } else {
            const uint8_t piece = piece_of_letter(letter);
            if (piece == EMPTY) return why = "it has " + quoted(letter) + ", which is no piece", false;
            if (column >= COLUMNS) return why = "a row has more than nine squares", false;
            put(state, piece, square_at(row, column++));
        }
        if (column > COLUMNS) return why = "a row has more than nine squares", false;
    }
    if (row != 0 || column != COLUMNS) return why = "it needs ten rows of nine squares", false;
    return true;
}

bool check_pieces(const State& state, std::string& why) {
    for (const int colour : {RED, BLACK})
        for (int kind = 0; kind < KINDS; ++kind) {
            const Bits pieces = state.kinds[kind] & state.colours[colour];
            if (kind == KING && !pieces) return why = std::string(name_of(colour)) + " has no king", false;
            if (pieces.count() > MAX_COUNTS[kind])
                return why = std::string(name_of(colour)) + " has too many pieces of one kind: " + NAMES[kind], false;
            const auto misplaced = [&](int square) {
                if (may_stand(static_cast<Kind>(kind), square, colour)) return false;
                why = std::string(name_of(colour)) + "'s " + NAMES[kind] + " cannot stand on " + square_name(square);
                return true;
            };
            if (any_of(pieces, misplaced)) return false;
        }
    return true;
}

bool read_number(const std::string& word, int least, int most, int& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() && number >= least && number <= most;
}

bool read_counts(const std::vector<std::string>& words, State& state, std::string& why) {
    int quiet = 0, number = 1;
    if (words.size() > 4 && !read_number(words[4], 0, DRAW_PLIES, quiet))
        return why = "the half-moves without a capture must be 0 to " + std::to_string(DRAW_PLIES), false;
    if (words.size() > 5 && !read_number(words[5], 1, MAX_NUMBER, number))
        return why = "the number of the move must be 1 to " + std::to_string(MAX_NUMBER), false;
    state.quiet = static_cast<uint16_t>(quiet);
    state.number = static_cast<uint16_t>(number);
    return true;
}

}  // namespace

std::string write_fen(const State& state) {
    std::string text;
    for (int row = ROWS - 1; row >= 0; --row) {
        int empty = 0;
        for (int column = 0; column <= COLUMNS; ++column) {
            const uint8_t piece = column < COLUMNS ? state.board[square_at(row, column)] : EMPTY;
            if (column < COLUMNS && piece == EMPTY) {
                ++empty;
                continue;
            }
            if (empty > 0) text += static_cast<char>('0' + empty);
            empty = 0;
            if (column == COLUMNS) break;
            const char letter = LETTERS[kind_of(piece)];
            text += colour_of(piece) == RED ? letter : static_cast<char>(letter - 'A' + 'a');
        }
        if (row > 0) text += '/';
    }
    text += state.turn == RED ? " w - - " : " b - - ";
    return text + std::to_string(state.quiet) + " " + std::to_string(state.number);
}

bool read_fen(std::string_view text, State& state, std::string& why) {
    std::istringstream stream{std::string(text)};
    std::vector<std::string> words;
    for (std::string word; words.size() <= 6 && stream >> word;) words.push_back(word);
    if (words.size() < 2 || words.size() > 6)
        return why = std::string("write the board and who is to move, as in '") + START + "'", false;
    state = State{};
    if (!read_board(words[0], state, why) || !check_pieces(state, why)) return false;
    const bool black = words[1] == "b";
    if (!black && words[1] != "w" && words[1] != "r")
        return why = "who is to move must be w (red) or b, not '" + words[1] + "'", false;
    for (std::size_t i = 2; i < words.size() && i < 4; ++i)
        if (words[i] != "-") return why = "the third and the fourth field must be '-'", false;
    if (!read_counts(words, state, why)) return false;
    if (black) flip(state);
    if (attacked(state, 1 - state.turn))
        return why = std::string(name_of(state.turn)) + " is to move and could take the king", false;
    state.check = attacked(state, state.turn);
    return true;
}

}  // namespace zermelo::xiangqi
