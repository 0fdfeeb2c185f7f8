package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.FailedOutcome;
import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import io.stowline.batching.internal.engine.Submitter.DescribedItem;
import io.stowline.batching.internal.writer.FailedItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The accepted items and groups, each with one outcome; under the engine's lock. */
final class ItemLifecycle<K, I, R> {

    private final EngineLock<K, I, R> engine;
    private final LaneScheduler<K, I, R> scheduler;
    private long seq;

    ItemLifecycle(EngineLock<K, I, R> engine) {
        this.engine = engine;
        this.scheduler = engine.scheduler();
    }

    /** Returns the number of the last accepted item or group. */
    long seq() {
        return seq;
    }

    void accept(BufferedItem<K, I, R> entry) {
        EngineBatcher<K, I, R> writer = entry.batcher();
        engine.deadlines().begin(entry);
        entry.seq = ++seq;
        entry.due = writer.lingerNanos() == 0 ? Lane.NOW : engine.timeOfHold() + writer.lingerNanos();
        entry.submission.epoch = writer.barriers().enter();
        entry.submission.hold(entry.size);
        entry.quota().add(entry.size);
        scheduler.append(entry.lane(), entry);
        Throwable unknown = entry.conditional ? entry.lane().unknown(entry.entity) : null;
        Throwable unnamed = entry.entity.failure();
        if (unnamed != null) {
            fail(entry, unnamed);
        } else if (unknown != null) {
            fail(entry, unknown(entry.entity, unknown));
        }
        if (entry.waiter != null) {
            entry.waiter.end(null);
            engine.later(entry.waiter::wake);
        }
    }

    void accept(ItemGroup<K, I, R> group, @Nullable Duration timeout) {
        engine.deadlines().begin(group, timeout);
        group.seq = ++seq;
        scheduler.append(group.lane, group);
        failBehind(group, group.lane::unknown);
    }

    /** Removes a group that is not yet sent; one in flight is not sent once more. */
    void cancel(ItemGroup<K, I, R> group) {
        if (group.state == QueueNode.NodeState.QUEUED) {
            end(group, () -> {});
        } else {
            group.abandoned = true;
        }
    }

    /** Cancels an item. Returns whether it will not be sent. */
    boolean cancel(BufferedItem<K, I, R> entry, EngineSubmission<R> submission) {
        CancellationException cancelled = new CancellationException("the item was cancelled");
        if (!entry.isPlaced()) {
            // Before it was let in, which will find it over.
            entry.state = QueueNode.NodeState.TERMINAL;
            publish(submission, new FailedOutcome(cancelled));
            return true;
        }
        if (entry.state == QueueNode.NodeState.WAITING) {
            entry.batcher().buffer().leave(entry);
            refuseWaiting(entry, cancelled);
            return true;
        }
        publish(submission, new FailedOutcome(cancelled));
        if (entry.isMerged()) {
            return false;
        }
        if (entry.state == QueueNode.NodeState.IN_FLIGHT || entry.unresolved) {
            gone(entry, cancelled);
            return false;
        }
        drop(entry);
        gone(entry, cancelled);
        if (submission.epoch != null) {
            submission.epoch.pending--;
        }
        submission.entry = null;
        submission.epoch = null;
        return true;
    }

    /** Lets a queued item stand for one more submission. */
    void merge(BufferedItem<K, I, R> entry, DescribedItem<I> merged, EngineSubmission<R> submission) {
        entry.item = merged.item();
        entry.conditional = merged.conditional();
        entry.reportsEnd = merged.reportsEnd();
        scheduler.grow(entry, merged.size() - entry.size);
        entry.submission.hold(0);
        submission.hold(merged.size());
        submission.merged = entry.submission;
        submission.entry = entry;
        submission.epoch = entry.batcher().barriers().enter();
        entry.submission = submission;
    }

    /** Takes an item that is not in flight out of its lane; its results are the caller's. */
    void drop(BufferedItem<K, I, R> entry) {
        QueueNode.NodeState was = entry.state;
        entry.quota().release(entry.count, entry.size);
        if (was != QueueNode.NodeState.IN_FLIGHT) {
            scheduler.remove(entry.lane(), entry);
        }
        end(entry);
        engine.touch(entry.batcher());
    }

    /** Gives an accepted item its terminal outcome, the first time. */
    void finish(BufferedItem<K, I, R> entry, Object outcome) {
        if (entry.state == QueueNode.NodeState.TERMINAL) {
            return;
        }
        drop(entry);
        gone(entry, outcome instanceof FailedOutcome failure ? failure.error() : null);
        EngineBatcher<K, I, R> writer = entry.batcher();
        for (EngineSubmission<R> each = entry.submission; each != null; each = each.merged) {
            conclude(writer, each, entry.item, outcome);
        }
    }

    /** Counts an outcome and wakes its waiters. */
    private void conclude(EngineBatcher<K, I, R> writer, EngineSubmission<R> submission, I item, Object outcome) {
        if (submission.epoch != null) {
            submission.epoch.count(outcome);
        }
        submission.entry = null;
        submission.epoch = null;
        publish(submission, outcome);
        Throwable error = outcome instanceof FailedOutcome failed ? failed.error() : null;
        writer.progress().ended(error);
        if (error != null) {
            reportFailure(writer, new FailedItem(Objects.requireNonNull(item), error));
            if (!submission.isTaken()) {
                writer.uncollected().add(submission, item, error);
            }
        }
    }

    private void reportFailure(EngineBatcher<K, I, R> writer, FailedItem failure) {
        Consumer<? super FailedItem> listener = writer.settings().onFailure();
        if (listener != null) {
            engine.later(() -> writer.callbacks().run(() -> listener.accept(failure), null));
        }
    }

    /** Notifies the descriptor of the end of an item; logs and counts what it throws. */
    void gone(BufferedItem<K, I, R> entry, @Nullable Throwable failure) {
        if (!entry.reportsEnd) {
            return;
        }
        try {
            engine.descriptor().ended(entry.item, failure);
        } catch (Throwable thrown) {
            engine.later(() -> engine.callbacks().threw("ended() of the descriptor", thrown));
        }
    }

    void fail(QueueNode<K, I, R> node, Throwable error) {
        if (node instanceof BufferedItem<K, I, R> entry) {
            fail(entry, error);
        } else if (node instanceof ItemGroup<K, I, R> group) {
            fail(group, error);
        }
    }

    void fail(BufferedItem<K, I, R> entry, Throwable error) {
        finish(entry, new FailedOutcome(error));
    }

    void finish(ItemGroup<K, I, R> group, List<R> results) {
        end(group, () -> group.deliver(results));
    }

    void fail(ItemGroup<K, I, R> group, Throwable error) {
        end(group, () -> group.fail(error));
    }

    /** Fails a group with a conditional item of an entity whose state is not known. */
    void failBehind(ItemGroup<K, I, R> group, Function<GuardedKey, @Nullable Throwable> unknown) {
        GuardedKey entity = group.firstConditional(each -> unknown.apply(each) != null);
        Throwable cause = entity == null ? null : unknown.apply(entity);
        if (entity != null && cause != null) {
            fail(group, unknown(entity, cause));
        }
    }

    /** Fails an item and, where its writer wants it, those of its entity behind it. */
    void failWithDependents(BufferedItem<K, I, R> entry, Throwable error) {
        if (entry.state != QueueNode.NodeState.TERMINAL) {
            fail(entry, error);
            stop(entry, error);
        }
    }

    /** Fails items of a lane that may or may not have been applied, and the conditional ones behind them. */
    void leaveUnknown(Lane<K, I, R> lane, Map<BufferedItem<K, I, R>, Throwable> unknown) {
        Map<BufferedItem<K, I, R>, Throwable> failed = new LinkedHashMap<>();
        Map<GuardedKey, Throwable> entities = new LinkedHashMap<>();
        unknown.forEach((entry, error) -> {
            entities.put(entry.entity, error);
            fail(entry, error, failed);
        });
        failConditional(lane, entities, failed);
        failed.forEach(this::stop);
    }

    void leaveUnknown(ItemGroup<K, I, R> group, Throwable error) {
        Map<BufferedItem<K, I, R>, Throwable> failed = new LinkedHashMap<>();
        Map<GuardedKey, Throwable> entities = new LinkedHashMap<>();
        group.entities().forEach(entity -> entities.put(entity, error));
        fail(group, error);
        failConditional(group.lane, entities, failed);
        failed.forEach(this::stop);
    }

    private void failConditional(
            Lane<K, I, R> lane, Map<GuardedKey, Throwable> unknown, Map<BufferedItem<K, I, R>, Throwable> failed) {
        lane.markUnresolved(unknown);
        lane.forEach(node -> {
            if (node instanceof ItemGroup<K, I, R> group) {
                failBehind(group, unknown::get);
            } else if (node instanceof BufferedItem<K, I, R> entry && entry.conditional) {
                Throwable cause = unknown.get(entry.entity);
                if (cause != null) {
                    fail(entry, unknown(entry.entity, cause), failed);
                }
            }
        });
    }

    private void fail(BufferedItem<K, I, R> entry, Throwable error, Map<BufferedItem<K, I, R>, Throwable> failed) {
        if (entry.state != QueueNode.NodeState.TERMINAL) {
            fail(entry, error);
            failed.put(entry, error);
        }
    }

    private void stop(BufferedItem<K, I, R> failed, Throwable cause) {
        if (!failed.batcher().settings().stopEntityOnFailure()) {
            return;
        }
        List<BufferedItem<K, I, R>> stopped = new ArrayList<>();
        for (BufferedItem<K, I, R> entry = failed.lane().first(failed.entity); entry != null; entry = entry.nextSame) {
            if (entry.seq > failed.seq && entry.batcher() == failed.batcher()) {
                stopped.add(entry);
            }
        }
        for (BufferedItem<K, I, R> entry : stopped) {
            fail(entry, engine.errors().predecessorFailed(entry.entity.toString(), cause));
        }
    }

    private RuntimeException unknown(GuardedKey entity, Throwable cause) {
        return engine.errors().predecessorUnknown(entity.value(), entity.toString(), cause);
    }

    /** Ends the wait of an item that has left the line without being accepted. */
    void refuseWaiting(BufferedItem<K, I, R> entry, Throwable refusal) {
        end(entry);
        gone(entry, refusal);
        entry.submission.entry = null;
        if (entry.quota().isEmpty()) {
            entry.lane().quotas.forget(entry.quota());
        }
        scheduler.arm(entry.lane());
        engine.touch(entry.batcher());
        publish(entry.submission, new FailedOutcome(refusal));
        if (entry.waiter != null) {
            entry.waiter.end(refusal);
            engine.later(entry.waiter::wake);
        }
    }

    void publish(EngineSubmission<R> submission, Object outcome) {
        if (submission.publish(outcome)) {
            submission.undelivered(1);
            engine.later(submission);
        }
    }

    /** Fails what has no outcome at a deadline. */
    void undelivered(QueueNode<K, I, R> node) {
        boolean sent = node.state == QueueNode.NodeState.IN_FLIGHT;
        if (node instanceof BufferedItem<K, I, R> entry) {
            fail(entry, engine.errors().leftover(entry.item, sent || entry.unresolved));
        } else if (node instanceof ItemGroup<K, I, R> group) {
            fail(group, engine.errors().leftover(group.items(), sent));
        }
    }

    private void end(BufferedItem<K, I, R> entry) {
        entry.state = QueueNode.NodeState.TERMINAL;
        engine.deadlines().end(entry);
    }

    private void end(ItemGroup<K, I, R> group, Runnable result) {
        if (group.state != QueueNode.NodeState.TERMINAL) {
            if (group.state == QueueNode.NodeState.QUEUED) {
                scheduler.remove(group.lane, group);
            }
            group.state = QueueNode.NodeState.TERMINAL;
            engine.deadlines().end(group);
            engine.later(() -> engine.callbacks().run(result, group.requester));
        }
    }
}
