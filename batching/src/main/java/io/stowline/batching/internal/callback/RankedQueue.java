package io.stowline.batching.internal.callback;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue whose members leave it in logarithmic time from wherever they stand, so that it keeps nothing that has ended. The
 * lowest rank is first, and of equal ones the one that came first. Not safe for use by many threads: its owner's lock guards it.
 */
public final class RankedQueue<E> {

    private final TreeSet<QueuePlace<E>> places = new TreeSet<>(
            Comparator.<QueuePlace<E>>comparingLong(QueuePlace::rank).thenComparingLong(QueuePlace::number));
    private long numbers;

    /** The place of a member in the queue, by which it leaves. */
    public record QueuePlace<E>(E member, long rank, long number) {}

    public QueuePlace<E> add(E member, long rank) {
        QueuePlace<E> place = new QueuePlace<>(member, rank, ++numbers);
        places.add(place);
        return place;
    }

    /** Removes a member; nothing happens when it has left or there is no place. */
    public void remove(@Nullable QueuePlace<E> place) {
        if (place != null) {
            places.remove(place);
        }
    }

    public @Nullable QueuePlace<E> first() {
        return places.isEmpty() ? null : places.first();
    }

    /** Returns the lowest rank; {@code none} when the queue is empty. */
    public long firstRank(long none) {
        return places.isEmpty() ? none : places.first().rank();
    }

    public int size() {
        return places.size();
    }
}
