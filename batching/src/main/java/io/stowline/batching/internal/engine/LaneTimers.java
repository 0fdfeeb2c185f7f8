package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.IntrusiveList;
import io.stowline.batching.internal.callback.RankedQueue;
import io.stowline.batching.internal.callback.RankedQueue.QueuePlace;
import io.stowline.batching.internal.engine.LaneQueue.EntityReservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that wait for a time: for a fuller batch, for the end of a pause or of a reservation; and the timers that are
 * set; under the engine's lock.
 *
 * <p>A timer is set only for a time before all timers that are set, so that few are ever outstanding. Timers are not
 * cancelled: one that finds nothing due does nothing.
 */
final class LaneTimers<K, I, R> {

    private final TreeSet<Lane<K, I, R>> lingering =
            new TreeSet<>(Comparator.<Lane<K, I, R>>comparingLong(Lane::due).thenComparingLong(lane -> lane.id));

    /** Lingering lanes with items of several writers, or groups. */
    private final IntrusiveList<Lane<K, I, R>> shared = new IntrusiveList<>();

    private final RankedQueue<Lane<K, I, R>> paused = new RankedQueue<>();
    private final PriorityQueue<EntityReservation<K, I, R>> reservations =
            new PriorityQueue<>(Comparator.<EntityReservation<K, I, R>>comparingLong(each -> each.until));
    private final PriorityQueue<Long> timers = new PriorityQueue<>();
    private long reservedEntities;

    /** Has a lane wait for a fuller batch until its due time. */
    void linger(Lane<K, I, R> lane) {
        EngineBatcher<K, I, R> owner = lane.owner();
        lane.lingersAmong = owner == null ? shared : owner.lingering;
        lane.lingersAmong.add(lane);
        lingering.add(lane);
    }

    /** Ends the wait for a fuller batch; must come before anything that changes the lane's due time or its owner. */
    void endLinger(Lane<K, I, R> lane) {
        if (lane.lingersAmong != null) {
            lane.lingersAmong.remove(lane);
            lane.lingersAmong = null;
            lingering.remove(lane);
        }
    }

    /** Takes the next lane that has waited long enough for a fuller batch. */
    @Nullable
    Lane<K, I, R> pollLingering(long now) {
        if (lingering.isEmpty() || lingering.first().due() > now) {
            return null;
        }
        Lane<K, I, R> lane = lingering.first();
        endLinger(lane);
        return lane;
    }

    /** Takes the lingering lanes that may hold items of a writer, or all when it is null, fullest first. */
    List<Lane<K, I, R>> drainLingering(@Nullable EngineBatcher<K, I, R> batcher) {
        List<Lane<K, I, R>> drained = new ArrayList<>();
        if (batcher == null) {
            drained.addAll(lingering);
        } else {
            batcher.lingering.forEach(drained::add);
            shared.forEach(drained::add);
        }
        drained.forEach(this::endLinger);
        drained.sort(Comparator.<Lane<K, I, R>>comparingLong(Lane::queuedBytes).reversed());
        return drained;
    }

    /** Has a lane send nothing until a time. */
    void pause(Lane<K, I, R> lane, long until) {
        endPause(lane);
        lane.pause = paused.add(lane, until);
    }

    /** Ends the pause of a lane, which may be evicted: a pause keeps no lane. */
    void endPause(Lane<K, I, R> lane) {
        paused.remove(lane.pause);
        lane.pause = null;
    }

    int pausedLanes() {
        return paused.size();
    }

    /** Takes the next lane whose pause is over. */
    @Nullable
    Lane<K, I, R> pollPaused(long now) {
        QueuePlace<Lane<K, I, R>> next = paused.first();
        if (next == null || next.rank() > now) {
            return null;
        }
        endPause(next.member());
        return next.member();
    }

    void reserve(EntityReservation<K, I, R> reservation) {
        reservations.add(reservation);
        reservedEntities += reservation.entities.size();
    }

    /** Takes the next reservation that is over. */
    @Nullable
    EntityReservation<K, I, R> pollReservation(long now) {
        EntityReservation<K, I, R> next = reservations.peek();
        if (next == null || next.until > now) {
            return null;
        }
        reservations.remove();
        reservedEntities -= next.entities.size();
        return next;
    }

    /** Returns the number of entities that are reserved. */
    long reservedEntities() {
        return reservedEntities;
    }

    /** Returns the end of the first of all these waits. */
    long due() {
        long linger = lingering.isEmpty() ? Lane.NEVER : lingering.first().due();
        long due = Math.min(linger, paused.firstRank(Lane.NEVER));
        return reservations.isEmpty() ? due : Math.min(due, reservations.element().until);
    }

    /** Notes that something is due; true when a timer must be set for it. */
    boolean set(long due) {
        Long earliest = timers.peek();
        if (due == Lane.NEVER || (earliest != null && earliest <= due)) {
            return false;
        }
        timers.add(due);
        return true;
    }

    /** Notes that the timer for a time has run. */
    void fired(long due) {
        timers.remove(due);
    }
}
