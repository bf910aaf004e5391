// The margins and coefficients of alpha-beta as a plain struct, and the table of what is known about each.
#pragma once

#include <cmath>
#include <concepts>
#include <map>
#include <stdexcept>
#include <string>

namespace zermelo {

struct SearchParameters {
#define ZERMELO_PARAMETER(type, name, value, least, most, step, meaning) type name = value;
#include "search/parameters.def"
#undef ZERMELO_PARAMETER
};

struct SearchParameter {
    const char* name;
    bool whole;
    double value;  // the default
    double least;
    double most;
    double step;
    const char* meaning;
    void (*set)(SearchParameters& parameters, double value);
};

inline constexpr SearchParameter SEARCH_PARAMETERS[] = {
#define ZERMELO_PARAMETER(type, name, value, least, most, step, meaning) \
    {#name,   std::integral<type>,                                       \
     value,   least,                                                     \
     most,    step,                                                      \
     meaning, [](SearchParameters& parameters, double to) { parameters.name = static_cast<type>(to); }},
#include "search/parameters.def"
#undef ZERMELO_PARAMETER
};

// The parameters with some values other than the defaults, by name. Throws std::invalid_argument for what no parameter is
// called, or cannot be.
inline SearchParameters tuned(const std::map<std::string, double>& values) {
    SearchParameters parameters;
    std::size_t taken = 0;
    for (const SearchParameter& each : SEARCH_PARAMETERS) {
        const auto found = values.find(each.name);
        if (found == values.end()) continue;
        const double value = found->second;
        if (!(value >= each.least && value <= each.most) || (each.whole && value != std::floor(value)))
            throw std::invalid_argument(std::string("the parameter ") + each.name + " cannot have this value");
        each.set(parameters, value);
        ++taken;
    }
    if (taken != values.size()) throw std::invalid_argument("the search has no such parameter");
    return parameters;
}

}  // namespace zermelo
