// The simplex method: maximises Σ y on {y ≥ 0, A y ≤ 1}. With A a matrix game of positive payoffs to the row player, y
// / Σ y is the column player's optimal strategy, the objective row holds the row player's, and 1 / Σ y is the value.
#pragma once

#include <algorithm>
#include <vector>

#include "core/watch.hpp"
#include "equilibrium/dictionary.hpp"

namespace zermelo {

// The entering column (Dantzig's rule): the one with the most negative entry in the objective row.
template <typename Number>
class Pricing {
public:
    explicit Pricing(const Dictionary<Number>& dictionary) : dictionary_(dictionary) {}

    // Returns `columns()` if there is none, as the basis is optimal.
    std::size_t entering() const {
        const std::size_t objective = dictionary_.rows();
        std::size_t best = dictionary_.columns();
        for (std::size_t j = 0; j < dictionary_.columns(); ++j) {
            const Number& cost = dictionary_.at(objective, j);
            if (Sign<Number>::of(cost) < 0 &&
                (best == dictionary_.columns() || Sign<Number>::of(cost - dictionary_.at(objective, best)) < 0))
                best = j;
        }
        return best;
    }

    void before_pivot(std::size_t, std::size_t) {}

private:
    const Dictionary<Number>& dictionary_;
};

// For doubles, Devex pricing (Harris 1973): entries are divided by an estimate of the length of their edge. That takes
// a quarter of the pivots on a dense game of 1000 × 1000.
template <>
class Pricing<double> {
public:
    explicit Pricing(const Dictionary<double>& dictionary)
        : dictionary_(dictionary), weights_(dictionary.columns(), 1.0) {}

    std::size_t entering() const {
        std::size_t best = dictionary_.columns();
        double greatest = 0;
        for (std::size_t j = 0; j < dictionary_.columns(); ++j) {
            const double cost = dictionary_.at(dictionary_.rows(), j);
            if (Sign<double>::of(cost) < 0 && cost * cost > greatest * weights_[j]) {
                greatest = cost * cost / weights_[j];
                best = j;
            }
        }
        return best;
    }

    void before_pivot(std::size_t row, std::size_t column) {
        const double pivot = dictionary_.at(row, column), weight = weights_[column];
        for (std::size_t j = 0; j < dictionary_.columns(); ++j) {
            const double ratio = dictionary_.at(row, j) / pivot;
            weights_[j] = std::max(weights_[j], ratio * ratio * weight);
        }
        weights_[column] = std::max(weight / (pivot * pivot), 1.0);
        if (*std::max_element(weights_.begin(), weights_.end()) > 1e8)
            std::fill(weights_.begin(), weights_.end(), 1.0);  // reset the reference framework
    }

private:
    const Dictionary<double>& dictionary_;
    std::vector<double> weights_;
};

// Pivots to an optimal basis; returns the number of pivots.
template <typename Number>
std::size_t maximise(Dictionary<Number>& dictionary, Watch& watch) {
    Pricing<Number> pricing(dictionary);
    for (std::size_t pivots = 0;; ++pivots) {
        watch.nodes(64);  // a pivot costs as much as many nodes of a search
        const std::size_t column = pricing.entering();
        if (column == dictionary.columns()) return pivots;
        const std::size_t row = dictionary.leaving(column);
        if (row == dictionary.rows() || (!Dictionary<Number>::exact && pivots > 1'000'000)) throw Lost{};
        pricing.before_pivot(row, column);
        dictionary.pivot(row, column);
    }
}

}  // namespace zermelo
