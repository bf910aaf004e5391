// Judged simulations: a policy or an evaluator says what positions are worth and which actions to try.
#include <thread>

#include "search/mcts/simulator.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;

}  // namespace

// The position at the end of the path, with the actions in the list, as a request to the evaluator.
MctsQuestion MctsSimulator::ask(const std::byte* state, int32_t mover) const {
    const auto end = list_.actions.begin() + static_cast<std::ptrdiff_t>(list_.count);
    MctsQuestion question{path_, {list_.actions.begin(), end}, game_.buffer(), mover};
    std::memcpy(question.state.data(), state, game_.state_size());
    return question;
}

void MctsSimulator::simulate_judged() {
    Arrival arrival = descend(true);
    while (arrival == Arrival::busy) {  // another thread judges the same position
        leave_path();
        if (shared_.stop.load(RELAXED)) return;
        std::this_thread::yield();
        arrival = descend(true);
    }
    if (arrival == Arrival::leaf) {
        judged_priors_.resize(list_.count);
        game_.policy(state_, list_.actions.data(), list_.count, judged_priors_.data(), position_.utilities.data());
        tree_[path_.back()].first.store(MctsTree::NOTHING, RELAXED);
        expand(path_.back(), state_, judged_priors_);
        if (settings_.mix > 0) mix_playout();
    }
    back_up();
}

// Mixes the utilities at the end of the path, which the game's policy has judged, with those of a playout.
void MctsSimulator::mix_playout() {
    const std::array<double, MAX_PLAYERS> judged = position_.utilities;
    playout();
    for (int32_t p = 0; p < table_.players; ++p)
        position_.utilities[p] = (1 - settings_.mix) * judged[p] + settings_.mix * position_.utilities[p];
}

// Judges the position at the end of the path if it has been visited often enough: its actions get priors, and the mean of the
// simulations so far, there and above, is mixed with the judgement.
void MctsSimulator::judge_visited(uint32_t at) {
    const MctsNode& node = tree_[at];
    const uint32_t visits = node.visits.load(RELAXED), first = node.first.load(RELAXED);
    if (visits < settings_.judged_from || node.mover.load(RELAXED) < 0 || !tree_.claim_judgement(first)) return;
    judged_actions_.resize(node.count);
    judged_priors_.resize(node.count);
    for (uint32_t i = 0; i < node.count; ++i) judged_actions_[i] = tree_[first + i].action;
    std::array<double, MAX_PLAYERS> judged;
    game_.policy(state_, judged_actions_.data(), node.count, judged_priors_.data(), judged.data());
    tree_.set_priors(first, judged_priors_);
    if (opposed_ && path_.size() > 1) blend(visits, judged);
}

// Adds to the position at the end of the path, and to those above, what its `count` visits lack of (1 - mix) times the
// judgement and mix times their mean.
void MctsSimulator::blend(double count, std::span<const double> judged) {
    const MctsNode& leaf = tree_[path_.back()];
    const auto into = [&](std::size_t i) { return std::max<int32_t>(tree_[path_[i - 1]].mover.load(RELAXED), 0); };
    const int32_t mover = into(path_.size() - 1);
    const double lacking =
        (1 - settings_.mix) * (count * judged[static_cast<std::size_t>(mover)] - leaf.sum.load(RELAXED));
    for (std::size_t i = path_.size() - 1; i > 0; --i)
        add_to(tree_[path_[i]].sum, into(i) == mover ? lacking : -lacking, alone_);
}

uint64_t MctsSimulator::simulate_batch(std::size_t count, const MctsEvaluator& evaluator) {
    std::vector<MctsQuestion> questions;
    uint64_t done = 0;
    while (done + questions.size() < count) {
        const Arrival arrival = descend(true);
        if (arrival == Arrival::busy) {
            leave_path();
            break;
        }
        if (arrival == Arrival::ended) {
            back_up();
            ++done;
            continue;
        }
        questions.push_back(ask(state_, position_.mover));
    }
    if (questions.empty()) return done;
    evaluator(questions);
    for (MctsQuestion& question : questions) {
        path_ = question.path;
        list_.count = question.actions.size();
        std::copy(question.actions.begin(), question.actions.end(), list_.actions.begin());
        tree_[path_.back()].first.store(MctsTree::NOTHING, RELAXED);
        expand(path_.back(), question.state.data(), question.priors);
        std::copy(question.utilities.begin(), question.utilities.end(), position_.utilities.begin());
        played_count_ = 0;
        if (settings_.mix > 0) {
            state_ = question.state.data();
            position_.mover = question.mover;
            mix_playout();
        }
        back_up();
    }
    return done + questions.size();
}

}  // namespace zermelo
