// Which player played which action in a simulation, and when last: used by AMAF for every child of every node on the
// path.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"

namespace zermelo {

class PlayedActions {
public:
    // Clears the set in constant time.
    void clear() {
        ++stamp_;
        used_ = 0;
    }

    // An action that is played again gets the later time.
    void add(int32_t mover, int64_t action, uint32_t moment) {
        if (2 * ++used_ > slots_.size()) grow();
        Slot& slot = find(mover, action);
        slot = {action, stamp_, mover, moment};
    }

    bool since(int32_t mover, int64_t action, uint32_t moment) {
        const Slot& slot = find(mover, action);
        return slot.stamp == stamp_ && slot.moment >= moment;
    }

private:
    struct Slot {
        int64_t action = 0;
        uint64_t stamp = 0;  // the simulation that wrote it
        int32_t mover = 0;
        uint32_t moment = 0;
    };

    // The slot of the pair, or the free slot where it is to be inserted.
    Slot& find(int32_t mover, int64_t action) {
        const uint64_t mixed = (static_cast<uint64_t>(action) * 2 + static_cast<uint64_t>(mover)) * 0x9e3779b97f4a7c15u;
        for (std::size_t at = mixed >> 32;; ++at) {
            Slot& slot = slots_[at & (slots_.size() - 1)];
            if (slot.stamp != stamp_ || (slot.action == action && slot.mover == mover)) return slot;
        }
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.stamp == stamp_) find(slot.mover, slot.action) = slot;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(512);
    uint64_t stamp_ = 1;
    std::size_t used_ = 0;
};

}  // namespace zermelo
