package io.stowline.examples.quickstart;

import java.util.Locale;

/**
 * What the job came to, for the program that waits for it. Travels as JSON.
 *
 * @param job the name of the job, by which it is known again
 * @param entities how many entities were read back
 * @param countries in how many partitions
 * @param checksum the checksum over all of them
 */
record Summary(String job, long entities, int countries, String checksum) {

    static Summary of(String job, RunFigures figures) {
        return new Summary(
                job, figures.entities(), figures.partitions(), String.format(Locale.ROOT, "%016x", figures.checksum()));
    }
}
