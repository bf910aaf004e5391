#include "regret/ranges/lookahead.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::regret {
namespace {

void require(bool holds, const char* what) {
    if (!holds) throw PublicError(what);
}

}  // namespace

Lookahead::Lookahead(const PublicGame& game, const Rule& rule, Beyond beyond, Gadget gadget)
    : game_(game), rule_(rule), beyond_(std::move(beyond)), gadget_(std::move(gadget)) {
    check();
    for (int p = 0; p < 2; ++p) {
        const std::size_t room = static_cast<std::size_t>(game.room[p]), nodes = street().nodes.size();
        memories_[p] = {std::vector<float>(room), std::vector<float>(room)};
        Side& side = sides_[p];
        side.reach.resize(nodes);
        side.value.resize(nodes);
        side.entry.resize(size(p));
        side.rows.resize(static_cast<std::size_t>(part().actions[p]) * size(p));
        side.leaves.resize(part().leaves() * size(p));
        side.totals.resize(street().deals.size() * size(p));
        gate_[p].resize(gadget_.player < 0 ? 0 : size(gadget_.player));
    }
    place_hands();
}

void Lookahead::check() const {
    require(!rule_.predictive, "a method that predicts cannot look ahead");
    require(street().roots == 1, "there is more than one start");
    for (const PublicNode& node : street().nodes)
        require(node.kind < 0 || node.count <= max_actions_at_once, "there are too many actions at a choice");
    for (const int32_t child : root().children)
        for (const PublicNode& node : game_.streets[game_.boards[child].street].nodes)
            require(node.kind == SHOWDOWN || node.kind == FIXED, "there are choices after a deal");
    require(gadget_.player >= -1 && gadget_.player <= 1, "there is no such player");
    require(gadget_.player < 0 || gadget_.stops.size() == size(gadget_.player), "a hand has no value to stop with");
    require(std::ranges::all_of(gadget_.stops, [](float v) { return std::isfinite(v); }), "a value is not finite");
    if (!beyond_.network) return;
    const std::size_t deals = street().deals.size();
    require(deals > 0 && beyond_.scales.size() == deals && beyond_.features.size() % deals == 0,
            "the numbers of deals differ");
    require(beyond_.buckets >= 2 && 2 * beyond_.buckets <= DenseNetwork::MAX_NUMBERS &&
                2 * beyond_.buckets + beyond_.features.size() / deals <= Beyond::max_inputs,
            "there are too many buckets");
    for (const auto* numbers : {&beyond_.scales, &beyond_.features})
        require(std::ranges::all_of(*numbers, [](float v) { return std::isfinite(v); }), "an input is not finite");
}

void Lookahead::place_hands() {
    if (!beyond_.network) return;
    const float buckets = static_cast<float>(beyond_.buckets);
    for (const int32_t child : root().children) {
        std::array<Place, 2> both;
        for (int p = 0; p < 2; ++p) {
            const Hands& hands = game_.boards[child].hands[p];
            for (std::size_t level = 0; level + 1 < hands.begin.size(); ++level) {
                const float middle = static_cast<float>(hands.begin[level] + hands.begin[level + 1]) / 2;
                const float at =
                    std::clamp(middle / static_cast<float>(hands.size()) * buckets - 0.5f, 0.0f, buckets - 1.001f);
                const int32_t low = static_cast<int32_t>(at), count = hands.begin[level + 1] - hands.begin[level];
                both[p].low.insert(both[p].low.end(), count, low);
                both[p].share.insert(both[p].share.end(), count, at - static_cast<float>(low));
            }
        }
        places_.push_back(std::move(both));
    }
}

Known<float> Lookahead::known(const PublicNode& node) {
    Memory& memory = memories_[node.kind];
    const int64_t place = game_.place(root(), node);
    return {size(node.kind), node.count, memory.regrets.data() + place, nullptr, memory.mean.data() + place};
}

// The range with which q begins; one that may stop comes as often as it goes on.
void Lookahead::enter(int q) {
    Side& side = sides_[q];
    for (std::size_t i = 0; i < side.entry.size(); ++i) {
        float share = 1;
        if (q == gadget_.player) {
            const float sum = gate_[0][i] + gate_[1][i];
            share = sum > 0 ? gate_[1][i] / sum : 0.5f;
        }
        side.entry[i] = share * static_cast<float>(game_.weights[q][root().hands[q].order[i]] / game_.mass);
    }
    side.reach[0] = side.entry.data();
}

template <typename Give>
void Lookahead::descend(int q, const Give& give) {
    Side& side = sides_[q];
    for (const int32_t i : part().nodes) {
        const PublicNode& node = street().nodes[i];
        if (node.kind < 0) continue;
        float* rows = side.rows.data() + static_cast<std::size_t>(node.row) * size(q);
        if (node.kind == q) give(node, side.reach[i], rows);
        for (int32_t a = 0; a < node.count; ++a)
            side.reach[node.first + a] = node.kind == q ? rows + static_cast<std::size_t>(a) * size(q) : side.reach[i];
    }
}

// The values of the leaves; `look_beyond` has been there before.
void Lookahead::settle(int p) {
    Side& side = sides_[p];
    const auto row = [&](int32_t node) {
        return side.value[node] = side.leaves.data() + static_cast<std::size_t>(street().nodes[node].row) * size(p);
    };
    for (std::size_t k = 0; k < street().deals.size(); ++k)
        std::copy_n(side.totals.data() + k * size(p), size(p), row(street().deals[k]));
    std::array<End<float>, lanes> batch;
    for (const std::vector<int32_t>* ends : {&part().fixed, &part().showdowns})
        for (std::size_t i = 0; i < ends->size(); i += lanes) {
            const std::size_t count = std::min(lanes, ends->size() - i);
            for (std::size_t k = 0; k < count; ++k) {
                const int32_t node = (*ends)[i + k];
                const auto [win, tie, lose] = game_.payoffs(street().nodes[node], p);
                batch[k] = {sides_[1 - p].reach[node], row(node), static_cast<float>(win), static_cast<float>(tie),
                            static_cast<float>(lose)};
            }
            if (ends == &part().fixed) settler_.fixed(game_, root(), p, batch.data(), count);
            else settler_.showdowns(game_, root(), p, batch.data(), count);
        }
}

template <typename Take>
void Lookahead::ascend(const Take& take) {
    for (std::size_t n = part().nodes.size(); n-- > 0;) {
        const int32_t i = part().nodes[n];
        const PublicNode& node = street().nodes[i];
        if (node.kind >= 0) take(i, node);
    }
}

void Lookahead::look_beyond(int p, bool keep) {
    Side& side = sides_[p];
    std::ranges::fill(side.totals, 0.0f);
    side.boards.resize(keep ? root().children.size() : 0);
    for (std::size_t child = 0; child < root().children.size(); ++child) {
        look_at(p, child);
        if (keep) side.boards[child] = worth_;
    }
}

// The values of p on a board, deal by deal, added to the totals.
void Lookahead::look_at(int p, std::size_t child) {
    const Board& board = game_.boards[root().children[child]];
    const Street& after = game_.streets[board.street];
    const std::size_t deals = street().deals.size(), own = board.hands[p].size();
    for (int q = 0; q < 2; ++q) {
        const Hands& hands = board.hands[q];
        entries_[q].resize(deals * hands.size());
        const float probability = q == p ? 1.0f : static_cast<float>(board.probability);
        for (std::size_t k = 0; k < deals; ++k) {
            const float* reach = sides_[q].reach[street().deals[k]];
            float* entry = entries_[q].data() + k * hands.size();
            for (std::size_t j = 0; j < hands.size(); ++j) entry[j] = reach[hands.from[j]] * probability;
        }
    }
    met_.resize(deals * own);
    worth_.resize(deals * own);
    std::array<End<float>, lanes> batch;
    for (std::size_t first = 0; first < deals; first += lanes) {
        const std::size_t count = std::min(lanes, deals - first);
        for (const bool fixed : {false, true}) {
            std::size_t used = 0;
            for (std::size_t k = first; k < first + count; ++k) {
                const float* reach = entries_[1 - p].data() + k * board.hands[1 - p].size();
                if (fixed && (!beyond_.network || beyond_.scales[k] == 0)) continue;
                const auto [win, tie, lose] = game_.payoffs(after.nodes[k], p);
                batch[used++] = fixed ? End<float>{reach, met_.data() + k * own, 1, 1, 1}
                                      : End<float>{reach, worth_.data() + k * own, static_cast<float>(win),
                                                   static_cast<float>(tie), static_cast<float>(lose)};
            }
            if (used == 0) continue;
            if (fixed) settler_.fixed(game_, board, p, batch.data(), used);
            else settler_.showdowns(game_, board, p, batch.data(), used);
        }
    }
    Side& side = sides_[p];
    for (std::size_t k = 0; k < deals; ++k) {
        float* values = worth_.data() + k * own;
        if (beyond_.network && beyond_.scales[k] != 0) correct(p, child, k, met_.data() + k * own, values);
        float* totals = side.totals.data() + k * size(p);
        const int32_t* from = board.hands[p].from.data();
        for (std::size_t i = 0; i < own; ++i) totals[from[i]] += values[i];
    }
}

// Adds what the network says.
void Lookahead::correct(int p, std::size_t child, std::size_t deal, const float* met, float* values) {
    const Board& board = game_.boards[root().children[child]];
    const std::size_t buckets = beyond_.buckets, public_inputs = beyond_.features.size() / street().deals.size();
    SparseInputs<Beyond::max_inputs> inputs;
    std::array<std::array<float, DenseNetwork::MAX_NUMBERS>, 2> held{};
    for (int q = 0; q < 2; ++q) {
        const std::size_t hands = board.hands[q].size();
        const float* entry = entries_[q].data() + deal * hands;
        const Place& place = places_[child][q];
        float sum = 0;
        for (std::size_t j = 0; j < hands; ++j) {
            const float above = entry[j] * place.share[j];
            held[q][place.low[j]] += entry[j] - above;
            held[q][place.low[j] + 1] += above;
            sum += entry[j];
        }
        if (!(sum > 0)) return;  // nobody is there
        for (std::size_t b = 0; b < buckets; ++b) {
            held[q][b] /= sum;
            inputs.add(static_cast<int>(q * buckets + b), held[q][b]);
        }
    }
    for (std::size_t f = 0; f < public_inputs; ++f)
        inputs.add(static_cast<int>(2 * buckets + f), beyond_.features[deal * public_inputs + f]);
    DenseNetwork::Numbers said;
    beyond_.network->run(inputs, said);
    float both = 0;
    for (int q = 0; q < 2; ++q)
        for (std::size_t b = 0; b < buckets; ++b) both += held[q][b] * said[q * buckets + b];
    const float scale = beyond_.scales[deal], shift = both / 2;
    std::array<float, DenseNetwork::MAX_NUMBERS> own{}, step{};
    for (std::size_t b = 0; b < buckets; ++b) own[b] = scale * (said[p * buckets + b] - shift);
    for (std::size_t b = 0; b + 1 < buckets; ++b) step[b] = own[b + 1] - own[b];
    const Place& place = places_[child][p];
    for (std::size_t i = 0; i < board.hands[p].size(); ++i)
        values[i] += met[i] * (own[place.low[i]] + place.share[i] * step[place.low[i]]);
}

// The gadget learns from what going on is worth.
void Lookahead::follow(int p) {
    if (p != gadget_.player) return;
    const float* value = sides_[p].value[0];
    for (std::size_t i = 0; i < size(p); ++i) {
        const float stop = gadget_.stops[i] / static_cast<float>(game_.mass), sum = gate_[0][i] + gate_[1][i];
        const float share = sum > 0 ? gate_[1][i] / sum : 0.5f, mean = share * value[i] + (1 - share) * stop;
        gate_[0][i] = std::max(gate_[0][i] + stop - mean, 0.0f);
        gate_[1][i] = std::max(gate_[1][i] + value[i] - mean, 0.0f);
    }
}

void Lookahead::run(uint64_t iterations, Watch& watch) {
    for (uint64_t n = 0; n < iterations; ++n) {
        const double t = static_cast<double>(iterations_ + 1);
        const double total = total_ + std::pow(t, rule_.gamma);
        const Step<float> now = make_step<float>(rule_, t, total);
        for (int p = 0; p < 2; ++p) {
            const float weight = p == 0 ? pending_ : now.weight;
            for (int q = 0; q < 2; ++q) {
                enter(q);
                descend(q, [&](const PublicNode& node, const float* reach, float* rows) {
                    spread(known(node), q == p ? 0.0f : weight, reach, rows);
                });
            }
            look_beyond(p, false);
            settle(p);
            Side& side = sides_[p];
            ascend([&](int32_t i, const PublicNode& node) {
                side.value[i] = side.value[node.first];
                if (node.kind == p) {
                    match(known(node), now, side.value.data() + node.first);
                    return;
                }
                for (int32_t a = 1; a < node.count; ++a)
                    for (std::size_t h = 0; h < size(p); ++h) side.value[i][h] += side.value[node.first + a][h];
            });
            follow(p);
        }
        pending_ = now.weight;
        ++iterations_;
        total_ = total;
        watch.nodes(256);
    }
    enter(1);
    descend(1, [&](const PublicNode& node, const float* reach, float* rows) {
        spread(known(node), pending_, reach, rows);
    });
    pending_ = 0;
}

// The average strategy of a choice, action by action.
void Lookahead::shares(const PublicNode& node, float* rows) const {
    const std::size_t hands = size(node.kind);
    const float* mean = memories_[node.kind].mean.data() + game_.place(root(), node);
    for (std::size_t i = 0; i < hands; ++i) {
        float sum = 0;
        for (int32_t a = 0; a < node.count; ++a) sum += mean[static_cast<std::size_t>(a) * hands + i];
        const float scale = sum > 0 ? 1 / sum : 0.0f, even = sum > 0 ? 0.0f : 1.0f / static_cast<float>(node.count);
        for (int32_t a = 0; a < node.count; ++a) {
            const std::size_t at = static_cast<std::size_t>(a) * hands + i;
            rows[at] = mean[at] * scale + even;
        }
    }
}

std::vector<double> Lookahead::strategy() const {
    std::vector<double> found(static_cast<std::size_t>(game_.room[0] + game_.room[1]));
    std::vector<float> rows;
    for (const PublicNode& node : street().nodes) {
        if (node.kind < 0) continue;
        rows.resize(size(node.kind) * static_cast<std::size_t>(node.count));
        shares(node, rows.data());
        std::ranges::copy(rows, found.begin() + game_.place(root(), node) + (node.kind ? game_.room[0] : 0));
    }
    return found;
}

void Lookahead::evaluate(int p) {
    for (int q = 0; q < 2; ++q) {
        enter(q);
        descend(q, [&](const PublicNode& node, const float* reach, float* rows) {
            shares(node, rows);
            for (int32_t a = 0; a < node.count; ++a)
                for (std::size_t i = 0; i < size(q); ++i) rows[static_cast<std::size_t>(a) * size(q) + i] *= reach[i];
        });
    }
    look_beyond(p, true);
    settle(p);
    Side& side = sides_[p];
    chosen_.resize(street().nodes.size() * size(p));  // values of choices: those after it are kept
    ascend([&](int32_t i, const PublicNode& node) {
        side.value[i] = chosen_.data() + static_cast<std::size_t>(i) * size(p);
        for (std::size_t h = 0; h < size(p); ++h) {
            float found = side.value[node.first][h];
            for (int32_t a = 1; a < node.count; ++a) {
                const float more = side.value[node.first + a][h];
                found = node.kind == p ? std::max(found, more) : found + more;
            }
            side.value[i][h] = found;
        }
    });
}

std::vector<float> Lookahead::worths(int p) const {
    std::vector<float> found;
    for (std::size_t i = 0; i < street().nodes.size(); ++i) {
        if (!sides_[p].value[i]) throw PublicError("nothing is evaluated yet");
        for (std::size_t h = 0; h < size(p); ++h)
            found.push_back(sides_[p].value[i][h] * static_cast<float>(game_.mass));
    }
    return found;
}

std::vector<float> Lookahead::deals(int p) const {
    const std::size_t deals = street().deals.size();
    if (sides_[p].boards.size() != root().children.size()) throw PublicError("nothing is evaluated yet");
    std::vector<float> found(root().children.size() * deals * size(p));
    for (std::size_t child = 0; child < root().children.size(); ++child) {
        const Hands& hands = game_.boards[root().children[child]].hands[p];
        for (std::size_t k = 0; k < deals; ++k)
            for (std::size_t i = 0; i < hands.size(); ++i)
                found[(child * deals + k) * size(p) + static_cast<std::size_t>(hands.from[i])] =
                    sides_[p].boards[child][k * hands.size() + i] * static_cast<float>(game_.mass);
    }
    return found;
}

std::vector<float> Lookahead::reaches(int q) const {
    std::vector<float> found;
    for (std::size_t i = 0; i < street().nodes.size(); ++i) {
        if (!sides_[q].reach[i]) throw PublicError("nothing is evaluated yet");
        for (std::size_t h = 0; h < size(q); ++h)
            found.push_back(sides_[q].reach[i][h] * static_cast<float>(game_.mass));
    }
    return found;
}

}  // namespace zermelo::regret
