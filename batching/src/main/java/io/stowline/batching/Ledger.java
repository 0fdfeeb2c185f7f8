package io.stowline.batching;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is accepted and what becomes of it: each item and each group has one outcome; under the engine's lock. */
final class Ledger<K, I, R> {

    private final Engine<K, I, R> engine;
    private final Pump<K, I, R> pump;
    private long seq;

    Ledger(Engine<K, I, R> engine) {
        this.engine = engine;
        this.pump = engine.pump();
    }

    /** The number of what was accepted last. */
    long seq() {
        return seq;
    }

    void accept(Entry<K, I, R> entry) {
        Batcher<K, I, R> writer = entry.batcher();
        engine.deadlines().begin(entry);
        entry.seq = ++seq;
        entry.due = writer.lingerNanos() == 0 ? Lane.NOW : engine.now() + writer.lingerNanos();
        entry.submission.epoch = writer.epochs().enter();
        entry.submission.hold(entry.size);
        entry.share().add(entry.size);
        pump.append(entry.lane(), entry);
        Throwable unknown = entry.conditional ? entry.lane().unknown(entry.entity) : null;
        Throwable unnamed = entry.entity.failure();
        if (unnamed != null) {
            fail(entry, unnamed);
        } else if (unknown != null) {
            fail(entry, new PredecessorUnknownException(entry.entity, unknown));
        }
        if (entry.waiter != null) {
            entry.waiter.end(null);
            engine.later(entry.waiter::wake);
        }
    }

    void accept(Group<K, I, R> group, @Nullable Duration timeout) {
        engine.deadlines().begin(group, timeout);
        group.seq = ++seq;
        pump.append(group.lane, group);
        failBehind(group, group.lane::unknown);
    }

    /** Removes a group that is not yet sent. */
    void cancel(Group<K, I, R> group) {
        if (group.state == Node.State.QUEUED) {
            end(group, () -> {});
        }
    }

    /** Lets a queued item stand for one more submission. */
    void merge(Entry<K, I, R> entry, Described<I> merged, Submission<R> submission) {
        entry.item = merged.item();
        entry.conditional = merged.conditional();
        pump.grow(entry, merged.size() - entry.size);
        entry.submission.hold(0);
        submission.hold(merged.size());
        submission.merged = entry.submission;
        submission.entry = entry;
        submission.epoch = entry.batcher().epochs().enter();
        entry.submission = submission;
    }

    /** Takes an item that is not in flight out of its lane; its results are the caller's. */
    void drop(Entry<K, I, R> entry) {
        Node.State was = entry.state;
        entry.share().release(entry.count, entry.size);
        if (was != Node.State.IN_FLIGHT) {
            pump.remove(entry.lane(), entry);
        }
        end(entry);
        engine.touch(entry.batcher());
    }

    /** Gives an accepted item its terminal outcome, the first time. */
    void finish(Entry<K, I, R> entry, Object outcome) {
        if (entry.state == Node.State.TERMINAL) {
            return;
        }
        drop(entry);
        gone(entry, outcome instanceof Failure failure ? failure.error() : null);
        Batcher<K, I, R> writer = entry.batcher();
        for (Submission<R> each = entry.submission; each != null; each = each.merged) {
            writer.conclude(each, entry.item, outcome);
        }
    }

    /** Tells the descriptor that an item has ended; what it throws is logged and counted. */
    void gone(Entry<K, I, R> entry, @Nullable Throwable failure) {
        try {
            engine.descriptor().ended(entry.item, failure);
        } catch (Throwable thrown) {
            engine.later(() -> engine.callbacks().threw("ended() of the descriptor", thrown));
        }
    }

    void fail(Node<K, I, R> node, Throwable error) {
        if (node instanceof Entry<K, I, R> entry) {
            fail(entry, error);
        } else if (node instanceof Group<K, I, R> group) {
            fail(group, error);
        }
    }

    void fail(Entry<K, I, R> entry, Throwable error) {
        finish(entry, new Failure(error));
    }

    void finish(Group<K, I, R> group, List<R> results) {
        end(group, () -> group.deliver(results));
    }

    void fail(Group<K, I, R> group, Throwable error) {
        end(group, () -> group.fail(error));
    }

    /** Fails a group with a conditional item of an entity that nobody can tell. */
    void failBehind(Group<K, I, R> group, Function<Named, @Nullable Throwable> unknown) {
        Named entity = group.firstConditional(each -> unknown.apply(each) != null);
        Throwable cause = entity == null ? null : unknown.apply(entity);
        if (entity != null && cause != null) {
            fail(group, new PredecessorUnknownException(entity, cause));
        }
    }

    /** Ends the wait of an item that has left the line without being accepted. */
    void leftLine(Entry<K, I, R> entry, Throwable refusal) {
        end(entry);
        gone(entry, refusal);
        entry.submission.entry = null;
        if (entry.share().isEmpty()) {
            entry.lane().forget(entry.share());
        }
        pump.arm(entry.lane());
        engine.touch(entry.batcher());
        publish(entry.submission, new Failure(refusal));
        if (entry.waiter != null) {
            entry.waiter.end(refusal);
            engine.later(entry.waiter::wake);
        }
    }

    void publish(Submission<R> submission, Object outcome) {
        if (submission.publish(outcome)) {
            submission.undelivered(1);
            engine.later(submission::announce);
        }
    }

    /** Fails what has no outcome at a deadline. */
    void leftOver(Node<K, I, R> node) {
        boolean sent = node.state == Node.State.IN_FLIGHT;
        if (node instanceof Entry<K, I, R> entry) {
            fail(entry, new LeftoverException(entry.item, sent || entry.inDoubt));
        } else if (node instanceof Group<K, I, R> group) {
            fail(group, new LeftoverException(group.items(), sent));
        }
    }

    private void end(Entry<K, I, R> entry) {
        entry.state = Node.State.TERMINAL;
        untimed(entry);
    }

    private static void untimed(Node<?, ?, ?> node) {
        if (node.expiry != null) {
            node.expiry.end();
        }
    }

    private void end(Group<K, I, R> group, Runnable result) {
        if (group.state != Node.State.TERMINAL) {
            if (group.state == Node.State.QUEUED) {
                pump.remove(group.lane, group);
            }
            group.state = Node.State.TERMINAL;
            untimed(group);
            engine.later(() -> engine.callbacks().run(result, group.asker));
        }
    }
}
