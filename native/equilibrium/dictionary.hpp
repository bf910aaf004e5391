// The dictionary of the polyhedron {y ≥ 0, A y ≤ b}, b ≥ 0: the tableau that simplex, Lemke–Howson, Lemke's method and
// the enumeration of vertices pivot on. For the polytopes of matrix games A is positive and b = 1.
//
//     basic_i + Σ_j (T_ij / D) · nonbasic_j = T_i,last / D
//
// Variables 0 … columns − 1 are y, the next `rows` ones are the slacks; a variable is also the label of the inequality
// that is tight where it is 0. Ties in the ratio test are broken lexicographically, as if the right-hand side were
// b + ε, b + ε², …: then no two bases share a vertex, and nothing cycles. T_rows,j, the last row, is the objective
// c·y, Σ y unless another is given. Numbers are `Wide` with the common denominator D, or doubles with D = 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "equilibrium/wide.hpp"

namespace zermelo {

// Thrown when the numbers are too short for exact division; twice the bits of Hadamard's bound always suffice.
struct Narrow {};

// Thrown when rounding errors mislead doubles: an impossible path, or one that does not end.
struct Lost {};

template <typename Number>
struct Sign {
    static int of(const Number& number) { return number.sign(); }
};

template <>
struct Sign<double> {
    static constexpr double tolerance = 1e-10;
    static int of(double number) { return number > tolerance ? 1 : number < -tolerance ? -1 : 0; }
};

// row −= factor · pivot, the inner loop of all floating-point pivots.
void subtract_multiple(double* row, const double* pivot, double factor, std::size_t count);

template <typename Number>
class Dictionary {
public:
    static constexpr bool exact = !std::is_same_v<Number, double>;

    // `matrix` is in row-major order; `bits` bounds the length of every minor, including the sign. An empty `right` or
    // `objective` is all ones.
    Dictionary(std::vector<Number> matrix, std::size_t rows, std::size_t columns, int bits,
               std::vector<Number> right = {}, std::vector<Number> objective = {})
        : rows_(rows), columns_(columns), stride_(columns + 1), bits_(bits), matrix_(std::move(matrix)),
          right_(std::move(right)), objective_(std::move(objective)) {
        if (right_.empty()) right_.assign(rows_, Number(1));
        if (objective_.empty()) objective_.assign(columns_, Number(1));
        reset();
    }

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    std::size_t variables() const { return rows_ + columns_; }
    std::size_t basic(std::size_t row) const { return basic_[row]; }
    std::size_t nonbasic(std::size_t column) const { return nonbasic_[column]; }
    const Number& at(std::size_t row, std::size_t column) const { return table_[row * stride_ + column]; }
    const Number& right(std::size_t row) const { return at(row, columns_); }
    const Number& denominator() const { return denominator_; }
    // The objective's value, times the denominator.
    const Number& value() const { return at(rows_, columns_); }
    bool is_basic(std::size_t variable) const { return place_[variable] >= columns_; }
    // The column of a nonbasic variable, or `columns()` + the row of a basic one.
    std::size_t place(std::size_t variable) const { return place_[variable]; }

    // The leaving row when `column` enters; `rows()` if there is none, as the polytope is unbounded there.
    std::size_t leaving(std::size_t column) const {
        std::size_t best = rows_;
        for (std::size_t row = 0; row < rows_; ++row) {
            if (Sign<Number>::of(at(row, column)) <= 0) continue;
            if (best == rows_ || before(row, best, column)) best = row;
        }
        return best;
    }

    // Exchanges the basic variable of `row` for the nonbasic one of `column`; a second call undoes it.
    void pivot(std::size_t row, std::size_t column) {
        if constexpr (exact) {
            pivot_exact(row, column);
        } else {
            pivot_double(row, column);
        }
        exchange(row, column);
        if constexpr (!exact)
            if (++pivots_ >= refresh_after_) refresh();
    }

    // Sets the number of pivots after which doubles are recomputed from the matrix, so that errors do not accumulate.
    void refresh_every(std::size_t pivots) { refresh_after_ = pivots; }

    // Replaces the right-hand side; it shows after the next `refresh`.
    void set_right(std::vector<Number> right) { right_ = std::move(right); }

    // Recomputes the same basis in the same places from the matrix, by few pivots, each on the largest possible
    // element. For doubles only.
    void refresh() {
        const std::vector<std::size_t> basic = basic_, nonbasic = nonbasic_;
        std::vector<char> leaves(variables(), 0);
        for (const std::size_t variable : nonbasic) leaves[variable] = variable >= columns_;
        reset();
        for (const std::size_t variable : basic)
            if (variable < columns_) bring_in(variable, leaves);
        std::vector<Number> ordered(table_.size());
        for (std::size_t i = 0; i <= rows_; ++i) {
            const Number* source = &table_[(i < rows_ ? place_[basic[i]] - columns_ : rows_) * stride_];
            for (std::size_t j = 0; j < columns_; ++j) ordered[i * stride_ + j] = source[place_[nonbasic[j]]];
            ordered[i * stride_ + columns_] = source[columns_];
        }
        table_ = std::move(ordered);
        for (std::size_t i = 0; i < rows_; ++i) place_[basic_[i] = basic[i]] = columns_ + i;
        for (std::size_t j = 0; j < columns_; ++j) place_[nonbasic_[j] = nonbasic[j]] = j;
        pivots_ = 0;
    }

private:
    void reset() {
        table_.assign((rows_ + 1) * stride_, Number(0));
        for (std::size_t i = 0; i < rows_; ++i) {
            std::copy_n(matrix_.begin() + static_cast<std::ptrdiff_t>(i * columns_), columns_, &table_[i * stride_]);
            table_[i * stride_ + columns_] = right_[i];
        }
        for (std::size_t j = 0; j < columns_; ++j) table_[rows_ * stride_ + j] = -objective_[j];
        denominator_ = Number(1);
        basic_.resize(rows_);
        nonbasic_.resize(columns_);
        place_.resize(variables());
        for (std::size_t j = 0; j < columns_; ++j) place_[nonbasic_[j] = j] = j;
        for (std::size_t i = 0; i < rows_; ++i) place_[basic_[i] = columns_ + i] = columns_ + i;
    }

    // Whether `row` comes before `other` in the ratio test of `column`: the sign of a minor, which is never a tie.
    bool before(std::size_t row, std::size_t other, std::size_t column) const {
        const Number& mine = at(row, column);
        const Number& theirs = at(other, column);
        const int first = compare(right(row), theirs, right(other), mine);
        if (first != 0) return first < 0;
        for (std::size_t slack = columns_; slack < variables(); ++slack) {
            const std::size_t place = place_[slack];
            if (place == columns_ + row) return false;
            if (place == columns_ + other) return true;
            if (place >= columns_) continue;
            const int next = compare(at(row, place), theirs, at(other, place), mine);
            if (next != 0) return next < 0;
        }
        return row < other;  // reached only if doubles cannot distinguish them
    }

    // The sign of a·b − c·d, a minor times the denominator.
    int compare(const Number& a, const Number& b, const Number& c, const Number& d) const {
        if constexpr (exact) {
            return divide_(a * b - c * d).sign();
        } else {
            const double left = a * b, right = c * d, difference = left - right;
            const double least = Sign<double>::tolerance * (std::abs(left) + std::abs(right));
            return difference > least ? 1 : difference < -least ? -1 : 0;
        }
    }

    void exchange(std::size_t row, std::size_t column) {
        std::swap(basic_[row], nonbasic_[column]);
        place_[basic_[row]] = columns_ + row;
        place_[nonbasic_[column]] = column;
    }

    // Whether a long number is known to be 0; short ones are multiplied sooner than asked.
    static bool is_zero(const Number& number) { return sizeof(Number) > 16 && number == Number(0); }

    void pivot_exact(std::size_t row, std::size_t column) {
        const Number pivot = at(row, column);
        const Number* source = &table_[row * stride_];
        for (std::size_t i = 0; i <= rows_; ++i) {
            if (i == row) continue;
            Number* target = &table_[i * stride_];
            const Number factor = target[column];
            const bool apart = is_zero(factor);
            for (std::size_t j = 0; j < stride_; ++j) {
                if (j == column || (is_zero(target[j]) && (apart || is_zero(source[j])))) continue;
                target[j] = divide_(target[j] * pivot - factor * source[j]);
            }
            target[column] = -factor;
        }
        table_[row * stride_ + column] = denominator_;
        denominator_ = pivot;
        divide_ = make_divisor(pivot);
    }

    void pivot_double(std::size_t row, std::size_t column) {
        double* source = &table_[row * stride_];
        const double inverse = 1 / source[column];
        source[column] = 1;
        for (std::size_t j = 0; j < stride_; ++j) source[j] *= inverse;
        for (std::size_t i = 0; i <= rows_; ++i) {
            if (i == row) continue;
            double* target = &table_[i * stride_];
            const double factor = target[column];
            target[column] = 0;
            if (factor != 0) subtract_multiple(target, source, factor, stride_);
        }
    }

    auto make_divisor(const Number& number) const {
        if constexpr (exact) {
            decltype(divide_) divisor(number);
            if (divisor.shift() + bits_ > 64 * static_cast<int>(number.limbs.size())) throw Narrow{};
            return divisor;
        } else {
            return number;
        }
    }

    // Makes `variable` basic in place of one of the leaving ones.
    void bring_in(std::size_t variable, const std::vector<char>& leaves) {
        const std::size_t column = place_[variable];
        std::size_t best = rows_;
        for (std::size_t row = 0; row < rows_; ++row)
            if (leaves[basic_[row]] && (best == rows_ || std::abs(at(row, column)) > std::abs(at(best, column))))
                best = row;
        pivot_double(best, column);
        exchange(best, column);
    }

    template <typename T>
    struct DivisorOf {
        using type = T;
    };
    template <int N>
    struct DivisorOf<Wide<N>> {
        using type = ExactDivisor<N>;
    };

    std::size_t rows_, columns_, stride_;
    int bits_;
    std::vector<Number> matrix_, right_, objective_, table_;
    std::vector<std::size_t> basic_, nonbasic_, place_;
    Number denominator_{1};
    typename DivisorOf<Number>::type divide_{Number(1)};
    std::size_t pivots_ = 0, refresh_after_ = ~std::size_t{0};
};

}  // namespace zermelo
