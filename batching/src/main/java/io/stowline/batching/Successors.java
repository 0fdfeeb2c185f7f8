package io.stowline.batching;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the end of items means for those of the same entity behind them; under the engine's lock. */
final class Successors<K, I, R> {

    private final Ledger<K, I, R> ledger;

    Successors(Ledger<K, I, R> ledger) {
        this.ledger = ledger;
    }

    void fail(Entry<K, I, R> entry, Throwable error) {
        if (entry.state != Node.State.TERMINAL) {
            ledger.fail(entry, error);
            stop(entry, error);
        }
    }

    /** Fails items of a lane that may or may not have been applied, and the conditional ones behind them. */
    void leaveUnknown(Lane<K, I, R> lane, Map<Entry<K, I, R>, Throwable> unknown) {
        Map<Entry<K, I, R>, Throwable> failed = new LinkedHashMap<>();
        Map<Named, Throwable> entities = new LinkedHashMap<>();
        unknown.forEach((entry, error) -> {
            entities.put(entry.entity, error);
            fail(entry, error, failed);
        });
        failConditional(lane, entities, failed);
        failed.forEach(this::stop);
    }

    void leaveUnknown(Group<K, I, R> group, Throwable error) {
        Map<Entry<K, I, R>, Throwable> failed = new LinkedHashMap<>();
        Map<Named, Throwable> entities = new LinkedHashMap<>();
        group.entities().forEach(entity -> entities.put(entity, error));
        ledger.fail(group, error);
        failConditional(group.lane, entities, failed);
        failed.forEach(this::stop);
    }

    private void failConditional(
            Lane<K, I, R> lane, Map<Named, Throwable> unknown, Map<Entry<K, I, R>, Throwable> failed) {
        lane.doubt(unknown);
        lane.forEach(node -> {
            if (node instanceof Group<K, I, R> group) {
                ledger.failBehind(group, unknown::get);
            } else if (node instanceof Entry<K, I, R> entry && entry.conditional) {
                Throwable cause = unknown.get(entry.entity);
                if (cause != null) {
                    fail(entry, new PredecessorUnknownException(entry.entity, cause), failed);
                }
            }
        });
    }

    private void fail(Entry<K, I, R> entry, Throwable error, Map<Entry<K, I, R>, Throwable> failed) {
        if (entry.state != Node.State.TERMINAL) {
            ledger.fail(entry, error);
            failed.put(entry, error);
        }
    }

    private void stop(Entry<K, I, R> failed, Throwable cause) {
        if (!failed.batcher().settings().stopEntityOnFailure()) {
            return;
        }
        List<Entry<K, I, R>> stopped = new ArrayList<>();
        for (Entry<K, I, R> entry = failed.lane().first(failed.entity); entry != null; entry = entry.nextSame) {
            if (entry.seq > failed.seq && entry.batcher() == failed.batcher()) {
                stopped.add(entry);
            }
        }
        for (Entry<K, I, R> entry : stopped) {
            ledger.fail(entry, new PredecessorFailedException(entry.entity, cause));
        }
    }
}
