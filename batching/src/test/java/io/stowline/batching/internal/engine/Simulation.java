package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.engine.TestErrors.BufferFullException;
import io.stowline.batching.internal.engine.TestErrors.DeliveryTimeoutException;
import io.stowline.batching.internal.engine.TestErrors.PredecessorUnknownException;
import io.stowline.batching.internal.engine.TestErrors.WaitInterruptedException;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A random play of one thread over three writers and a few lanes, with a model of what must hold: what a sender gets is
 * checked at once, what a caller gets at the end.
 */
final class Simulation {

    private static final BatchLimits LIMITS = new BatchLimits(5, 300, 40);
    private static final int MAX_IN_FLIGHT = 3;
    private static final int KINDS = 3;
    private static final Duration ITEM_TIMEOUT = Duration.ofMillis(120);

    private final Random random;
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final SimulatedGate gate;
    private final SimulatedTable table;
    private final SimulatedReplies replies;
    private final BatchingEngine<String, Item, String> lanes;
    private final List<EngineBatcher<String, Item, String>> writers = new ArrayList<>();
    private final List<EngineBatcher<String, Item, String>> retired = new ArrayList<>();
    private final List<SimulatedWork.Tracked> tracked = new ArrayList<>();
    private final List<SimulatedWork.Barrier> barriers = new ArrayList<>();
    private final List<SimulatedWork.Group> groups = new ArrayList<>();
    private final List<SimulatedWork.Open> inFlight = new ArrayList<>();
    private final Set<String> busyLanes = new HashSet<>();
    private final Map<String, Integer> lastSent = new HashMap<>();
    private final Map<Integer, SimulatedWork.Tracked> byId = new HashMap<>();
    private final Set<Integer> ofGroups = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private final ArrayDeque<Runnable> callbacks = new ArrayDeque<>();
    private final boolean lateCallbacks;
    private final BufferOracle oracle = new BufferOracle(LIMITS, tracked, this::expect);
    private boolean calm;
    private boolean silent;
    private int ids;

    Simulation(long seed) {
        this.random = new Random(seed);
        this.gate = new SimulatedGate(random, 1 + random.nextInt(4));
        this.table = new SimulatedTable(random, time);
        this.replies = new SimulatedReplies(random);
        this.lateCallbacks = random.nextBoolean();
        this.lanes = TestEngine.<String, Item, String>builder(new Item.Descriptor(), this::send)
                .limits(LIMITS.maxItems(), LIMITS.maxBytes(), LIMITS.envelopeBytes())
                .admission(gate)
                .maxBatchesInFlight(MAX_IN_FLIGHT)
                .timer(time)
                .callbacks(TestCallbacks.on(lateCallbacks ? callbacks::add : Runnable::run))
                .build();
        for (int kind = 0; kind < KINDS; kind++) {
            writers.add(writer(kind));
        }
    }

    private EngineBatcher<String, Item, String> writer(int kind) {
        TestSettings settings = TestSettings.builder().bufferBytes(400).submitTimeout(Duration.ofMillis(1));
        TestSettings chosen =
                switch (kind) {
                    case 0 -> settings.bufferItems(12).deliveryTimeout(ITEM_TIMEOUT);
                    case 1 -> settings.linger(Duration.ofMillis(50)).coalesce(true);
                    default -> settings.linger(Duration.ofMillis(5)).stopEntityOnFailure(true);
                };
        return (EngineBatcher<String, Item, String>) lanes.batcher(chosen.build());
    }

    Simulation silent() {
        silent = true;
        return this;
    }

    void play(int steps) {
        for (int step = 0; step < steps; step++) {
            step();
        }
    }

    void pass(Duration duration) {
        time.advanceTimeBy(duration);
        gate.grantAll();
        runCallbacks();
    }

    private void runCallbacks() {
        for (Runnable task = callbacks.poll(); task != null; task = callbacks.poll()) {
            task.run();
        }
    }

    /** Lets everything end well, closes, and checks that nothing is left. */
    void finish() {
        calm = true;
        comeToRest();
        expect(openItems() == 0, openItems() + " items without a result before close");
        writers.forEach(this::submitAgain);
        closeAll();
        pass(Duration.ofMinutes(5));
        expect(openBarriers() == 0, openBarriers() + " flushes or closes without an end");
        expect(lanes.laneCount() == 0, lanes.laneCount() + " lanes left");
        expect(lanes.batchesInFlight() == 0, "batches left in flight");
        expect(gate.out() == 0, gate.out() + " permits not released");
        expect(gate.waiting() == 0, gate.waiting() + " requests for permits left");
        expect(lanes.reservedEntities() == 0, lanes.reservedEntities() + " reservations left");
        expect(table.isAsWritten(), "an entity is not what its last item made it: a late write landed on a later one");
        retired.addAll(writers);
        for (EngineBatcher<String, Item, String> writer : retired) {
            oracle.checkIdle(writer);
        }
        tracked.forEach(each -> expect(each.results == 1, each + " has " + each.results + " results"));
        groups.forEach(each -> expect(each.results == 1, "a group has " + each.results + " results"));
    }

    private void comeToRest() {
        for (int round = 0; round < 10_000 && openItems() + openBarriers() + inFlight.size() > 0; round++) {
            gate.grantAll();
            answerOne();
            runCallbacks();
            time.advanceTimeBy(Duration.ofMillis(10));
        }
        runCallbacks();
    }

    /** An idle writer has nothing buffered, and admits each way of submitting at once. */
    private void submitAgain(EngineBatcher<String, Item, String> writer) {
        for (int way = 0; way < 3 && writer.broken == null; way++) {
            oracle.checkIdle(writer);
            SimulatedWork.Tracked one = new SimulatedWork.Tracked(writer, item(), "lane" + random.nextInt(4));
            tracked.add(one);
            if (way == 2) {
                one.subscription = writer.write(one.key, one.item)
                        .subscribe(value -> ended(one, null), error -> ended(one, error));
            } else {
                one.submission = way == 0 ? writer.offer(one.key, one.item) : writer.submit(one.key, one.item);
                one.submission.whenComplete((value, error) -> ended(one, error));
            }
            expect(writer.buffer().waiting() == 0, one + " waits though its writer is idle");
            comeToRest();
            expect(one.results == 1, one + " has no result after everything came to rest");
        }
        oracle.checkIdle(writer);
    }

    void closeAll() {
        writers.forEach(writer -> barriers.add(new SimulatedWork.Barrier(writer.closeAsync())));
        barriers.add(new SimulatedWork.Barrier(lanes.closeAsync(Duration.ofMinutes(3))));
    }

    long openItems() {
        return tracked.stream().filter(each -> each.results == 0).count()
                + groups.stream().filter(each -> each.results == 0).count();
    }

    long openBarriers() {
        return barriers.stream().filter(each -> !each.over).count();
    }

    List<String> violations() {
        return violations;
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 45) {
            submit();
        } else if (dice < 50) {
            group();
        } else if (dice < 58) {
            cancel();
        } else if (dice < 61) {
            flush();
        } else if (dice < 62) {
            replace(random.nextInt(KINDS));
        } else if (dice < 75) {
            gate.grantOne();
        } else if (dice < 92) {
            answerOne();
        } else if (dice < 95) {
            moveOne();
        } else {
            time.advanceTimeBy(Duration.ofMillis(random.nextInt(20)));
        }
        for (int i = lateCallbacks ? random.nextInt(6) - 2 : 0; i > 0 && !callbacks.isEmpty(); i--) {
            callbacks.remove().run();
        }
        writers.forEach(this::checkBuffer);
        writers.forEach(oracle::check);
        long notCounted =
                inFlight.stream().filter(each -> each.off || each.back).count();
        expect(lanes.batchesInFlight() - notCounted <= MAX_IN_FLIGHT, "too many batches on the wire");
    }

    private void submit() {
        EngineBatcher<String, Item, String> writer = writers.get(random.nextInt(writers.size()));
        SimulatedWork.Tracked one = new SimulatedWork.Tracked(writer, item(), "lane" + random.nextInt(4));
        byId.put(one.item.id(), one);
        boolean must = oracle.mustAdmit(writer, one.key, one.item);
        try {
            submit(one);
        } catch (WaitInterruptedException interrupted) {
            one.results = 1;
        } catch (BufferFullException refused) {
            one.results = 1;
            expect(!must, one + " was refused though there is room: " + refused.getMessage());
        } catch (SimulatedReplies.DoomedWriterException doomed) {
            one.results = 1;
            replace(writers.indexOf(writer));
        }
    }

    /** Fail fast, without a thread, or as a thread that is interrupted or gives up, since none can end its wait here. */
    private void submit(SimulatedWork.Tracked one) {
        int dice = random.nextInt(100);
        boolean waits = dice >= 50 && dice < 85;
        // What waits for room has its time from its acceptance on, which comes later.
        one.notAfter = waits ? Long.MAX_VALUE : notAfter(one.writer);
        if (dice < 50) {
            accepted(one, one.writer.offer(one.key, one.item));
        } else if (waits) {
            tracked.add(one);
            one.submission = one.writer.enlist(one.key, one.item, (value, error) -> ended(one, error), null);
        } else if (dice < 90) {
            accepted(one, one.writer.submit(one.key, one.item));
        } else {
            Thread.currentThread().interrupt();
            try {
                accepted(one, one.writer.submit(one.key, one.item));
            } finally {
                expect(Thread.interrupted(), "the interrupt is lost");
            }
        }
    }

    private void accepted(SimulatedWork.Tracked one, EngineSubmission<String> submission) {
        one.submission = submission;
        one.inOrder = true;
        tracked.add(one);
        submission.whenComplete((value, error) -> ended(one, error));
    }

    private long notAfter(EngineBatcher<String, Item, String> writer) {
        return ITEM_TIMEOUT.equals(writer.settings().deliveryTimeout())
                ? now() + ITEM_TIMEOUT.toMillis()
                : Long.MAX_VALUE;
    }

    private long now() {
        return time.now(TimeUnit.MILLISECONDS);
    }

    private void ended(SimulatedWork.Tracked one, @Nullable Throwable error) {
        one.ended();
        expect(
                !(error instanceof DeliveryTimeoutException) || now() >= one.notAfter || one.notAfter == Long.MAX_VALUE,
                one + " timed out too early");
        boolean behindUnknown = error instanceof PredecessorUnknownException;
        expect(!behindUnknown || one.item.conditional(), one + " is not conditional and failed behind an unknown one");
    }

    private Item item() {
        return new Item("e" + random.nextInt(6), 1 + random.nextInt(100), ++ids, random.nextInt(5) == 0);
    }

    private void group() {
        SimulatedWork.Group group = new SimulatedWork.Group();
        groups.add(group);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            items.add(new Item("e" + i, 10, ++ids, random.nextInt(5) == 0));
            ofGroups.add(ids);
        }
        group.subscription = lanes.submitAtomic("lane" + random.nextInt(4), items)
                .subscribe(value -> group.results++, error -> group.results++);
    }

    private void cancel() {
        if (tracked.isEmpty()) {
            return;
        }
        if (!groups.isEmpty() && random.nextInt(5) == 0) {
            groups.get(random.nextInt(groups.size())).cancel();
        }
        SimulatedWork.Tracked one = tracked.get(random.nextInt(tracked.size()));
        if (one.submission != null) {
            boolean never = one.submission.cancel();
            one.mustNotBeSent |= never;
        } else if (one.subscription != null && one.results == 0) {
            one.subscription.dispose();
            one.results = 1;
        }
    }

    private void flush() {
        EngineBatcher<String, Item, String> writer = writers.get(random.nextInt(writers.size()));
        List<EngineSubmission<String>> before = tracked.stream()
                .filter(each -> each.writer == writer && oracle.isAccepted(each))
                .flatMap(each -> Stream.ofNullable(each.submission))
                .toList();
        barriers.add(new SimulatedWork.Barrier(writer.flush()
                .doOnNext(report -> expect(
                        before.stream().allMatch(PendingItem::isDone), "a flush was over before what it waits for"))));
    }

    /** Closes a writer and goes on with a new one. */
    private void replace(int kind) {
        EngineBatcher<String, Item, String> old = writers.set(kind, writer(kind));
        retired.add(old);
        barriers.add(new SimulatedWork.Barrier(old.closeAsync()));
    }

    private void checkBuffer(EngineBatcher<String, Item, String> writer) {
        boolean inBounds = writer.bufferedItems() <= writer.settings().bufferItems()
                && writer.bufferedBytes() <= writer.settings().bufferBytes();
        expect(inBounds, "the buffer is beyond its bounds");
    }

    private Mono<BatchReply<String>> send(DeliveryBatch<String, Item> batch) {
        check(batch);
        int dice = calm || silent ? 50 : random.nextInt(100);
        if (dice < 3) {
            throw new IllegalStateException("thrown by the sender");
        }
        if (random.nextInt(3) > 0) {
            Disposable permit = batch.takePermit(Disposable.class);
            if (permit != null) {
                permit.dispose();
            }
        }
        if (dice < 20) {
            return Mono.just(reply(batch));
        }
        if (dice < 23) {
            return Mono.empty();
        }
        SimulatedWork.Open open = new SimulatedWork.Open(batch);
        inFlight.add(open);
        busyLanes.add(batch.key());
        return Mono.fromFuture(open.response);
    }

    private BatchReply<String> reply(DeliveryBatch<String, Item> batch) {
        BatchReply<String> reply = table.write(batch, replies.reply(batch));
        return random.nextInt(6) == 0 ? reply.strained() : reply;
    }

    private void check(DeliveryBatch<String, Item> batch) {
        List<Item> items = batch.items();
        int bytes = LIMITS.envelopeBytes() + items.stream().mapToInt(Item::size).sum();
        expect(!items.isEmpty() && items.size() <= LIMITS.maxItems(), "a batch of " + items.size());
        expect(bytes <= LIMITS.maxBytes(), "a batch of " + bytes + " bytes");
        expect(!busyLanes.contains(batch.key()), "two batches in flight of " + batch.key());
        expect(gate.out() > 0, "a batch without a permit");
        Set<String> entities = new HashSet<>();
        for (Item item : items) {
            expect(entities.add(item.entity()), "an entity twice: " + items);
            SimulatedWork.Tracked one = byId.get(item.id());
            expect(!table.isReserved(batch, item), "a reserved entity was sent: " + item);
            expect(table.isAsWritten(batch, item), "a late write landed on a later one, before " + item);
            expect(one == null || !one.mustNotBeSent, "a cancelled item was sent: " + item);
            expect(one == null || now() <= one.notAfter, "an item was sent after its time: " + item);
            checkOrder(batch.key(), item);
        }
    }

    /** Ids grow with the submits; waiting for room may let other writers go before, so writers share no entity order. */
    private void checkOrder(String key, Item item) {
        SimulatedWork.Tracked one = byId.get(item.id());
        String who = key + " " + item.entity();
        if (ofGroups.contains(item.id()) || (one != null && one.inOrder)) {
            Integer before = lastSent.put(who, item.id());
            expect(before == null || before <= item.id(), "out of order: " + item + " after " + before);
        }
    }

    private void answerOne() {
        if (!inFlight.isEmpty() && !silent) {
            SimulatedWork.Open open = inFlight.remove(random.nextInt(inFlight.size()));
            busyLanes.remove(open.batch.key());
            BatchReply<String> reply = calm ? table.writeAll(open.batch) : reply(open.batch);
            open.response.complete(reply);
        }
    }

    /** A request that waits for something else, that has had no response for long, or that goes out again. */
    private void moveOne() {
        if (!inFlight.isEmpty()) {
            SimulatedWork.Open open = inFlight.get(random.nextInt(inFlight.size()));
            int dice = random.nextInt(3);
            open.back |= open.off && dice == 2;
            open.off = dice < 2;
            switch (dice) {
                case 0 -> open.batch.leaveWire();
                case 1 -> open.batch.fallSilent();
                default -> open.batch.enterWire();
            }
        }
    }

    private void expect(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }
}
