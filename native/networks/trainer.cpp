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
constexpr float CAUTION =
    0.5f;  // in a network of width 0: how far a batch must be off for a weight to move as fast as it can
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

double loss_of(float output, float target) { return softplus(output) - static_cast<double>(target) * output; }

float slope_of(float output, float target) { return 1 / (1 + std::exp(-output)) - target; }

std::span<const uint32_t> inputs_of(const Samples& samples, std::size_t view) {
    return {samples.inputs.data() + samples.starts[view], samples.inputs.data() + samples.starts[view + 1]};
}

}  // namespace

SumTrainer::SumTrainer(SumShape shape, TrainerSettings settings, uint32_t most_active)
    : shape_(std::move(shape)), settings_(settings),
      most_row_(std::min(MOST_ROW, MOST_UNIT / static_cast<float>(std::max(most_active, 1u)))), at_(place(shape_)),
      random_(settings.seed), weights_(at_.end), first_moment_(at_.end), second_moment_(at_.end), merged_(at_.bias),
      gradients_(shape_.width ? settings.threads : 1, std::vector<float>(at_.shared)),
      slopes_(shape_.width ? 0 : settings.batch), touched_(shape_.width ? 0 : settings.threads) {
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
            losses[thread] += shape_.width ? add_gradient(samples, part, gradients_[thread])
                                           : find_slopes(samples, part, slopes_.data() + begin);
            together.arrive_and_wait();
            if (shape_.width) update(rate, thread);
            else update_direct(samples, chosen, rate, thread);
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
        loss += loss_of(output, samples.targets[sample]);
        backward(samples, sample, units.data(), slope_of(output, samples.targets[sample]), gradient.data());
    }
    return loss;
}

float SumTrainer::forward(const Samples& samples, std::size_t sample, float* units) const {
    const std::size_t width = shape_.width, inputs_count = shape_.inputs.count(), head = samples.heads[sample],
                      rows = samples.rows[sample];
    float output = weights_[at_.offset + head];
    if (width == 0) {
        const float* weights = weights_.data() + at_.direct + head * inputs_count;
        for (const uint32_t input : inputs_of(samples, sample)) output += weights[input];
        return output;
    }
    for (std::size_t view = 0; view < shape_.views(); ++view) {
        const std::span<const uint32_t> inputs = inputs_of(samples, sample * shape_.views() + view);
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
        const std::size_t place = at_.head + (head * shape_.views() + view) * width;
        unweigh(units + view * width, weights_.data() + place, shape_.width, slope, gradient + place, slopes);
        add_to_rows(slopes, inputs, shape_.width, gradient + at_.rows + rows * inputs_count * width);
        add(gradient + at_.bias + rows * width, slopes, width);
    }
}

double SumTrainer::find_slopes(const Samples& samples, std::span<const uint64_t> chosen, float* slopes) const {
    double loss = 0;
    for (const uint64_t sample : chosen) {
        const float output = forward(samples, sample, nullptr);
        loss += loss_of(output, samples.targets[sample]);
        *slopes++ = slope_of(output, samples.targets[sample]);
    }
    return loss;
}

void SumTrainer::update_direct(const Samples& samples, std::span<const uint64_t> chosen, float rate, unsigned thread) {
    std::vector<float>& gradient = gradients_[0];
    std::vector<std::size_t>& touched = touched_[thread];
    const float corrected = corrected_rate(rate);
    const auto touch = [&](std::size_t at, float slope) {
        if (gradient[at] == 0) touched.push_back(at);
        gradient[at] += slope;
    };
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::size_t head = samples.heads[chosen[i]], first = at_.direct + head * shape_.inputs.count();
        if (thread == 0) touch(at_.offset + head, slopes_[i]);
        for (const uint32_t input : inputs_of(samples, chosen[i]))
            if (settings_.threads == 1 || input % settings_.threads == thread) touch(first + input, slopes_[i]);
    }
    for (const std::size_t at : touched) {  // some twice: the second time with a gradient of 0
        const float slope = gradient[at];
        gradient[at] = 0;
        first_moment_[at] = FIRST_DECAY * first_moment_[at] + (1 - FIRST_DECAY) * slope;
        second_moment_[at] = SECOND_DECAY * second_moment_[at] + (1 - SECOND_DECAY) * (slope * slope);
        weights_[at] -= corrected * first_moment_[at] / (std::sqrt(second_moment_[at]) + CAUTION);
    }
    touched.clear();
}

// The rate of Adam in the first steps, when the moments are not full yet.
float SumTrainer::corrected_rate(float rate) const {
    const double steps = static_cast<double>(steps_);
    return static_cast<float>(rate * std::sqrt(1 - std::pow(SECOND_DECAY, steps)) / (1 - std::pow(FIRST_DECAY, steps)));
}

void SumTrainer::update(float rate, unsigned thread) {
    const float corrected = corrected_rate(rate);
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
        total += loss_of(outputs[sample], samples.targets[sample]);
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
