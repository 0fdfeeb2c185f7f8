package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.InFlightBatch.BatchPayload;
import io.stowline.batching.internal.engine.LaneQueue.EntityReservation;
import io.stowline.batching.internal.engine.LaneTable.ReadyLanes;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * The choice of the lane that sends next: the ready ones, the requested permits, the batches in flight; under the
 * engine's lock.
 */
final class LaneScheduler<K, I, R> {

    private final EngineLock<K, I, R> engine;
    /** The most bytes of all items of a batch. */
    private final int maxBytes;

    private final int maxItems;

    private final Admission admission;
    private final int maxOnWire;
    private final LaneTimers<K, I, R> timers = new LaneTimers<>();

    private final ReadyLanes<K, I, R> ready = new ReadyLanes<>();
    private final ArrayDeque<PermitRequest<K, I, R>> requests = new ArrayDeque<>();
    private int inFlight;
    private int onWire;
    private long urgentSeq;

    LaneScheduler(EngineLock<K, I, R> engine, BatchingEngine.Builder<K, I, R> given) {
        this.engine = engine;
        this.maxBytes = given.maxBytes - given.envelopeBytes;
        this.maxItems = given.maxItems;
        this.admission = given.admission;
        this.maxOnWire = given.maxBatchesInFlight;
    }

    int inFlight() {
        return inFlight;
    }

    void append(Lane<K, I, R> lane, BufferedItem<K, I, R> entry) {
        boolean shares = lane.owner() != null && lane.owner() != entry.batcher();
        if (shares || entry.due < lane.due()) {
            timers.endLinger(lane);
        }
        lane.append(entry);
        arm(lane);
    }

    void append(Lane<K, I, R> lane, ItemGroup<K, I, R> group) {
        timers.endLinger(lane);
        lane.append(group);
        arm(lane);
    }

    void remove(Lane<K, I, R> lane, QueueNode<K, I, R> node) {
        timers.endLinger(lane);
        lane.remove(node);
        arm(lane);
    }

    /** Notes that a queued item has become larger or smaller. */
    void grow(BufferedItem<K, I, R> entry, int growth) {
        entry.lane().grow(entry, growth);
        arm(entry.lane());
    }

    /** Keeps the entities of a batch reserved for some time from now on. */
    void reserve(Lane<K, I, R> lane, List<GuardedKey> entities, Duration time) {
        EntityReservation<K, I, R> reservation =
                new EntityReservation<>(lane, entities, engine.timeOfHold() + time.toNanos());
        timers.reserve(reservation);
        lane.reserve(reservation);
    }

    /** Has a lane send nothing until a time. */
    void pause(Lane<K, I, R> lane, long until) {
        timers.pause(lane, until);
    }

    /** Returns the number of lanes that are paused. */
    int paused() {
        return timers.pausedLanes();
    }

    /** Returns the number of entities that are reserved. */
    long reserved() {
        return timers.reservedEntities();
    }

    /** Puts a lane where it belongs now: in flight, ready, lingering, resting or gone. */
    void arm(Lane<K, I, R> lane) {
        if (lane.flight != null) {
            return;
        }
        if (!lane.canSend()) {
            timers.endLinger(lane);
            ready.remove(lane);
            if (lane.isIdle()) {
                timers.endPause(lane);
            }
            engine.lanes().evict(lane);
        } else if (mustSend(lane)) {
            timers.endLinger(lane);
            ready.add(lane);
            if (lane.hasWholeBatch(maxItems, maxBytes)) {
                ready.addWhole(lane);
            }
        } else if (!lane.lingers() && !ready.has(lane)) {
            timers.linger(lane);
        }
    }

    /** Has the lanes of a writer, or all when it is null, sent without lingering. */
    void urge(@Nullable EngineBatcher<K, I, R> batcher) {
        urgentSeq = engine.lifecycle().seq();
        if (batcher != null) {
            batcher.urgentSeq = urgentSeq;
        }
        timers.drainLingering(batcher).forEach(ready::add);
    }

    void urge(Lane<K, I, R> lane) {
        if (lane.lingers()) {
            timers.endLinger(lane);
            ready.add(lane);
        }
    }

    /** Does what is due when a timer is over. */
    void timeOver(long due, long now) {
        timers.fired(due);
        for (EntityReservation<K, I, R> reservation = timers.pollReservation(now);
                reservation != null;
                reservation = timers.pollReservation(now)) {
            timers.endLinger(reservation.lane);
            reservation.lane.release(reservation);
            arm(reservation.lane);
        }
        for (Lane<K, I, R> lane = timers.pollPaused(now); lane != null; lane = timers.pollPaused(now)) {
            arm(lane);
        }
        for (Lane<K, I, R> lane = timers.pollLingering(now); lane != null; lane = timers.pollLingering(now)) {
            ready.add(lane);
        }
        engine.deadlines().timeOver(now);
        engine.giveUpTimes().timeOver(now);
    }

    /** Requests as many permits as there are lanes to send, and sets the timer. */
    void settle() {
        int wanted = Math.min(ready.wanted(admission, maxOnWire), maxOnWire - onWire);
        while (requests.size() > Math.max(0, wanted)) {
            engine.later(requests.removeLast()::cancel);
        }
        while (requests.size() < wanted) {
            PermitRequest<K, I, R> request = new PermitRequest<>(engine, admission);
            requests.add(request);
            engine.later(request::start);
        }
        long wake = Math.min(timers.due(), engine.deadlines().due());
        long due = Math.min(wake, engine.giveUpTimes().due());
        if (timers.set(due)) {
            engine.later(() -> engine.setTimer(due));
        }
    }

    void requestEnded(PermitRequest<K, I, R> request) {
        requests.remove(request);
    }

    /** Cuts the batch of the first lane that is ready; null when there is none, or too much on the wire. */
    @Nullable
    InFlightBatch<K, I, R> dispatch(Disposable permit) {
        while (onWire < maxOnWire) {
            Lane<K, I, R> lane = ready.poll(admission, maxOnWire);
            if (lane == null) {
                return null;
            }
            BatchPayload<K, I, R> payload = lane.cut(maxBytes);
            if (payload != null) {
                InFlightBatch<K, I, R> flight = new InFlightBatch<>(engine, lane, payload, permit);
                lane.flight = flight;
                ready.begins(flight);
                flight.writers().forEach(engine.giveUpTimes()::dispatched);
                inFlight++;
                onWire++;
                return flight;
            }
            arm(lane);
        }
        return null;
    }

    /** Notes whether a batch in flight is on the wire: one that waits must not keep others from it. */
    void onWire(InFlightBatch<K, I, R> flight, boolean is) {
        if (!flight.ended && flight.onWire != is) {
            flight.onWire = is;
            onWire += is ? 1 : -1;
            ready.onWire(flight, is);
        }
    }

    /** Notes that a batch in flight has had no response for long: its lane gives way to those that respond. */
    void fallSilent(InFlightBatch<K, I, R> flight) {
        if (!flight.ended) {
            onWire(flight, false);
            ready.silent(flight);
        }
    }

    /** Notes that a lane has had a response. */
    void responded(Lane<K, I, R> lane) {
        ready.responded(lane);
    }

    void ended(InFlightBatch<K, I, R> flight) {
        onWire(flight, false);
        ready.endSilence(flight);
        inFlight--;
        flight.ended = true;
        flight.writers().forEach(writer -> writer.progress().landed());
        flight.lane.flight = null;
    }

    private boolean mustSend(Lane<K, I, R> lane) {
        return lane.hasChunks()
                || lane.due() == Lane.NOW
                || engine.shutdown().isClosing()
                || lane.isFull(maxBytes)
                || isUrgent(lane)
                || (!lane.lingers() && lane.due() <= engine.timeOfHold());
    }

    private boolean isUrgent(Lane<K, I, R> lane) {
        EngineBatcher<K, I, R> owner = lane.owner();
        long urgent = owner == null ? urgentSeq : owner.urgentSeq;
        boolean isShort = owner == null ? engine.anyShort() : owner.buffer().isShort();
        return isShort || lane.firstSeq() <= urgent || lane.quotas.hasWaiting();
    }

    /** One wait for an admission permit. */
    static final class PermitRequest<K, I, R> {

        private final EngineLock<K, I, R> engine;
        private final Admission admission;
        private volatile Admission.@Nullable Waiting waiting;
        private volatile boolean cancelled;

        PermitRequest(EngineLock<K, I, R> engine, Admission admission) {
            this.engine = engine;
            this.admission = admission;
        }

        void start() {
            if (cancelled) {
                return;
            }
            try {
                waiting = admission.request(permit -> engine.admitted(this, permit));
            } catch (Throwable error) {
                engine.refused(this, error);
                return;
            }
            if (cancelled) {
                leave();
            }
        }

        /** Leaves the line; a permit that comes all the same is used or released. */
        void cancel() {
            cancelled = true;
            leave();
        }

        private void leave() {
            Admission.Waiting place = waiting;
            if (place != null) {
                place.cancel();
            }
        }
    }
}
