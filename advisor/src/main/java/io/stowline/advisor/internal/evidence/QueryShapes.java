package io.stowline.advisor.internal.evidence;

import io.stowline.observe.QueryPageEvent;
import java.util.Arrays;

/** The queries without their values that have evidence apart, in a fixed number of places as for {@link Containers}. Not thread-safe. */
final class QueryShapes {

    /** The number of queries that have evidence apart. */
    static final int PLACES = 64;

    private static final int MAX_CHARS = 256;

    private final KeyedHash hash;
    private final long[] hashes = new long[PLACES];
    private final long[] lastParts = new long[PLACES];
    private final String[] texts = new String[PLACES];
    private final String[] classes = new String[PLACES];

    QueryShapes(KeyedHash hash) {
        this.hash = hash;
        Arrays.fill(lastParts, Long.MIN_VALUE);
        Arrays.fill(texts, "");
        Arrays.fill(classes, "");
    }

    /** Returns the place of a query, or {@link Containers#NONE}. */
    int place(QueryPageEvent page, long part, long oldest) {
        long key = hash.of(hash.of(hash.of(hash.of(0, page.account()), page.table()), page.queryClass()), page.shape());
        int free = Containers.NONE;
        for (int i = 0; i < PLACES; i++) {
            if (hashes[i] == key) {
                lastParts[i] = part;
                return i;
            }
            if (free == Containers.NONE && lastParts[i] < oldest) {
                free = i;
            }
        }
        if (free != Containers.NONE) {
            hashes[free] = key;
            lastParts[free] = part;
            classes[free] = page.queryClass();
            texts[free] = text(page);
        }
        return free;
    }

    private static String text(QueryPageEvent page) {
        String filter = page.shape().isEmpty() ? "all rows" : page.shape();
        String whole = page.table() + ": " + filter;
        return whole.length() <= MAX_CHARS ? whole : whole.substring(0, MAX_CHARS - 1) + '…';
    }

    String text(int place) {
        return texts[place];
    }

    String queryClass(int place) {
        return classes[place];
    }
}
