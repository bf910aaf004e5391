// Vectors for most of a machine's memory, which are read in no order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace zermelo {

// Asks for pages of 2 MB where that pays: with the usual 4 KB nearly every access misses the cache of page addresses.
template <typename Element>
struct BigAllocator {
    using value_type = Element;
    static constexpr std::size_t PAGE = 2 << 20;

    BigAllocator() = default;
    template <typename Other>
    BigAllocator(const BigAllocator<Other>&) {}

    Element* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(Element);
        if (bytes < 2 * PAGE) return static_cast<Element*>(::operator new(bytes));
        void* memory = ::operator new(bytes, std::align_val_t(PAGE));
#ifdef __linux__
        madvise(memory, bytes, MADV_HUGEPAGE);  // advice: where it cannot be taken, nothing is lost
#endif
        return static_cast<Element*>(memory);
    }

    void deallocate(Element* memory, std::size_t count) {
        if (count * sizeof(Element) < 2 * PAGE) ::operator delete(memory);
        else ::operator delete(memory, std::align_val_t(PAGE));
    }

    bool operator==(const BigAllocator&) const { return true; }
};

template <typename Element>
using BigVector = std::vector<Element, BigAllocator<Element>>;

// Makes a vector longer; it grows by a quarter, not to twice its size, because memory is what ends an analysis.
template <typename Vector>
void extend(Vector& vector, std::size_t size) {
    if (size > vector.capacity()) vector.reserve(std::max(size, vector.capacity() + vector.capacity() / 4 + 16));
    vector.resize(size);
}

}  // namespace zermelo
