#include "networks/trainer.hpp"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "core/wide.hpp"

namespace zermelo {

namespace {

constexpr uint32_t LANES = 32;
constexpr float FIRST_DECAY = 0.9f, SECOND_DECAY = 0.999f, TINY = 1e-8f;  // of Adam
constexpr float MOST_UNIT = 120;  // an accumulator of 16 bits holds 128
constexpr float MOST_ROW = 4;
constexpr float MOST_HEAD = 127.0f / SumNetwork::HEAD_ONE;

using Lanes = float __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

Lanes& lanes(float* at) { return *reinterpret_cast<Lanes*>(at); }
const Lanes& lanes(const float* at) { return *reinterpret_cast<const Lanes*>(at); }

ZERMELO_WIDE void add_rows(const float* __restrict rows, std::span<const uint32_t> inputs, uint32_t width,
                           float* __restrict units) {
    for (uint32_t unit = 0; unit < width; unit += LANES) {
        Lanes sum = lanes(units + unit);
        for (const uint32_t input : inputs) sum += lanes(rows + std::size_t{input} * width + unit);
        lanes(units + unit) = sum;
    }
}

ZERMELO_WIDE void add_to_rows(const float* __restrict slopes, std::span<const uint32_t> inputs, uint32_t width,
                              float* __restrict rows) {
    for (uint32_t unit = 0; unit < width; unit += LANES) {
        const Lanes slope = lanes(slopes + unit);
        for (const uint32_t input : inputs) lanes(rows + std::size_t{input} * width + unit) += slope;
    }
}

// Head · clip(units, 0, 1)², in an order of sums that does not depend on the machine.
ZERMELO_WIDE float weigh(const float* __restrict units, const float* __restrict head, uint32_t width) {
    float sums[LANES] = {};
    for (uint32_t block = 0; block < width; block += LANES)
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            const float clipped = std::min(std::max(units[block + lane], 0.0f), 1.0f);
            sums[lane] += head[block + lane] * (clipped * clipped);
        }
    float total = 0;
    for (const float sum : sums) total += sum;
    return total;
}

// The gradients of the head and of the units.
ZERMELO_WIDE void unweigh(const float* __restrict units, const float* __restrict head, uint32_t width, float slope,
                          float* __restrict head_gradient, float* __restrict unit_slopes) {
    for (uint32_t unit = 0; unit < width; ++unit) {
        const float clipped = std::min(std::max(units[unit], 0.0f), 1.0f);
        head_gradient[unit] += slope * (clipped * clipped);
        const bool inside = units[unit] > 0 && units[unit] < 1;
        unit_slopes[unit] = inside ? slope * 2 * clipped * head[unit] : 0.0f;
    }
}

ZERMELO_WIDE void adam(float* __restrict weights, const float* __restrict gradient, float* __restrict first,
                       float* __restrict second, std::size_t count, float rate, float decay) {
    for (std::size_t i = 0; i < count; ++i) {
        first[i] = FIRST_DECAY * first[i] + (1 - FIRST_DECAY) * gradient[i];
        second[i] = SECOND_DECAY * second[i] + (1 - SECOND_DECAY) * (gradient[i] * gradient[i]);
        weights[i] -= rate * (first[i] / (std::sqrt(second[i]) + TINY)) + decay * weights[i];
    }
}

ZERMELO_WIDE void add(float* __restrict to, const float* __restrict from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

// log(1 + e^x) without overflow.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

std::span<const uint32_t> inputs_of(const Samples& samples, std::size_t view) {
    return {samples.inputs.data() + samples.starts[view], samples.inputs.data() + samples.starts[view + 1]};
}

}  // namespace

void Samples::add(const Game& game, const std::byte* state, int32_t mover, float target) {
    const int32_t own = std::max(mover, 0);
    const uint32_t row_set = shape_.rows_of(mover);
    uint32_t stage = 0;
    for (uint32_t view = 0; view < shape_.views(); ++view) {
        shape_.inputs.read(game, state, view == 0 ? own : 1 - own, words_.data());
        if (view == 0) stage = shape_.stage_of(game, state, words_);
        for_each_bit(words_.data(), words_.size(), [&](uint32_t input) { inputs.push_back(input); });
        starts.push_back(inputs.size());
    }
    heads.push_back(static_cast<uint32_t>(shape_.head_of(row_set, stage)));
    rows.push_back(static_cast<uint8_t>(row_set));
    targets.push_back(target);
}

void Samples::extend(const Samples& others) {
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    const std::size_t shift = inputs.size(), first = starts.size();
    append(inputs, others.inputs);
    starts.insert(starts.end(), others.starts.begin() + 1, others.starts.end());
    for (std::size_t i = first; i < starts.size(); ++i) starts[i] += shift;
    append(heads, others.heads);
    append(rows, others.rows);
    append(targets, others.targets);
}

void Samples::clear() {
    inputs.clear();
    starts.assign(1, 0);
    heads.clear();
    rows.clear();
    targets.clear();
}

SumTrainer::SumTrainer(SumShape shape, TrainerSettings settings, uint32_t most_active)
    : shape_(std::move(shape)), settings_(settings),
      most_row_(std::min(MOST_ROW, MOST_UNIT / static_cast<float>(std::max(most_active, 1u)))), at_(place(shape_)),
      random_(settings.seed), weights_(at_.end), first_moment_(at_.end), second_moment_(at_.end), merged_(at_.bias),
      gradients_(settings.threads, std::vector<float>(at_.shared)) {
    initialise();
}

SumTrainer::Places SumTrainer::place(const SumShape& shape) {
    const std::size_t movers = shape.movers, width = shape.width, heads = shape.heads(), inputs = shape.inputs.count();
    Places at{};
    at.rows = 0;
    at.bias = at.rows + movers * inputs * width;
    at.head = at.bias + movers * width;
    at.direct = at.head + heads * shape.views() * width;
    at.offset = at.direct + (width ? 0 : heads * inputs);
    at.shared = at.offset + heads;
    at.end = at.shared + (movers > 1 ? inputs * width : 0);
    return at;
}

void SumTrainer::initialise() {
    const auto normal = [&] {  // Box and Muller
        const double radius = std::sqrt(-2 * std::log(1 - random_.unit()));
        return static_cast<float>(radius * std::cos(2 * 3.141592653589793 * random_.unit()));
    };
    const std::size_t begin = shape_.movers > 1 ? at_.shared : at_.rows;
    const float spread = std::min(0.15f, most_row_ / 2);
    for (std::size_t i = 0; i < std::size_t{shape_.inputs.count()} * shape_.width; ++i)
        weights_[begin + i] = spread * normal();
    std::fill(weights_.begin() + static_cast<std::ptrdiff_t>(at_.bias),
              weights_.begin() + static_cast<std::ptrdiff_t>(at_.head), 0.25f);
    const float head = shape_.width ? 1 / std::sqrt(static_cast<float>(shape_.views() * shape_.width)) : 0;
    for (std::size_t i = at_.head; i < at_.direct; ++i) weights_[i] = head * normal();
    merge(0, std::size_t{shape_.inputs.count()} * shape_.width);
}

void SumTrainer::load(std::vector<float> weights) {
    if (weights.size() != weights_.size()) throw std::invalid_argument("these weights are of another network");
    for (const float weight : weights)
        if (!std::isfinite(weight)) throw std::invalid_argument("a weight is not a finite number");
    weights_ = std::move(weights);
    std::fill(first_moment_.begin(), first_moment_.end(), 0.0f);
    std::fill(second_moment_.begin(), second_moment_.end(), 0.0f);
    steps_ = 0;
    merge(0, std::size_t{shape_.inputs.count()} * shape_.width);
}

void SumTrainer::take(const SumWeights& given) {
    std::vector<float> weights(weights_.size());
    const auto put = [&](const auto& from, std::size_t begin, std::size_t end, float one) {
        if (from.size() != end - begin) throw std::invalid_argument("these weights are of another network");
        for (std::size_t i = 0; i < from.size(); ++i) weights[begin + i] = static_cast<float>(from[i]) / one;
    };
    put(given.rows, at_.rows, at_.bias, SumNetwork::ONE);
    put(given.bias, at_.bias, at_.head, SumNetwork::ONE);
    put(given.head, at_.head, at_.direct, SumNetwork::HEAD_ONE);
    put(given.direct, at_.direct, at_.offset, SumNetwork::UNIT);
    put(given.offset, at_.offset, at_.shared, SumNetwork::UNIT);
    // What the rows of all movers have in common is shared.
    const std::size_t movers = shape_.movers, size = at_.end - at_.shared;
    for (std::size_t i = 0; i < size; ++i) {
        float sum = 0;
        for (std::size_t mover = 0; mover < movers; ++mover) sum += weights[mover * size + i];
        weights[at_.shared + i] = sum / static_cast<float>(movers);
        for (std::size_t mover = 0; mover < movers; ++mover) weights[mover * size + i] -= weights[at_.shared + i];
    }
    load(std::move(weights));
}

void SumTrainer::merge(std::size_t begin, std::size_t count) {
    const std::size_t size = std::size_t{shape_.inputs.count()} * shape_.width;
    for (std::size_t mover = 0; mover < shape_.movers; ++mover) {
        float* rows = merged_.data() + mover * size + begin;
        std::copy_n(weights_.data() + mover * size + begin, count, rows);
        if (shape_.movers > 1) add(rows, weights_.data() + at_.shared + begin, count);
    }
}

double SumTrainer::learn(const Samples& samples, uint64_t steps, float rate) {
    if (samples.size() == 0 || steps == 0) return 0;
    std::vector<uint64_t> chosen(settings_.batch);
    std::vector<double> losses(settings_.threads);
    const std::size_t share = (chosen.size() + settings_.threads - 1) / settings_.threads;
    const auto choose = [&]() noexcept {
        for (uint64_t& sample : chosen) sample = random_.below(samples.size());
        ++steps_;
    };
    choose();
    std::barrier together(settings_.threads);
    std::barrier next(settings_.threads, choose);
    const auto work = [&](unsigned thread) {
        const std::size_t begin = std::min(chosen.size(), thread * share);
        const std::span<const uint64_t> part(chosen.data() + begin, std::min(share, chosen.size() - begin));
        for (uint64_t i = 0; i < steps; ++i) {
            losses[thread] += add_gradient(samples, part, gradients_[thread]);
            together.arrive_and_wait();
            update(rate, thread);
            if (i + 1 < steps) next.arrive_and_wait();
        }
    };
    std::vector<std::thread> threads;
    for (unsigned thread = 1; thread < settings_.threads; ++thread) threads.emplace_back(work, thread);
    work(0);
    for (std::thread& thread : threads) thread.join();
    const double total = std::accumulate(losses.begin(), losses.end(), 0.0);
    return total / (static_cast<double>(steps) * static_cast<double>(chosen.size()));
}

double SumTrainer::add_gradient(const Samples& samples, std::span<const uint64_t> chosen,
                                std::vector<float>& gradient) const {
    std::fill(gradient.begin(), gradient.end(), 0.0f);
    std::vector<float> units(2 * SumShape::MAX_WIDTH);
    double loss = 0;
    for (const uint64_t sample : chosen) {
        const float output = forward(samples, sample, units.data());
        const float target = samples.targets[sample];
        loss += softplus(output) - static_cast<double>(target) * output;
        const float predicted = 1 / (1 + std::exp(-output));
        backward(samples, sample, units.data(), predicted - target, gradient.data());
    }
    return loss;
}

float SumTrainer::forward(const Samples& samples, std::size_t sample, float* units) const {
    const std::size_t width = shape_.width, inputs_count = shape_.inputs.count(), head = samples.heads[sample],
                      rows = samples.rows[sample];
    float output = weights_[at_.offset + head];
    for (std::size_t view = 0; view < shape_.views(); ++view) {
        const std::span<const uint32_t> inputs = inputs_of(samples, sample * shape_.views() + view);
        if (width == 0) {
            for (const uint32_t input : inputs) output += weights_[at_.direct + head * inputs_count + input];
            break;
        }
        float* sums = units + view * width;
        std::copy_n(weights_.data() + at_.bias + rows * width, width, sums);
        add_rows(merged_.data() + rows * inputs_count * width, inputs, shape_.width, sums);
        output += weigh(sums, weights_.data() + at_.head + (head * shape_.views() + view) * width, shape_.width);
    }
    return output;
}

void SumTrainer::backward(const Samples& samples, std::size_t sample, const float* units, float slope,
                          float* gradient) const {
    const std::size_t width = shape_.width, inputs_count = shape_.inputs.count(), head = samples.heads[sample],
                      rows = samples.rows[sample];
    float slopes[SumShape::MAX_WIDTH];
    gradient[at_.offset + head] += slope;
    for (std::size_t view = 0; view < shape_.views(); ++view) {
        const std::span<const uint32_t> inputs = inputs_of(samples, sample * shape_.views() + view);
        if (width == 0) {
            for (const uint32_t input : inputs) gradient[at_.direct + head * inputs_count + input] += slope;
            break;
        }
        const std::size_t place = at_.head + (head * shape_.views() + view) * width;
        unweigh(units + view * width, weights_.data() + place, shape_.width, slope, gradient + place, slopes);
        add_to_rows(slopes, inputs, shape_.width, gradient + at_.rows + rows * inputs_count * width);
        add(gradient + at_.bias + rows * width, slopes, width);
    }
}

void SumTrainer::update(float rate, unsigned thread) {
    const double steps = static_cast<double>(steps_);
    const auto corrected =
        static_cast<float>(rate * std::sqrt(1 - std::pow(SECOND_DECAY, steps)) / (1 - std::pow(FIRST_DECAY, steps)));
    const float scale = 1 / static_cast<float>(settings_.batch);
    std::vector<float>& gradient = gradients_[0];
    // Weights from `at` on move along the part of the gradient from `from` on.
    const auto move = [&](std::size_t at, std::size_t from, std::size_t count, float most) {
        adam(weights_.data() + at, gradient.data() + from, first_moment_.data() + at, second_moment_.data() + at, count,
             corrected, rate * settings_.decay);
        for (std::size_t i = at; i < at + count; ++i) weights_[i] = std::min(std::max(weights_[i], -most), most);
    };
    const auto gather = [&](std::size_t at, std::size_t count) {
        for (std::size_t other = 1; other < gradients_.size(); ++other)
            add(gradient.data() + at, gradients_[other].data() + at, count);
        for (std::size_t i = at; i < at + count; ++i) gradient[i] *= scale;
    };
    // Each thread has its range of the rows of every mover, and so of those that they share.
    const std::size_t movers = shape_.movers, size = std::size_t{shape_.inputs.count()} * shape_.width;
    const auto [begin, count] = share_of(size, thread);
    for (std::size_t mover = 0; mover < movers; ++mover) {
        gather(mover * size + begin, count);
        move(mover * size + begin, mover * size + begin, count, movers > 1 ? most_row_ / 2 : most_row_);
    }
    if (movers > 1) {
        for (std::size_t mover = 1; mover < movers; ++mover)
            add(gradient.data() + begin, gradient.data() + mover * size + begin, count);
        move(at_.shared + begin, begin, count, most_row_ / 2);
    }
    merge(begin, count);
    constexpr float UNLIMITED = std::numeric_limits<float>::infinity();
    const auto finish = [&](std::size_t from, std::size_t to, float most) {
        const auto [first, length] = share_of(to - from, thread);
        gather(from + first, length);
        move(from + first, from + first, length, most);
    };
    finish(at_.bias, at_.head, MOST_ROW);
    finish(at_.head, at_.direct, MOST_HEAD);
    finish(at_.direct, at_.shared, UNLIMITED);
}

std::pair<std::size_t, std::size_t> SumTrainer::share_of(std::size_t size, unsigned thread) const {
    const std::size_t share = (size + settings_.threads - 1) / settings_.threads;
    const std::size_t begin = std::min(size, thread * share);
    return {begin, std::min(share, size - begin)};
}

std::vector<float> SumTrainer::outputs(const Samples& samples) const {
    std::vector<float> units(2 * SumShape::MAX_WIDTH), outputs(samples.size());
    for (std::size_t sample = 0; sample < samples.size(); ++sample)
        outputs[sample] = forward(samples, sample, units.data());
    return outputs;
}

double SumTrainer::loss(const Samples& samples) const {
    const std::vector<float> outputs = this->outputs(samples);
    double total = 0;
    for (std::size_t sample = 0; sample < samples.size(); ++sample)
        total += softplus(outputs[sample]) - static_cast<double>(samples.targets[sample]) * outputs[sample];
    return samples.size() ? total / static_cast<double>(samples.size()) : 0;
}

SumWeights SumTrainer::quantised() const {
    const auto round = [](auto& to, const float* from, std::size_t count, float one) {
        to.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            to[i] = static_cast<typename std::remove_reference_t<decltype(to)>::value_type>(std::lround(from[i] * one));
    };
    SumWeights found;
    round(found.rows, merged_.data(), at_.bias, SumNetwork::ONE);
    round(found.bias, weights_.data() + at_.bias, at_.head - at_.bias, SumNetwork::ONE);
    round(found.head, weights_.data() + at_.head, at_.direct - at_.head, SumNetwork::HEAD_ONE);
    round(found.direct, weights_.data() + at_.direct, at_.offset - at_.direct, SumNetwork::UNIT);
    round(found.offset, weights_.data() + at_.offset, at_.shared - at_.offset, SumNetwork::UNIT);
    return found;
}

}  // namespace zermelo
