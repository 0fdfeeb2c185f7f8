package io.stowline.batching;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns the reply to a batch into the outcomes of its items; all under the engine's lock. */
final class Settlement<K, I, R> {

    private final Ledger<K, I, R> ledger;
    private final Shutdown<K, I, R> shutdown;
    private final Pump<K, I, R> pump;
    private long unknownParts;

    Settlement(Engine<K, I, R> engine) {
        this.ledger = engine.ledger();
        this.shutdown = engine.shutdown();
        this.pump = engine.pump();
    }

    long unknownParts() {
        return unknownParts;
    }

    void settle(Lane<K, I, R> lane, Load<K, I, R> load, BatchReply<R> reply) {
        if (load instanceof Chunk<K, I, R> chunk) {
            settle(lane, chunk, reply);
        } else if (load instanceof Group<K, I, R> group) {
            settle(group, reply);
        }
    }

    private void settle(Lane<K, I, R> lane, Chunk<K, I, R> chunk, BatchReply<R> reply) {
        if (reply instanceof BatchReply.PerItem<R> parts) {
            pump.grow();
            settleParts(lane, chunk, parts.replies());
        } else if (reply instanceof BatchReply.TooLarge<R> tooLarge) {
            halve(lane, chunk, tooLarge.cause());
        } else if (reply instanceof BatchReply.Failed<R> failed) {
            failAll(chunk.entries(), failed.error());
        } else if (reply instanceof BatchReply.Doomed<R> doomed) {
            doom(chunk, doomed.error());
        }
    }

    private void settleParts(Lane<K, I, R> lane, Chunk<K, I, R> chunk, List<ItemReply<R>> parts) {
        List<Entry<K, I, R>> entries = chunk.entries();
        List<Entry<K, I, R>> unsent = new ArrayList<>();
        int failed = 0;
        int done = 0;
        for (int i = 0; i < entries.size(); i++) {
            ItemReply<R> part = i < parts.size() ? parts.get(i) : null;
            if (part instanceof ItemReply.Unsent<R>) {
                unsent.add(entries.get(i));
            } else if (part instanceof ItemReply.Done<R> success) {
                done++;
                ledger.finish(entries.get(i), success.value());
            } else {
                failed += part == null ? 0 : 1;
                fail(entries.get(i), errorOf(part));
            }
        }
        unknownParts += Math.max(0, parts.size() - entries.size());
        unsent.removeIf(this::isOver);
        if (failed + done == 0) {
            failAll(unsent, new BatchProtocolException("the reply names unsent items but no item that ended"));
        } else {
            resend(lane, unsent, chunk.culprits + failed);
        }
    }

    private static <R> Throwable errorOf(@Nullable ItemReply<R> part) {
        if (part instanceof ItemReply.Failed<R> failed) {
            return failed.error();
        }
        return new BatchProtocolException("the reply has no part for this item");
    }

    /** The whole rest at once after the first culprit, halved from the second on: at most 2n requests for n items. */
    private void resend(Lane<K, I, R> lane, List<Entry<K, I, R>> rest, int culprits) {
        if (culprits > 1) {
            split(lane, rest, culprits);
        } else if (!rest.isEmpty()) {
            lane.requeue(new Chunk<>(rest, culprits));
        }
    }

    private void split(Lane<K, I, R> lane, List<Entry<K, I, R>> entries, int culprits) {
        int half = (entries.size() + 1) / 2;
        if (half < entries.size()) {
            lane.requeue(new Chunk<>(new ArrayList<>(entries.subList(half, entries.size())), culprits));
        }
        if (half > 0) {
            lane.requeue(new Chunk<>(new ArrayList<>(entries.subList(0, half)), culprits));
        }
    }

    private void halve(Lane<K, I, R> lane, Chunk<K, I, R> chunk, Throwable cause) {
        int size = chunk.entries().size();
        if (size == 1) {
            failAll(chunk.entries(), cause);
            return;
        }
        pump.shrink(size);
        List<Entry<K, I, R>> open = new ArrayList<>(chunk.entries());
        open.removeIf(this::isOver);
        split(lane, open, chunk.culprits);
    }

    private void doom(Chunk<K, I, R> chunk, Throwable error) {
        Set<Batcher<K, I, R>> writers = new LinkedHashSet<>();
        chunk.entries().forEach(entry -> writers.add(entry.batcher()));
        failAll(chunk.entries(), error);
        writers.forEach(writer -> shutdown.breakWriter(writer, error));
    }

    private void failAll(List<Entry<K, I, R>> entries, Throwable error) {
        entries.forEach(entry -> fail(entry, error));
    }

    private void fail(Entry<K, I, R> entry, Throwable error) {
        boolean stops =
                entry.state != Node.State.TERMINAL && entry.batcher().settings().stopEntityOnFailure();
        ledger.fail(entry, error);
        if (stops) {
            stopEntity(entry, error);
        }
    }

    private void stopEntity(Entry<K, I, R> failed, Throwable cause) {
        List<Entry<K, I, R>> stopped = new ArrayList<>();
        for (Entry<K, I, R> entry = failed.lane().last(failed.entity); entry != null; entry = entry.prevSame) {
            if (entry.batcher() == failed.batcher()) {
                stopped.add(entry);
            }
        }
        Collections.reverse(stopped);
        for (Entry<K, I, R> entry : stopped) {
            ledger.fail(entry, new PredecessorFailedException(entry.entity, cause));
        }
    }

    /** Whether an item needs no more sending; what belongs to a broken writer fails with it. */
    private boolean isOver(Entry<K, I, R> entry) {
        Throwable broken = entry.batcher().broken;
        if (broken != null) {
            ledger.fail(entry, broken);
        }
        return entry.state == Node.State.TERMINAL;
    }

    private void settle(Group<K, I, R> group, BatchReply<R> reply) {
        if (reply instanceof BatchReply.PerItem<R> parts) {
            pump.grow();
            settleParts(group, parts.replies());
        } else if (reply instanceof BatchReply.TooLarge<R> tooLarge) {
            ledger.fail(group, tooLarge.cause());
        } else if (reply instanceof BatchReply.Failed<R> failed) {
            ledger.fail(group, failed.error());
        } else if (reply instanceof BatchReply.Doomed<R> doomed) {
            ledger.fail(group, doomed.error());
        }
    }

    private void settleParts(Group<K, I, R> group, List<ItemReply<R>> parts) {
        int size = group.items().size();
        unknownParts += Math.max(0, parts.size() - size);
        List<R> results = new ArrayList<>(size);
        for (int i = 0; i < Math.min(size, parts.size()); i++) {
            ItemReply<R> part = parts.get(i);
            if (part instanceof ItemReply.Failed<R> failed) {
                ledger.fail(group, failed.error());
                return;
            }
            if (part instanceof ItemReply.Done<R> done) {
                results.add(done.value());
            }
        }
        if (results.size() == size) {
            ledger.finish(group, results);
            return;
        }
        String gap = "the reply has results for " + results.size() + " of a group's " + size + " items, and no error";
        ledger.fail(group, new BatchProtocolException(gap));
    }
}
