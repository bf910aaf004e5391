#include "games/go/text.hpp"

#include <charconv>
#include <vector>

#include "games/go/rules.hpp"

namespace zermelo::go {

namespace {

constexpr std::string_view COLUMNS = "abcdefghjklmnopqrst";
constexpr std::string_view SCORINGS[] = {"area", "territory"};
constexpr std::string_view POLICIES[] = {"skilled", "sensible", "uniform"};
constexpr int MAX_PRISONERS = 30000;
constexpr int MAX_KOMI = 2000;

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0;;) {
        const std::size_t end = text.find(by, at);
        parts.push_back(text.substr(at, end == std::string_view::npos ? end : end - at));
        if (end == std::string_view::npos) return parts;
        at = end + 1;
    }
}

bool read_number(std::string_view text, int least, int most, int& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= least && number <= most;
}

template <std::size_t COUNT>
int find(std::string_view word, const std::string_view (&words)[COUNT]) {
    for (std::size_t i = 0; i < COUNT; ++i)
        if (word == words[i]) return static_cast<int>(i);
    return -1;
}

template <int N>
bool read_board(std::string_view text, State<N>& state, std::string& why) {
    const auto rows = split(text, '/');
    const int size = static_cast<int>(rows.size());
    if (size < LEAST_SIZE || size > N)
        return why = "the board has no rows that are written one behind the other", false;
    state.size = static_cast<uint8_t>(size);
    for (int row = 0; row < size; ++row) {
        const std::string_view line = rows[static_cast<std::size_t>(size - 1 - row)];
        if (static_cast<int>(line.size()) != size)
            return why = "each row needs as many points as there are rows", false;
        for (int column = 0; column < size; ++column) {
            const char mark = line[static_cast<std::size_t>(column)];
            if (mark == '.') continue;
            const int colour = mark == 'X' || mark == 'x' ? BLACK : mark == 'O' || mark == 'o' ? WHITE : -1;
            if (colour < 0) return why = "a point is X for black, O for white or a dot", false;
            const int cell = cell_at<N>(row, column);
            state.stones[colour].add(cell);
            state.board ^= stone_key(colour, cell);
        }
    }
    const Bits<N> empty = empty_of(state);
    for (const Bits<N>& stones : state.stones)
        if (!(flood(empty.beside() & stones, stones) == stones))
            return why = "there are stones without liberties", false;
    return true;
}

template <int N>
bool read_ko(std::string_view text, State<N>& state) {
    if (text == "-") return true;
    const std::size_t column = text.empty() ? std::string_view::npos : COLUMNS.find(text[0]);
    int row = 0;
    if (column >= state.size || !read_number(text.substr(1), 1, state.size, row)) return false;
    const int cell = cell_at<N>(row - 1, static_cast<int>(column));
    if (state.occupied().has(cell) || captures(state, cell).count() != 1) return false;
    state.ko = static_cast<int16_t>(cell);
    return true;
}

}  // namespace

template <int N>
std::string write_text(const State<N>& state) {
    std::string text;
    for (int row = state.size - 1; row >= 0; --row) {
        for (int column = 0; column < state.size; ++column) {
            const int cell = cell_at<N>(row, column);
            text += state.stones[BLACK].has(cell) ? 'X' : state.stones[WHITE].has(cell) ? 'O' : '.';
        }
        text += row > 0 ? '/' : ' ';
    }
    text += state.turn == BLACK ? "b " : "w ";
    if (state.ko == NOWHERE) text += '-';
    else text += COLUMNS[static_cast<std::size_t>(column_of<N>(state.ko))] + std::to_string(row_of<N>(state.ko) + 1);
    for (const int number : {int{state.passes}, int{state.prisoners[0]}, int{state.prisoners[1]}, int{state.komi}})
        text += ' ' + std::to_string(number);
    return text + ' ' + std::string(SCORINGS[state.scoring]) + ' ' + std::string(POLICIES[state.policy]);
}

template <int N>
bool read_text(std::string_view text, State<N>& state, std::string& why) {
    const auto words = split(text, ' ');
    state = State<N>{};
    if (words.size() != 9)
        return why = "write the rows, who is to move, the ko, the passes and both sides' prisoners", false;
    if (!read_board(words[0], state, why)) return false;
    if (words[1] != "b" && words[1] != "w") return why = "black (b) or white (w) is to move", false;
    state.turn = words[1] == "b" ? BLACK : WHITE;
    if (!read_ko(words[2], state)) return why = "there is no ko at that point", false;
    int passes = 0, black = 0, white = 0, komi = 0;
    if (!read_number(words[3], 0, 2, passes)) return why = "the passes in a row are 0, 1 or 2", false;
    if (!read_number(words[4], 0, MAX_PRISONERS, black) || !read_number(words[5], 0, MAX_PRISONERS, white))
        return why = "prisoners are whole numbers", false;
    if (!read_number(words[6], -MAX_KOMI, MAX_KOMI, komi)) return why = "komi is not in range", false;
    const int scoring = find(words[7], SCORINGS), policy = find(words[8], POLICIES);
    if (scoring < 0 || policy < 0) return why = "the scoring or the way of playouts is unknown", false;
    state.passes = static_cast<uint8_t>(passes);
    state.prisoners[BLACK] = static_cast<int16_t>(black);
    state.prisoners[WHITE] = static_cast<int16_t>(white);
    state.komi = static_cast<int16_t>(komi);
    state.scoring = static_cast<uint8_t>(scoring);
    state.policy = static_cast<uint8_t>(policy);
    return true;
}

template std::string write_text(const State<9>&);
template std::string write_text(const State<13>&);
template std::string write_text(const State<19>&);
template bool read_text(std::string_view, State<9>&, std::string&);
template bool read_text(std::string_view, State<13>&, std::string&);
template bool read_text(std::string_view, State<19>&, std::string&);

}  // namespace zermelo::go
