package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.FailedOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** The end of writers and of the engine: by a close, its deadline, or an error that dooms all; under the engine's lock. */
final class EngineShutdown<K, I, R> {

    private final EngineLock<K, I, R> engine;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final Disposable.Swap deadline = Disposables.swap();
    private boolean closing;

    EngineShutdown(EngineLock<K, I, R> engine) {
        this.engine = engine;
    }

    boolean isClosing() {
        return closing;
    }

    /** Throws what keeps a writer from accepting. */
    void refuse(EngineBatcher<K, I, R> writer) {
        if (writer.broken != null) {
            throw FailedOutcome.unchecked(writer.broken);
        }
        if (writer.barriers().isClosing()) {
            throw engine.errors().closed("the writer is closed");
        }
        refuse();
    }

    /** Throws when the engine is closed. */
    void refuse() {
        if (closing) {
            throw engine.errors().closed("the writer is closed with its client");
        }
    }

    /** Lets a writer accept nothing more and fails what it has not in flight. */
    void breakWriter(EngineBatcher<K, I, R> writer, Throwable error) {
        if (writer.broken == null) {
            writer.broken = error;
            turnAway(writer, error);
            engine.lanes()
                    .forEachQueued(ofWriter(writer, entry -> engine.lifecycle().fail(entry, error)));
        }
    }

    /** Breaks a writer that had no success for too long, in one error. */
    void giveUp(EngineBatcher<K, I, R> writer) {
        long[] inFlight = new long[1];
        engine.lanes().forEachInFlight(ofWriter(writer, entry -> inFlight[0]++));
        breakWriter(
                writer,
                writer.progress().gaveUp(engine.errors(), writer.buffer().items() - inFlight[0], inFlight[0]));
    }

    /** Turns away all who wait for room of a writer. */
    void turnAway(EngineBatcher<K, I, R> writer, Throwable refusal) {
        WriterBuffer<K, I, R> buffer = writer.buffer();
        for (BufferedItem<K, I, R> entry = buffer.pollAny(); entry != null; entry = buffer.pollAny()) {
            engine.lifecycle().refuseWaiting(entry, refusal);
        }
    }

    /** Fails all items of a writer that have no outcome at the deadline of its close. */
    void expire(EngineBatcher<K, I, R> writer) {
        engine.locked(() -> {
            abandon(
                    "the writer is closed after its closeTimeout, "
                            + writer.settings().closeTimeout(),
                    writer);
            Consumer<QueueNode<K, I, R>> undelivered = ofWriter(writer, engine.lifecycle()::undelivered);
            engine.lanes().forEachInFlight(undelivered);
            engine.lanes().forEachQueued(undelivered);
        });
    }

    /** Refuses everything new and sends what there is; the first call sets the deadline. */
    CompletableFuture<Void> close(Duration timeout) {
        engine.enter();
        try {
            if (!closing) {
                closing = true;
                for (EngineBatcher<K, I, R> writer : engine.crowded()) {
                    turnAway(writer, engine.errors().closed("the writer is closed with its client"));
                }
                engine.scheduler().urge((EngineBatcher<K, I, R>) null);
                engine.later(() -> expireAfter(timeout));
            }
            return closed;
        } finally {
            engine.leave();
        }
    }

    /** A timer would let what is in flight go on for a moment after a close without time. */
    private void expireAfter(Duration timeout) {
        if (timeout.isZero()) {
            expireAll();
        } else {
            deadline.update(engine.schedule(timeout, this::expireAll));
        }
    }

    void settle() {
        boolean ended = closing && engine.lanes().size() == 0;
        if (ended && !closed.isDone()) {
            engine.later(() -> {
                deadline.dispose();
                closed.complete(null);
            });
        }
        if (ended && engine.scheduler().reserved() == 0) {
            engine.later(engine::endTimers);
        }
    }

    private void expireAll() {
        engine.locked(() -> {
            abandon("the writer is closed with its client, at the deadline", null);
            engine.lanes().forEachInFlight(engine.lifecycle()::undelivered);
            engine.lanes().forEachQueued(engine.lifecycle()::undelivered);
            abandonBatches();
        });
    }

    /** Warns of the items that have no outcome at a deadline. */
    private void abandon(String what, @Nullable EngineBatcher<K, I, R> writer) {
        long[] inFlight = new long[1];
        long[] queued = new long[1];
        engine.lanes().forEachInFlight(counting(writer, inFlight));
        engine.lanes().forEachQueued(counting(writer, queued));
        if (inFlight[0] + queued[0] > 0) {
            engine.later(() -> engine.warning()
                    .abandoned(what + ": " + queued[0] + " operations are abandoned that were not sent, and "
                            + inFlight[0] + " that were in flight and may have been carried out"));
        }
    }

    private Consumer<QueueNode<K, I, R>> counting(@Nullable EngineBatcher<K, I, R> writer, long[] count) {
        return node -> {
            if (node instanceof BufferedItem<K, I, R> entry && (writer == null || entry.batcher() == writer)) {
                count[0]++;
            }
        };
    }

    /** Gives up on the senders without a reply at the deadline. */
    private void abandonBatches() {
        for (InFlightBatch<K, I, R> flight : engine.lanes().inFlight()) {
            engine.later(flight::cancel);
            engine.later(flight::releasePermit);
            engine.scheduler().ended(flight);
            engine.scheduler().arm(flight.lane);
        }
    }

    private Consumer<QueueNode<K, I, R>> ofWriter(
            @Nullable EngineBatcher<K, I, R> writer, Consumer<BufferedItem<K, I, R>> action) {
        return node -> {
            if (node instanceof BufferedItem<K, I, R> entry && entry.batcher() == writer) {
                action.accept(entry);
            }
        };
    }
}
