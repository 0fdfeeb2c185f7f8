package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.engine.DeliveryDeadlines.ItemExpiries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the buffers of a {@link Simulation} after every step, counted from the submissions and not by the
 * engine: refused implies full, no waiter has room, and all that is given up is released.
 */
final class BufferOracle {

    private final BatchLimits limits;
    private final List<SimulatedWork.Tracked> tracked;
    private final BiConsumer<Boolean, String> expect;

    BufferOracle(BatchLimits limits, List<SimulatedWork.Tracked> tracked, BiConsumer<Boolean, String> expect) {
        this.limits = limits;
        this.tracked = tracked;
        this.expect = expect;
    }

    /** Returns whether a new item has a right to come in at once. */
    boolean mustAdmit(EngineBatcher<String, Item, String> writer, String key, Item item) {
        List<SimulatedWork.Tracked> waiting = waiting(writer);
        boolean behindAnother = waiting.stream()
                .anyMatch(each -> each.key.equals(key) || fitsShare(writer, each.key, each.item.size()));
        return !behindAnother && fitsShare(writer, key, item.size()) && fitsRoom(writer, item.size());
    }

    void check(EngineBatcher<String, Item, String> writer) {
        List<SimulatedWork.Tracked> accepted = accepted(writer);
        List<SimulatedWork.Tracked> waiting = waiting(writer);
        WriterBuffer<String, Item, String> buffer = writer.buffer();
        same(accepted.size(), writer.bufferedItems(), "items accepted and not terminal");
        same(bytes(accepted), writer.bufferedBytes(), "bytes accepted and not terminal");
        same(waiting.size(), buffer.waiting(), "submits waiting for room");
        long undelivered = mine(writer)
                .filter(each -> each.submission != null && each.submission.isDone() && each.results == 0)
                .count();
        expect.accept(writer.undeliveredItems() <= undelivered, "results count as undelivered that are delivered");
        expect.accept(!buffer.isShort() || !waiting.isEmpty(), "the buffer is short though no submit waits");
        checkWaiters(writer, waiting);
    }

    /** Checks that an idle writer has nothing buffered, and admits each way of submitting at once. */
    void checkIdle(EngineBatcher<String, Item, String> writer) {
        WriterBuffer<String, Item, String> buffer = writer.buffer();
        same(0, writer.bufferedItems(), "items of an idle writer");
        same(0, writer.bufferedBytes(), "bytes of an idle writer");
        same(0, writer.undeliveredItems(), "undelivered results of an idle writer");
        same(0, buffer.waiting(), "waiting submits of an idle writer");
        expect.accept(!buffer.isShort() && !buffer.hasWaiting(), "an idle writer is short of room");
        ItemExpiries<String, Item, String> expiries = writer.expiries();
        expect.accept(expiries == null || expiries.first() == null, "an idle writer keeps an ended item for its time");
    }

    /** Returns whether it is accepted and not terminal. */
    boolean isAccepted(SimulatedWork.Tracked one) {
        return state(one) != null && state(one) != QueueNode.NodeState.WAITING;
    }

    private void checkWaiters(EngineBatcher<String, Item, String> writer, List<SimulatedWork.Tracked> waiting) {
        Set<String> blocked = new HashSet<>();
        for (SimulatedWork.Tracked each : waiting) {
            if (blocked.contains(each.key)) {
                continue;
            }
            if (!fitsShare(writer, each.key, each.item.size())) {
                blocked.add(each.key);
            } else {
                expect.accept(
                        !fitsRoom(writer, each.item.size()),
                        each + " waits while there is room and no submit before it");
                return;
            }
        }
    }

    private boolean fitsShare(EngineBatcher<String, Item, String> writer, String key, int size) {
        List<SimulatedWork.Tracked> inLane =
                accepted(writer).stream().filter(each -> each.key.equals(key)).toList();
        return inLane.size() < WriterBuffer.laneItems(writer.settings())
                && bytes(inLane) + size <= WriterBuffer.laneBytes(writer.settings(), limits.maxBytes());
    }

    private boolean fitsRoom(EngineBatcher<String, Item, String> writer, int size) {
        int items = accepted(writer).size() + writer.undeliveredItems();
        return items == 0
                || (items < writer.settings().bufferItems()
                        && writer.buffer().bufferedBytes() + size
                                <= writer.settings().bufferBytes());
    }

    private List<SimulatedWork.Tracked> accepted(EngineBatcher<String, Item, String> writer) {
        return mine(writer).filter(this::isAccepted).toList();
    }

    private List<SimulatedWork.Tracked> waiting(EngineBatcher<String, Item, String> writer) {
        return mine(writer)
                .filter(each -> state(each) == QueueNode.NodeState.WAITING)
                .toList();
    }

    private Stream<SimulatedWork.Tracked> mine(EngineBatcher<String, Item, String> writer) {
        return tracked.stream().filter(each -> each.writer == writer);
    }

    /** Null when it is terminal, or has never come in. */
    private static QueueNode.@Nullable NodeState state(SimulatedWork.Tracked one) {
        EngineSubmission<String> submission = one.submission;
        return submission == null || submission.entry == null ? null : submission.entry.state;
    }

    /** Items that were coalesced are one. */
    private static long bytes(List<SimulatedWork.Tracked> items) {
        Set<BufferedItem<?, ?, ?>> entries = new HashSet<>();
        List<Integer> sizes = new ArrayList<>();
        for (SimulatedWork.Tracked each : items) {
            BufferedItem<?, ?, String> entry = each.submission == null ? null : each.submission.entry;
            if (entry != null && entries.add(entry)) {
                sizes.add(entry.size);
            }
        }
        return sizes.stream().mapToLong(Integer::longValue).sum();
    }

    private void same(long expected, long actual, String what) {
        expect.accept(expected == actual, what + ": " + actual + " instead of " + expected);
    }
}
