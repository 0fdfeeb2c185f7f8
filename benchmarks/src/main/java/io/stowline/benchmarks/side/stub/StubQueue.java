package io.stowline.benchmarks.side.stub;

/** A queue that hands out each message once, in the order of the sends. Only on the event loop. */
final class StubQueue {

    private static final String XML = "Content-Type: application/xml\r\n";

    private final StubResponses responses;
    private long sent;
    private long received;

    StubQueue(StubResponses responses) {
        this.responses = responses;
    }

    /** Adds messages without a request for each of them. */
    void add(long messages) {
        sent += messages;
    }

    StubServerResponse respond(RequestHead head) {
        if (head.is("POST ")) {
            sent++;
            return responses.sent();
        }
        if (head.is("GET ")) {
            return head.pathContains("/messages") ? receive(head) : stats();
        }
        return head.is("DELETE ") ? responses.deleted() : responses.refused();
    }

    private StubServerResponse receive(RequestHead head) {
        long from = received;
        received = Math.min(sent, from + Long.parseLong(head.option("numofmessages")));
        return StubServerResponse.once("200 OK", XML, StubMessages.received(from, received));
    }

    private StubServerResponse stats() {
        return StubServerResponse.once("200 OK", "x-ms-approximate-messages-count: " + (sent - received) + "\r\n", "");
    }
}
