#include "networks/grid_trainer.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/wide.hpp"
#include "networks/grid_pass.hpp"

namespace zermelo {

namespace {

constexpr float FIRST_DECAY = 0.9f, SECOND_DECAY = 0.999f, TINY = 1e-8f;
constexpr float LONGEST_GRADIENT = 4.0f;  // a longer one, of a whole batch, is shortened

ZERMELO_WIDE void adam(float* __restrict weights, const float* __restrict gradient, float* __restrict first,
                       float* __restrict second, const uint8_t* __restrict decays, std::size_t count, float scale,
                       float rate, float decay) {
    for (std::size_t i = 0; i < count; ++i) {
        const float slope = gradient[i] * scale;
        first[i] = FIRST_DECAY * first[i] + (1 - FIRST_DECAY) * slope;
        second[i] = SECOND_DECAY * second[i] + (1 - SECOND_DECAY) * (slope * slope);
        weights[i] -= rate * (first[i] / (std::sqrt(second[i]) + TINY)) + decay * decays[i] * weights[i];
    }
}

}  // namespace

GridTrainer::Places GridTrainer::place(const GridShape& shape) {
    Places at{};
    std::size_t* const starts[] = {&at.in_planes,      &at.in_globals,         &at.in_bias,
                                   &at.conv,           &at.conv_bias,          &at.pool,
                                   &at.policy_hidden,  &at.policy_hidden_bias, &at.policy_pool,
                                   &at.policy_out,     &at.policy_out_bias,    &at.policy_extra,
                                   &at.value_hidden,   &at.value_hidden_bias,  &at.value_out,
                                   &at.value_out_bias, &at.owner_out,          &at.owner_out_bias};
    for (std::size_t i = 0; i < std::size(starts); ++i) {
        *starts[i] = at.end;
        at.end += grid_tensors()[i].size(shape);
    }
    return at;
}

GridTrainer::GridTrainer(GridShape shape, GridTrainerSettings settings)
    : shape_(std::move(shape)), settings_(settings), at_(place(shape_)), random_(settings.seed), weights_(at_.end),
      first_moment_(at_.end), second_moment_(at_.end),
      turned_(std::size_t{shape_.blocks} * 18 * shape_.channels * shape_.channels), decays_(at_.end, 1),
      gradients_(settings.threads, std::vector<float>(at_.end)) {
    shape_.check();
    initialise();
}

// The second convolution of a block begins at 0, so that a block begins as the identity and depth costs nothing.
void GridTrainer::initialise() {
    const auto normal = [&] {  // Box and Muller
        const double radius = std::sqrt(-2 * std::log(1 - random_.unit()));
        return static_cast<float>(radius * std::cos(2 * 3.141592653589793 * random_.unit()));
    };
    const auto fill = [&](std::size_t begin, std::size_t end, float spread) {
        for (std::size_t i = begin; i < end; ++i) weights_[i] = spread * normal();
    };
    const auto width = static_cast<float>(shape_.channels), taps = shape_.cells() == 1 ? 1.0f : 9.0f;
    fill(at_.in_planes, at_.in_globals, 0.3f);
    fill(at_.in_globals, at_.in_bias, 0.1f);
    const std::size_t kernel = std::size_t{9} * shape_.channels * shape_.channels;
    for (uint32_t block = 0; block < shape_.blocks; ++block) {
        const std::size_t begin = at_.conv + 2 * block * kernel;
        fill(begin, begin + kernel, std::sqrt(2 / (taps * width)));
    }
    fill(at_.policy_hidden, at_.policy_hidden_bias, std::sqrt(2 / width));
    fill(at_.policy_pool, at_.policy_out, 0.3f / std::sqrt(2 * width));
    fill(at_.policy_out, at_.policy_out_bias, 0.1f / std::sqrt(static_cast<float>(shape_.policy_units())));
    fill(at_.value_hidden, at_.value_hidden_bias, 1 / std::sqrt(width));
    fill(at_.value_out, at_.value_out_bias, 0.1f / std::sqrt(static_cast<float>(GridShape::VALUE_UNITS)));
    fill(at_.owner_out, at_.owner_out_bias, 0.1f / std::sqrt(width));
    for (const auto& [begin, end] : {std::pair{at_.in_bias, at_.conv},
                                     {at_.conv_bias, at_.pool},
                                     {at_.policy_hidden_bias, at_.policy_pool},
                                     {at_.policy_out_bias, at_.policy_extra},
                                     {at_.value_hidden_bias, at_.value_out},
                                     {at_.value_out_bias, at_.owner_out},
                                     {at_.owner_out_bias, at_.end}})
        std::fill(decays_.begin() + static_cast<std::ptrdiff_t>(begin),
                  decays_.begin() + static_cast<std::ptrdiff_t>(end), 0);
    turn_kernels();
}

void GridTrainer::turn_kernels() {
    const std::size_t width = shape_.channels, kernel = 9 * width * width;
    for (std::size_t k = 0; k < 2 * std::size_t{shape_.blocks}; ++k)
        for (std::size_t tap = 0; tap < 9; ++tap) {
            const float* from = weights_.data() + at_.conv + k * kernel + tap * width * width;
            float* to = turned_.data() + k * kernel + (8 - tap) * width * width;
            for (std::size_t in = 0; in < width; ++in)
                for (std::size_t out = 0; out < width; ++out) to[out * width + in] = from[in * width + out];
        }
}

void GridTrainer::load(std::vector<float> weights) {
    if (weights.size() != weights_.size()) throw std::invalid_argument("these weights are of another network");
    for (const float weight : weights)
        if (!std::isfinite(weight)) throw std::invalid_argument("a weight is not a finite number");
    weights_ = std::move(weights);
    turn_kernels();
}

GridLosses GridTrainer::learn(const GridSampleSource& sample, std::size_t count, uint64_t steps, float rate) {
    GridLosses total;
    if (count == 0 || steps == 0) return total;
    std::vector<std::size_t> chosen(settings_.batch);
    std::vector<GridLosses> losses(settings_.threads);
    std::vector<Pass> passes;
    for (unsigned i = 0; i < settings_.threads; ++i) passes.emplace_back(*this);
    for (uint64_t step = 0; step < steps; ++step) {
        for (std::size_t& each : chosen) each = random_.below(count);
        std::size_t known = 0;
        for (const std::size_t each : chosen) known += has_policy(sample(each));
        // Both losses are means: that of the policy over the positions whose visits are known.
        const float factor = known ? static_cast<float>(chosen.size()) / static_cast<float>(known) : 0;
        const std::size_t share = (chosen.size() + settings_.threads - 1) / settings_.threads;
        const auto work = [&](unsigned thread) {
            std::vector<float>& gradient = gradients_[thread];
            std::fill(gradient.begin(), gradient.end(), 0.0f);
            losses[thread] = {};
            for (std::size_t i = thread * share; i < std::min(chosen.size(), (thread + 1) * share); ++i) {
                const GridSample one = sample(chosen[i]);
                passes[thread].forward(one);
                const GridLosses lost = passes[thread].lose(one);
                passes[thread].backward(one, factor, gradient.data());
                losses[thread].policy += factor * lost.policy;
                losses[thread].value += lost.value;
                losses[thread].owners += lost.owners;
            }
        };
        std::vector<std::thread> threads;
        for (unsigned thread = 1; thread < settings_.threads; ++thread) threads.emplace_back(work, thread);
        work(0);
        for (std::thread& thread : threads) thread.join();
        for (const GridLosses& each : losses) {
            total.policy += each.policy;
            total.value += each.value;
            total.owners += each.owners;
        }
        update(rate);
    }
    const double positions = static_cast<double>(steps) * static_cast<double>(chosen.size());
    return {total.policy / positions, total.value / positions, total.owners / positions};
}

void GridTrainer::update(float rate) {
    std::vector<float>& gradient = gradients_[0];
    for (std::size_t thread = 1; thread < gradients_.size(); ++thread)
        add_numbers(gradients_[thread].data(), gradient.size(), gradient.data());
    double squares = 0;
    for (const float slope : gradient) squares += static_cast<double>(slope) * slope;
    const double length = std::sqrt(squares) / settings_.batch;
    const auto scale =
        static_cast<float>((length > LONGEST_GRADIENT ? LONGEST_GRADIENT / length : 1.0) / settings_.batch);
    const double steps = static_cast<double>(++steps_);
    const auto corrected =
        static_cast<float>(rate * std::sqrt(1 - std::pow(SECOND_DECAY, steps)) / (1 - std::pow(FIRST_DECAY, steps)));
    adam(weights_.data(), gradient.data(), first_moment_.data(), second_moment_.data(), decays_.data(), weights_.size(),
         scale, corrected, rate * settings_.decay);
    turn_kernels();
}

GridLosses GridTrainer::losses(const GridSampleSource& sample, std::size_t count) const {
    GridLosses total;
    Pass pass(*this);
    std::size_t known = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const GridSample one = sample(i);
        pass.forward(one);
        const GridLosses lost = pass.lose(one);
        known += has_policy(one);
        total.policy += lost.policy;
        total.value += lost.value;
        total.owners += lost.owners;
    }
    return {known ? total.policy / static_cast<double>(known) : 0, count ? total.value / static_cast<double>(count) : 0,
            count ? total.owners / static_cast<double>(count) : 0};
}

std::vector<float> GridTrainer::gradient(const GridSampleSource& sample, std::size_t count) const {
    std::size_t known = 0;
    for (std::size_t i = 0; i < count; ++i) known += has_policy(sample(i));
    const float factor = known ? static_cast<float>(count) / static_cast<float>(known) : 0;
    std::vector<float> found(at_.end);
    Pass pass(*this);
    for (std::size_t i = 0; i < count; ++i) {
        const GridSample one = sample(i);
        pass.forward(one);
        pass.lose(one);
        pass.backward(one, factor, found.data());
    }
    for (float& slope : found) slope /= static_cast<float>(count);
    return found;
}

std::vector<float> GridTrainer::outputs(const GridSample& sample) const {
    Pass pass(*this);
    pass.forward(sample);
    std::vector<float> found;
    for (std::size_t action = 0; action < shape_.actions.size(); ++action) found.push_back(pass.logit(action));
    found.push_back(pass.value());
    return found;
}

}  // namespace zermelo
