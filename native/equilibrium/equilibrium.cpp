#include "equilibrium/equilibrium.hpp"

#include <random>

#include "core/wide.hpp"
#include "equilibrium/faces.hpp"
#include "equilibrium/lemke.hpp"
#include "equilibrium/lemke_howson.hpp"
#include "equilibrium/simplex.hpp"
#include "equilibrium/vertices.hpp"

namespace zermelo {
namespace {

constexpr std::size_t refresh_pivots = 64;  // pivots of doubles between two recomputations from the matrix

template <typename Number>
std::vector<Number> read_numbers(const MatrixBytes& matrix) {
    std::vector<Number> numbers(matrix.rows * matrix.columns);
    std::memcpy(numbers.data(), matrix.bytes.data(), numbers.size() * sizeof(Number));
    return numbers;
}

template <typename Number>
Dictionary<Number> read(const MatrixBytes& matrix) {
    return Dictionary<Number>(read_numbers<Number>(matrix), matrix.rows, matrix.columns, matrix.bits);
}

template <typename Number>
void append(PointBytes& bytes, const Number& number) {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <typename Number>
void append_vertex(PointBytes& bytes, const Vertices<Number>& vertices, std::size_t vertex, std::size_t columns) {
    for (std::size_t y = 0; y < columns; ++y) append(bytes, vertices.points[vertex * columns + y]);
    append(bytes, vertices.denominators[vertex]);
}

template <typename Number>
PointBytes write_point(const Dictionary<Number>& dictionary) {
    PointBytes bytes;
    for (std::size_t y = 0; y < dictionary.columns(); ++y) {
        const std::size_t place = dictionary.place(y);
        append(bytes, place < dictionary.columns() ? Number(0) : dictionary.right(place - dictionary.columns()));
    }
    append(bytes, dictionary.denominator());
    return bytes;
}

// The labels of the second player's vertices in the first player's order, complemented: the labels that are missing.
template <typename Number>
std::vector<uint64_t> missing_labels(const Vertices<Number>& vertices, std::size_t vertex, std::size_t own,
                                     std::size_t labels) {
    std::vector<uint64_t> missing(vertices.tight.words(), 0);
    const uint64_t* tight = vertices.tight[vertex];
    for (std::size_t variable = 0; variable < labels; ++variable)
        if (!(tight[variable / 64] >> (variable % 64) & 1))
            add_label(missing.data(), variable < own ? labels - own + variable : variable - own);
    return missing;
}

// Pairs every vertex with those that have all labels it lacks. A vertex without spare labels is found by hash.
template <typename Number>
class Matcher {
public:
    Matcher(const Vertices<Number>& first, const Vertices<Number>& second, std::size_t m, std::size_t n)
        : first_(first), second_(second), m_(m), n_(n) {
        for (std::size_t vertex = 0; vertex < second.tight.size(); ++vertex)
            if (second.tight.count(vertex) > n) crowded_.push_back(static_cast<uint32_t>(vertex));
    }

    std::vector<std::pair<uint32_t, uint32_t>> run(Watch& watch) {
        for (std::size_t vertex = 0; vertex < first_.tight.size(); ++vertex) {
            watch.node();
            const std::vector<uint64_t> wanted = missing_labels(first_, vertex, m_, m_ + n_);
            if (first_.tight.count(vertex) > m_) {
                for (std::size_t other = 0; other < second_.tight.size(); ++other) offer(vertex, other, wanted);
                watch.nodes(second_.tight.size());
                continue;
            }
            const uint32_t other = second_.tight.find(wanted.data());
            if (other != LabelSets::none) add(vertex, other);
            for (const uint32_t crowded : crowded_) offer(vertex, crowded, wanted);
        }
        return std::move(pairs_);
    }

private:
    void offer(std::size_t vertex, std::size_t other, const std::vector<uint64_t>& wanted) {
        if (second_.tight.contains(other, wanted.data())) add(vertex, other);
    }

    void add(std::size_t vertex, std::size_t other) {
        if (vertex == 0 && other == 0) return;  // the artificial equilibrium is no strategy
        pairs_.emplace_back(static_cast<uint32_t>(vertex), static_cast<uint32_t>(other));
    }

    const Vertices<Number>&first_, &second_;
    std::size_t m_, n_;
    std::vector<uint32_t> crowded_;
    std::vector<std::pair<uint32_t, uint32_t>> pairs_;
};

// Writes the vertices that are used, and renumbers the pairs accordingly.
template <typename Number, typename Half>
PointBytes write_used(const Vertices<Number>& vertices, std::size_t columns,
                      std::vector<std::pair<uint32_t, uint32_t>>& pairs, Half half) {
    PointBytes bytes;
    std::vector<uint32_t> numbers(vertices.tight.size(), LabelSets::none);
    uint32_t next = 0;
    for (auto& pair : pairs) {
        uint32_t& vertex = half(pair);
        if (numbers[vertex] == LabelSets::none) {
            numbers[vertex] = next++;
            append_vertex(bytes, vertices, vertex, columns);
        }
        vertex = numbers[vertex];
    }
    return bytes;
}

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

template <typename Number>
EquilibriaFound write_found(const Vertices<Number>& mine, const Vertices<Number>& theirs, Pairs pairs, std::size_t m,
                            std::size_t n) {
    EquilibriaFound found;
    found.pairs = std::move(pairs);
    found.first = write_used(mine, m, found.pairs, [](auto& pair) -> uint32_t& { return pair.first; });
    found.second = write_used(theirs, n, found.pairs, [](auto& pair) -> uint32_t& { return pair.second; });
    return found;
}

// The polytope of `first` has no more dimensions than that of `second`.
template <typename Number>
EquilibriaFound find_extreme(const MatrixBytes& first, const MatrixBytes& second, std::size_t limit, Watch& watch) {
    const std::size_t m = first.columns, n = second.columns;
    Dictionary<Number> rows = read<Number>(first);
    rows.refresh_every(refresh_pivots);
    const Vertices<Number> mine = VertexWalk<Number>(rows, false, limit, watch).run();
    if (4 * n >= 5 * m) {  // measured: in a nearly square game it is quicker to list both polytopes
        FaceSearch<Number> search(read_numbers<Number>(second), m, n, second.bits, limit, watch);
        Pairs pairs;
        for (std::size_t vertex = 0; vertex < mine.tight.size(); ++vertex)
            for (const uint32_t partner : search.partners(mine.tight[vertex]))
                pairs.emplace_back(static_cast<uint32_t>(vertex), partner);
        return write_found(mine, search.vertices(), std::move(pairs), m, n);
    }
    Dictionary<Number> columns = read<Number>(second);
    columns.refresh_every(refresh_pivots);
    const Vertices<Number> theirs = VertexWalk<Number>(columns, false, limit, watch).run();
    return write_found(mine, theirs, Matcher<Number>(mine, theirs, m, n).run(watch), m, n);
}

template <typename Number>
PathFound follow(const MatrixBytes& first, const MatrixBytes& second, std::size_t label, Watch& watch) {
    Dictionary<Number> rows = read<Number>(first), columns = read<Number>(second);
    const std::size_t pivots = lemke_howson(rows, columns, label, watch);
    return {write_point(rows), write_point(columns), pivots};
}

// Doubles cannot tell small numbers from 0 as ties need it, so their right-hand side is perturbed by random numbers; the
// basis at the end is then evaluated without.
template <typename Number>
PathEnd follow_to_one(const MatrixBytes& matrix, const MatrixBytes& right, double perturbation, Watch& watch) {
    constexpr bool exact = Dictionary<Number>::exact;
    const std::vector<Number> given = read_numbers<Number>(right);
    std::vector<Number> start = given;
    if constexpr (!exact) {
        std::mt19937_64 random(1);
        for (Number& number : start) number += perturbation * (1 + static_cast<double>(random() >> 11) * 0x1p-53);
    }
    Dictionary<Number> dictionary(read_numbers<Number>(matrix), matrix.rows, matrix.columns, matrix.bits, start);
    const std::size_t pivots = lemke(dictionary, watch);
    if constexpr (!exact) {
        dictionary.set_right(given);
        dictionary.refresh();
    }
    return {write_point(dictionary), pivots};
}

template <typename Number>
OptimumFound solve(const MatrixBytes& matrix, Watch& watch) {
    Dictionary<Number> dictionary = read<Number>(matrix);
    OptimumFound found;
    found.pivots = maximise(dictionary, watch);
    found.point = write_point(dictionary);
    for (std::size_t slack = dictionary.columns(); slack < dictionary.variables(); ++slack) {
        const std::size_t place = dictionary.place(slack);
        append(found.prices, place < dictionary.columns() ? dictionary.at(dictionary.rows(), place) : Number(0));
    }
    append(found.prices, dictionary.denominator());
    return found;
}

template <typename Number>
PointBytes find_optimal(const MatrixBytes& matrix, std::size_t limit, Watch& watch) {
    Dictionary<Number> dictionary = read<Number>(matrix);
    maximise(dictionary, watch);
    dictionary.refresh_every(refresh_pivots);
    const Vertices<Number> found = VertexWalk<Number>(dictionary, true, limit, watch).run();
    PointBytes bytes;
    for (std::size_t vertex = 0; vertex < found.tight.size(); ++vertex)
        append_vertex(bytes, found, vertex, matrix.columns);
    return bytes;
}

// Calls `work` with a number of the right type.
template <typename Work>
auto with_numbers(int limbs, const Work& work) {
    switch (limbs) {
        case 0: return work(double{});
        case 1: return work(Wide<1>{});
        case 2: return work(Wide<2>{});
        case 3: return work(Wide<3>{});
        case 4: return work(Wide<4>{});
        case 6: return work(Wide<6>{});
        case 8: return work(Wide<8>{});
        case 12: return work(Wide<12>{});
        case 16: return work(Wide<16>{});
        case 24: return work(Wide<24>{});
        case 32: return work(Wide<32>{});
        default: return work(Wide<64>{});
    }
}

}  // namespace

ZERMELO_WIDE
void subtract_multiple(double* __restrict row, const double* __restrict pivot, double factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) row[i] -= factor * pivot[i];
}

bool is_length(int limbs) {
    for (const int length : {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64})
        if (limbs == length) return true;
    return false;
}

EquilibriaFound extreme_equilibria(const MatrixBytes& first, const MatrixBytes& second, std::size_t limit,
                                   Watch& watch) {
    const bool swapped = first.columns > second.columns;
    const MatrixBytes &less = swapped ? second : first, &more = swapped ? first : second;
    EquilibriaFound found =
        with_numbers(first.limbs, [&](auto kind) { return find_extreme<decltype(kind)>(less, more, limit, watch); });
    if (swapped) {
        std::swap(found.first, found.second);
        for (auto& [mine, theirs] : found.pairs) std::swap(mine, theirs);
    }
    return found;
}

PathEnd lemke_path(const MatrixBytes& matrix, const MatrixBytes& right, double perturbation, Watch& watch) {
    return with_numbers(matrix.limbs,
                        [&](auto kind) { return follow_to_one<decltype(kind)>(matrix, right, perturbation, watch); });
}

PathFound lemke_howson_path(const MatrixBytes& first, const MatrixBytes& second, std::size_t label, Watch& watch) {
    return with_numbers(first.limbs, [&](auto kind) { return follow<decltype(kind)>(first, second, label, watch); });
}

OptimumFound optimum(const MatrixBytes& matrix, Watch& watch) {
    return with_numbers(matrix.limbs, [&](auto kind) { return solve<decltype(kind)>(matrix, watch); });
}

PointBytes optimal_vertices(const MatrixBytes& matrix, std::size_t limit, Watch& watch) {
    return with_numbers(matrix.limbs, [&](auto kind) { return find_optimal<decltype(kind)>(matrix, limit, watch); });
}

}  // namespace zermelo
