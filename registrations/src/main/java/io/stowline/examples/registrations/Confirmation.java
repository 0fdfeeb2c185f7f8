package io.stowline.examples.registrations;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import java.util.Locale;

/**
 * A confirmation that was sent, or is being sent.
 *
 * @param race the race
 * @param key the bib and the id of the job, so that those of a runner stand together
 * @param bib the number on the shirt
 * @param email where it goes
 * @param message the message by which it was claimed
 */
record Confirmation(@PartitionKey String race, @RowKey String key, int bib, String email, String message) {

    static Confirmation of(Job job, String message) {
        return new Confirmation(job.race, prefix(job.bib) + job.id, job.bib, job.email, message);
    }

    /** Returns the prefix of the keys of a runner's confirmations. */
    static String prefix(int bib) {
        return String.format(Locale.ROOT, "%05d!", bib);
    }

    /**
     * A message that has a confirmation sent. A send with a lost response may put it into the queue twice, with one id.
     *
     * @param id what all copies of it share
     * @param race the race
     * @param bib the number on the shirt
     * @param email where the confirmation goes
     */
    record Job(String id, String race, int bib, String email) {}
}
