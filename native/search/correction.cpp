// Correction history: where a network was off in one position, it is likely to be off by as much in others that share the last
// actions, or a part of what it sees. Searches say how far it was; see worker.hpp.
#include "search/worker.hpp"

namespace zermelo {

namespace {

constexpr std::size_t MOST_PARTS = 16;  // of the inputs, words of 64 each; others are left out

}  // namespace

// Calls `take` with the average of each kind of positions to which the one at `ply` belongs, and the weight of that kind.
template <typename Take>
void Worker::for_each_correction(int ply, const Take& take) {
    const Frame& frame = frames_.at(ply);
    const History::PriorActions past = prior_actions(ply);
    const std::span<const uint64_t> inputs = network_->inputs(ply, frame.mover);
    const std::size_t parts = std::min(inputs.size(), MOST_PARTS);
    const uint64_t own = static_cast<uint64_t>(past.own) * 0x9e3779b97f4a7c15u;
    take(history_->correction(frame.mover, 0, static_cast<uint64_t>(past.last)), parameters().correction_last);
    take(history_->correction(frame.mover, 1, static_cast<uint64_t>(past.last) ^ own), parameters().correction_pair);
    const double share = parameters().correction_inputs / static_cast<double>(parts);
    for (std::size_t i = 0; i < parts; ++i) take(history_->correction(frame.mover, 2 + i, inputs[i]), share);
}

Score Worker::corrected(int ply, Score estimate) {
    if (!settings_.correction_history || !network_) return estimate;
    double sum = 0;
    for_each_correction(ply, [&](Score& average, double weight) { sum += weight * average; });
    return scale_.as_estimate(estimate + static_cast<Score>(std::clamp(sum, -LARGEST_MARGIN, LARGEST_MARGIN)));
}

// Learns from the score of a node, unless that says no more than a bound on the side of the evaluation.
void Worker::learn_correction(int ply, const SearchNode& node, Score score, Score alpha) {
    const Frame& frame = frames_.at(ply);
    if (!settings_.correction_history || !network_) return;
    if (!frame.evaluated || frame.in_check || scale_.decisive(score)) return;
    if ((score >= node.beta && score <= frame.evaluation) || (score <= alpha && score >= frame.evaluation)) return;
    if (frame.best_place != TableEntry::NO_ACTION && frame.children[static_cast<std::size_t>(frame.best_place)].noisy)
        return;
    const Score most = margin(parameters().correction_margin);
    const Score off = std::clamp(score - frame.estimate, -most, most);
    // A result counts by its depth.
    const double part =
        static_cast<double>(std::min(node.depth + 1, parameters().correction_depth)) / parameters().correction_grain;
    for_each_correction(ply, [&](Score& average, double) { average += static_cast<Score>((off - average) * part); });
}

}  // namespace zermelo
