package io.stowline.table.simulation;

import io.stowline.error.ClosedException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.table.BufferFullException;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.LeftoverException;
import io.stowline.table.PredecessorFailedException;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.internal.request.EntityVerb;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

/** Each accepted operation has one result, and the result is true: held against all that ever happened to the entity. */
final class ResultCheck {

    /** Refusals that name one operation, and not the service or the table. */
    private static final Set<Integer> OF_ONE = Set.of(400, 409, 412);

    private final Trace trace;
    private final Books books;
    private final SimulatedStore store;

    ResultCheck(Trace trace, Books books, SimulatedStore store) {
        this.trace = trace;
        this.books = books;
        this.store = store;
    }

    /** Returns whether nothing more is sent for an operation that ended so. */
    static boolean isOver(SimulatedOperation op) {
        return op.written != null || op.error instanceof StorageException;
    }

    void all() {
        books.ops().forEach(this::of);
    }

    private void of(SimulatedOperation op) {
        if (op.refused) {
            expect(op, op.attempts.isEmpty() && op.applied.isEmpty(), "BATCH-1: was refused, and sent");
            expect(op, op.results == 0, "BATCH-1: was refused, and has a result");
            return;
        }
        if (op.detached) {
            expect(op, op.results <= 1, "BATCH-1: has " + op.results + " results");
        } else {
            expect(op, op.results == 1, "BATCH-1: has " + op.results + " results");
        }
        if (op.results > 0) {
            ended(op);
        }
    }

    private void ended(SimulatedOperation op) {
        WriteResult written = op.written;
        Throwable error = op.error;
        if (written != null) {
            succeeded(op, written);
        } else if (error instanceof OutcomeUnknownException) {
            expect(
                    op,
                    stands(op).anyMatch(ResultCheck::doubtful) || isLeftOver(op, error),
                    "OUTCOME-0: is unknown, though every attempt was answered");
        } else if (error instanceof StorageException failed) {
            neverApplied(op, error);
            refused(op, failed);
        } else if (error instanceof LeftoverException left) {
            expect(op, left.sent() || op.applied.isEmpty(), "BATCH-9: was told not sent, and carried out");
        } else if (error instanceof CancellationException) {
            expect(op, op.neverFrom < 0 || op.applied.isEmpty(), "BATCH-10: was told never sent, and carried out");
        } else if (error instanceof PredecessorUnknownException || error instanceof PredecessorFailedException) {
            neverApplied(op, error);
            boolean bound = op.together.stream().anyMatch(each -> each.wish.bound());
            expect(
                    op,
                    bound || error instanceof PredecessorFailedException,
                    "BATCH-4: unconditional, and failed behind an unknown one");
        } else if (error instanceof DeliveryTimeoutException) {
            neverApplied(op, error);
        } else if (error instanceof ClosedException || error instanceof BufferFullException) {
            neverApplied(op, error);
            expect(op, op.attempts.isEmpty(), "BATCH-1: was turned away, and sent");
        } else {
            expect(op, false, "BATCH-12: ended with " + error);
        }
    }

    private void neverApplied(SimulatedOperation op, Throwable error) {
        expect(op, op.applied.isEmpty(), "OUTCOME-0: failed with " + error + ", and was carried out: " + op.applied);
    }

    /** A refusal that names the operation was really made of this operation. */
    private void refused(SimulatedOperation op, StorageException failed) {
        SimulatedOperation named =
                failed instanceof TransactionFailedException transaction ? op.together.get(transaction.index()) : op;
        int status = failed.failure().status();
        boolean ofOne = OF_ONE.contains(status)
                || (status == 404 && !"TableNotFound".equals(failed.failure().errorCode()));
        if (ofOne) {
            boolean reporting = stands(named)
                    .flatMap(each -> each.refusals.stream())
                    .anyMatch(refusal -> refusal.status() == status);
            expect(op, reporting, "BATCH-5: failed with " + status + ", which the service never said of it");
        }
    }

    private void succeeded(SimulatedOperation op, WriteResult written) {
        List<Event> history = store.history(op.wish.key());
        switch (written.outcome()) {
            case CONFIRMED -> {
                boolean version = op.wish.verb() == EntityVerb.DELETE
                        || history.stream()
                                .anyMatch(event -> event.etag().equals(written.etag())
                                        && stands(op).anyMatch(each -> event.of(each.id)));
                expect(
                        op,
                        version && stands(op).anyMatch(each -> !each.applied.isEmpty()),
                        "OUTCOME-0: is confirmed, and was never carried out");
            }
            case RECOVERED -> recovered(op, written, history);
            default ->
                expect(
                        op,
                        op.wish.verb() == EntityVerb.DELETE && wasAbsent(op, history),
                        "OUTCOME-3: was never absent");
        }
        expect(
                op,
                written.mayHaveRepeated()
                        || (op.applied.isEmpty() ? replaced(op, written) : Stream.of(op))
                                .allMatch(each -> each.applied.size() <= 1),
                "OUTCOME-9: was carried out more than once, and does not say so");
    }

    private void recovered(SimulatedOperation op, WriteResult written, List<Event> history) {
        boolean shown = history.stream().anyMatch(event -> stands(op).anyMatch(each -> event.shows(each.id)));
        expect(
                op,
                written.evidence() == Evidence.CONTENT ? shown : stands(op).anyMatch(each -> !each.applied.isEmpty()),
                "OUTCOME-8: is recovered, and was never carried out");
        boolean version = history.stream()
                .anyMatch(event ->
                        event.etag().equals(written.etag()) && stands(op).anyMatch(each -> event.shows(each.id)));
        expect(op, written.etag().isEmpty() || version, "OUTCOME-8: has the version of another write");
    }

    private static boolean wasAbsent(SimulatedOperation op, List<Event> history) {
        boolean absent = true;
        for (Event event : history) {
            if (event.at() > op.endedAt) {
                break;
            }
            boolean then = event.after() == null;
            absent = event.at() < op.handedOver ? then : absent || then;
        }
        return absent;
    }

    /** The operations that an operation may have become: itself, or a later one that took its place. */
    private Stream<SimulatedOperation> stands(SimulatedOperation op) {
        if (!op.coalesces) {
            return Stream.of(op);
        }
        return books.ops().stream()
                .filter(each -> each == op
                        || (each.id > op.id
                                && each.coalesces
                                && each.owner == op.owner
                                && each.wish.verb() == EntityVerb.INSERT_OR_REPLACE
                                && each.wish.key().equals(op.wish.key())));
    }

    /** The later operation whose result an operation was given. */
    private Stream<SimulatedOperation> replaced(SimulatedOperation op, WriteResult written) {
        return stands(op).filter(each -> each.applied.stream()
                .anyMatch(event -> event.etag().equals(written.etag())));
    }

    /** A leftover in flight at a close counts as sent, also between two attempts; see BATCH-9 below. */
    private static boolean isLeftOver(SimulatedOperation op, Throwable error) {
        return !op.attempts.isEmpty()
                && Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                        .anyMatch(cause -> cause instanceof LeftoverException left && left.sent());
    }

    private static boolean doubtful(SimulatedOperation op) {
        return op.attempts.stream().anyMatch(attempt -> attempt.doubtful);
    }

    private void expect(SimulatedOperation op, boolean holds, String what) {
        if (!holds) {
            trace.violate(op + ": " + what + "; told " + (op.written == null ? op.error : op.written) + "; history "
                    + store.history(op.wish.key()));
        }
    }
}
