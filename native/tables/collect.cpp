#include "tables/collect.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "solve/exchange.hpp"

namespace zermelo {
namespace {

constexpr unsigned LONGEST_WALK = 2000;  // plies

// Two states are one position if all their bytes are equal: a key may leave out a count of moves, which ends the game.
zermelo_table without_key(zermelo_table table) {
    table.key = nullptr;
    return table;
}

SolveRefusal refusal(SolveRefusal::Reason reason, const Game& game, const std::byte* state) {
    return {reason, std::vector<std::byte>(state, state + (reason == SolveRefusal::MEMORY ? 0 : game.state_size()))};
}

// The pass of `Exchange` that adds what actions lead to.
class Collector {
public:
    struct Payload {
        bool kept;  // a player moves
    };

    Collector(Positions& positions, Exchange& exchange, const ThreadTeam& team, std::size_t memory,
              SolveProgress& progress)
        : positions_(positions), exchange_(exchange), team_(team), memory_(memory), progress_(progress) {
        for (unsigned i = 0; i < team.threads(); ++i)
            differences_.emplace_back(positions.packing().root().data(), positions.packing().root().size());
    }

    void add(const States& starts, const std::vector<SharedListing>& known) {
        each_state(starts, known, [&](const std::byte* state) { differences_[0].add(state); });
        sent();
        const Game& game = positions_.game();
        StateBuffer scratch = game.buffer();
        Position position;
        each_state(starts, known, [&](const std::byte* state) {
            game.info(state, position);
            take(0, game.key(state), {!position.terminal()}, state, scratch.data());
        });
        taken();
    }

    void open(unsigned, Ref, std::size_t) {}

    Payload send(unsigned worker, Ref, const std::byte* child, const Position& position) {
        if (position.chance()) throw refusal(SolveRefusal::CHANCE, positions_.game(), child);
        if (position.terminal()) return {false};
        differences_[worker].add(child);
        return {true};
    }

    void sent() { positions_.cover(differences_, team_.watch()); }

    void take(unsigned, uint64_t key, const Payload& payload, const std::byte* state, std::byte* scratch) {
        if (!payload.kept || positions_.find(key, state, scratch) != NO_REF) return;
        if (positions_.add(key, state, {0, UNRESOLVED, 0}) == NO_REF)
            throw refusal(SolveRefusal::MEMORY, positions_.game(), state);
    }

    void fetch(Ref) const {}

    // Each position is sorted once more at the end.
    void taken() {
        progress_.states = positions_.size();
        progress_.done = exchange_.played();
        const std::size_t listed = (positions_.packing().width() + sizeof(Ref)) * progress_.states;
        progress_.bytes = positions_.bytes() + exchange_.bytes() + listed;
        if (progress_.bytes > memory_) throw SolveRefusal{SolveRefusal::MEMORY, {}};
    }

private:
    template <typename Take>
    void each_state(const States& starts, const std::vector<SharedListing>& known, const Take& take) {
        StateBuffer state = positions_.game().buffer();
        for (const std::string& start : starts) {
            std::memcpy(state.data(), start.data(), start.size());
            take(state.data());
        }
        for (const SharedListing& listing : known)
            for (uint64_t number = 0; number < listing->size(); ++number) {
                team_.watch().node();
                listing->state(number, state.data());
                take(state.data());
            }
    }

    Positions& positions_;
    Exchange& exchange_;
    const ThreadTeam& team_;
    const std::size_t memory_;
    SolveProgress& progress_;
    std::vector<Difference> differences_;
};

std::map<int64_t, SharedListing> sort_out(const Positions& positions, Watch& watch) {
    const Game& game = positions.game();
    const Packing& packing = positions.packing();
    const std::size_t width = packing.width();
    std::map<int64_t, std::vector<Ref>> slices;
    StateBuffer state = game.buffer();
    for (uint32_t segment = 0; segment < SEGMENTS; ++segment)
        for (uint32_t local = 0; local < positions.segment(segment).size(); ++local) {
            watch.node();
            const Ref ref = segment << LOCAL_BITS | local;
            positions.state(ref, state.data());
            if (const int64_t material = game.material(state.data()); material >= 0) slices[material].push_back(ref);
        }
    const auto row = [&](Ref ref) {
        return positions.segment(ref >> LOCAL_BITS).states.data() + width * (ref & MAX_LOCAL);
    };
    std::map<int64_t, SharedListing> found;
    for (auto& [material, refs] : slices) {
        watch.poll();
        std::sort(refs.begin(), refs.end(), [&](Ref a, Ref b) { return std::memcmp(row(a), row(b), width) < 0; });
        std::vector<std::byte> rows(width * refs.size());
        for (std::size_t i = 0; i < refs.size(); ++i) std::memcpy(rows.data() + width * i, row(refs[i]), width);
        found.emplace(material, std::make_shared<Listing>(packing, std::move(rows)));
    }
    return found;
}

}  // namespace

States find_starts(const Game& game, const std::set<int64_t>& materials, uint64_t games, Watch& watch) {
    States starts;
    StateBuffer initial = game.buffer(), state = game.buffer(), child = game.buffer();
    game.check("initial", initial.data(), 0, game.table().initial(game.table().context, initial.data()));
    ActionList list;
    Position position;
    for (uint64_t number = 0; number < games; ++number) {
        Random random(number);
        std::memcpy(state.data(), initial.data(), game.state_size());
        game.info(state.data(), position);
        for (unsigned ply = 0; ply < LONGEST_WALK && !position.terminal(); ++ply) {
            watch.node();
            if (position.chance()) throw refusal(SolveRefusal::CHANCE, game, state.data());
            if (materials.contains(game.material(state.data()))) {
                starts.emplace(reinterpret_cast<const char*>(state.data()), game.state_size());
                break;
            }
            game.actions(state.data(), list);
            if (list.count == 0) game.check("actions", state.data(), 0, ZERMELO_BREACH);
            game.step(state.data(), list.actions[random.below(list.count)], child.data(), position);
            std::swap(state, child);
        }
    }
    return starts;
}

std::map<int64_t, SharedListing> collect(const Game& given, const States& starts,
                                         const std::vector<SharedListing>& known, std::size_t memory, unsigned threads,
                                         Watch& watch, SolveProgress& progress) {
    const zermelo_table table = without_key(given.table());
    const Game game(table);
    ThreadTeam team(threads, watch);
    StateBuffer root = game.buffer();
    game.check("initial", root.data(), 0, table.initial(table.context, root.data()));
    Positions positions(game, Packing(root.data(), game.state_size(), {0}));
    Exchange exchange(positions, team, std::clamp<std::size_t>(memory / 16 / threads, 1 << 16, 64 << 20));
    progress.begin(SolveProgress::EXPLORING);
    Collector collector(positions, exchange, team, memory, progress);
    collector.add(starts, known);
    exchange.run(collector);
    return sort_out(positions, watch);
}

}  // namespace zermelo
