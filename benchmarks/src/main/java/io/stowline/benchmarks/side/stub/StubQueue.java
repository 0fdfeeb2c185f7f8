package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Account;

/** A queue that hands out each message once, in the order of the sends. It counts the requests to it. Only on the event loop. */
final class StubQueue {

    private static final String XML = "Content-Type: application/xml\r\n";

    private final StubAnswers answers;
    private long sent;
    private long received;
    private long requests;

    StubQueue(StubAnswers answers) {
        this.answers = answers;
    }

    Answer answer(RequestHead head) {
        if (head.pathContains(Account.COUNT)) {
            return Answer.once("200 OK", "", Long.toString(requests));
        }
        requests++;
        if (head.is("POST ")) {
            sent++;
            return answers.sent();
        }
        if (head.is("GET ")) {
            return head.pathContains("/messages") ? receive(head) : facts();
        }
        return head.is("DELETE ") ? answers.deleted() : answers.refused();
    }

    private Answer receive(RequestHead head) {
        long from = received;
        received = Math.min(sent, from + Long.parseLong(head.option("numofmessages")));
        return Answer.once("200 OK", XML, StubMessages.received(from, received));
    }

    private Answer facts() {
        return Answer.once("200 OK", "x-ms-approximate-messages-count: " + (sent - received) + "\r\n", "");
    }
}
