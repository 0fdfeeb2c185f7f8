package io.stowline.testkit.internal.proxy.record;

import io.stowline.testkit.FaultProxy.TrafficStats;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The newest exchanges, and sums over all of them. Safe for use by several threads. */
public final class Recorder {

    private final int capacity;
    private final Waiter waiter;
    private final long start;
    private final Set<RecordedEntry> entries = new LinkedHashSet<>();
    private final Set<RecordedEntry> underWay = new LinkedHashSet<>();
    private final KeptBodies bodies = new KeptBodies();
    private final Map<StorageService, TrafficStats> byService = new EnumMap<>(StorageService.class);
    private final Map<Ending, Long> endings = new EnumMap<>(Ending.class);
    private TrafficStats total = TrafficStats.NONE;

    /**
     * Starts to record.
     *
     * @param capacity how many exchanges are kept
     * @param waiter gives the time
     */
    public Recorder(int capacity, Waiter waiter) {
        this.capacity = capacity;
        this.waiter = waiter;
        this.start = waiter.nanoTime();
    }

    public synchronized void connected(@Nullable StorageService service) {
        add(service, new TrafficStats(1, 0, 0, 0, 0));
    }

    public synchronized RecordedEntry arrived(int connection, SentRequest request, long bytesIn) {
        add(request.service(), new TrafficStats(0, 1, 0, bytesIn, 0));
        RecordedEntry entry = new RecordedEntry(connection, Duration.ofNanos(waiter.nanoTime() - start), request);
        entries.add(entry);
        underWay.add(entry);
        bodies.keep(entry);
        if (entries.size() > capacity) {
            RecordedEntry oldest = entries.iterator().next();
            entries.remove(oldest);
            bodies.forget(oldest);
        }
        return entry;
    }

    /** Records the end of an exchange, before the client can see it. */
    public synchronized void ended(RecordedEntry entry, ExchangeResult fate, int bytesOut) {
        if (underWay.remove(entry)) {
            count(entry, fate.ending(), 1);
            add(entry.request().service(), new TrafficStats(0, 0, 0, 0, bytesOut));
        }
        entry.fate(fate);
        if (entries.contains(entry)) {
            bodies.keep(entry);
        }
        notifyAll();
    }

    /** Corrects the end of an exchange whose response could not be sent. */
    public synchronized void undelivered(RecordedEntry entry) {
        ExchangeResult dropped = entry.fate().dropped("the client had gone when it was answered");
        if (entries.contains(entry)) {
            count(entry, entry.fate().ending(), -1);
            count(entry, dropped.ending(), 1);
        }
        entry.fate(dropped);
    }

    private void count(RecordedEntry entry, Ending ending, long more) {
        endings.merge(ending, more, Long::sum);
        if (ending == Ending.RESPONDED) {
            add(entry.request().service(), new TrafficStats(0, 0, more, 0, 0));
        }
    }

    private void add(@Nullable StorageService service, TrafficStats more) {
        total = total.plus(more);
        if (service != null) {
            byService.merge(service, more, TrafficStats::plus);
        }
    }

    /**
     * Returns the exchanges that are kept.
     *
     * @return in order of arrival, those in flight included
     */
    public synchronized List<RecordedExchange> recorded() {
        return entries.stream().map(RecordedEntry::snapshot).toList();
    }

    /**
     * Returns the traffic of all services.
     *
     * @return sums over all services
     */
    public synchronized TrafficStats traffic() {
        return total;
    }

    /**
     * Returns the traffic of one service.
     *
     * @return sums over that service
     */
    public synchronized TrafficStats traffic(StorageService service) {
        return byService.getOrDefault(service, TrafficStats.NONE);
    }

    /**
     * Returns the number of exchanges that ended in a way.
     *
     * @return a count over all services
     */
    public synchronized long ended(Ending ending) {
        return ending == Ending.IN_FLIGHT ? underWay.size() : endings.getOrDefault(ending, 0L);
    }

    /** Forgets everything, what is in flight included. */
    public synchronized void clear() {
        entries.clear();
        underWay.clear();
        bodies.clear();
        byService.clear();
        endings.clear();
        total = TrafficStats.NONE;
    }

    /**
     * Waits until no exchange is in flight.
     *
     * @param atMost how long
     * @return the requests that are in flight still, empty for none
     * @throws InterruptedException if the thread was interrupted
     */
    public synchronized List<SentRequest> awaitIdle(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        long left = atMost.toNanos();
        while (!underWay.isEmpty() && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        return underWay.stream().map(RecordedEntry::request).toList();
    }
}
