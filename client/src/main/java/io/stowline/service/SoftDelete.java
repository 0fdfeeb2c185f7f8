package io.stowline.service;

/**
 * The soft delete of blobs: the time for which the service keeps deleted and overwritten blobs. Immutable.
 *
 * @param days the days, 1 to 365; zero if it is off
 * @param permanentDelete whether versions and snapshots may be deleted for good before that time is over
 */
public record SoftDelete(int days, boolean permanentDelete) {

    /**
     * Returns a soft delete that is off: what is deleted is gone.
     *
     * @return the value without days
     */
    public static SoftDelete off() {
        return new SoftDelete(0, false);
    }

    /**
     * Returns a soft delete without permanent deletes.
     *
     * @param days 1 to 365
     * @return the value
     */
    public static SoftDelete days(int days) {
        return new SoftDelete(days, false);
    }
}
