package io.stowline.system.ledger.lease;

import io.stowline.system.ledger.script.Clock;
import io.stowline.system.ledger.script.Wire;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.SentRequest;
import java.util.Objects;

/**
 * A request that reached the service, with its response.
 *
 * @param requestId its name, the same for all attempts of an operation
 * @param action the action on a lease, or empty
 * @param term the number of a term that it writes, or 0
 * @param at a time before it was carried out
 * @param status the status of the service's response, or 0
 */
record LeaseSending(
        String requestId, String method, String path, String action, String text, long term, long at, int status) {

    static LeaseSending of(RecordedExchange exchange, long at) {
        SentRequest request = exchange.request();
        String action = Objects.requireNonNullElse(request.header("x-ms-lease-action"), "");
        String term = Objects.requireNonNullElse(request.header("x-ms-meta-stowlineterm"), "0");
        return new LeaseSending(
                Wire.id(request),
                request.method(),
                request.path(),
                action,
                request.query().containsKey("comp") ? "" : request.text(),
                Long.parseLong(term),
                at,
                exchange.served().map(response -> response.status()).orElse(0));
    }

    /** Returns whether the service has carried it out; a queue that is there already is no creation. */
    boolean isApplied() {
        boolean sameQueue = status == 204 && method.equals("PUT") && action.isEmpty() && text.isEmpty();
        return status >= 200 && status < 300 && !sameQueue;
    }

    /** Returns whether it is a write that an operation wanted, as far as its name, target and content show. */
    boolean isFor(LeaseCase one) {
        boolean target = path.endsWith("/" + one.resource()) || text.contains("\"" + one.resource() + "\"");
        return !method.equals("GET")
                && !method.equals("HEAD")
                && target
                && action.equals(one.kind().action())
                && (one.content().isEmpty() || text.equals(one.content()));
    }

    @Override
    public String toString() {
        return Clock.shown(at) + " " + requestId + " " + method + " " + path + " " + action
                + (term == 0 ? "" : " term " + term) + " -> " + status;
    }
}
