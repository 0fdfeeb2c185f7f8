package io.stowline.system.ledger.script;

import java.util.List;

/**
 * A request that reached the service, with its effect.
 *
 * @param requestId what its client calls it, the same for all attempts of an operation
 * @param changes what it does to entities, empty for queues and blobs
 * @param etags the versions that it left, one for each change, empty where there is none
 * @param begin when it was handed to the service
 * @param end when the service had responded
 * @param line the request and the response in words
 * @param applied whether the service carried it out
 */
public record Sending(
        String requestId,
        List<Change> changes,
        List<String> etags,
        long begin,
        long end,
        String line,
        boolean applied) {

    public Sending {
        changes = List.copyOf(changes);
        etags = List.copyOf(etags);
    }

    @Override
    public String toString() {
        return line + (applied ? " APPLIED" : "");
    }
}
