package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Account;
import java.util.HashMap;
import java.util.Map;

/** The queues whose names are {@link Account#CONSUMED}, alone or with a number. It counts the requests to all of them. Only on the event loop. */
final class StubQueues {

    private final StubResponses responses;
    private final Map<Long, StubQueue> queues = new HashMap<>();
    private long requests;

    StubQueues(StubResponses responses) {
        this.responses = responses;
    }

    StubServerResponse respond(RequestHead head) {
        if (head.pathContains(Account.COUNT)) {
            return StubServerResponse.once("200 OK", "", Long.toString(requests));
        }
        if (head.pathContains("comp=fill")) {
            for (long number = 0; number < head.number("queues="); number++) {
                queue(number).add(head.number("messages="));
            }
            return responses.deleted();
        }
        requests++;
        return queue(head.number("/" + Account.CONSUMED)).respond(head);
    }

    private StubQueue queue(long number) {
        return queues.computeIfAbsent(number, none -> new StubQueue(responses));
    }
}
