package io.stowline.system.ledger;

import static io.stowline.testkit.RequestMatch.requests;

import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Clock;
import io.stowline.system.ledger.script.Sending;
import io.stowline.system.ledger.script.Wire;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.TestkitException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The log of the service: all requests about one seed that reached it, from any client, with the times of their
 * handover and of their response. Stands behind all faults.
 */
final class ServerLog implements AutoCloseable {

    private static final Duration FOREVER = Duration.ofHours(1);
    private static final Duration GUARD = Duration.ofSeconds(30);

    private final FaultProxy witness;
    private final Clock clock;
    private final Map<SentRequest, Long> begun = Collections.synchronizedMap(new IdentityHashMap<>());
    private final IdentityHashMap<SentRequest, Long> ended = new IdentityHashMap<>();
    private final RequestHold passed = new RequestHold();
    private final FaultRule rule;
    private final Thread watch;

    ServerLog(FaultProxy witness, String name, Clock clock) {
        this.witness = witness;
        this.clock = clock;
        passed.release();
        this.watch = new Thread(this::watch, "ledger-truth-" + name);
        watch.setDaemon(true);
        watch.start();
        this.rule = witness.when(requests().when("about " + name, request -> takes(request, name)))
                .holdAfter(passed);
    }

    private boolean takes(SentRequest request, String name) {
        boolean about = request.path().contains(name)
                || (request.path().endsWith("$batch") && request.text().contains(name));
        if (about) {
            begun.put(request, clock.now());
        }
        return about;
    }

    private void watch() {
        try {
            for (int seen = 0; !Thread.currentThread().isInterrupted(); ) {
                List<SentRequest> all = passed.awaitArrived(seen + 1, FOREVER);
                synchronized (ended) {
                    all.subList(seen, all.size()).forEach(request -> ended.put(request, clock.now()));
                    ended.notifyAll();
                }
                seen = all.size();
            }
        } catch (TestkitException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the service has responded to all requests. */
    void await() throws InterruptedException {
        long end = System.nanoTime() + GUARD.toNanos();
        synchronized (ended) {
            while (ended.size() < begun.size()) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(
                            "the service has answered " + ended.size() + " of " + begun.size() + " requests");
                }
                ended.wait(100);
            }
        }
    }

    /** Returns all writes, in the order in which they were handed over. */
    List<Sending> writes() {
        List<Sending> writes = new ArrayList<>();
        for (RecordedExchange exchange : witness.recorded()) {
            SentRequest request = exchange.request();
            Long begin = begun.get(request);
            StubResponse response = exchange.served().orElse(null);
            if (begin != null && response != null && Wire.isWrite(request)) {
                writes.add(sending(request, response, begin));
            }
        }
        return writes;
    }

    private Sending sending(SentRequest request, StubResponse response, long begin) {
        long end;
        synchronized (ended) {
            end = ended.getOrDefault(request, Long.MAX_VALUE);
        }
        List<Change> changes = Wire.changes(request);
        String line = Clock.shown(begin) + ".." + Clock.shown(end) + " " + request.method() + " " + request.target()
                + " " + changes + " -> " + response;
        boolean applied = Wire.applied(request, response);
        return new Sending(
                Wire.id(request),
                changes,
                applied ? Wire.etags(request, response) : List.of(),
                begin,
                end,
                line,
                applied);
    }

    @Override
    public void close() {
        rule.remove();
        watch.interrupt();
    }
}
