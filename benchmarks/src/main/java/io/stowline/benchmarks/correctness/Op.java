package io.stowline.benchmarks.correctness;

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
record Op(String id, Kind kind, List<Change> changes, String target, String payload, CallerTimeout patience) {

    Op {
        changes = List.copyOf(changes);
    }

    static Op of(String id, Kind kind, CallerTimeout patience, Change... changes) {
        return new Op(id, kind, List.of(changes), "", "", patience);
    }

    static Op elsewhere(String id, Kind kind, String target, String payload) {
        return new Op(id, kind, List.of(), target, payload, CallerTimeout.USUAL);
    }

    Change change() {
        return changes.get(0);
    }

    @Override
    public String toString() {
        return id + " " + kind + " " + (changes.isEmpty() ? target + " '" + payload + "'" : changes)
                + (patience == CallerTimeout.USUAL ? "" : " " + patience);
    }
}
