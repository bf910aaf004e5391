// Correction history: where a network was off in one position, it is likely to be off by as much in others that share the last
// actions, or a part of what it sees. Searches say how far it was; see worker.hpp.
#include "search/worker.hpp"

namespace zermelo {

namespace {

constexpr std::size_t MOST_PARTS = 16;  // of the inputs, words of 64 each; others are left out
constexpr int GRAIN = 256, MOST_WEIGHT = 16;  // a result counts by its depth: up to 1/16 of the average
constexpr int LARGEST_PLIES = 4;  // the greatest correction, as a margin

}  // namespace

// Calls `take` with the average of each kind of positions to which the one at `ply` belongs, and the weight of that kind.
template <typename Take>
void Worker::for_each_correction(int ply, const Take& take) {
    const Frame& frame = frames_.at(ply);
    const History::PriorActions past = prior_actions(ply);
    const std::span<const uint64_t> inputs = network_->inputs(ply, frame.mover);
    const std::size_t parts = std::min(inputs.size(), MOST_PARTS);
    const uint64_t own = static_cast<uint64_t>(past.own) * 0x9e3779b97f4a7c15u;
    take(history_->correction(frame.mover, 0, static_cast<uint64_t>(past.last)), 0.25);
    take(history_->correction(frame.mover, 1, static_cast<uint64_t>(past.last) ^ own), 0.25);
    for (std::size_t i = 0; i < parts; ++i)
        take(history_->correction(frame.mover, 2 + i, inputs[i]), 1.0 / static_cast<double>(parts));
}

Score Worker::corrected(int ply, Score estimate) {
    if (!settings_.correction_history || !network_) return estimate;
    double sum = 0;
    for_each_correction(ply, [&](Score& average, double weight) { sum += weight * average; });
    return scale_.as_estimate(estimate + static_cast<Score>(sum));
}

// Learns from the score of a node, unless that says no more than a bound on the side of the evaluation.
void Worker::learn_correction(int ply, const SearchNode& node, Score score, Score alpha) {
    const Frame& frame = frames_.at(ply);
    if (!settings_.correction_history || !network_) return;
    if (!frame.evaluated || frame.in_check || scale_.decisive(score)) return;
    if ((score >= node.beta && score <= frame.evaluation) || (score <= alpha && score >= frame.evaluation)) return;
    if (frame.best_place != TableEntry::NO_ACTION && frame.children[static_cast<std::size_t>(frame.best_place)].noisy)
        return;
    const Score most = margin(LARGEST_PLIES);
    const Score off = std::clamp(score - frame.estimate, -most, most);
    const int weight = std::min(node.depth + 1, MOST_WEIGHT);
    for_each_correction(ply, [&](Score& average, double) {
        average += static_cast<Score>(static_cast<int64_t>(off - average) * weight / GRAIN);
    });
}

}  // namespace zermelo
