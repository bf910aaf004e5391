// The value of plans, and best responses to them: one pass over the ends, one over a player's own information sets.
#include <algorithm>

#include "regret/form.hpp"

namespace zermelo::regret {
namespace {

// The payoff to p of each sequence's own ends against the others' plans.
Plan gradient(const Form& form, const std::vector<Plan>& plans, int p) {
    const Side& side = form.sides[p];
    std::vector<const double*> others;
    for (int q = 0; q < form.players(); ++q)
        if (q != p) others.push_back(plans[q].data());
    Plan found(side.sequences());
    for (std::size_t s = 0; s < found.size(); ++s)
        found[s] = gather<double>(side, side.payoff.data(), others.data(), form.players() - 1, side.start[s],
                                  side.start[s + 1]);
    return found;
}

// Adds to each sequence the value of the best choices after it; `chosen` receives the best sequence of each set.
void climb(const Side& side, Plan& values, std::vector<int32_t>* chosen) {
    for (std::size_t set = side.sets(); set-- > 0;) {
        const auto best = std::max_element(values.begin() + side.first[set], values.begin() + side.first[set + 1]);
        values[side.after[set]] += *best;
        if (chosen) (*chosen)[set] = static_cast<int32_t>(best - values.begin());
    }
}

}  // namespace

Judgement judge(const Form& form, const std::vector<Plan>& plans) {
    Judgement found;
    for (int p = 0; p < form.players(); ++p) {
        Plan values = gradient(form, plans, p);
        double value = 0;
        for (std::size_t s = 0; s < values.size(); ++s) value += values[s] * plans[p][s];
        climb(form.sides[p], values, nullptr);
        found.values.push_back(value);
        found.best.push_back(values[0]);
    }
    return found;
}

Plan best_response(const Form& form, const std::vector<Plan>& plans, int p) {
    const Side& side = form.sides[p];
    Plan values = gradient(form, plans, p);
    std::vector<int32_t> chosen(side.sets());
    climb(side, values, &chosen);
    Plan plan(side.sequences(), 0.0);
    plan[0] = 1;
    for (std::size_t set = 0; set < side.sets(); ++set) plan[chosen[set]] = plan[side.after[set]];
    return plan;
}

}  // namespace zermelo::regret
