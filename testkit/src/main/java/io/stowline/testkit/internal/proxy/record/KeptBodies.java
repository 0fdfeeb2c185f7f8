package io.stowline.testkit.internal.proxy.record;

import java.util.LinkedHashMap;
import java.util.Map;

/** A bound on the memory that recorded bodies take: those of the oldest exchanges go first. Not safe for several threads. */
final class KeptBodies {

    private static final int MAX_BODY = 8 << 20;
    private static final long ALL_BODIES = 64L << 20;

    private final Map<RecordedEntry, Integer> sizes = new LinkedHashMap<>();
    private long total;

    void keep(RecordedEntry entry) {
        forget(entry);
        entry.keepBodies(MAX_BODY);
        sizes.put(entry, entry.bodyBytes());
        total += entry.bodyBytes();
        while (total > ALL_BODIES) {
            RecordedEntry oldest = sizes.keySet().iterator().next();
            forget(oldest);
            oldest.keepBodies(0);
        }
    }

    void forget(RecordedEntry entry) {
        Integer size = sizes.remove(entry);
        total -= size == null ? 0 : size;
    }

    void clear() {
        sizes.clear();
        total = 0;
    }
}
