package io.stowline.blob.internal.replica;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The newest versions that an instance has met, so that its reads never go back. Versions of one second have no order but that of the source: it has
 * the newest one, and a copy with another ETag is not read. Thread-safe.
 */
final class NewestVersions {

    private static final int MAX_NAMES = 1_000;

    private final Map<String, ReplicaMarker> newest = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ReplicaMarker> eldest) {
            return size() > MAX_NAMES;
        }
    };

    /** Notes the version that the source has, unless a newer one is known. */
    synchronized void noteSource(String name, ReplicaMarker version) {
        ReplicaMarker known = newest.get(name);
        if (known == null || !version.isOlderThan(known)) {
            newest.put(name, version);
        }
    }

    /** Notes the version of a copy; returns false, and notes nothing, unless it is the one that is known or a newer one. */
    synchronized boolean acceptsCopy(String name, ReplicaMarker version) {
        ReplicaMarker known = newest.get(name);
        if (known == null || known.isOlderThan(version)) {
            newest.put(name, version);
            return true;
        }
        return known.isSameVersion(version);
    }
}
