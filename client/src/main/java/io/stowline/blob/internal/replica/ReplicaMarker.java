package io.stowline.blob.internal.replica;

import io.stowline.blob.BlobInfo;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of a blob of which there are copies, as the metadata of each copy name it.
 *
 * @param etag the ETag of the source
 * @param modified the time of the source
 * @param until the end of the copy's time, or {@code null}
 */
record ReplicaMarker(
        String etag, Instant modified, @Nullable Instant until) {

    private static final String NAME = "stowlinereplica";
    private static final Pattern FORM = Pattern.compile("(\\d{1,15});(\\d{0,15});(.+)");

    static ReplicaMarker of(BlobInfo source, @Nullable Instant until) {
        return new ReplicaMarker(source.etag(), source.lastModified(), until);
    }

    /** Returns the marker of a copy, or {@code null} for a blob that is none. */
    static @Nullable ReplicaMarker in(BlobInfo blob) {
        Map<String, String> sorted = sorted(blob.metadata());
        Matcher marker = FORM.matcher(sorted.getOrDefault(NAME, ""));
        if (!marker.matches()) {
            return null;
        }
        return new ReplicaMarker(
                marker.group(3), time(marker.group(1)), marker.group(2).isEmpty() ? null : time(marker.group(2)));
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }

    private static Map<String, String> sorted(Map<String, String> metadata) {
        Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(metadata);
        return sorted;
    }

    /** Returns the metadata of a copy. */
    Map<String, String> set(Map<String, String> metadata) {
        Map<String, String> all = sorted(metadata);
        all.put(NAME, modified.toEpochMilli() + ";" + (until == null ? "" : until.toEpochMilli()) + ";" + etag);
        return all;
    }

    /** Returns whether both are of one version of the source, whatever the end of their time. */
    boolean isSameVersion(ReplicaMarker other) {
        return modified.equals(other.modified) && etag.equals(other.etag);
    }

    /** Returns whether the time of the source, which has whole seconds, is an earlier one. */
    boolean isOlderThan(ReplicaMarker other) {
        return modified.isBefore(other.modified);
    }

    boolean isOver(Instant now) {
        return until != null && !now.isBefore(until);
    }
}
