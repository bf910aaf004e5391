#include "games/backgammon/id.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zermelo::backgammon {

namespace {

constexpr std::string_view ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t BOARD_BYTES = 10, MATCH_BYTES = 9, BOARD_LETTERS = 14, MATCH_LETTERS = 12;
constexpr std::string_view ROLLING = ":rolling";

enum Stage : unsigned { NOT_BEGUN, PLAYING, ENDED, RESIGNED, DROPPED };

// Bits, least significant first.
class Bits {
public:
    explicit Bits(std::size_t bytes) : bytes_(bytes) {}

    void add(unsigned value, int width) {
        for (int bit = 0; bit < width; ++bit, ++at_) bytes_[at_ / 8] |= (value >> bit & 1) << at_ % 8;
    }
    unsigned take(int width) {
        unsigned value = 0;
        for (int bit = 0; bit < width && at_ < 8 * bytes_.size(); ++bit, ++at_)
            value |= (bytes_[at_ / 8] >> at_ % 8 & 1u) << bit;
        return value;
    }
    bool ended() const { return at_ >= 8 * bytes_.size(); }

    std::string letters(std::size_t count) const {
        std::string text;
        for (std::size_t letter = 0; letter < count; ++letter) {
            unsigned value = 0;  // the highest bits of a byte come first in base64
            for (std::size_t bit = 6 * letter; bit < 6 * letter + 6; ++bit)
                value = value << 1 | (bit < 8 * bytes_.size() ? bytes_[bit / 8] >> (7 - bit % 8) & 1 : 0);
            text += ALPHABET[value];
        }
        return text;
    }
    static std::optional<Bits> read(std::string_view text, std::size_t bytes) {
        Bits bits(bytes);
        for (std::size_t letter = 0; letter < text.size(); ++letter) {
            const std::size_t value = ALPHABET.find(text[letter]);
            if (value == std::string_view::npos) return {};
            for (std::size_t i = 0; i < 6; ++i) {
                const std::size_t bit = 6 * letter + i;
                const unsigned set = value >> (5 - i) & 1;
                if (bit < 8 * bytes) bits.bytes_[bit / 8] |= set << (7 - bit % 8);
                else if (set) return {};
            }
        }
        return bits;
    }

private:
    std::vector<uint8_t> bytes_;
    std::size_t at_ = 0;
};

// Each point, and finally the bar, in unary: one bit per chequer and a zero; the player not on roll first.
std::string write_board(const Board& board) {
    Bits bits(BOARD_BYTES);
    for (const Side* side : {&board.other, &board.own})
        for (const uint8_t count : *side) bits.add((1u << count) - 1, count + 1);
    return bits.letters(BOARD_LETTERS);
}

bool read_board(std::string_view text, Board& board, std::string& why) {
    std::optional<Bits> bits = Bits::read(text, BOARD_BYTES);
    if (!bits) return why = "a position ID has 14 letters, digits, + and /", false;
    board = {};
    for (Side* side : {&board.other, &board.own})
        for (uint8_t& count : *side)
            while (!bits->ended() && bits->take(1)) ++count;
    if (chequers(board.own) > CHEQUERS || chequers(board.other) > CHEQUERS)
        return why = "a player has more than fifteen chequers", false;
    if (chequers(board.own) == 0 && chequers(board.other) == 0) return why = "no chequers are left", false;
    for (int point = 0; point < POINTS; ++point)
        if (board.own[point] && board.other[across(point)]) return why = "both players stand on the same point", false;
    return write_board(board) == text || (why = "it describes more than a board", false);
}

struct Match {
    unsigned cube = 0, owner = 3, on_roll = 0, crawford = 0, stage = PLAYING, turn = 0, doubled = 0, resigned = 0;
    unsigned dice[2] = {}, length = 0, score[2] = {}, plain = 1;  // plain: gammons count before a double, too

    template <typename Visit>
    void visit(const Visit& field) {
        field(cube, 4), field(owner, 2), field(on_roll, 1), field(crawford, 1), field(stage, 3), field(turn, 1);
        field(doubled, 1), field(resigned, 2), field(dice[0], 3), field(dice[1], 3);
        field(length, 15), field(score[0], 15), field(score[1], 15), field(plain, 1);
    }
};

// What a match ID can express and our games cannot, in words; empty if there is nothing.
std::string complaint(const Match& m, const Rules& rules) {
    const unsigned length = static_cast<unsigned>(rules.options.match);
    if (m.length != length)
        return "it is from a match to " + std::to_string(m.length) +
               ": make the game with match=" + std::to_string(m.length);
    if (m.cube > MAX_CUBE || m.owner == 2) return "the cube is impossible";
    if (!rules.options.cube && (m.cube || m.owner != 3 || m.doubled || m.crawford))
        return "it has a cube: make the game with cube=yes";
    // Without a cube, and in a match, there is no Jacoby rule, whatever the bit.
    if (!length && rules.options.cube && m.plain == unsigned{rules.options.jacoby})
        return m.plain ? "gammons count in it before a double: make the game with jacoby=no"
                       : "it is played by Jacoby's rule: make the game with jacoby=yes";
    if ((m.cube == 0) != (m.owner == 3)) return "a cube is owned exactly if it has been turned";
    if (m.resigned) return "a resignation is offered, which is no part of the game here";
    if (m.dice[0] > 6 || m.dice[1] > 6 || !m.dice[0] != !m.dice[1]) return "such dice do not exist";
    if (m.dice[0] && (m.doubled || m.stage != PLAYING)) return "the dice lie there at the wrong time";
    if (m.stage == RESIGNED || m.stage > DROPPED) return "its state of the game is none of ours";
    const bool over = m.stage == ENDED || m.stage == DROPPED;
    const unsigned high = std::max(m.score[0], m.score[1]), low = std::min(m.score[0], m.score[1]);
    if (length && (low >= length || high > length || (high == length) != over)) return "the score is impossible";
    if (m.crawford && (!length || (!over && high != length - 1))) return "this cannot be the Crawford game";
    if (m.turn != (m.doubled ? 1 - m.on_roll : m.on_roll)) return "it is nobody's turn";
    return "";
}

// The phase and its fields, after board, cube and score; writes the reason if they are invalid.
std::string set_phase(State& state, const Match& m, const Rules& rules) {
    const bool ended = chequers(state.sides[0]) == 0 || chequers(state.sides[1]) == 0;
    if (ended != (m.stage == ENDED))
        return ended ? "a player has borne off all, so the game is over" : "the game goes on";
    if (m.stage == NOT_BEGUN) {
        if (state.sides[0] != START || state.sides[1] != START || m.cube || m.on_roll)
            return "a game that has not begun stands at the start";
        state.phase = OPENING;
    } else if (m.stage == PLAYING) {
        state.dice[0] = static_cast<uint8_t>(std::max(m.dice[0], m.dice[1]));
        state.dice[1] = static_cast<uint8_t>(std::min(m.dice[0], m.dice[1]));
        state.phase = m.doubled ? ANSWER : m.dice[0] ? PLAY : rules.may_double(state) ? DECIDE : ROLL;
        if (m.doubled && !rules.may_double(state)) return "nobody may double here";
    } else {
        if (m.stage == ENDED && chequers(state.sides[state.turn]))
            return "the winner is not the one who has borne off all";
        if (m.stage == DROPPED && !rules.may_double(state) && !rules.options.match) return "nobody may double here";
        if (m.length && m.score[state.turn] != m.length) return "the winner of the match has not its points";
        state.phase = OVER;
        state.points =
            static_cast<uint8_t>(rules.points(state, m.stage == ENDED ? stakes_won(state.sides[state.turn ^ 1]) : 1));
    }
    return "";
}

}  // namespace

std::string write_ids(const State& state, const Rules& rules) {
    Match m;
    m.cube = state.cube;
    m.owner = state.owner == CENTRED ? 3 : state.owner;
    m.on_roll = state.turn;
    m.turn = state.phase == ANSWER ? state.turn ^ 1 : state.turn;
    m.crawford = state.crawford;
    m.doubled = state.phase == ANSWER;
    m.plain = !rules.options.jacoby;
    m.length = static_cast<unsigned>(rules.options.match);
    std::copy_n(state.dice, 2, m.dice);
    std::copy_n(state.score, 2, m.score);
    const bool ended = chequers(state.sides[0]) == 0 || chequers(state.sides[1]) == 0;
    m.stage = state.phase == OPENING ? NOT_BEGUN : state.phase != OVER ? PLAYING : ended ? ENDED : DROPPED;
    Bits bits(MATCH_BYTES);
    m.visit([&](unsigned value, int width) { bits.add(value, width); });
    std::string text = write_board(state.board()) + ":" + bits.letters(MATCH_LETTERS);
    if (state.phase == ROLL && rules.may_double(state)) text += ROLLING;
    return text;
}

bool read_ids(std::string_view text, const Rules& rules, State& state, std::string& why) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    const bool rolling = text.ends_with(ROLLING);
    if (rolling) text.remove_suffix(ROLLING.size());
    const bool whole = text.size() == BOARD_LETTERS + 1 + MATCH_LETTERS && text[BOARD_LETTERS] == ':';
    if (!whole && text.size() != BOARD_LETTERS)
        return why = "write it as GNU Backgammon's IDs, as in 4HPwATDgc/ABMA:cAkAAAAAAAAE", false;
    Match m;
    m.length = static_cast<unsigned>(rules.options.match);
    m.plain = !rules.options.jacoby;
    if (whole) {
        std::optional<Bits> bits = Bits::read(text.substr(BOARD_LETTERS + 1), MATCH_BYTES);
        if (!bits) return why = "a match ID has 12 letters, digits, + and /", false;
        m.visit([&](unsigned& value, int width) { value = bits->take(width); });
    }
    Board board;
    if (!read_board(text.substr(0, BOARD_LETTERS), board, why)) return false;
    if (why = complaint(m, rules); !why.empty()) return false;
    state = State{};
    state.turn = static_cast<uint8_t>(m.on_roll);
    state.set_board(board);
    state.cube = static_cast<uint8_t>(m.cube);
    state.owner = m.owner == 3 ? CENTRED : static_cast<uint8_t>(m.owner);
    state.crawford = static_cast<uint8_t>(m.crawford);
    // The score counts in a match only: a money session is a series of separate games.
    if (m.length)
        for (int player : {0, 1}) state.score[player] = static_cast<uint8_t>(m.score[player]);
    if (why = set_phase(state, m, rules); !why.empty()) return false;
    if (rolling && state.phase != DECIDE) return why = "nobody could have doubled before this roll", false;
    if (rolling) state.phase = ROLL;
    return true;
}

}  // namespace zermelo::backgammon
