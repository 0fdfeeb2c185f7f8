package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchProtocolException;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settlement that turns the reply to a batch into the outcomes of its items; all under the engine's lock. */
final class ReplySettlement<K, I, R> {

    private final ItemLifecycle<K, I, R> lifecycle;
    private final EngineShutdown<K, I, R> shutdown;
    private final LaneScheduler<K, I, R> scheduler;
    private final DeliveryDeadlines<K, I, R> deadlines;
    private final LaneTable.LaneSizes<K> sizes;
    private final GiveUpTimes<K, I, R> giveUpTimes;
    private long unknownParts;

    ReplySettlement(EngineLock<K, I, R> engine) {
        this.lifecycle = engine.lifecycle();
        this.deadlines = engine.deadlines();
        this.sizes = engine.lanes().sizes();
        this.giveUpTimes = engine.giveUpTimes();
        this.shutdown = engine.shutdown();
        this.scheduler = engine.scheduler();
    }

    long unknownParts() {
        return unknownParts;
    }

    void settle(InFlightBatch<K, I, R> flight, BatchReply<R> given) {
        BatchReply<R> reply = given;
        boolean strained = false;
        Duration reserved = Duration.ZERO;
        while (reply instanceof BatchReply.ReservedBatch<R> || reply instanceof BatchReply.Strained<R>) {
            if (reply instanceof BatchReply.ReservedBatch<R> reservedBatch) {
                reserved = reservedBatch.time().compareTo(reserved) > 0 ? reservedBatch.time() : reserved;
                reply = reservedBatch.reply();
            } else if (reply instanceof BatchReply.Strained<R> hard) {
                strained = true;
                reply = hard.reply();
            }
        }
        if (reply instanceof BatchReply.Postponed<R> postponed) {
            reserved = postponed.pause().compareTo(reserved) > 0 ? postponed.pause() : reserved;
        }
        if (!reserved.isZero()) {
            scheduler.reserve(flight.lane, flight.payload.entities(), reserved);
        }
        resize(flight, reply, strained);
        if (hasParts(reply) || reply instanceof BatchReply.TooLarge<R>) {
            scheduler.responded(flight.lane);
        }
        if (flight.payload instanceof BatchPart<K, I, R> chunk) {
            settle(flight.lane, chunk, reply);
        } else if (flight.payload instanceof ItemGroup<K, I, R> group) {
            settle(group, reply);
        }
    }

    private static boolean hasParts(BatchReply<?> reply) {
        return reply instanceof BatchReply.AllDone<?> || reply instanceof BatchReply.PerItem<?>;
    }

    private void resize(InFlightBatch<K, I, R> flight, BatchReply<R> reply, boolean strained) {
        int size = flight.payload.weight();
        if (reply instanceof BatchReply.TooLarge<R> && size > 1) {
            sizes.halve(flight.lane, size);
        } else if (strained) {
            sizes.ease(flight.lane);
        } else if (hasParts(reply)) {
            sizes.grow(flight.lane, size + flight.payload.heaviest() - 1);
        }
    }

    private void settle(Lane<K, I, R> lane, BatchPart<K, I, R> chunk, BatchReply<R> reply) {
        if (reply instanceof BatchReply.AllDone<R> all) {
            settleAll(lane, chunk, all);
        } else if (reply instanceof BatchReply.PerItem<R> parts) {
            settleParts(lane, chunk, parts.replies());
        } else if (reply instanceof BatchReply.TooLarge<R> tooLarge) {
            halve(lane, chunk, tooLarge);
        } else if (reply instanceof BatchReply.Postponed<R> postponed) {
            postpone(lane, chunk, postponed.unresolved());
        } else if (reply instanceof BatchReply.Late<R> late) {
            sendLater(lane, chunk, late);
        } else if (reply instanceof BatchReply.BatchFailed<R> failed) {
            failAll(chunk.entries(), failed.error());
        } else if (reply instanceof BatchReply.Doomed<R> doomed) {
            doom(chunk, doomed.error());
        } else if (reply instanceof BatchReply.BatchUnknown<R> unknown) {
            Map<BufferedItem<K, I, R>, Throwable> all = new LinkedHashMap<>();
            chunk.entries().forEach(entry -> all.put(entry, unknown.error()));
            lifecycle.leaveUnknown(lane, all);
        }
    }

    private void settleAll(Lane<K, I, R> lane, BatchPart<K, I, R> chunk, BatchReply.AllDone<R> all) {
        List<BufferedItem<K, I, R>> entries = chunk.entries();
        List<R> results = all.results();
        if (results.size() != entries.size()) {
            settleParts(lane, chunk, all.perItem().replies());
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            BufferedItem<K, I, R> entry = entries.get(i);
            giveUpTimes.responded(entry.batcher());
            lifecycle.finish(entry, Objects.requireNonNull(results.get(i), "a result"));
        }
    }

    private void settleParts(Lane<K, I, R> lane, BatchPart<K, I, R> chunk, List<ItemReply<R>> parts) {
        List<BufferedItem<K, I, R>> entries = chunk.entries();
        List<BufferedItem<K, I, R>> unsent = new ArrayList<>(0);
        Map<BufferedItem<K, I, R>, Throwable> unknown = new LinkedHashMap<>(0);
        int failed = 0;
        int done = 0;
        for (int i = 0; i < entries.size(); i++) {
            ItemReply<R> part = i < parts.size() ? parts.get(i) : null;
            if (part instanceof ItemReply.Unsent<R>) {
                unsent.add(entries.get(i));
            } else if (part instanceof ItemReply.ItemDone<R> success) {
                done++;
                giveUpTimes.responded(entries.get(i).batcher());
                lifecycle.finish(entries.get(i), success.value());
            } else if (part instanceof ItemReply.ItemUnknown<R> lost) {
                unknown.put(entries.get(i), lost.error());
            } else {
                failed += responded(part, entries.get(i)) ? 1 : 0;
                lifecycle.failWithDependents(entries.get(i), errorOf(part));
            }
        }
        if (!unknown.isEmpty()) {
            failed += unknown.size();
            lifecycle.leaveUnknown(lane, unknown);
        }
        unknownParts += Math.max(0, parts.size() - entries.size());
        unsent.removeIf(this::isOver);
        if (failed + done == 0) {
            failAll(unsent, new BatchProtocolException("the reply names unsent items but no item that ended"));
        } else {
            resend(lane, unsent, chunk.culprits + failed);
        }
    }

    private boolean responded(@Nullable ItemReply<R> part, BufferedItem<K, I, R> entry) {
        if (part != null) {
            giveUpTimes.responded(entry.batcher());
        }
        return part != null;
    }

    private static <R> Throwable errorOf(@Nullable ItemReply<R> part) {
        if (part instanceof ItemReply.ItemFailed<R> failed) {
            return failed.error();
        }
        return new BatchProtocolException("the reply has no part for this item");
    }

    /** The whole rest at once after the first culprit, halved from the second on: at most 2n requests for n items. */
    private void resend(Lane<K, I, R> lane, List<BufferedItem<K, I, R>> rest, int culprits) {
        if (culprits > 1) {
            split(lane, rest, culprits);
        } else if (!rest.isEmpty()) {
            lane.requeue(new BatchPart<>(rest, culprits));
        }
    }

    private void split(Lane<K, I, R> lane, List<BufferedItem<K, I, R>> entries, int culprits) {
        int half = (entries.size() + 1) / 2;
        if (half < entries.size()) {
            lane.requeue(new BatchPart<>(new ArrayList<>(entries.subList(half, entries.size())), culprits));
        }
        if (half > 0) {
            lane.requeue(new BatchPart<>(new ArrayList<>(entries.subList(0, half)), culprits));
        }
    }

    private void halve(Lane<K, I, R> lane, BatchPart<K, I, R> chunk, BatchReply.TooLarge<R> tooLarge) {
        int size = chunk.entries().size();
        if (size == 1) {
            failAll(chunk.entries(), tooLarge.cause());
            return;
        }
        List<BufferedItem<K, I, R>> open = open(chunk, tooLarge.unresolved());
        split(lane, open, chunk.culprits);
    }

    /** Sends the same items once more, and none besides: the unknown outcome is that of exactly these together. */
    private void postpone(Lane<K, I, R> lane, BatchPart<K, I, R> chunk, boolean unresolved) {
        List<BufferedItem<K, I, R>> open = open(chunk, unresolved);
        if (!open.isEmpty()) {
            lane.requeue(new BatchPart<>(open, chunk.culprits));
        }
    }

    private List<BufferedItem<K, I, R>> open(BatchPart<K, I, R> chunk, boolean unresolved) {
        List<BufferedItem<K, I, R>> open = new ArrayList<>(chunk.entries());
        open.removeIf(this::isOver);
        if (unresolved) {
            open.forEach(entry -> entry.unresolved = true);
        }
        return open;
    }

    private void sendLater(Lane<K, I, R> lane, BatchPart<K, I, R> chunk, BatchReply.Late<R> late) {
        long next = deadlines.now() + late.pause().toNanos();
        List<BufferedItem<K, I, R>> open = new ArrayList<>(chunk.entries());
        for (BufferedItem<K, I, R> entry : open) {
            deadlines.tried(entry, late.cause());
            entry.batcher().progress().tried(late.cause());
        }
        open.removeIf(this::isOver);
        open.forEach(entry -> deadlines.review(entry, late));
        open.removeIf(this::isOver);
        if (!open.isEmpty()) {
            lane.requeue(new BatchPart<>(open, chunk.culprits));
            scheduler.pause(lane, next);
        }
    }

    private void doom(BatchPart<K, I, R> chunk, Throwable error) {
        Set<EngineBatcher<K, I, R>> writers = new LinkedHashSet<>();
        chunk.entries().forEach(entry -> writers.add(entry.batcher()));
        failAll(chunk.entries(), error);
        writers.forEach(writer -> shutdown.breakWriter(writer, error));
    }

    private void failAll(List<BufferedItem<K, I, R>> entries, Throwable error) {
        entries.forEach(entry -> lifecycle.failWithDependents(entry, error));
    }

    /** True if the item needs no more sending; an item of a broken writer fails with it. */
    private boolean isOver(BufferedItem<K, I, R> entry) {
        Throwable broken = entry.batcher().broken;
        if (broken != null) {
            lifecycle.fail(entry, broken);
        } else {
            deadlines.review(entry);
        }
        return entry.state == QueueNode.NodeState.TERMINAL;
    }

    private void settle(ItemGroup<K, I, R> group, BatchReply<R> reply) {
        if (reply instanceof BatchReply.AllDone<R> all && all.results().size() == group.weight()) {
            lifecycle.finish(group, all.results());
        } else if (reply instanceof BatchReply.AllDone<R> all) {
            settleParts(group, all.perItem().replies());
        } else if (reply instanceof BatchReply.PerItem<R> parts) {
            settleParts(group, parts.replies());
        } else if (reply instanceof BatchReply.TooLarge<R> tooLarge) {
            lifecycle.fail(group, tooLarge.cause());
        } else if (reply instanceof BatchReply.Postponed<R> postponed) {
            lifecycle.fail(group, postponed.cause());
        } else if (reply instanceof BatchReply.Late<R> late) {
            lifecycle.fail(group, late.cause());
        } else if (reply instanceof BatchReply.BatchFailed<R> failed) {
            lifecycle.fail(group, failed.error());
        } else if (reply instanceof BatchReply.Doomed<R> doomed) {
            lifecycle.fail(group, doomed.error());
        } else if (reply instanceof BatchReply.BatchUnknown<R> unknown) {
            lifecycle.leaveUnknown(group, unknown.error());
        }
    }

    private void settleParts(ItemGroup<K, I, R> group, List<ItemReply<R>> parts) {
        int size = group.items().size();
        unknownParts += Math.max(0, parts.size() - size);
        List<R> results = new ArrayList<>(size);
        for (int i = 0; i < Math.min(size, parts.size()); i++) {
            ItemReply<R> part = parts.get(i);
            if (part instanceof ItemReply.ItemFailed<R> failed) {
                lifecycle.fail(group, failed.error());
                return;
            }
            if (part instanceof ItemReply.ItemUnknown<R> unknown) {
                lifecycle.leaveUnknown(group, unknown.error());
                return;
            }
            if (part instanceof ItemReply.ItemDone<R> done) {
                results.add(done.value());
            }
        }
        if (results.size() == size) {
            lifecycle.finish(group, results);
            return;
        }
        String gap = "the reply has results for " + results.size() + " of a group's " + size + " items, and no error";
        lifecycle.fail(group, new BatchProtocolException(gap));
    }
}
