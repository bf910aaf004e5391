#include "games/bridge/table.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace zermelo::bridge {

namespace {

constexpr std::size_t FIRST_SLOTS = 1 << 14;
constexpr uint32_t FIRST_CAPACITY = 2;

// The bits of the first owners of two suits, by their depths in four bits each; 0xf stands for more than there are.
constexpr std::array<uint64_t, 256> make_masks() {
    std::array<uint64_t, 256> masks{};
    const auto suit = [](unsigned depth) {
        return depth == 0 ? 0 : depth > RANKS ? 0xffffffffu : 0xffffffffu << (32 - OWNER_BITS * depth);
    };
    for (unsigned depths = 0; depths < masks.size(); ++depths)
        masks[depths] = static_cast<uint64_t>(suit(depths & 15)) << 32 | suit(depths >> 4);
    return masks;
}

constexpr std::array<uint64_t, 256> MASKS = make_masks();

}  // namespace

Table::Table(std::size_t most_proofs) : slots_(FIRST_SLOTS), rooms_(32), most_(most_proofs) {}

void Table::clear() {
    slots_.assign(slots_.size(), Slot{});
    proofs_.clear();
    for (std::vector<uint32_t>& rooms : rooms_) rooms.clear();
    used_ = 0;
}

std::size_t Table::first_place(Lengths lengths, int leader) const {
    return splitmix(lengths + static_cast<uint64_t>(leader) * 0x9e3779b97f4a7c15u) & (slots_.size() - 1);
}

int Table::known(Lengths lengths, int leader) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = first_place(lengths, leader);; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (!slot.used) return -1;
        if (slot.lengths == lengths && slot.leader == leader) return static_cast<int>(at);
    }
}

uint32_t Table::slot(Lengths lengths, int leader) {
    if (proofs_.size() >= most_) clear();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = first_place(lengths, leader);; at = (at + 1) & mask) {
        Slot& slot = slots_[at];
        if (slot.used && (slot.lengths != lengths || slot.leader != leader)) continue;
        if (!slot.used) {
            if (2 * used_ > slots_.size()) {
                grow();
                return this->slot(lengths, leader);
            }
            ++used_;
            slot = Slot{lengths, 0, 0, 0, static_cast<uint8_t>(leader), NO_MOVE, true};
        }
        return static_cast<uint32_t>(at);
    }
}

void Table::grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    used_ = 0;
    for (const Slot& slot : old)
        if (slot.used) slots_[this->slot(slot.lengths, slot.leader)] = slot;
}

const Proof* Table::find(uint32_t number, const OwnerWords& owners, int need) {
    const Slot& slot = slots_[number];
    Proof* const begin = proofs_.data() + slot.begin;
    Proof* const end = begin + slot.size;
    for (Proof* proof = begin; proof != end; ++proof) {
        if ((((owners[0] ^ proof->owners[0]) & MASKS[proof->depths & 255]) |
             ((owners[1] ^ proof->owners[1]) & MASKS[proof->depths >> 8])) != 0)
            continue;
        if (proof->least < need && proof->most >= need) continue;
        Proof* const ahead = begin + (proof - begin) / 2;  // what was of use will be again
        std::swap(*ahead, *proof);
        return ahead;
    }
    return nullptr;
}

void Table::add(uint32_t number, const OwnerWords& owners, Depths depths, int least, int most) {
    Slot& slot = slots_[number];
    const OwnerWords kept{owners[0] & MASKS[depths & 255], owners[1] & MASKS[depths >> 8]};
    for (uint32_t i = 0; i < slot.size; ++i) {
        Proof& proof = proofs_[slot.begin + i];
        if (proof.depths != depths || proof.owners != kept) continue;
        if (least > proof.least) proof.least = static_cast<uint8_t>(least);
        if (most < proof.most) proof.most = static_cast<uint8_t>(most);
        return;
    }
    if (slot.size == slot.capacity) make_room(slot);
    proofs_[slot.begin + slot.size++] = {kept, depths, static_cast<uint8_t>(least), static_cast<uint8_t>(most)};
}

void Table::make_room(Slot& slot) {
    const uint32_t capacity = std::max(2 * slot.capacity, FIRST_CAPACITY);
    std::vector<uint32_t>& rooms = rooms_[std::bit_width(capacity)];
    uint32_t begin = static_cast<uint32_t>(proofs_.size());
    if (rooms.empty()) {
        proofs_.resize(proofs_.size() + capacity);
    } else {
        begin = rooms.back();
        rooms.pop_back();
    }
    std::copy_n(proofs_.begin() + slot.begin, slot.size, proofs_.begin() + begin);
    if (slot.capacity) rooms_[std::bit_width(slot.capacity)].push_back(slot.begin);
    slot.begin = begin;
    slot.capacity = capacity;
}

}  // namespace zermelo::bridge
