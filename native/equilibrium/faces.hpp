// The vertices of one best-response polytope that go with vertices of the other, face by face.
//
// A strategy x is best against y, and y against x, if y uses nothing but the best replies J to x, and every action in
// the support I of x is best against y: y lies on the face {y_j = 0 for j ∉ J, (A y)_i = 1 for i ∈ I} of {y ≥ 0, A y ≤
// 1}. There Σ_{i ∈ I} (A y)_i has its greatest possible value, |I|: the simplex method finds a vertex of the face or
// shows that it is empty, and a walk over the optimal vertices finds the others. That is quicker than listing all
// vertices of a polytope of many dimensions whose counterpart has few.
#pragma once

#include <bit>
#include <utility>
#include <vector>

#include "core/watch.hpp"
#include "equilibrium/simplex.hpp"
#include "equilibrium/vertices.hpp"

namespace zermelo {

template <typename Number>
class FaceSearch {
public:
    // `matrix` is A, in row-major order; `limit` bounds the number of vertices found.
    FaceSearch(std::vector<Number> matrix, std::size_t rows, std::size_t columns, int bits, std::size_t limit,
               Watch& watch)
        : matrix_(std::move(matrix)), rows_(rows), columns_(columns), bits_(bits + std::bit_width(rows)), limit_(limit),
          watch_(watch), found_(rows + columns) {
        if constexpr (Dictionary<Number>::exact)
            if (bits_ >= 64 * static_cast<int>(matrix_[0].limbs.size())) throw Narrow{};
    }

    // The numbers, in `vertices()`, of those that go with a vertex whose tight inequalities are `tight`: its own
    // `rows` variables first, then the slacks of the other's `columns` actions.
    std::vector<uint32_t> partners(const uint64_t* tight) {
        const auto is_tight = [&](std::size_t label) { return tight[label / 64] >> (label % 64) & 1; };
        support_.clear();
        replies_.clear();
        for (std::size_t i = 0; i < rows_; ++i)
            if (!is_tight(i)) support_.push_back(i);
        for (std::size_t j = 0; j < columns_; ++j)
            if (is_tight(rows_ + j)) replies_.push_back(j);
        if (support_.empty() || replies_.empty()) return {};
        Dictionary<Number> dictionary = face();
        maximise(dictionary, watch_);
        const Number wanted = Number(static_cast<int>(support_.size())) * dictionary.denominator();
        if (Sign<Number>::of(wanted - dictionary.value()) > 0) return {};
        const Vertices<Number> face = VertexWalk<Number>(dictionary, true, limit_, watch_).run();
        std::vector<uint32_t> numbers;
        for (std::size_t vertex = 0; vertex < face.tight.size(); ++vertex) numbers.push_back(keep(face, vertex));
        return numbers;
    }

    Vertices<Number> vertices() { return std::move(found_); }

private:
    // The columns of the best replies; the objective is the sum of the support's rows.
    Dictionary<Number> face() const {
        const std::size_t width = replies_.size();
        std::vector<Number> part(rows_ * width), objective(width, Number(0));
        for (std::size_t i = 0; i < rows_; ++i)
            for (std::size_t j = 0; j < width; ++j) part[i * width + j] = matrix_[i * columns_ + replies_[j]];
        for (const std::size_t i : support_)
            for (std::size_t j = 0; j < width; ++j) objective[j] = objective[j] - -part[i * width + j];
        return Dictionary<Number>(std::move(part), rows_, width, bits_, {}, std::move(objective));
    }

    // Lists a vertex of the face with the labels of the whole polytope; returns its number.
    uint32_t keep(const Vertices<Number>& face, std::size_t vertex) {
        const std::size_t width = replies_.size();
        const uint64_t* tight = face.tight[vertex];
        const auto is_tight = [&](std::size_t label) { return tight[label / 64] >> (label % 64) & 1; };
        std::vector<uint64_t> labels(found_.tight.words(), 0);
        std::vector<Number> point(columns_, Number(0));
        for (std::size_t j = 0; j < columns_; ++j) add_label(labels.data(), j);
        for (std::size_t j = 0; j < width; ++j) {
            if (!is_tight(j)) drop_label(labels.data(), replies_[j]);
            point[replies_[j]] = face.points[vertex * width + j];
        }
        for (std::size_t i = 0; i < rows_; ++i)
            if (is_tight(width + i)) add_label(labels.data(), columns_ + i);
        if (found_.tight.insert(labels.data())) {
            if (found_.tight.size() > limit_) throw TooMany{};
            found_.points.insert(found_.points.end(), point.begin(), point.end());
            found_.denominators.push_back(face.denominators[vertex]);
        }
        return found_.tight.find(labels.data());
    }

    std::vector<Number> matrix_;
    std::size_t rows_, columns_;
    int bits_;
    std::size_t limit_;
    Watch& watch_;
    Vertices<Number> found_;
    std::vector<std::size_t> support_, replies_;
};

}  // namespace zermelo
