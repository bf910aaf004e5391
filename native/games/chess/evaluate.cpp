#include "games/chess/evaluate.hpp"

#include <algorithm>

#include "games/chess/scale.hpp"
#include "games/chess/tally.hpp"

namespace zermelo::chess {

namespace {

// Adds up weights.
struct Sum {
    const int64_t* weights;
    int64_t total = 0;
    void add(int term, int times) { total += weights[term] * times; }
};

// Counts terms, for callers that need them one by one.
struct Counts {
    std::array<int, TERMS> times{};
    void add(int term, int more) { times[term] += more; }
};

template <Colour US>
void count_placements(const State& state, Counts& counts) {
    each(state.colours[US], [&](Square square) {
        const Piece piece = state.piece_on(square);
        const int term = square_term(US, piece, square);
        if (piece != KING) counts.add(MATERIAL + static_cast<int>(piece), SIGN<US>);
        if (term < TERMS) counts.add(term, SIGN<US>);
    });
}

Counts count_terms(const State& state) {
    Counts counts;
    count_placements<WHITE>(state, counts);
    count_placements<BLACK>(state, counts);
    tally(state, counts);
    return counts;
}

// The factors of middlegame and endgame points in a position.
struct Shares {
    explicit Shares(const State& state) {
        const int phase = std::min<int>(state.phase, FULL_PHASE), scale = endgame_scale(state);
        middlegame = phase * (scale == DRAWN ? DRAWN : FULL_SCALE);
        endgame = (FULL_PHASE - phase) * scale;
    }
    static constexpr int WHOLE = FULL_PHASE * FULL_SCALE;
    int middlegame, endgame;
};

}  // namespace

int evaluate(const Weights& weights, const State& state) {
    Sum sum{weights.terms};
    tally(state, sum);
    const int middlegame = first_of_pair(sum.total) + middlegame_of(state.score);
    const int endgame = second_of_pair(sum.total) + endgame_of(state.score);
    const Shares shares(state);
    const int64_t lead = (int64_t{middlegame} * shares.middlegame + int64_t{endgame} * shares.endgame) / Shares::WHOLE;
    return static_cast<int>(std::clamp<int64_t>(state.turn == WHITE ? lead : -lead, -MAX_POINTS, MAX_POINTS));
}

std::vector<std::pair<std::string, double>> explain_evaluation(const Weights& weights, const State& state) {
    const Counts counts = count_terms(state);
    const Shares shares(state);
    std::vector<std::pair<std::string, double>> parts;
    for (int term = 0; term < TERMS; ++term) {
        const double points = counts.times[term] * (double{1} * first_of_pair(weights.terms[term]) * shares.middlegame +
                                                    double{1} * second_of_pair(weights.terms[term]) * shares.endgame);
        const std::string group = term_group(term);
        if (parts.empty() || parts.back().first != group) parts.emplace_back(group, 0);
        parts.back().second += points / Shares::WHOLE;
    }
    return parts;
}

void write_features(const State& state, float* features) {
    const Counts counts = count_terms(state);
    const Shares shares(state);
    for (int term = 0; term < TERMS; ++term) {
        *features++ = static_cast<float>(counts.times[term] * shares.middlegame) / Shares::WHOLE;
        *features++ = static_cast<float>(counts.times[term] * shares.endgame) / Shares::WHOLE;
    }
}

std::vector<std::string> feature_names() {
    std::vector<std::string> names;
    for (int term = 0; term < TERMS; ++term)
        for (const char* when : {", middlegame", ", endgame"}) names.push_back(term_name(term) + when);
    return names;
}

}  // namespace zermelo::chess
