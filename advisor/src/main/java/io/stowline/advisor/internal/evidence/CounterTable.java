package io.stowline.advisor.internal.evidence;

import java.util.Arrays;

/**
 * Counters in rows, one for each constant of an enumeration. Not thread-safe.
 *
 * @param <E> the enumeration
 */
@SuppressWarnings("EnumOrdinal") // the ordinal is the column
final class CounterTable<E extends Enum<E>> {

    private final Class<E> kinds;
    private final int columns;
    private final long[] counters;

    CounterTable(Class<E> kinds, int rows) {
        this.kinds = kinds;
        this.columns = kinds.getEnumConstants().length;
        this.counters = new long[columns * rows];
    }

    void add(int row, E kind, long number) {
        counters[row * columns + kind.ordinal()] += number;
    }

    long get(int row, E kind) {
        return counters[row * columns + kind.ordinal()];
    }

    void addAll(CounterTable<E> other) {
        for (int i = 0; i < counters.length; i++) {
            counters[i] += other.counters[i];
        }
    }

    CounterTable<E> copy() {
        CounterTable<E> copy = new CounterTable<>(kinds, counters.length / columns);
        copy.addAll(this);
        return copy;
    }

    void clear() {
        Arrays.fill(counters, 0);
    }
}
