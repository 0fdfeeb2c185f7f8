package io.stowline.advisor.internal.evidence;

import io.stowline.observe.ServiceState;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The services of open clients, and the times at which the last ones were opened, for each account. It has the last 64 of each: a process that never closes
 * its clients has that finding already. Thread-safe.
 */
public final class ClientRegister {

    private static final int MAX = 64;
    private static final long HOUR_MILLIS = 3_600_000;

    private final Clock clock;
    private final List<ServiceState> open = new ArrayList<>();
    private final Map<String, Deque<Long>> opened = new LinkedHashMap<>();
    private boolean sdk;

    /**
     * Makes an empty register.
     *
     * @param clock the clock
     */
    public ClientRegister(Clock clock) {
        this.clock = clock;
    }

    /** Adds a service of a client. */
    public synchronized void add(ServiceState state) {
        if (open.size() == MAX) {
            open.remove(0);
        }
        open.add(state);
        String name = state.account() + "/" + state.service();
        if (opened.size() == MAX && !opened.containsKey(name)) {
            opened.remove(opened.keySet().iterator().next());
        }
        Deque<Long> times = opened.computeIfAbsent(name, first -> new ArrayDeque<>());
        if (times.size() == MAX) {
            times.removeFirst();
        }
        times.addLast(clock.millis());
    }

    /** Notes that clients of the Azure SDK report, which show no facts. */
    public synchronized void addSdk() {
        sdk = true;
    }

    /** Removes a service of a closed client. */
    public synchronized void remove(ServiceState state) {
        open.removeIf(one -> one == state);
    }

    /** Returns the facts at present. A client opens each service of its account that it uses once. */
    public synchronized ClientFacts present() {
        long since = clock.millis() - HOUR_MILLIS;
        long built = opened.values().stream()
                .mapToLong(times -> times.stream().filter(time -> time >= since).count())
                .max()
                .orElse(0);
        return new ClientFacts(
                open.stream().map(ServiceFacts::of).toList(),
                built,
                Runtime.version().feature(),
                Runtime.getRuntime().availableProcessors(),
                sdk);
    }
}
