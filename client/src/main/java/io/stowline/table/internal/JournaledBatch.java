package io.stowline.table.internal;

import io.stowline.batching.Batch;
import io.stowline.batching.BatchReply;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.table.Written;
import io.stowline.transport.internal.Stopwatch;
import io.stowline.transport.internal.StoragePipeline;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A batch of a writer with a journal, whose operations have all the time there is. What is no end of theirs is none of the batch either:
 * it is postponed, and goes once more later; what may have been carried out then goes as one that is in doubt. Serves one subscription.
 */
final class JournaledBatch {

    private final List<LaneItem> items;
    private final JournalLine line;
    private final boolean endless;
    private final StoragePipeline pipeline;
    private final DeliveryPause pause;
    private @Nullable ReplayWrite replay;
    private Duration held = Duration.ZERO;
    private boolean strained;

    JournaledBatch(Batch<LaneKey, LaneItem> batch, JournalLine line, StoragePipeline pipeline) {
        this.items = batch.items();
        this.endless = batch.timeLeft() == null;
        this.line = line;
        this.pipeline = pipeline;
        this.pause = line.pause();
    }

    Mono<BatchReply<Written>> send(Supplier<Mono<BatchReply<Written>>> sending) {
        Duration wait = pause.untilNext(now(), pipeline.random());
        StorageException why = pause.cause();
        if (!wait.isZero() && why != null) {
            return Mono.just(new BatchReply.Postponed<>(why, wait, inDoubt()));
        }
        Stopwatch before = Stopwatch.start(pipeline.timer());
        return Mono.defer(sending)
                .onErrorResume(StorageException.class, e -> Mono.just(new BatchReply.Failed<>(e)))
                .map(reply -> judged(reply, before))
                .doOnError(e -> pause.unanswered(now(), pipeline.random()))
                .doOnCancel(() -> pause.unanswered(now(), pipeline.random()));
    }

    /** As one whose operations are all in doubt. */
    Mono<BatchReply<Written>> again(ReplayWrite write) {
        replay = write;
        return send(write::send);
    }

    private long now() {
        return pipeline.timer().now(TimeUnit.NANOSECONDS);
    }

    private boolean inDoubt() {
        return items.stream().anyMatch(item -> item.replay() != null);
    }

    private BatchReply<Written> judged(BatchReply<Written> given, Stopwatch before) {
        BatchReply<Written> reply = bare(given);
        if (reply instanceof BatchReply.Failed<Written> failed) {
            return ended(failed.error(), reply, before);
        }
        if (reply instanceof BatchReply.Unknown<Written> unknown) {
            return ended(unknown.error(), reply, before);
        }
        if (reply instanceof BatchReply.Late<Written> late) {
            return ended(late.cause(), reply, before);
        }
        if (reply instanceof BatchReply.Doomed<Written> doomed) {
            return ended(doomed.error(), reply, before);
        }
        if (reply instanceof BatchReply.TooLarge<Written> tooLarge) {
            boolean alone = endless && items.size() == 1 && Ends.timedOut(tooLarge.cause());
            return alone ? postponed((StorageException) tooLarge.cause(), before) : answered(reply);
        }
        StorageException trouble = replay == null ? null : replay.trouble();
        return trouble == null ? answered(reply) : partly(reply, trouble, before);
    }

    /** What the reply says of reservations and of the load is kept apart. */
    private BatchReply<Written> bare(BatchReply<Written> given) {
        BatchReply<Written> reply = given;
        while (reply instanceof BatchReply.Held<Written> || reply instanceof BatchReply.Strained<Written>) {
            if (reply instanceof BatchReply.Held<Written> whole) {
                held = whole.time();
                reply = whole.reply();
            } else if (reply instanceof BatchReply.Strained<Written> whole) {
                strained = true;
                reply = whole.reply();
            }
        }
        return reply;
    }

    private BatchReply<Written> whole(BatchReply<Written> reply) {
        return (strained ? reply.strained() : reply).heldFor(held);
    }

    private BatchReply<Written> answered(BatchReply<Written> reply) {
        line.resumed(pause.answered());
        return whole(reply);
    }

    private BatchReply<Written> ended(Throwable error, BatchReply<Written> reply, Stopwatch before) {
        if (Ends.isFinal(error) || !(error instanceof StorageException failed)) {
            return answered(reply);
        }
        if (!endless && !Ends.pauses(failed)) {
            pause.unanswered(now(), pipeline.random());
            return whole(reply);
        }
        if (Ends.timedOut(error) && items.size() > 1) {
            doubt(failed, before);
            return answered(new BatchReply.TooLarge<>(error));
        }
        return postponed(failed, before);
    }

    private BatchReply<Written> postponed(StorageException error, Stopwatch before) {
        doubt(error, before);
        return whole(new BatchReply.Postponed<>(error, pauseAfter(error), inDoubt()));
    }

    /** Some have their end, and the others go once more. */
    private BatchReply<Written> partly(BatchReply<Written> reply, StorageException trouble, Stopwatch before) {
        doubt(trouble, before);
        Duration wait = pauseAfter(trouble);
        held = wait.compareTo(held) > 0 ? wait : held;
        return whole(reply);
    }

    private void doubt(StorageException error, Stopwatch before) {
        for (LaneItem item : items) {
            if (error instanceof OutcomeUnknownException || item.replay() != null) {
                Objects.requireNonNull(item.ticket()).inDoubt(before, held, pipeline.timer());
            }
        }
    }

    private Duration pauseAfter(StorageException error) {
        int round = 1;
        for (LaneItem item : items) {
            round = Math.max(round, Objects.requireNonNull(item.ticket()).postponed());
        }
        if (Ends.pauses(error)) {
            if (pause.refused(error, now(), pipeline.random())) {
                line.paused(items.get(0), error);
            }
        } else {
            pause.unanswered(now(), pipeline.random());
        }
        return DeliveryPause.PAUSES.delay(Math.min(round, Short.MAX_VALUE), pipeline.random());
    }
}
