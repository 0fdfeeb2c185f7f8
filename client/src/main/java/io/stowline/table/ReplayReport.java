package io.stowline.table;

/**
 * The report of a replay: how the operations ended that an earlier process had left in a writer's journal.
 *
 * @param done those that were carried out now
 * @param recovered those that the earlier process had carried out already, as their marks or contents show, and deletions that found
 *     nothing to delete
 * @param failed those that the service refused; each is logged
 * @param unknown those with an unknown outcome; each is logged
 * @param left those that are still in the journal, for the next writer: the writer was closed or broke before they had a result
 */
public record ReplayReport(long done, long recovered, long failed, long unknown, long left) {

    /** Of a writer that found nothing. */
    static final ReplayReport NOTHING = new ReplayReport(0, 0, 0, 0, 0);

    /**
     * Returns how many operations there were.
     *
     * @return the sum of all
     */
    public long total() {
        return done + recovered + failed + unknown + left;
    }
}
