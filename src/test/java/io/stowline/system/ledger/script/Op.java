package io.stowline.system.ledger.script;

import java.time.Duration;
import java.util.List;

/**
 * One operation of a caller.
 *
 * @param id unique in its seed
 * @param kind the kind
 * @param changes what it does to entities; one but for a transaction, none for queues and blobs
 * @param target the message or the blob, empty for tables
 * @param payload what is sent or appended, empty for tables
 * @param patience how long the caller bears with it
 */
public record Op(String id, Kind kind, List<Change> changes, String target, String payload, CallerTimeout patience) {

    /** The largest age of the result of a cached read. */
    public static final Duration FRESH = Duration.ofMillis(400);

    public Op {
        changes = List.copyOf(changes);
    }

    public static Op of(String id, Kind kind, CallerTimeout patience, Change... changes) {
        return new Op(id, kind, List.of(changes), "", "", patience);
    }

    public static Op elsewhere(String id, Kind kind, String target, String payload) {
        return new Op(id, kind, List.of(), target, payload, CallerTimeout.USUAL);
    }

    /** Returns this operation for a client that ends during it. */
    public Op cutShort() {
        return new Op(id, kind, changes, target, payload, CallerTimeout.CUT_SHORT);
    }

    public boolean isCutShort() {
        return patience == CallerTimeout.CUT_SHORT;
    }

    public Change change() {
        return changes.get(0);
    }

    @Override
    public String toString() {
        return id + " " + kind + " " + (changes.isEmpty() ? target + " '" + payload + "'" : changes)
                + (patience == CallerTimeout.USUAL ? "" : " " + patience);
    }
}
