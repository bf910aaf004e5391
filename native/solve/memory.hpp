// Vectors that take most of a machine's memory and are accessed at random.
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

// Requests huge pages of 2 MB where they pay off: with 4 KB pages nearly every access is a TLB miss.
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
        madvise(memory, bytes, MADV_HUGEPAGE);  // only advice: failure is harmless
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

// Grows a vector by a quarter, not to twice its size, because memory limits an analysis.
template <typename Vector>
void extend(Vector& vector, std::size_t size) {
    if (size > vector.capacity()) vector.reserve(std::max(size, vector.capacity() + vector.capacity() / 4 + 16));
    vector.resize(size);
}

}  // namespace zermelo
