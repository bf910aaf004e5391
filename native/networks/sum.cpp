#include "networks/sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/wide.hpp"

namespace zermelo {

namespace {

constexpr uint32_t LANES = 32;  // units that are computed side by side
constexpr int MOST_CHANGES = 256;

using Units = int16_t __attribute__((vector_size(LANES * sizeof(int16_t)), aligned(sizeof(int16_t)), may_alias));

// The rows that an update adds and subtracts.
struct Changes {
    const int16_t* added[MOST_CHANGES];
    const int16_t* removed[MOST_CHANGES];
    int add = 0;
    int remove = 0;
};

ZERMELO_WIDE void apply(const int16_t* from, const Changes& changes, uint32_t width, int16_t* to) {
    for (uint32_t unit = 0; unit < width; unit += LANES) {
        Units sum = *reinterpret_cast<const Units*>(from + unit);
        for (int i = 0; i < changes.add; ++i) sum += *reinterpret_cast<const Units*>(changes.added[i] + unit);
        for (int i = 0; i < changes.remove; ++i) sum -= *reinterpret_cast<const Units*>(changes.removed[i] + unit);
        *reinterpret_cast<Units*>(to + unit) = sum;
    }
}

// The sum of head · clip(units, 0, ONE)². A clipped unit times a weight of the head fits 16 bits.
ZERMELO_WIDE int64_t weigh(const int16_t* __restrict units, const int16_t* __restrict head, uint32_t width) {
    int64_t total = 0;
    for (uint32_t block = 0; block < width; block += 256) {  // 256 products of 24 bits fit 32
        int32_t sum = 0;
        const uint32_t end = std::min(width, block + 256);
        for (uint32_t unit = block; unit < end; ++unit) {
            const int16_t clipped = std::clamp<int16_t>(units[unit], 0, SumNetwork::ONE);
            sum += static_cast<int16_t>(clipped * head[unit]) * clipped;
        }
        total += sum;
    }
    return total;
}

// The logistic function of output / UNIT at fixed points, with straight lines between them. Exponentials of the library could
// differ in the last digit between machines: the points are rounded.
class Logistic {
public:
    Logistic() {
        for (int i = 0; i <= POINTS; ++i) {
            const double x = (i - POINTS / 2) * static_cast<double>(STEP) / SumNetwork::UNIT;
            points_[i] = std::round(std::ldexp(1 / (1 + std::exp(-x)), 40)) / std::ldexp(1.0, 40);
        }
    }

    double operator()(int64_t output) const {
        const int64_t shifted = std::clamp<int64_t>(output, -LIMIT, LIMIT - 1) + LIMIT;
        const int64_t place = shifted / STEP;
        const double share = static_cast<double>(shifted % STEP) / STEP;
        return points_[place] + (points_[place + 1] - points_[place]) * share;
    }

private:
    static constexpr int STEP = SumNetwork::UNIT / 64;
    static constexpr int POINTS = 2 * 64 * 12;
    static constexpr int64_t LIMIT = int64_t{STEP} * (POINTS / 2);

    std::array<double, POINTS + 1> points_;
};

double logistic(int64_t output) {
    static const Logistic function;
    return function(output);
}

int count_different(const InputWords& one, const InputWords& other, int most) {
    int count = 0;
    for (std::size_t word = 0; word < one.size() && count <= most; ++word)
        count += std::popcount(one[word] ^ other[word]);
    return count;
}

int count_on(const InputWords& words) {
    int count = 0;
    for (const uint64_t word : words) count += std::popcount(word);
    return count;
}

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

}  // namespace

SumShape::SumShape(InputLayout inputs, uint32_t width, uint32_t movers, uint32_t stages,
                   std::vector<uint32_t> stage_edges)
    : inputs(std::move(inputs)), width(width), movers(movers), stages(stages), stage_edges(std::move(stage_edges)) {
    require(width % LANES == 0 && width <= MAX_WIDTH, "the width of a network is a multiple of 32, at most 1024");
    require(stages >= 1 && stages <= MAX_STAGES, "a network has 1 to 64 stages");
    require(this->stage_edges.empty() || this->stage_edges.size() + 1 == stages,
            "a network has one stage more than edges between them");
    require(std::is_sorted(this->stage_edges.begin(), this->stage_edges.end()), "the stages are not in order");
    require(movers >= 1 && movers <= 3, "a network has rows for 1 to 3 movers");
    require(!this->inputs.by_player() || movers == 1, "a network with inputs by player has one set of rows");
}

uint32_t SumShape::stage_of(const Game& game, const std::byte* state, std::size_t on) const {
    if (stages == 1) return 0;
    if (stage_edges.empty()) return static_cast<uint32_t>(std::clamp<int64_t>(game.stage(state), 0, stages - 1));
    return static_cast<uint32_t>(std::upper_bound(stage_edges.begin(), stage_edges.end(), on) - stage_edges.begin());
}

SumNetwork::SumNetwork(SumShape shape, SumWeights weights, ValueRange range)
    : shape_(std::move(shape)), weights_(std::move(weights)), range_(range) {
    const std::size_t width = shape_.width, movers = shape_.movers, inputs = shape_.inputs.count();
    require(std::isfinite(range_.low) && std::isfinite(range_.high) && range_.low < range_.high,
            "a network needs a game whose utilities have finite bounds");
    require(range_.slope == 0 || (std::isfinite(range_.slope) && range_.slope >= 1e-3),
            "the slope of a network is a positive number");
    require(std::isfinite(range_.chance) && range_.chance > 0, "what makes chances of outputs is a positive number");
    require(weights_.rows.size() == movers * inputs * width && weights_.bias.size() == movers * width &&
                weights_.head.size() == shape_.heads() * shape_.views() * width &&
                weights_.offset.size() == shape_.heads() &&
                weights_.direct.size() == (width ? 0 : shape_.heads() * inputs),
            "the weights do not fit the shape of the network");
    require(std::all_of(weights_.head.begin(), weights_.head.end(),
                        [](int16_t weight) { return std::abs(weight) <= 2 * HEAD_ONE; }),
            "a weight of the head is too large");
}

double SumNetwork::evaluate(const Game& game, const std::byte* state, int32_t mover, int32_t player) const {
    return value(game, state, output(game, state, mover), mover, player);
}

int64_t SumNetwork::output(const Game& game, const std::byte* state, int32_t mover) const {
    const int32_t own = std::max(mover, 0);
    const bool by_player = shape_.inputs.by_player();
    const uint32_t rows = shape_.rows_of(mover);
    if (shape_.width == 0) return direct_output(game, state, own, rows);
    Accumulator first(*this), second(*this);
    InputWords words(shape_.inputs.words());
    if (by_player) {
        shape_.inputs.read(game, state, 1 - own, words.data());
        accumulate(words, rows, {}, second);
    }
    shape_.inputs.read(game, state, own, words.data());
    const uint32_t stage = shape_.stage_of(game, state, static_cast<std::size_t>(count_on(words)));
    accumulate(words, rows, {}, first);
    return output(first, by_player ? &second : nullptr, stage);
}

void SumNetwork::accumulate(const InputWords& words, uint32_t rows, std::span<const Accumulator* const> near,
                            Accumulator& target) const {
    const Accumulator* best = nullptr;
    int least = count_on(words);
    for (const Accumulator* one : near) {
        if (one->rows != rows) continue;
        const int changes = count_different(words, one->words, least);
        if (changes < least) {
            least = changes;
            best = one;
        }
    }
    const int16_t* from = best ? best->units.data() : weights_.bias.data() + std::size_t{rows} * shape_.width;
    Changes changes;
    const auto flush = [&] {
        apply(from, changes, shape_.width, target.units.data());
        from = target.units.data();
        changes.add = changes.remove = 0;
    };
    for (std::size_t word = 0; word < words.size(); ++word) {
        const uint64_t before = best ? best->words[word] : 0;
        for (uint64_t left = words[word] ^ before; left; left &= left - 1) {
            const auto bit = static_cast<unsigned>(std::countr_zero(left));
            const int16_t* changed = row(rows, static_cast<uint32_t>(64 * word + bit));
            if (before >> bit & 1) changes.removed[changes.remove++] = changed;
            else changes.added[changes.add++] = changed;
            if (changes.add == MOST_CHANGES || changes.remove == MOST_CHANGES) flush();
        }
    }
    flush();
    target.words = words;
    target.rows = rows;
}

int64_t SumNetwork::output(const Accumulator& own, const Accumulator* other, uint32_t stage) const {
    const std::size_t at = shape_.head_of(own.rows, stage);
    const int16_t* head = weights_.head.data() + at * shape_.views() * shape_.width;
    int64_t sum = weigh(own.units.data(), head, shape_.width);
    if (other) sum += weigh(other->units.data(), head + shape_.width, shape_.width);
    return sum / ONE + weights_.offset[at];
}

int64_t SumNetwork::direct_output(const Game& game, const std::byte* state, int32_t player, uint32_t rows) const {
    std::size_t on = 0;
    if (!shape_.stage_edges.empty()) shape_.inputs.for_each(game, state, player, [&](uint32_t) { ++on; });
    const std::size_t head = shape_.head_of(rows, shape_.stage_of(game, state, on));
    const int32_t* weights = weights_.direct.data() + head * shape_.inputs.count();
    int64_t sum = weights_.offset[head];
    shape_.inputs.for_each(game, state, player, [&](uint32_t input) { sum += weights[input]; });
    return sum;
}

double SumNetwork::value(const Game& game, const std::byte* state, int64_t output, int32_t mover,
                         int32_t player) const {
    const int32_t own = std::max(mover, 0);
    if (game.table().lead_share)
        output = static_cast<int64_t>(static_cast<double>(output) * game.lead_share(state, output > 0 ? own : 1 - own));
    const double value = own_value(output);
    return player == own ? value : 2 * range_.neutral - value;
}

double SumNetwork::own_value(int64_t output) const {
    constexpr double MOST = 0.9999;  // of the way to a win: no estimate is one
    const double width = range_.high - range_.low;
    if (range_.slope == 0) return range_.low + width * logistic(range_.chance == 1 ? output : stretched(output));
    return range_.low + width * (1 + std::clamp(static_cast<double>(output) / (UNIT * range_.slope), -MOST, MOST)) / 2;
}

int64_t SumNetwork::stretched(int64_t output) const {
    constexpr double MOST = 1e15;
    return std::llround(std::clamp(static_cast<double>(output) * range_.chance, -MOST, MOST));
}

double SumEvaluator::evaluate(int ply, const std::byte* state, int32_t mover, int32_t player) {
    const SumShape& shape = network_.shape();
    if (shape.width == 0) return network_.evaluate(game_, state, mover, player);
    const int32_t own = std::max(mover, 0);
    const uint32_t rows = shape.rows_of(mover);
    const SumNetwork::Accumulator* other = shape.inputs.by_player() ? &accumulate(ply, state, 1 - own, rows) : nullptr;
    const SumNetwork::Accumulator& first = accumulate(ply, state, own, rows);
    const uint32_t stage = shape.stage_of(game_, state, static_cast<std::size_t>(count_on(first.words)));
    return network_.value(game_, state, network_.output(first, other, stage), mover, player);
}

std::span<const uint64_t> SumEvaluator::inputs(int ply, int32_t mover) {
    const SumShape& shape = network_.shape();
    if (shape.width == 0) return {};
    const std::size_t view = shape.inputs.by_player() ? static_cast<std::size_t>(std::max(mover, 0)) : 0;
    return plies_.at(static_cast<std::size_t>(ply), network_).views[view].words;
}

double SumEvaluator::judge(const std::byte* state, int32_t mover, const int64_t* actions, std::size_t count,
                           double* priors) {
    constexpr double SURE = 0.998;  // a win at once
    const zermelo_table& table = game_.table();
    const double own = evaluate(0, state, mover, mover);
    StateBuffer child = game_.buffer();
    Position below;
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        game_.step(state, actions[i], child.data(), below);
        const double value = below.terminal() ? below.utilities[static_cast<std::size_t>(mover)]
                                              : evaluate(1, child.data(), below.mover, mover);
        const double share = std::clamp((value - table.low) / (table.high - table.low), 1 - SURE, SURE);
        total += priors[i] = share / (1 - share);
    }
    for (std::size_t i = 0; i < count; ++i) priors[i] /= total;
    return own;
}

const SumNetwork::Accumulator& SumEvaluator::accumulate(int ply, const std::byte* state, int32_t player,
                                                        uint32_t rows) {
    const InputLayout& inputs = network_.shape().inputs;
    inputs.read(game_, state, player, words_.data());
    const std::size_t view = inputs.by_player() ? static_cast<std::size_t>(player) : 0;
    SumNetwork::Accumulator& target = plies_.at(static_cast<std::size_t>(ply), network_).views[view];
    const SumNetwork::Accumulator* near[3] = {&target};
    std::size_t count = 1;
    for (int back = 1; back <= 2 && back <= ply; ++back)
        near[count++] = &plies_.at(static_cast<std::size_t>(ply - back), network_).views[view];
    network_.accumulate(words_, rows, {near, count}, target);
    return target;
}

}  // namespace zermelo
