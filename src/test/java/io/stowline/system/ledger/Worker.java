package io.stowline.system.ledger;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Clock;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Message;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.OperationScript;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.subject.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker that does its steps one after the other, and notes the results. */
final class Worker implements Runnable {

    /** The time without a request and a result after which an operation counts as one without a result. */
    static final Duration STANDSTILL = Duration.ofSeconds(60);

    private static final int MAX_MESSAGES = 2;

    private final int number;
    private final int steps;
    private final Subject subject;
    private final OperationScript script;
    private final Workload workload;
    private final Clock clock;
    private final List<Case> cases = Collections.synchronizedList(new ArrayList<>());
    private volatile @Nullable Case pending;
    private int ordinal;

    Worker(int number, int steps, Subject subject, OperationScript script, Workload workload, Clock clock) {
        this.number = number;
        this.steps = steps;
        this.subject = subject;
        this.script = script;
        this.workload = workload;
        this.clock = clock;
    }

    @Override
    public void run() {
        for (int i = 0; i < steps; i++) {
            List<Op> ops = workload.step(i);
            script.begin(ordinal, ops);
            if (ops.isEmpty()) {
                receive();
            } else if (ops.get(0).kind().isWriter()) {
                all(ops);
            } else {
                one(ops.get(0));
            }
            ordinal++;
        }
    }

    private void receive() {
        for (Message message : subject.receive(MAX_MESSAGES)) {
            ordinal++;
            Op deletion =
                    Op.elsewhere("w" + number + "-d" + ordinal, Kind.DELETE_MESSAGE, message.id(), message.body());
            Op op = workload.isCutShort(ordinal) ? deletion.cutShort() : deletion;
            script.begin(ordinal, List.of(op));
            one(op);
        }
    }

    private void one(Op op) {
        long start = clock.now();
        pending = new Case(
                number,
                ordinal,
                op,
                ReportedResult.of(ReportedResult.Sort.NEVER, "no response"),
                start,
                Long.MAX_VALUE);
        ReportedResult reported = subject.perform(op);
        pending = null;
        note(op, reported, start);
    }

    private void note(Op op, ReportedResult reported, long start) {
        cases.add(new Case(number, ordinal, op, reported, start, clock.now()));
    }

    private void all(List<Op> ops) {
        long start = clock.now();
        List<CompletableFuture<ReportedResult>> responses = subject.performAll(ops);
        for (int i = 0; i < ops.size(); i++) {
            note(ops.get(i), result(responses.get(i)), start);
        }
    }

    private ReportedResult result(CompletableFuture<ReportedResult> response) {
        long before;
        do {
            before = progress();
            CompletableFuture<Boolean> ended = response.handle((reported, error) -> true);
            if (ended.completeOnTimeout(false, STANDSTILL.toMillis(), TimeUnit.MILLISECONDS)
                    .join()) {
                return response.join();
            }
        } while (progress() > before);
        return ReportedResult.of(ReportedResult.Sort.NEVER, "no response");
    }

    /** Grows while anything happens. */
    long progress() {
        return script.requests() + cases.size();
    }

    /** Returns the reported result; an operation that still runs has none. */
    List<Case> cases() {
        List<Case> all;
        synchronized (cases) {
            all = new ArrayList<>(cases);
        }
        Optional.ofNullable(pending).ifPresent(all::add);
        return all;
    }
}
