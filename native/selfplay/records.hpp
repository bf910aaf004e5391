// Games in a compact binary form: about three and a half bytes a move.
//
// A file is a header and any number of blocks. Numbers are little-endian, states are the bytes of the game table.
//
//     header   magic (8 bytes), version u32, state size u32, players u32, bytes of the name u32, low f64, high f64,
//              name, initial state, checksum u64 of all that
//     block    magic u32, bytes of the payload u32, games u32, moves u32, checksum u64 of the payload, checksum u64 of
//              the four words and the checksum before it; then the payload: games one after another
//     game     number (varint: less that of the game before it), ending, kind of start and whether there are visits (1 byte), moves (varint),
//              result, start (a state, unless it is the initial one), then for each move its index among the legal
//              actions (varint), flags (4 bits), and the score (u16) if it has one; where the kind says so, then for each
//              move the visits of its search: how many actions have a share (varint), and for each of them its index (varint:
//              less that of the action before it, and 1) and its share (u8)
//     result   1 byte: all neutral, or one player has `high` and all others `low`; otherwise a f64 for each player
//
// A score is the mover's utility on a scale of 65534 steps from `low` to `high`, on which the middle is exact.
// Reading checks every number, and replaying every action: damaged bytes give a RecordError. The states in a file are
// protected by checksums alone, since only the rules know which bytes are a state.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/game.hpp"

namespace zermelo {

// The bytes are no games, or not games of this table.
struct RecordError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

enum class Ending : uint8_t {
    rules,
    repetition,  // by the rule of repetition
    proof,  // a search proved the value of the position before the last move: that is the result
    length,  // too many plies: a draw
};
constexpr int ENDINGS = 4;

// What is known about a recorded move.
enum MoveFlags : uint8_t {
    SCORED = 1,  // a search gave the position a score
    PROVED = 2,  // the score rests on no estimate
    QUIET = 4,  // the best action is not noisy, and the mover is not in check
    EXPLORED = 8,  // another action than the best was played, for variety
};

// What part of a search's simulations chose an action.
struct VisitShare {
    static constexpr uint32_t WHOLE = 255;

    uint32_t index = 0;  // of the action, as in a move
    uint8_t share = 0;  // from 1 to WHOLE

    bool operator==(const VisitShare&) const = default;
};

struct RecordedMove {
    uint32_t index = 0;  // among the legal actions in the game's order, or the outcomes where chance moves
    uint16_t score = 0;
    uint8_t flags = 0;
    uint32_t shares = 0;  // how many of the game's `visits` are this move's
};

struct GameRecord {
    uint64_t number = 0;
    Ending ending = Ending::rules;
    Bytes start;  // empty for the initial state of the file
    std::vector<RecordedMove> moves;
    std::vector<VisitShare> visits;  // of the moves that have them, one after another, by ascending index
    std::vector<double> utilities;  // of every player
};

// The facts of a file: what its games are.
struct RecordHeader {
    std::string name;  // of the game with its options, as the caller calls it
    uint32_t state_size = 0;
    uint32_t players = 0;
    double low = 0, high = 0;
    Bytes initial;  // the state in which games start; of some games, options are part of it

    bool operator==(const RecordHeader&) const = default;
};

uint64_t record_checksum(ByteSpan data);
RecordHeader header_of(const zermelo_table& table, std::string name, ByteSpan initial);
Bytes write_header(const RecordHeader& header);

// Converts utilities to scores and back.
class ScoreSteps {
public:
    ScoreSteps(double low, double high) : low_(low), step_((high - low) / STEPS) {}

    uint16_t score(double utility) const {
        if (!(step_ > 0)) return 0;
        return static_cast<uint16_t>(std::lround(std::clamp((utility - low_) / step_, 0.0, double{STEPS})));
    }
    double utility(uint16_t score) const { return low_ + step_ * score; }

private:
    static constexpr int STEPS = 65534;
    double low_, step_;
};

// Makes a block of complete games.
class BlockWriter {
public:
    explicit BlockWriter(const zermelo_table& table) : table_(table) {}

    void add(const GameRecord& record);
    std::size_t games() const { return games_; }
    // The block with its header; empties the writer.
    Bytes take();

private:
    const zermelo_table& table_;
    Bytes payload_;
    uint32_t games_ = 0;
    uint32_t moves_ = 0;
    uint64_t last_number_ = 0;
};

// The games of one block, one after another.
class BlockReader {
public:
    // `block` as `RecordFile` gives it; checks its checksum.
    BlockReader(const zermelo_table& table, ByteSpan block);

    uint32_t games() const { return games_; }
    uint32_t moves() const { return moves_; }
    // Reads the next game into `record`; false after the last.
    bool next(GameRecord& record);

private:
    uint64_t varint();
    uint64_t number(unsigned bytes);
    ByteSpan take(std::size_t bytes);
    void read_moves(GameRecord& record, std::size_t count);
    void read_visits(GameRecord& record);
    void read_result(GameRecord& record);

    const zermelo_table& table_;
    ByteSpan left_;
    uint32_t games_ = 0, moves_ = 0, read_ = 0;
    uint64_t moves_read_ = 0, last_number_ = 0;
};

// The header and the blocks of a file. A last block that is cut off or damaged is left out, with a note.
class RecordFile {
public:
    explicit RecordFile(ByteSpan data);

    const RecordHeader& header() const { return header_; }
    const std::vector<ByteSpan>& blocks() const { return blocks_; }
    uint64_t games() const { return games_; }
    uint64_t moves() const { return moves_; }
    const std::string& note() const { return note_; }
    // The bytes before the part that was left out: where the next block belongs.
    std::size_t end() const { return end_; }

private:
    RecordHeader header_;
    std::vector<ByteSpan> blocks_;
    uint64_t games_ = 0, moves_ = 0;
    std::string note_;
    std::size_t end_ = 0;
};

// One position of a recorded game.
struct ReplayedPosition {
    const std::byte* state;
    int32_t mover;  // a player or chance
    int64_t action;
    const ActionList& actions;  // the legal ones, or the outcomes
    RecordedMove move;
    std::span<const VisitShare> visits;
    uint32_t ply;  // from the start of the record
    uint32_t left;  // plies to its end
};

// Plays recorded games again and shows their positions.
class Replay {
public:
    // `initial` is that of the file's header.
    Replay(const zermelo_table& table, ByteSpan initial);

    // Calls `visit(ReplayedPosition)` before each move, and throws a RecordError at the first that is not legal.
    template <typename Visit>
    void run(const GameRecord& record, const Visit& visit) {
        begin(record);
        const uint32_t plies = static_cast<uint32_t>(record.moves.size());
        std::size_t visited = 0;
        for (uint32_t ply = 0; ply < plies; ++ply) {
            const RecordedMove& move = record.moves[ply];
            const std::span visits = std::span(record.visits).subspan(visited, move.shares);
            visited += move.shares;
            if (position_.terminal() || move.index >= list_.count ||
                (!visits.empty() && visits.back().index >= list_.count)) [[unlikely]]
                fail(record, ply);
            const int64_t action = list_.actions[move.index];
            const std::byte* state = states_[ply & 1].data();
            visit(ReplayedPosition{state, position_.mover, action, list_, move, visits, ply, plies - ply});
            game_.enter(state, action, states_[(ply + 1) & 1].data(), position_, list_);
            if (position_.chance()) game_.chances(states_[(ply + 1) & 1].data(), list_);
        }
        check_end(record);
    }

    // After a run: the state at the end of the record.
    const std::byte* last(const GameRecord& record) const { return states_[record.moves.size() & 1].data(); }

private:
    void begin(const GameRecord& record);
    [[noreturn]] void fail(const GameRecord& record, uint32_t ply) const;
    void check_end(const GameRecord& record) const;

    const Game game_;
    const Bytes initial_;
    StateBuffer states_[2];
    Position position_;
    ActionList list_;
};

}  // namespace zermelo
