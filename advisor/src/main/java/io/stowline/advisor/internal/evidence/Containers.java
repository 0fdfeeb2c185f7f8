package io.stowline.advisor.internal.evidence;

import java.util.Arrays;

/**
 * The tables, queues and containers of blobs that have evidence apart. There is a fixed number of places: one without traffic for a
 * window is free again, and what finds none is in the totals only. Not thread-safe.
 */
final class Containers {

    /** The number of tables, queues and containers that have evidence apart. */
    static final int PLACES = 32;

    /** The place of what has no evidence apart. */
    static final int NONE = -1;

    private final KeyedHash hash;
    private final String[] accounts = new String[PLACES];
    private final String[] services = new String[PLACES];
    private final String[] names = new String[PLACES];
    private final long[] hashes = new long[PLACES];
    private final long[] lastParts = new long[PLACES];
    private final KeyOrder[] ranges = new KeyOrder[PLACES];
    private final long[] entities = new long[PLACES];

    Containers(KeyedHash hash) {
        this.hash = hash;
        Arrays.setAll(ranges, place -> new KeyOrder());
        Arrays.fill(names, "");
        Arrays.fill(services, "");
        Arrays.fill(accounts, "");
        Arrays.fill(lastParts, Long.MIN_VALUE);
    }

    /**
     * Returns the place of a container, a new one if it has none.
     *
     * @param part the number of the present part of time
     * @param oldest the number of the oldest part of the window
     */
    int place(String account, String service, String name, long part, long oldest) {
        int free = NONE;
        for (int i = 0; i < PLACES; i++) {
            if (names[i].equals(name) && services[i].equals(service) && accounts[i].equals(account)) {
                lastParts[i] = part;
                return i;
            }
            if (free == NONE && lastParts[i] < oldest) {
                free = i;
            }
        }
        if (free != NONE) {
            accounts[free] = account;
            services[free] = service;
            names[free] = name;
            hashes[free] = hash.of(hash.of(hash.of(0, account), service), name);
            lastParts[free] = part;
            ranges[free].clear();
            entities[free] = 0;
        }
        return free;
    }

    long hash(int place) {
        return hashes[place];
    }

    KeyOrder range(int place) {
        return ranges[place];
    }

    /** Adds entities that were written or returned, since the container has the place. */
    void see(int place, long number) {
        entities[place] += number;
    }

    /** Returns how many entities were written or returned. */
    long seen(int place) {
        return entities[place];
    }

    void advance() {
        for (KeyOrder range : ranges) {
            range.advance();
        }
    }

    String service(int place) {
        return services[place];
    }

    String name(int place) {
        return names[place];
    }
}
