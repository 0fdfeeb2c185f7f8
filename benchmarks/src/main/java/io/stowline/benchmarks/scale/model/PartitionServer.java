package io.stowline.benchmarks.scale.model;

/** A partition server with one range of partitions and a queue of bounded length. Used by one thread. */
final class PartitionServer {

    /** The work of refusals makes the queue twice as long at most; beyond it requests are dropped without work. */
    private static final int LONGEST_QUEUES = 2;

    private final double nanosPerEntity;
    private final long queue;
    private final double refusalShare;
    private final int from;
    private final int to;
    private long freeAt;
    private long movedUntil;
    private int busyReviews;
    private int idleReviews;
    private boolean splitting;

    /**
     * Creates a server that moves its range until the given time.
     *
     * @param from the first partition
     * @param to the partition behind the last one
     */
    PartitionServer(ServiceCapacity capacity, int from, int to, long movedUntil) {
        this.nanosPerEntity = 1e9 / capacity.server();
        this.queue = EventClock.nanos(capacity.queueSeconds());
        this.refusalShare = capacity.refusalShare();
        this.from = from;
        this.to = to;
        this.movedUntil = movedUntil;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    boolean isMoving(long now) {
        return now < movedUntil;
    }

    /** Returns whether the queue has room for a request of this size. */
    boolean hasRoom(long now, int entities) {
        return Math.max(0, freeAt - now) + Math.round(entities * nanosPerEntity) <= queue;
    }

    /** Works on a request behind those before it, and returns the time of its end. */
    long serve(long now, int entities) {
        freeAt = Math.max(now, freeAt) + Math.round(entities * nanosPerEntity);
        return freeAt;
    }

    void refuse(long now, int entities) {
        if (freeAt - now < LONGEST_QUEUES * queue) {
            freeAt = Math.max(now, freeAt) + Math.round(entities * nanosPerEntity * refusalShare);
        }
    }

    /** Takes the queue of another server, from which a part of the range has come. */
    PartitionServer behind(PartitionServer other) {
        freeAt = Math.max(freeAt, other.freeAt);
        return this;
    }

    /** Counts a review with this load, as a share of the capacity, and returns whether the range is to be split. */
    boolean splitsAfter(double load, ServiceCapacity capacity, int reviewSeconds) {
        busyReviews = load > capacity.splitLoad() ? busyReviews + 1 : 0;
        idleReviews = load < capacity.mergeLoad() / 2 ? idleReviews + 1 : 0;
        boolean splits = !splitting && to - from > 1 && busyReviews * reviewSeconds >= capacity.splitAfterSeconds();
        splitting = splitting || splits;
        return splits;
    }

    boolean isIdle(ServiceCapacity capacity, int reviewSeconds) {
        return !splitting && idleReviews * reviewSeconds >= capacity.mergeAfterSeconds();
    }
}
