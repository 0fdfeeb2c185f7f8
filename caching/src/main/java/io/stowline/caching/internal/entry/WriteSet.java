package io.stowline.caching.internal.entry;

import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.entry.InvalidationLog.PendingWrites;
import java.util.Arrays;

/**
 * The writes of the resources of one set: of the latest resources each by itself, of older ones together. Resources are distinguished by 64 bits of
 * hash; two of one hash cost each other a request. Immutable.
 */
final class WriteSet {

    static final WriteSet NONE = new WriteSet(PendingWrites.NONE, new long[0], new PendingWrites[0]);

    private static final int KEPT_APART = 8;

    private final PendingWrites older;
    private final long[] resources;
    private final PendingWrites[] writes;

    private WriteSet(PendingWrites older, long[] resources, PendingWrites[] writes) {
        this.older = older;
        this.resources = resources;
        this.writes = writes;
    }

    PendingWrites of(long resource) {
        int place = place(resource);
        return place < 0 ? older : writes[place];
    }

    private int place(long resource) {
        for (int place = 0; place < resources.length; place++) {
            if (resources[place] == resource) {
                return place;
            }
        }
        return -1;
    }

    /** Returns the set with one more write of a resource, which may take effect until the horizon, if that is not 0. */
    WriteSet and(long resource, long count, long horizon, ClockReading now) {
        PendingWrites own = of(resource).and(count, horizon, now);
        int place = place(resource);
        if (place >= 0) {
            return with(older, place, resource, own);
        }
        if (resources.length == KEPT_APART) {
            int oldest = oldest(now);
            return with(older.and(writes[oldest]), oldest, resource, own);
        }
        return grown().with(older, resources.length, resource, own);
    }

    private WriteSet grown() {
        int length = resources.length + 1;
        return new WriteSet(older, Arrays.copyOf(resources, length), Arrays.copyOf(writes, length));
    }

    private WriteSet with(PendingWrites others, int place, long resource, PendingWrites own) {
        long[] changedResources = resources.clone();
        PendingWrites[] changed = writes.clone();
        changedResources[place] = resource;
        changed[place] = own;
        return new WriteSet(others, changedResources, changed);
    }

    /** The one written longest ago, preferably one whose horizon is over. */
    private int oldest(ClockReading now) {
        int oldest = 0;
        for (int place = 1; place < writes.length; place++) {
            if (writes[place].isOlder(writes[oldest], now)) {
                oldest = place;
            }
        }
        return oldest;
    }
}
