#include "regret/ranges/kernels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/wide.hpp"

#define ZERMELO_INLINE [[gnu::always_inline]] inline
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed only between functions that are always inlined
#endif

namespace zermelo::regret {
namespace {

constexpr std::size_t block = 64;  // hands at a time: their data fits into the L1 cache

// Transposes four numbers of each of four rows into columns with a stride of `to` numbers.
template <typename Real>
ZERMELO_INLINE void turn(const Real* const* rows, std::size_t begin, Real* columns, std::size_t to) {
    typedef Real Four __attribute__((vector_size(4 * sizeof(Real))));
    Four a, b, c, d;
    std::memcpy(&a, rows[0] + begin, sizeof a);
    std::memcpy(&b, rows[1] + begin, sizeof b);
    std::memcpy(&c, rows[2] + begin, sizeof c);
    std::memcpy(&d, rows[3] + begin, sizeof d);
    const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four ba = __builtin_shufflevector(a, b, 2, 6, 3, 7), dc = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const Four first = __builtin_shufflevector(ab, cd, 0, 1, 4, 5),
               second = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    const Four third = __builtin_shufflevector(ba, dc, 0, 1, 4, 5),
               fourth = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
    std::memcpy(columns, &first, sizeof first);
    std::memcpy(columns + to, &second, sizeof second);
    std::memcpy(columns + 2 * to, &third, sizeof third);
    std::memcpy(columns + 3 * to, &fourth, sizeof fourth);
}

// Ends.

template <typename Real>
struct Stakes {
    Lane<Real> tie, gain, loss;
    bool ties = false;
};

template <typename Real>
ZERMELO_INLINE Stakes<Real> load(const Hands& theirs, const End<Real>* ends, std::size_t count,
                                 const Tile<Real>& tile) {
    Stakes<Real> stakes;
    const Real* rows[lanes];
    for (std::size_t k = 0; k < lanes; ++k) {
        const End<Real>& end = ends[k < count ? k : 0];
        rows[k] = end.reach;
        stakes.tie.at[k] = end.tie;
        stakes.gain.at[k] = end.win - end.tie;
        stakes.loss.at[k] = end.lose - end.tie;
        stakes.ties = stakes.ties || end.tie != 0;
    }
    const std::size_t even = theirs.size() / 4 * 4;
    for (std::size_t j = 0; j < even; j += 4)
        for (std::size_t k = 0; k < lanes; k += 4) turn(rows + k, j, tile.reach[j].at + k, lanes);
    for (std::size_t j = even; j < theirs.size(); ++j)
        for (std::size_t k = 0; k < lanes; ++k) tile.reach[j].at[k] = rows[k][j];
    return stakes;
}

template <typename Real>
ZERMELO_INLINE void store(const Hands& mine, const End<Real>* ends, std::size_t count, const Tile<Real>& tile) {
    const std::size_t even = mine.size() / 4 * 4;
    for (std::size_t k = 0; k < count; k += 4) {
        for (std::size_t i = 0; i < even; i += 4) {
            const Real* rows[4] = {tile.value[i].at + k, tile.value[i + 1].at + k, tile.value[i + 2].at + k,
                                   tile.value[i + 3].at + k};
            Real columns[16];
            turn(rows, 0, columns, 4);
            for (std::size_t l = k; l < std::min(k + 4, count); ++l)
                std::memcpy(ends[l].value + i, columns + 4 * (l - k), 4 * sizeof(Real));
        }
        for (std::size_t l = k; l < std::min(k + 4, count); ++l)
            for (std::size_t i = even; i < mine.size(); ++i) ends[l].value[i] = tile.value[i].at[l];
    }
}

// A lane as one vector, which the compiler splits for the machine.
template <typename Real>
struct Wide {
    typedef Real Type __attribute__((vector_size(lanes * sizeof(Real)), may_alias));
};

template <typename Real>
ZERMELO_INLINE auto& wide(Lane<Real>& lane) {
    return reinterpret_cast<typename Wide<Real>::Type&>(lane);
}

template <typename Real>
struct Sweep {
    using Vector = typename Wide<Real>::Type;
    const Hands &mine, &theirs;
    const Tile<Real>& tile;
    Vector total{};

    ZERMELO_INLINE void meet(std::size_t j) {
        const Vector reach = wide(tile.reach[j]);
        total += reach;
        wide(tile.sums[theirs.writes[j][0]]) += reach;
        wide(tile.sums[theirs.writes[j][1]]) += reach;
    }

    // The reach of the other's hands so far without the cards of hand i; a hand with both its cards is subtracted
    // twice.
    ZERMELO_INLINE Vector others(std::size_t i) const {
        return total - wide(tile.sums[mine.reads[i][0]]) - wide(tile.sums[mine.reads[i][1]]);
    }

    // The same after all hands, with that hand added back.
    ZERMELO_INLINE Vector all(std::size_t i) const {
        const Vector found = others(i);
        return mine.twin[i] >= 0 ? found + wide(tile.reach[mine.twin[i]]) : found;
    }
};

template <typename Real>
ZERMELO_INLINE void fixed(const Board& board, int p, const End<Real>* ends, std::size_t count, const Tile<Real>& tile) {
    Sweep<Real> sweep{board.hands[p], board.hands[1 - p], tile};
    Stakes<Real> stakes = load(sweep.theirs, ends, count, tile);
    for (std::size_t j = 0; j < sweep.theirs.size(); ++j) sweep.meet(j);
    const auto tie = wide(stakes.tie);
    for (std::size_t i = 0; i < sweep.mine.size(); ++i) wide(tile.value[i]) = tie * sweep.all(i);
    store(sweep.mine, ends, count, tile);
}

template <typename Real>
ZERMELO_INLINE void showdowns(const Board& board, int p, const End<Real>* ends, std::size_t count,
                              const Tile<Real>& tile) {
    Sweep<Real> sweep{board.hands[p], board.hands[1 - p], tile};
    const Hands &mine = sweep.mine, &theirs = sweep.theirs;
    Stakes<Real> stakes = load(theirs, ends, count, tile);
    const auto tie = wide(stakes.tie), gain = wide(stakes.gain), loss = wide(stakes.loss);
    for (std::size_t level = 0; level < board.levels(); ++level) {
        const int32_t begin = mine.begin[level], end = mine.begin[level + 1];
        for (int32_t i = begin; i < end; ++i) wide(tile.value[i]) = gain * sweep.others(i);  // weaker hands: won
        for (int32_t j = theirs.begin[level]; j < theirs.begin[level + 1]; ++j) sweep.meet(j);
        for (int32_t i = begin; i < end; ++i) wide(tile.value[i]) -= loss * sweep.others(i);  // all but these: lost
    }
    for (std::size_t i = 0; i < mine.size(); ++i) wide(tile.value[i]) += loss * sweep.others(i);
    for (std::size_t i = 0; stakes.ties && i < mine.size(); ++i) wide(tile.value[i]) += tie * sweep.all(i);
    store(mine, ends, count, tile);
}

// Choices.

// Normalises non-negative numbers of a block of hands to shares: number · scale + rest.
template <typename Real>
struct Shares {
    Real scale[block], rest[block];

    ZERMELO_INLINE Shares(const Real* sum, std::size_t size, int32_t actions) {
        const Real even = Real(1) / static_cast<Real>(actions);
        for (std::size_t i = 0; i < size; ++i) {
            scale[i] = sum[i] > 0 ? Real(1) / sum[i] : Real(0);
            rest[i] = sum[i] > 0 ? Real(0) : even;
        }
    }
};

// The strategy of hands begin ... begin + size - 1, action by action, `block` numbers each.
template <typename Real>
ZERMELO_INLINE void current(const Known<Real>& known, std::size_t begin, std::size_t size, Real* __restrict rows) {
    Real sum[block] = {};
    for (int32_t a = 0; a < known.actions; ++a) {
        const Real* regret = known.regrets + a * known.hands + begin;
        for (std::size_t i = 0; i < size; ++i) {
            rows[a * block + i] = std::max(regret[i], Real(0));
            sum[i] += rows[a * block + i];
        }
    }
    const Shares<Real> shares(sum, size, known.actions);
    for (int32_t a = 0; a < known.actions; ++a)
        for (std::size_t i = 0; i < size; ++i)
            rows[a * block + i] = rows[a * block + i] * shares.scale[i] + shares.rest[i];
}

template <typename Real>
ZERMELO_INLINE const Real* strategy(const Known<Real>& known, std::size_t begin, std::size_t size, Real* rows,
                                    std::size_t& stride) {
    if (known.shares) {
        stride = known.hands;
        return known.shares + begin;
    }
    stride = block;
    current(known, begin, size, rows);
    return rows;
}

template <typename Real>
ZERMELO_INLINE void spread_blocks(const Known<Real>& known, Real weight, const Real* reach, Real* rows) {
    Real room[block * max_actions_at_once];
    for (std::size_t begin = 0; begin < known.hands; begin += block) {
        const std::size_t size = std::min(block, known.hands - begin);
        std::size_t stride = 0;
        const Real* shares = strategy(known, begin, size, room, stride);
        for (int32_t a = 0; a < known.actions; ++a) {
            const Real* __restrict share = shares + a * stride, * __restrict from = reach + begin;
            Real* __restrict row = rows + a * known.hands + begin, * __restrict mean =
                                                                       known.mean + a * known.hands + begin;
            for (std::size_t i = 0; i < size; ++i) {
                row[i] = from[i] * share[i];
                mean[i] += (row[i] - mean[i]) * weight;
            }
        }
    }
}

template <typename Real>
ZERMELO_INLINE void match_block(const Known<Real>& known, const Step<Real>& now, Real* const* values, std::size_t begin,
                                std::size_t size) {
    Real room[block * max_actions_at_once], worth[block] = {}, sum[block] = {};
    std::size_t stride = 0;
    const Real* shares = strategy(known, begin, size, room, stride);
    for (int32_t a = 0; a < known.actions; ++a)
        for (std::size_t i = 0; i < size; ++i) worth[i] += shares[a * stride + i] * values[a][begin + i];
    const Real least = now.floor ? Real(0) : -std::numeric_limits<Real>::infinity();
    const Real again = now.predictive ? Real(1) : Real(0), next = now.predictive ? now.keep_next : Real(1);
    for (int32_t a = 0; a < known.actions; ++a) {
        const Real* __restrict value = values[a] + begin;
        Real* __restrict regret = known.regrets + a * known.hands + begin;
        Real* __restrict share = known.shares ? known.shares + a * known.hands + begin : room;
        for (std::size_t i = 0; i < size; ++i) {
            const Real gain = value[i] - worth[i], before = regret[i];
            const Real after = std::max(before * (before > 0 ? now.keep_gains : now.keep_losses) + gain, least);
            regret[i] = after;
            share[i] = std::max(after * next + gain * again, Real(0));  // used only if it is kept
            sum[i] += share[i];
        }
    }
    if (known.shares) {
        const Shares<Real> fresh(sum, size, known.actions);
        for (int32_t a = 0; a < known.actions; ++a) {
            Real* share = known.shares + a * known.hands + begin;
            for (std::size_t i = 0; i < size; ++i) share[i] = share[i] * fresh.scale[i] + fresh.rest[i];
        }
    }
    std::copy_n(worth, size, values[0] + begin);
}

template <typename Real>
ZERMELO_INLINE void match_blocks(const Known<Real>& known, const Step<Real>& now, Real* const* values) {
    for (std::size_t begin = 0; begin < known.hands; begin += block)
        match_block(known, now, values, begin, std::min(block, known.hands - begin));
}

}  // namespace

ZERMELO_WIDE
void pay_fixed(const Board& board, int p, const End<float>* ends, std::size_t count, const Tile<float>& tile) {
    fixed(board, p, ends, count, tile);
}

ZERMELO_WIDE
void pay_fixed(const Board& board, int p, const End<double>* ends, std::size_t count, const Tile<double>& tile) {
    fixed(board, p, ends, count, tile);
}

ZERMELO_WIDE
void pay_showdowns(const Board& board, int p, const End<float>* ends, std::size_t count, const Tile<float>& tile) {
    showdowns(board, p, ends, count, tile);
}

ZERMELO_WIDE
void pay_showdowns(const Board& board, int p, const End<double>* ends, std::size_t count, const Tile<double>& tile) {
    showdowns(board, p, ends, count, tile);
}

ZERMELO_WIDE void spread(const Known<float>& known, float weight, const float* reach, float* rows) {
    spread_blocks(known, weight, reach, rows);
}

ZERMELO_WIDE void spread(const Known<double>& known, double weight, const double* reach, double* rows) {
    spread_blocks(known, weight, reach, rows);
}

ZERMELO_WIDE void match(const Known<float>& known, const Step<float>& now, float* const* values) {
    match_blocks(known, now, values);
}

ZERMELO_WIDE void match(const Known<double>& known, const Step<double>& now, double* const* values) {
    match_blocks(known, now, values);
}

}  // namespace zermelo::regret
