#include "networks/grid_trainer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <thread>

#include "core/wide.hpp"
#include "networks/layers.hpp"

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

// Whether the visits of a position are known, and there was something to choose.
bool has_policy(const GridSample& sample) { return !sample.visited.empty() && sample.legal.size() > 1; }

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

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

// One position through the network and back.
class GridTrainer::Pass {
public:
    explicit Pass(const GridTrainer& trainer)
        : shape_(trainer.shape_), at_(trainer.at_), weights_(trainer.weights_.data()), turned_(trainer.turned_.data()),
          board_(shape_.board()), width_(shape_.channels), units_(shape_.policy_units()),
          x_(shape_.blocks + 1, std::vector<float>(board_.size())),
          y_(shape_.blocks, std::vector<float>(board_.size())), pools_(shape_.blocks, std::vector<float>(2 * width_)),
          pooled_(2 * width_), bias_(width_), policy_(shape_.cells() * units_), policy_bias_(units_),
          value_units_(GridShape::VALUE_UNITS), gx_(board_.size()), gy_(board_.size()),
          sum_(std::max<std::size_t>(width_, units_)), gpool_(2 * width_), gpolicy_(policy_.size()) {}

    void forward(const GridSample& sample) {
        enter(sample);
        for (uint32_t block = 0; block < shape_.blocks; ++block) run_block(block);
        zermelo::pool(board_, x_.back().data(), pooled_.data());
        std::copy_n(weights_ + at_.policy_hidden_bias, units_, policy_bias_.data());
        add_product(pooled_.data(), 2 * width_, weights_ + at_.policy_pool, units_, policy_bias_.data());
        for (std::size_t cell = 0; cell < shape_.cells(); ++cell) {
            float* out = policy_.data() + cell * units_;
            std::copy_n(policy_bias_.data(), units_, out);
            add_product(x_.back().data() + board_.at(cell), width_, weights_ + at_.policy_hidden, units_, out);
            clip(out, units_);
        }
        std::copy_n(weights_ + at_.value_hidden_bias, value_units_.size(), value_units_.data());
        add_product(pooled_.data(), 2 * width_, weights_ + at_.value_hidden, value_units_.size(), value_units_.data());
        clip(value_units_.data(), value_units_.size());
        value_ =
            weights_[at_.value_out_bias] + product(value_units_.data(), weights_ + at_.value_out, value_units_.size());
    }

    float logit(std::size_t action) const {
        const float bias = weights_[at_.policy_out_bias + action];
        if (!shape_.cellwise()) {
            const std::size_t actions = shape_.actions.size();
            const float* column = weights_ + at_.policy_out + action;
            float sum = bias;
            for (std::size_t place = 0; place < policy_.size(); ++place)
                sum += policy_[place] * column[place * actions];
            return sum;
        }
        const std::size_t cell = shape_.action_cells[action], way = shape_.action_ways[action];
        if (cell == GridShape::NOWHERE)
            return bias + product(pooled_.data(), weights_ + at_.policy_extra + way * 2 * width_, 2 * width_);
        return bias + product(policy_.data() + cell * units_, weights_ + at_.policy_out + way * units_, units_);
    }

    float value() const { return value_; }

    // The losses of a position after `forward`; keeps the slopes of its logits.
    GridLosses lose(const GridSample& sample) {
        GridLosses found;
        found.value = softplus(value_) - static_cast<double>(sample.value) * value_;
        value_slope_ = 1 / (1 + std::exp(-value_)) - sample.value;
        found.owners = lose_owners(sample);
        logit_slopes_.clear();
        if (!has_policy(sample)) return found;
        logit_slopes_.resize(sample.legal.size());
        float most = -std::numeric_limits<float>::infinity(), total = 0, known = 0;
        for (std::size_t i = 0; i < sample.legal.size(); ++i)
            most = std::max(most, logit_slopes_[i] = logit(sample.legal[i]));
        std::vector<float>& logits = logit_slopes_;
        for (const float each : logits) total += std::exp(each - most);
        const float log_total = most + std::log(total);
        for (const float share : sample.shares) known += share;
        std::size_t next = 0;
        for (std::size_t i = 0; i < sample.legal.size(); ++i) {
            float share = 0;
            if (next < sample.visited.size() && sample.visited[next] == sample.legal[i])
                share = sample.shares[next++] / known;
            found.policy -= share * (logits[i] - log_total);
            logits[i] = std::exp(logits[i] - log_total) - share;
        }
        return found;
    }

    // Adds the slopes of a position, after `lose`, to the gradient, those of the policy times a factor.
    void backward(const GridSample& sample, float policy_factor, float* gradient) {
        for (float& slope : logit_slopes_) slope *= policy_factor;
        std::fill(gpool_.begin(), gpool_.end(), 0.0f);
        std::fill(gx_.begin(), gx_.end(), 0.0f);
        leave_value(gradient);
        leave_owners(gradient);
        if (!logit_slopes_.empty()) leave_policy(sample, gradient);
        add_pool_slopes(board_, x_.back().data(), pooled_.data(), gpool_.data(), gx_.data());
        for (uint32_t block = shape_.blocks; block-- > 0;) leave_block(block, gradient);
        leave(sample, gradient);
    }

private:
    void enter(const GridSample& sample) {
        const std::size_t planes = shape_.planes * shape_.cells();
        std::copy_n(weights_ + at_.in_bias, width_, bias_.data());
        for_each_global(sample, [&](std::size_t row) {
            add_numbers(weights_ + at_.in_globals + row * width_, width_, bias_.data());
        });
        float* x = x_[0].data();
        for_each_cell(board_, x, [&](float* cell) { std::copy_n(bias_.data(), width_, cell); });
        for (const uint32_t place : sample.on)
            if (place < planes)
                for_each_tap(place, [&](std::size_t row, std::size_t cell) {
                    add_numbers(weights_ + at_.in_planes + row * width_, width_, x + board_.at(cell));
                });
        for_each_cell(board_, x, [&](float* cell) { clip(cell, width_); });
    }

    void leave(const GridSample& sample, float* gradient) {
        const std::size_t planes = shape_.planes * shape_.cells();
        const float* x = x_[0].data();
        float* sum = clear_sum(width_);
        for (std::size_t cell = 0; cell < shape_.cells(); ++cell) {
            float* slopes = gx_.data() + board_.at(cell);
            mask(x + board_.at(cell), width_, slopes);
            add_numbers(slopes, width_, sum);
        }
        add_numbers(sum, width_, gradient + at_.in_bias);
        for_each_global(sample,
                        [&](std::size_t row) { add_numbers(sum, width_, gradient + at_.in_globals + row * width_); });
        for (const uint32_t place : sample.on)
            if (place < planes)
                for_each_tap(place, [&](std::size_t row, std::size_t cell) {
                    add_numbers(gx_.data() + board_.at(cell), width_, gradient + at_.in_planes + row * width_);
                });
    }

    void run_block(uint32_t block) {
        const float* kernels = weights_ + at_.conv + 2 * block * kernel();
        const float* bias = weights_ + at_.conv_bias + 2 * block * width_;
        const float* x = x_[block].data();
        float* y = y_[block].data();
        for_each_cell(board_, y, [&](float* cell) { std::copy_n(bias, width_, cell); });
        add_convolution(board_, x, kernels, y);
        for_each_cell(board_, y, [&](float* cell) { clip(cell, width_); });
        zermelo::pool(board_, y, pools_[block].data());
        std::copy_n(bias + width_, width_, bias_.data());
        add_product(pools_[block].data(), 2 * width_, weights_ + at_.pool + block * 2 * width_ * width_, width_,
                    bias_.data());
        float* out = x_[block + 1].data();
        std::copy_n(x, board_.size(), out);
        for_each_cell(board_, out, [&](float* cell) { add_numbers(bias_.data(), width_, cell); });
        add_convolution(board_, y, kernels + kernel(), out);
        for_each_cell(board_, out, [&](float* cell) { clip(cell, width_); });
    }

    // gx: from the slopes of the block's output to those of its input.
    void leave_block(uint32_t block, float* gradient) {
        const std::size_t conv = at_.conv + 2 * block * kernel(), bias = at_.conv_bias + 2 * block * width_,
                          pool = at_.pool + block * 2 * width_ * width_;
        const float* y = y_[block].data();
        mask_cells(x_[block + 1].data(), gx_.data(), gradient + bias + width_);
        std::fill(gpool_.begin(), gpool_.end(), 0.0f);
        add_product_slopes(pools_[block].data(), 2 * width_, weights_ + pool, width_, sum_.data(), gpool_.data(),
                           gradient + pool);
        add_weight_slopes(board_, y, gx_.data(), gradient + conv + kernel());
        std::fill(gy_.begin(), gy_.end(), 0.0f);
        add_convolution(board_, gx_.data(), turned_ + (2 * block + 1) * kernel(), gy_.data());
        add_pool_slopes(board_, y, pools_[block].data(), gpool_.data(), gy_.data());
        mask_cells(y, gy_.data(), gradient + bias);
        add_weight_slopes(board_, x_[block].data(), gy_.data(), gradient + conv);
        add_convolution(board_, gy_.data(), turned_ + 2 * block * kernel(), gx_.data());
    }

    void leave_value(float* gradient) {
        gradient[at_.value_out_bias] += value_slope_;
        value_slopes_.assign(value_units_.size(), 0);
        add_scaled(weights_ + at_.value_out, value_slope_, value_units_.size(), value_slopes_.data());
        add_scaled(value_units_.data(), value_slope_, value_units_.size(), gradient + at_.value_out);
        mask(value_units_.data(), value_units_.size(), value_slopes_.data());
        add_numbers(value_slopes_.data(), value_units_.size(), gradient + at_.value_hidden_bias);
        add_product_slopes(pooled_.data(), 2 * width_, weights_ + at_.value_hidden, value_units_.size(),
                           value_slopes_.data(), gpool_.data(), gradient + at_.value_hidden);
    }

    double lose_owners(const GridSample& sample) {
        owner_slopes_.clear();
        if (!shape_.owners || sample.owned.empty()) return 0;
        const float weight = OWNERS_WEIGHT / static_cast<float>(shape_.cells());
        double loss = 0;
        for (std::size_t cell = 0; cell < shape_.cells(); ++cell) {
            const float mine = weights_[at_.owner_out_bias] +
                               product(x_.back().data() + board_.at(cell), weights_ + at_.owner_out, width_);
            const float target = static_cast<float>(sample.owned[cell]) / 2;
            loss += weight * (softplus(mine) - static_cast<double>(target) * mine);
            owner_slopes_.push_back(weight * (1 / (1 + std::exp(-mine)) - target));
        }
        return loss;
    }

    void leave_owners(float* gradient) {
        for (std::size_t cell = 0; cell < owner_slopes_.size(); ++cell) {
            const float slope = owner_slopes_[cell];
            gradient[at_.owner_out_bias] += slope;
            add_scaled(weights_ + at_.owner_out, slope, width_, gx_.data() + board_.at(cell));
            add_scaled(x_.back().data() + board_.at(cell), slope, width_, gradient + at_.owner_out);
        }
    }

    void leave_policy(const GridSample& sample, float* gradient) {
        std::fill(gpolicy_.begin(), gpolicy_.end(), 0.0f);
        for (std::size_t i = 0; i < sample.legal.size(); ++i) leave_logit(sample.legal[i], logit_slopes_[i], gradient);
        float* sum = clear_sum(units_);
        for (std::size_t cell = 0; cell < shape_.cells(); ++cell) {
            float* slopes = gpolicy_.data() + cell * units_;
            mask(policy_.data() + cell * units_, units_, slopes);
            add_numbers(slopes, units_, sum);
            const std::size_t at = board_.at(cell);
            add_product_slopes(x_.back().data() + at, width_, weights_ + at_.policy_hidden, units_, slopes,
                               gx_.data() + at, gradient + at_.policy_hidden);
        }
        add_numbers(sum, units_, gradient + at_.policy_hidden_bias);
        add_product_slopes(pooled_.data(), 2 * width_, weights_ + at_.policy_pool, units_, sum, gpool_.data(),
                           gradient + at_.policy_pool);
    }

    void leave_logit(std::size_t action, float slope, float* gradient) {
        gradient[at_.policy_out_bias + action] += slope;
        if (!shape_.cellwise()) {
            const std::size_t actions = shape_.actions.size();
            const float* column = weights_ + at_.policy_out + action;
            float* to = gradient + at_.policy_out + action;
            for (std::size_t place = 0; place < policy_.size(); ++place) {
                gpolicy_[place] += slope * column[place * actions];
                to[place * actions] += slope * policy_[place];
            }
            return;
        }
        const std::size_t cell = shape_.action_cells[action], way = shape_.action_ways[action];
        if (cell == GridShape::NOWHERE) {
            const std::size_t row = at_.policy_extra + way * 2 * width_;
            add_scaled(weights_ + row, slope, 2 * width_, gpool_.data());
            add_scaled(pooled_.data(), slope, 2 * width_, gradient + row);
            return;
        }
        const std::size_t row = at_.policy_out + way * units_;
        add_scaled(weights_ + row, slope, units_, gpolicy_.data() + cell * units_);
        add_scaled(policy_.data() + cell * units_, slope, units_, gradient + row);
    }

    // Masks the slopes of clipped numbers, and adds their sum over the cells, which stays in `sum_`, to the slopes of a bias.
    void mask_cells(const float* clipped, float* slopes, float* bias) {
        float* sum = clear_sum(width_);
        for (std::size_t cell = 0; cell < shape_.cells(); ++cell) {
            mask(clipped + board_.at(cell), width_, slopes + board_.at(cell));
            add_numbers(slopes + board_.at(cell), width_, sum);
        }
        add_numbers(sum, width_, bias);
    }

    // Calls `visit(row)` for the rows of the global inputs that are on.
    template <typename Visit>
    void for_each_global(const GridSample& sample, const Visit& visit) const {
        const std::size_t planes = shape_.planes * shape_.cells();
        for (const uint32_t place : sample.on)
            if (place >= planes) visit(place - planes);
        if (sample.mover == 1) visit(shape_.globals - 1);
    }

    // Calls `visit(row, cell)` for each tap of the input at `place` that lies on the board.
    template <typename Visit>
    void for_each_tap(uint32_t place, const Visit& visit) const {
        const auto cells = static_cast<uint32_t>(shape_.cells());
        const auto cell = static_cast<int32_t>(place % cells), columns = static_cast<int32_t>(shape_.columns),
                   rows = static_cast<int32_t>(shape_.rows);
        for (int32_t tap = 0; tap < 9; ++tap) {
            const int32_t row = cell / columns - (tap / 3 - 1), column = cell % columns - (tap % 3 - 1);
            if (row >= 0 && row < rows && column >= 0 && column < columns)
                visit(std::size_t{place / cells} * 9 + static_cast<std::size_t>(tap),
                      static_cast<std::size_t>(row * columns + column));
        }
    }

    float* clear_sum(std::size_t count) {
        std::fill_n(sum_.data(), count, 0.0f);
        return sum_.data();
    }
    std::size_t kernel() const { return 9 * width_ * width_; }

    const GridShape& shape_;
    const Places& at_;
    const float* weights_;
    const float* turned_;
    const GridBoard board_;
    const std::size_t width_, units_;
    std::vector<std::vector<float>> x_,
        y_;  // the input of each block, and behind the last its output; its first activation
    std::vector<std::vector<float>> pools_;  // of y
    std::vector<float> pooled_, bias_, policy_, policy_bias_, value_units_;
    float value_ = 0, value_slope_ = 0;
    std::vector<float> logit_slopes_, value_slopes_, owner_slopes_;
    std::vector<float> gx_, gy_, sum_, gpool_, gpolicy_;  // slopes
};

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
