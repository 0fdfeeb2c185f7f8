package io.stowline.examples.lookup;

import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * One thing to look up.
 *
 * @param name its name
 * @param reading reads it through the cache, and gives its version
 * @param writing writes a version of it by another client
 * @param versions when which version was the present one
 * @param tally how its reads were answered
 */
record LookupItem(
        String name,
        Function<Freshness, CachedRead<Integer>> reading,
        IntConsumer writing,
        Versions versions,
        Tally tally) {

    /** Reads it, and notes how that was answered and for how long the version had been replaced when the read began. */
    void read(Freshness freshness, long now) {
        CachedRead<Integer> read = reading.apply(freshness);
        tally.add(name, read, versions.outdated(read.get(), now));
    }

    /** The version that is there now. */
    int present() {
        return reading.apply(Freshness.revalidated()).get();
    }

    void change() {
        writing.accept(versions.last() + 1);
        versions.replaced();
    }
}
