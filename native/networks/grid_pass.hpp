// One position through a grid network and back: what its trainer does with each sample.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "networks/grid_trainer.hpp"
#include "networks/layers.hpp"

namespace zermelo {

// Whether the visits of a position are known, and there was something to choose.
inline bool has_policy(const GridSample& sample) { return !sample.visited.empty() && sample.legal.size() > 1; }

inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

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

}  // namespace zermelo
