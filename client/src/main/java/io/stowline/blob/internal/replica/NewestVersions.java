package io.stowline.blob.internal.replica;

import java.util.LinkedHashMap;
import java.util.Map;

/** The newest versions that an instance has met, so that its reads never go back. Thread-safe. */
final class NewestVersions {

    private static final int MAX_NAMES = 1_000;

    private final Map<String, ReplicaMarker> newest = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ReplicaMarker> eldest) {
            return size() > MAX_NAMES;
        }
    };

    /** Notes a version; returns false, and notes nothing, if a newer one is known. */
    synchronized boolean accept(String name, ReplicaMarker version) {
        ReplicaMarker known = newest.get(name);
        if (known != null && version.isOlderThan(known)) {
            return false;
        }
        newest.put(name, version);
        return true;
    }
}
