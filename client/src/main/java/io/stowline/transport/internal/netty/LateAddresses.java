package io.stowline.transport.internal.netty;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The addresses that did not connect in time, which come last among those of their host for a minute (decision 94). A connect that its attempt gives up
 * would else meet the same address at each attempt. Thread-safe.
 */
class LateAddresses {

    static final long NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private final Map<InetSocketAddress, Long> late = new ConcurrentHashMap<>();

    /**
     * A memory without addresses.
     *
     * @param nanos the clock
     */
    LateAddresses(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private record RankedAddress(InetAddress address, long rank) {}

    /** Returns the addresses of a host in the order in which a connection tries them. */
    List<InetSocketAddress> candidates(InetAddress[] addresses, int port) {
        long now = nanos.getAsLong();
        late.values().removeIf(since -> now - since >= NANOS);
        List<RankedAddress> order = Arrays.stream(addresses)
                .map(address -> new RankedAddress(address, rank(address, port, now)))
                .sorted(Comparator.comparingLong(RankedAddress::rank))
                .toList();
        List<InetSocketAddress> candidates = new ArrayList<>(order.size());
        for (RankedAddress next : order) {
            boolean followed = candidates.size() + 1 < order.size();
            candidates.add(new CandidateAddress(next.address, port, followed, this));
        }
        return candidates;
    }

    /** Late addresses come in the order of their failures, the oldest first. */
    private long rank(InetAddress address, int port, long now) {
        Long since = late.get(new InetSocketAddress(address, port));
        return since == null ? Long.MIN_VALUE : since - now;
    }

    /** Takes note of an address that has not connected in time, or not at all; called on the event loop of the connection. */
    void late(InetSocketAddress address) {
        late.put(address, nanos.getAsLong());
    }

    /** Takes note of an address that has connected; called on the event loop of the connection. */
    void connected(InetSocketAddress address) {
        late.remove(address);
    }
}
