package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A batch of a writer with a journal, whose operations have unlimited time. A response that ends no operation does not
 * end the batch: it is postponed and sent again later, as an unresolved one if it may have been carried out. Serves one
 * subscription.
 */
final class JournaledBatch {

    private final List<QueuedWrite> items;
    private final WriteAheadLog log;
    private final boolean endless;
    private final StoragePipeline pipeline;
    private final DeliveryPause pause;
    private @Nullable ReplayedTransaction replay;
    private Duration reserved = Duration.ZERO;
    private boolean strained;

    JournaledBatch(DeliveryBatch<LaneKey, QueuedWrite> batch, WriteAheadLog log, StoragePipeline pipeline) {
        this.items = batch.items();
        this.endless = batch.timeLeft() == null;
        this.log = log;
        this.pipeline = pipeline;
        this.pause = log.pause();
    }

    Mono<BatchReply<WriteResult>> send(Supplier<Mono<BatchReply<WriteResult>>> sending) {
        Duration wait = pause.untilNext();
        StorageException why = pause.cause();
        if (!wait.isZero() && why != null) {
            return Mono.just(new BatchReply.Postponed<>(why, wait, markUnresolved()));
        }
        Stopwatch before = Stopwatch.start(pipeline.timer());
        // What is cancelled in flight leaves the disk before there is a reply.
        hold(log.allowed());
        return Mono.defer(sending)
                .onErrorResume(StorageException.class, e -> Mono.just(new BatchReply.BatchFailed<>(e)))
                .map(reply -> judged(reply, before))
                .doOnError(e -> pause.unanswered())
                .doOnCancel(pause::unanswered);
    }

    /** Sends the batch with all its operations unresolved. */
    Mono<BatchReply<WriteResult>> again(ReplayedTransaction write) {
        replay = write;
        return send(write::send);
    }

    private boolean markUnresolved() {
        return items.stream().anyMatch(item -> item.replay() != null);
    }

    private BatchReply<WriteResult> judged(BatchReply<WriteResult> given, Stopwatch before) {
        BatchReply<WriteResult> reply = bare(given);
        if (reply instanceof BatchReply.BatchFailed<WriteResult> failed) {
            return ended(failed.error(), reply, before);
        }
        if (reply instanceof BatchReply.BatchUnknown<WriteResult> unknown) {
            return ended(unknown.error(), reply, before);
        }
        if (reply instanceof BatchReply.Late<WriteResult> late) {
            return ended(late.cause(), reply, before);
        }
        if (reply instanceof BatchReply.Doomed<WriteResult> doomed) {
            return ended(doomed.error(), reply, before);
        }
        if (reply instanceof BatchReply.TooLarge<WriteResult> tooLarge) {
            boolean alone = endless && items.size() == 1 && EndRules.timedOut(tooLarge.cause());
            return alone ? postponed((StorageException) tooLarge.cause(), before) : responded(reply);
        }
        StorageException trouble = replay == null ? null : replay.trouble();
        return trouble == null ? responded(reply) : partly(reply, trouble, before);
    }

    /** Keeps the reply's reservation and strain for the end. */
    private BatchReply<WriteResult> bare(BatchReply<WriteResult> given) {
        BatchReply<WriteResult> reply = given;
        while (reply instanceof BatchReply.ReservedBatch<WriteResult>
                || reply instanceof BatchReply.Strained<WriteResult>) {
            if (reply instanceof BatchReply.ReservedBatch<WriteResult> whole) {
                reserved = whole.time();
                reply = whole.reply();
            } else if (reply instanceof BatchReply.Strained<WriteResult> whole) {
                strained = true;
                reply = whole.reply();
            }
        }
        return reply;
    }

    private BatchReply<WriteResult> whole(BatchReply<WriteResult> reply) {
        hold(reserved);
        return (strained ? reply.strained() : reply).reservedFor(reserved);
    }

    private void hold(Duration timeUntilSettled) {
        items.forEach(item -> Objects.requireNonNull(item.ticket()).reservedFor(timeUntilSettled));
    }

    private BatchReply<WriteResult> responded(BatchReply<WriteResult> reply) {
        pause.responded();
        return whole(reply);
    }

    private BatchReply<WriteResult> ended(Throwable error, BatchReply<WriteResult> reply, Stopwatch before) {
        if (EndRules.isFinal(error) || !(error instanceof StorageException failed)) {
            return responded(reply);
        }
        if (!endless && !EndRules.pauses(failed)) {
            pause.unanswered();
            return whole(reply);
        }
        if (EndRules.timedOut(error) && items.size() > 1) {
            markUnresolved(failed, before);
            return responded(new BatchReply.TooLarge<>(error, markUnresolved()));
        }
        return postponed(failed, before);
    }

    private BatchReply<WriteResult> postponed(StorageException error, Stopwatch before) {
        markUnresolved(error, before);
        return whole(new BatchReply.Postponed<>(error, pauseAfter(error), markUnresolved()));
    }

    /** Some items have their end, and the others are sent again. */
    private BatchReply<WriteResult> partly(BatchReply<WriteResult> reply, StorageException trouble, Stopwatch before) {
        markUnresolved(trouble, before);
        Duration wait = pauseAfter(trouble);
        reserved = wait.compareTo(reserved) > 0 ? wait : reserved;
        return whole(reply);
    }

    private void markUnresolved(StorageException error, Stopwatch before) {
        for (QueuedWrite item : items) {
            if (error instanceof OutcomeUnknownException || item.replay() != null) {
                Objects.requireNonNull(item.ticket()).markUnresolved(before, reserved, pipeline.timer());
            }
        }
    }

    private Duration pauseAfter(StorageException error) {
        int round = 1;
        for (QueuedWrite item : items) {
            round = Math.max(round, Objects.requireNonNull(item.ticket()).postponed());
        }
        if (EndRules.pauses(error)) {
            pause.refused(items.get(0), error);
        } else {
            pause.unanswered();
        }
        return pause.delay(round);
    }
}
