// What a grid network learns from recorded games: positions as lists of places, with what a search and the game made of them.
#pragma once

#include "networks/grid_trainer.hpp"
#include "selfplay/samples.hpp"

namespace zermelo {

// Lists of different length, one for each sample, behind each other.
struct SampleLists {
    std::vector<uint32_t> items;
    std::vector<uint64_t> starts{0};  // list i goes from starts[i] up to starts[i + 1]

    std::span<const uint32_t> list(std::size_t index) const {
        return {items.data() + starts[index], items.data() + starts[index + 1]};
    }
    void end_list() { starts.push_back(items.size()); }
    void extend(const SampleLists& others) {
        const std::size_t shift = items.size();
        items.insert(items.end(), others.items.begin(), others.items.end());
        for (std::size_t i = 1; i < others.starts.size(); ++i) starts.push_back(shift + others.starts[i]);
    }
    void clear() {
        items.clear();
        starts.assign(1, 0);
    }
};

class GridSamples {
public:
    explicit GridSamples(GridShape shape) : shape_(std::move(shape)), words_(shape_.inputs.words()) {}

    // Adds a position in which `mover`, a player, has the `legal` actions. `value` is what it can expect, from 0 for the
    // least utility to 1 for the greatest.
    void add(const Game& game, const std::byte* state, int32_t mover, const ActionList& legal,
             std::span<const VisitShare> visits, float value);
    // Says of the sample `index` who has the cells in the end: a player each, or -1.
    void set_owners(std::size_t index, const ActionList& owners);
    // Adds those of other samples of the same shape.
    void extend(const GridSamples& others);
    void clear();

    const GridShape& shape() const { return shape_; }
    std::size_t size() const { return values.size(); }
    GridSample at(std::size_t index) const;

    SampleLists on;  // places
    SampleLists legal;  // indices among the known actions
    SampleLists visited;  // the same, of those with a share of the visits; empty if they are not known
    std::vector<float> shares;  // of each visited action
    std::vector<uint8_t> movers;
    std::vector<float> values;
    std::vector<uint8_t>
        owned;  // [samples][cells] in halves, as in `GridSample`, or UNKNOWN; only of a shape with owners

    static constexpr uint8_t UNKNOWN = 255;

private:
    // Calls `take` with the index of an action, if it is known.
    template <typename Take>
    void find(int64_t action, const Take& take) const;

    const GridShape shape_;
    InputWords words_;
};

// Adds the positions of a block of a file in which a search chose the action; targets are as those of sum networks.
void add_samples(const zermelo_table& table, const RecordFile& file, std::size_t block, const SampleSettings& settings,
                 GridSamples& samples);

}  // namespace zermelo
