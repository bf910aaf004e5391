#include "selfplay/records.hpp"

#include <bit>

namespace zermelo {
namespace {

constexpr char FILE_MAGIC[8] = {'Z', 'G', 'A', 'M', 'E', 'S', '\r', '\n'};
constexpr uint32_t FILE_VERSION = 1;
constexpr uint32_t BLOCK_MAGIC = 0x4b4c425au;  // "ZBLK"
constexpr std::size_t FIXED_HEADER = 8 + 4 * 4 + 2 * 8;
constexpr std::size_t BLOCK_HEADER = 4 * 4 + 2 * 8;
constexpr std::size_t LONGEST_NAME = 1 << 16;
constexpr uint8_t GIVEN_START = 1 << 4;
constexpr uint8_t WITH_VISITS = 1 << 5;

enum ResultCode : uint8_t { IN_FULL, ALL_NEUTRAL, FIRST_WINNER };

void put(Bytes& out, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(number >> (8 * i)));
}

void put_varint(Bytes& out, uint64_t number) {
    for (; number >= 128; number >>= 7) out.push_back(static_cast<std::byte>(number | 128));
    out.push_back(static_cast<std::byte>(number));
}

void put_bytes(Bytes& out, const void* data, std::size_t bytes) {
    if (bytes == 0) return;
    out.resize(out.size() + bytes);
    std::memcpy(out.data() + out.size() - bytes, data, bytes);
}

uint64_t get(ByteSpan data, std::size_t at, unsigned bytes) {
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; ++i) number |= std::to_integer<uint64_t>(data[at + i]) << (8 * i);
    return number;
}

void put_visits(Bytes& out, const GameRecord& record) {
    std::size_t at = 0;
    for (const RecordedMove& move : record.moves) {
        put_varint(out, move.shares);
        uint32_t least = 0;
        for (const std::size_t end = at + move.shares; at < end; ++at) {
            put_varint(out, record.visits[at].index - least);
            put(out, record.visits[at].share, 1);
            least = record.visits[at].index + 1;
        }
    }
}

// The code of a result, IN_FULL if it has none.
uint8_t result_code(const zermelo_table& table, const std::vector<double>& utilities) {
    const auto all = [&](const auto& is) {
        for (std::size_t p = 0; p < utilities.size(); ++p)
            if (!is(p)) return false;
        return true;
    };
    if (all([&](std::size_t p) { return utilities[p] == table.neutral; })) return ALL_NEUTRAL;
    for (std::size_t winner = 0; winner < utilities.size(); ++winner)
        if (all([&](std::size_t p) { return utilities[p] == (p == winner ? table.high : table.low); }))
            return static_cast<uint8_t>(FIRST_WINNER + winner);
    return IN_FULL;
}

}  // namespace

uint64_t record_checksum(ByteSpan data) {
    const std::size_t whole = data.size() / 8 * 8;
    uint64_t hash = data.size();
    for (std::size_t at = 0; at < whole; at += 8) hash = mix(hash, get(data, at, 8));
    return mix(hash, get(data, whole, static_cast<unsigned>(data.size() - whole)));
}

RecordHeader header_of(const zermelo_table& table, std::string name, ByteSpan initial) {
    if (!std::isfinite(table.low) || !std::isfinite(table.high) || !(table.low <= table.high))
        throw std::invalid_argument("games without finite bounds of utility cannot be recorded: declare `bounds`");
    if (name.size() > LONGEST_NAME) throw std::invalid_argument("the name of the game is too long");
    if (initial.size() != table.state_size) throw std::invalid_argument("the initial state has another size");
    return {std::move(name), table.state_size, static_cast<uint32_t>(table.players),
            table.low,       table.high,       {initial.begin(), initial.end()}};
}

Bytes write_header(const RecordHeader& header) {
    Bytes out;
    put_bytes(out, FILE_MAGIC, sizeof FILE_MAGIC);
    for (const uint32_t word :
         {FILE_VERSION, header.state_size, header.players, static_cast<uint32_t>(header.name.size())})
        put(out, word, 4);
    put(out, std::bit_cast<uint64_t>(header.low), 8);
    put(out, std::bit_cast<uint64_t>(header.high), 8);
    put_bytes(out, header.name.data(), header.name.size());
    put_bytes(out, header.initial.data(), header.initial.size());
    put(out, record_checksum(out), 8);
    return out;
}

void BlockWriter::add(const GameRecord& record) {
    put_varint(payload_, record.number - last_number_);
    last_number_ = record.number;
    const int kind = (record.start.empty() ? 0 : GIVEN_START) | (record.visits.empty() ? 0 : WITH_VISITS);
    put(payload_, static_cast<uint8_t>(static_cast<int>(record.ending) | kind), 1);
    put_varint(payload_, record.moves.size());
    const uint8_t code = result_code(table_, record.utilities);
    put(payload_, code, 1);
    if (code == IN_FULL)
        for (const double utility : record.utilities) put(payload_, std::bit_cast<uint64_t>(utility), 8);
    put_bytes(payload_, record.start.data(), record.start.size());
    for (const RecordedMove& move : record.moves) put_varint(payload_, move.index);
    for (std::size_t i = 0; i < record.moves.size(); i += 2) {
        const unsigned second = i + 1 < record.moves.size() ? record.moves[i + 1].flags : 0;
        put(payload_, record.moves[i].flags | second << 4, 1);
    }
    for (const RecordedMove& move : record.moves)
        if (move.flags & SCORED) put(payload_, move.score, 2);
    if (!record.visits.empty()) put_visits(payload_, record);
    ++games_;
    moves_ += static_cast<uint32_t>(record.moves.size());
}

Bytes BlockWriter::take() {
    Bytes out;
    for (const uint32_t word : {BLOCK_MAGIC, static_cast<uint32_t>(payload_.size()), games_, moves_}) put(out, word, 4);
    put(out, record_checksum(payload_), 8);
    put(out, record_checksum(out), 8);
    out.insert(out.end(), payload_.begin(), payload_.end());
    payload_.clear();
    games_ = moves_ = 0;
    last_number_ = 0;
    return out;
}

BlockReader::BlockReader(const zermelo_table& table, ByteSpan block) : table_(table) {
    if (block.size() < BLOCK_HEADER || get(block, 0, 4) != BLOCK_MAGIC) throw RecordError("this is no block of games");
    left_ = block.subspan(BLOCK_HEADER);
    games_ = static_cast<uint32_t>(get(block, 8, 4));
    moves_ = static_cast<uint32_t>(get(block, 12, 4));
    if (get(block, 24, 8) != record_checksum(block.first(24)) || get(block, 4, 4) != left_.size() ||
        get(block, 16, 8) != record_checksum(left_))
        throw RecordError("a block of games is damaged: its checksum is wrong");
}

ByteSpan BlockReader::take(std::size_t bytes) {
    if (bytes > left_.size()) throw RecordError("a block of games is damaged: a game goes beyond its end");
    const ByteSpan taken = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return taken;
}

uint64_t BlockReader::number(unsigned bytes) { return get(take(bytes), 0, bytes); }

uint64_t BlockReader::varint() {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint64_t byte = this->number(1);
        number |= (byte & 127) << shift;
        if (byte < 128) return number;
    }
    throw RecordError("a block of games is damaged: a number in it is too long");
}

bool BlockReader::next(GameRecord& record) {
    if (read_ == games_) {
        if (!left_.empty() || moves_read_ != moves_)
            throw RecordError("a block of games is damaged: it holds other games than it says");
        return false;
    }
    ++read_;
    record.number = last_number_ += varint();
    const uint64_t kind = number(1);
    const uint64_t ending = kind & ~uint64_t{GIVEN_START | WITH_VISITS};
    if (ending >= ENDINGS) throw RecordError("a block of games is damaged: a game has no known ending");
    record.ending = static_cast<Ending>(ending);
    const uint64_t count = varint();
    if (count > left_.size()) throw RecordError("a block of games is damaged: a game goes beyond its end");
    read_result(record);
    const ByteSpan start = take(kind & GIVEN_START ? table_.state_size : 0);
    record.start.assign(start.begin(), start.end());
    read_moves(record, static_cast<std::size_t>(count));
    record.visits.clear();
    if (kind & WITH_VISITS) read_visits(record);
    return true;
}

void BlockReader::read_result(GameRecord& record) {
    const std::size_t players = static_cast<std::size_t>(table_.players);
    const uint64_t code = number(1);
    if (code >= FIRST_WINNER + players) throw RecordError("a block of games is damaged: a game has no known result");
    record.utilities.assign(players, code == ALL_NEUTRAL ? table_.neutral : table_.low);
    if (code >= FIRST_WINNER) record.utilities[code - FIRST_WINNER] = table_.high;
    if (code != IN_FULL) return;
    for (double& utility : record.utilities) {
        utility = std::bit_cast<double>(number(8));
        if (!(utility >= table_.low && utility <= table_.high))
            throw RecordError("a result is outside the bounds of the game: have its rules changed since?");
    }
}

void BlockReader::read_moves(GameRecord& record, std::size_t count) {
    record.moves.resize(count);
    moves_read_ += count;
    for (RecordedMove& move : record.moves)
        move.index = static_cast<uint32_t>(std::min<uint64_t>(varint(), UINT32_MAX));
    const ByteSpan flags = take((count + 1) / 2);
    for (std::size_t i = 0; i < count; ++i) {
        RecordedMove& move = record.moves[i];
        move.flags = std::to_integer<uint8_t>(flags[i / 2] >> (i % 2 * 4)) & 15;
        move.score = move.flags & SCORED ? static_cast<uint16_t>(number(2)) : 0;
        move.shares = 0;
    }
}

void BlockReader::read_visits(GameRecord& record) {
    for (RecordedMove& move : record.moves) {
        const uint64_t count = varint();
        if (count > left_.size() / 2) throw RecordError("a block of games is damaged: a game goes beyond its end");
        move.shares = static_cast<uint32_t>(count);
        uint64_t index = 0;
        for (uint64_t i = 0; i < count; ++i, ++index) {
            index += varint();
            const uint64_t share = number(1);
            if (index > UINT32_MAX || share == 0)
                throw RecordError("a block of games is damaged: the visits of a move are none");
            record.visits.push_back({static_cast<uint32_t>(index), static_cast<uint8_t>(share)});
        }
    }
}

RecordFile::RecordFile(ByteSpan data) {
    if (data.size() < FIXED_HEADER || std::memcmp(data.data(), FILE_MAGIC, sizeof FILE_MAGIC) != 0)
        throw RecordError("this is no file of recorded games");
    if (get(data, 8, 4) != FILE_VERSION)
        throw RecordError("these games were recorded by another version of zermelo: version " +
                          std::to_string(get(data, 8, 4)));
    const std::size_t state = get(data, 12, 4), name = get(data, 20, 4), bytes = FIXED_HEADER + name + state;
    if (name > LONGEST_NAME || data.size() < bytes + 8 || get(data, bytes, 8) != record_checksum(data.first(bytes)))
        throw RecordError("the header of a file of games is damaged");
    const ByteSpan initial = data.subspan(FIXED_HEADER + name, state);
    header_ = {std::string(reinterpret_cast<const char*>(data.data()) + FIXED_HEADER, name),
               static_cast<uint32_t>(state),
               static_cast<uint32_t>(get(data, 16, 4)),
               std::bit_cast<double>(get(data, 24, 8)),
               std::bit_cast<double>(get(data, 32, 8)),
               {initial.begin(), initial.end()}};
    for (end_ = bytes + 8; end_ < data.size();) {
        const ByteSpan rest = data.subspan(end_);
        const bool whole = rest.size() >= BLOCK_HEADER;
        if (whole && (get(rest, 0, 4) != BLOCK_MAGIC || get(rest, 24, 8) != record_checksum(rest.first(24))))
            throw RecordError("the block of games at byte " + std::to_string(end_) + " is damaged");
        const std::size_t size = whole ? BLOCK_HEADER + get(rest, 4, 4) : rest.size() + 1;
        const bool last = size >= rest.size();
        if (size > rest.size() ||
            (last && get(rest, 16, 8) != record_checksum(rest.subspan(BLOCK_HEADER, size - BLOCK_HEADER)))) {
            note_ = "the last block was not written completely: " + std::to_string(rest.size()) + " bytes are left out";
            return;
        }
        blocks_.push_back(rest.first(size));
        games_ += get(rest, 8, 4);
        moves_ += get(rest, 12, 4);
        end_ += size;
    }
}

Replay::Replay(const zermelo_table& table, ByteSpan initial)
    : game_(table), initial_(initial.begin(), initial.end()), states_{game_.buffer(), game_.buffer()} {}

void Replay::begin(const GameRecord& record) {
    const Bytes& start = record.start.empty() ? initial_ : record.start;
    if (start.size() != game_.state_size()) throw RecordError("the start of a game is no state of it");
    std::byte* state = states_[0].data();
    std::memcpy(state, start.data(), start.size());
    game_.info(state, position_);
    if (position_.chance()) game_.chances(state, list_);
    else if (!position_.terminal()) game_.actions(state, list_);
}

void Replay::fail(const GameRecord& record, uint32_t ply) const {
    throw RecordError("game " + std::to_string(record.number) + " has an action at ply " + std::to_string(ply) +
                      " that is not legal: have the rules changed since?");
}

void Replay::check_end(const GameRecord& record) const {
    const bool over = position_.terminal();
    bool same = over == (record.ending == Ending::rules);
    for (std::size_t p = 0; over && p < record.utilities.size(); ++p)
        same &= record.utilities[p] == position_.utilities[p];
    if (!same)
        throw RecordError("game " + std::to_string(record.number) +
                          " ends otherwise than its record says: have the rules changed since?");
}

}  // namespace zermelo
