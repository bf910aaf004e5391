// All vertices of a polytope {y ≥ 0, A y ≤ 1}, each once, with its labels: a depth-first search over the graph of
// bases, from the current one. Bases that differ only by ε are one vertex.
#pragma once

#include <vector>

#include "core/watch.hpp"
#include "equilibrium/dictionary.hpp"
#include "equilibrium/labels.hpp"

namespace zermelo {

// Thrown if there are more vertices, or bases of them, than the caller's limit.
struct TooMany {};

template <typename Number>
struct Vertices {
    explicit Vertices(std::size_t labels) : tight(labels) {}

    LabelSets tight;             // one set per vertex: the inequalities that are tight there
    std::vector<Number> points;  // one row of `columns` numerators per vertex
    std::vector<Number> denominators;
};

template <typename Number>
class VertexWalk {
public:
    // With `optimal`, only vertices on which Σ y equals its value at the start; a superlevel set of a linear function
    // is connected in the graph of a simple polytope, so none of them is missed.
    VertexWalk(Dictionary<Number>& dictionary, bool optimal, std::size_t limit, Watch& watch)
        : dictionary_(dictionary), optimal_(optimal), limit_(limit), watch_(watch), seen_(dictionary.variables()),
          found_(dictionary.variables()), scratch_(seen_.words()) {}

    Vertices<Number> run() {
        std::vector<uint64_t> basis(seen_.words(), 0);
        for (std::size_t j = 0; j < dictionary_.columns(); ++j) add_label(basis.data(), dictionary_.nonbasic(j));
        seen_.insert(basis.data());
        keep();
        std::vector<Step> path{{0, 0, 0}};
        while (!path.empty()) {
            watch_.node();
            Step& here = path.back();
            if (here.next == dictionary_.columns()) {
                const Step taken = here;
                path.pop_back();
                if (path.empty()) break;
                dictionary_.pivot(taken.row, taken.column);
                drop_label(basis.data(), dictionary_.basic(taken.row));
                add_label(basis.data(), dictionary_.nonbasic(taken.column));
                continue;
            }
            const std::size_t column = here.next++;
            const std::size_t row = dictionary_.leaving(column);
            if (row == dictionary_.rows() || !enter(basis, row, column)) continue;
            path.push_back({row, column, 0});
        }
        return std::move(found_);
    }

private:
    struct Step {
        std::size_t row, column;  // the pivot that led here
        std::size_t next;         // the column to try next
    };

    // Moves to the neighbour if it is new and matches.
    bool enter(std::vector<uint64_t>& basis, std::size_t row, std::size_t column) {
        scratch_ = basis;
        drop_label(scratch_.data(), dictionary_.nonbasic(column));
        add_label(scratch_.data(), dictionary_.basic(row));
        if (seen_.find(scratch_.data()) != LabelSets::none) return false;
        if (optimal_ && !keeps_sum(row, column)) return false;
        if (seen_.size() >= limit_) throw TooMany{};
        seen_.insert(scratch_.data());
        basis = scratch_;
        dictionary_.pivot(row, column);
        keep();
        return true;
    }

    // An edge keeps the sum if its reduced cost is 0, or if its length is 0.
    bool keeps_sum(std::size_t row, std::size_t column) const {
        return Sign<Number>::of(dictionary_.at(dictionary_.rows(), column)) == 0 ||
               Sign<Number>::of(dictionary_.right(row)) == 0;
    }

    void keep() {
        std::fill(scratch_.begin(), scratch_.end(), 0);
        for (std::size_t j = 0; j < dictionary_.columns(); ++j) add_label(scratch_.data(), dictionary_.nonbasic(j));
        for (std::size_t i = 0; i < dictionary_.rows(); ++i)
            if (Sign<Number>::of(dictionary_.right(i)) == 0) add_label(scratch_.data(), dictionary_.basic(i));
        if (!found_.tight.insert(scratch_.data())) return;
        for (std::size_t y = 0; y < dictionary_.columns(); ++y) {
            const std::size_t place = dictionary_.place(y);
            const bool basic = place >= dictionary_.columns();
            found_.points.push_back(basic ? dictionary_.right(place - dictionary_.columns()) : Number(0));
        }
        found_.denominators.push_back(dictionary_.denominator());
    }

    Dictionary<Number>& dictionary_;
    bool optimal_;
    std::size_t limit_;
    Watch& watch_;
    LabelSets seen_;  // the nonbasic variables of each basis
    Vertices<Number> found_;
    std::vector<uint64_t> scratch_;
};

}  // namespace zermelo
