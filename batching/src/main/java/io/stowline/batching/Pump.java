package io.stowline.batching;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which lane sends next: those that are ready, the tickets asked for, the batches in flight; under the engine's lock. */
final class Pump<K, I, R> {

    private final Engine<K, I, R> engine;
    private final BatchLimits limits;
    private final Admission admission;
    private final int mostOnWire;
    private final LingerQueue<K, I, R> linger = new LingerQueue<>();
    private final Holds<K, I, R> holds = new Holds<>();
    private final Pauses<K, I, R> pauses = new Pauses<>();
    private final Alarm alarm = new Alarm();
    private final ReadyQueue<K, I, R> ready = new ReadyQueue<>();
    private final ArrayDeque<TicketRequest<K, I, R>> requests = new ArrayDeque<>();
    private int inFlight;
    private int onWire;
    private long urgentSeq;

    Pump(Engine<K, I, R> engine, Lanes.Builder<K, I, R> given) {
        this.engine = engine;
        this.limits = given.limits;
        this.admission = given.admission;
        this.mostOnWire = given.maxBatchesInFlight;
    }

    int inFlight() {
        return inFlight;
    }

    void append(Lane<K, I, R> lane, Entry<K, I, R> entry) {
        if (entry.due < lane.due()) {
            linger.remove(lane);
        }
        lane.append(entry);
        arm(lane);
    }

    void append(Lane<K, I, R> lane, Group<K, I, R> group) {
        linger.remove(lane);
        lane.append(group);
        arm(lane);
    }

    void remove(Lane<K, I, R> lane, Node<K, I, R> node) {
        linger.remove(lane);
        lane.remove(node);
        arm(lane);
    }

    /** Notes that a queued item has become larger or smaller. */
    void grow(Entry<K, I, R> entry, int growth) {
        entry.lane().grow(entry, growth);
        arm(entry.lane());
    }

    /** Keeps the entities of a batch reserved for some time from now on. */
    void reserve(Lane<K, I, R> lane, List<Named> entities, Duration time) {
        Hold<K, I, R> hold = new Hold<>(lane, entities, engine.now() + time.toNanos());
        holds.add(hold);
        lane.reserve(hold);
    }

    /** Has a lane send nothing until a time. */
    void pause(Lane<K, I, R> lane, long until) {
        pauses.add(lane, until);
    }

    /** The number of entities that are reserved. */
    long reserved() {
        return holds.entities();
    }

    /** Puts a lane where it belongs now: in flight, ready, lingering, resting or gone. */
    void arm(Lane<K, I, R> lane) {
        if (lane.flight != null) {
            return;
        }
        if (!lane.canSend()) {
            linger.remove(lane);
            ready.remove(lane);
            engine.evict(lane);
        } else if (mustSend(lane)) {
            linger.remove(lane);
            ready.add(lane);
        } else if (!lane.lingering && !lane.ready) {
            linger.add(lane);
        }
    }

    /** Has the lanes of a writer, or all when it is null, sent without lingering. */
    void urge(@Nullable Batcher<K, I, R> batcher) {
        urgentSeq = engine.ledger().seq();
        if (batcher != null) {
            batcher.urgentSeq = urgentSeq;
        }
        linger.drain(lane -> batcher == null || lane.isOf(batcher)).forEach(ready::add);
    }

    void urge(Lane<K, I, R> lane) {
        if (lane.lingering) {
            linger.remove(lane);
            ready.add(lane);
        }
    }

    /** Does what is due when a timer is over. */
    void timeOver(long due, long now) {
        alarm.fired(due);
        for (Hold<K, I, R> hold = holds.poll(now); hold != null; hold = holds.poll(now)) {
            linger.remove(hold.lane);
            hold.lane.release(hold);
            arm(hold.lane);
        }
        for (Lane<K, I, R> lane = pauses.poll(now); lane != null; lane = pauses.poll(now)) {
            arm(lane);
        }
        for (Lane<K, I, R> lane = linger.poll(now); lane != null; lane = linger.poll(now)) {
            ready.add(lane);
        }
        engine.deadlines().timeOver(now);
        engine.patience().timeOver(now);
    }

    /** Asks for as many tickets as there are lanes to send, and sets the timer. */
    void settle() {
        int wanted = Math.min(ready.size(), mostOnWire - onWire);
        while (requests.size() > Math.max(0, wanted)) {
            engine.later(requests.removeLast()::cancel);
        }
        while (requests.size() < wanted) {
            TicketRequest<K, I, R> request = new TicketRequest<>(engine, admission);
            requests.add(request);
            engine.later(request::start);
        }
        long wake = Math.min(
                Math.min(linger.due(), holds.due()),
                Math.min(pauses.due(), engine.deadlines().due()));
        long due = Math.min(wake, engine.patience().due());
        if (alarm.set(due)) {
            engine.later(() -> engine.setTimer(due));
        }
    }

    void answered(TicketRequest<K, I, R> request) {
        requests.remove(request);
    }

    /** Cuts the batch of the first lane that is ready; null when there is none, or too much on the wire. */
    @Nullable
    Flight<K, I, R> dispatch(Admission.Ticket ticket) {
        while (onWire < mostOnWire) {
            Lane<K, I, R> lane = ready.poll();
            if (lane == null) {
                return null;
            }
            Load<K, I, R> load = lane.cut(limits.room());
            if (load != null) {
                Flight<K, I, R> flight = new Flight<>(engine, lane, load, ticket);
                lane.flight = flight;
                flight.writers().forEach(engine.patience()::dispatched);
                inFlight++;
                onWire++;
                return flight;
            }
            arm(lane);
        }
        return null;
    }

    /** Notes whether a batch in flight is on the wire: one that waits must not keep others from it. */
    void onWire(Flight<K, I, R> flight, boolean is) {
        if (!flight.ended && flight.onWire != is) {
            flight.onWire = is;
            onWire += is ? 1 : -1;
        }
    }

    void ended(Flight<K, I, R> flight) {
        onWire(flight, false);
        inFlight--;
        flight.ended = true;
        flight.writers().forEach(writer -> writer.progress().landed());
        flight.lane.flight = null;
    }

    private boolean mustSend(Lane<K, I, R> lane) {
        return lane.hasChunks()
                || lane.due() == Lane.NOW
                || engine.shutdown().isClosing()
                || lane.isFull(limits.room())
                || isUrgent(lane)
                || (!lane.lingering && lane.due() <= engine.now());
    }

    private boolean isUrgent(Lane<K, I, R> lane) {
        Batcher<K, I, R> owner = lane.owner();
        long urgent = owner == null ? urgentSeq : owner.urgentSeq;
        boolean isShort = owner == null ? engine.isShort() : owner.room().isShort();
        return isShort || lane.firstSeq() <= urgent || lane.hasWaiting();
    }
}
