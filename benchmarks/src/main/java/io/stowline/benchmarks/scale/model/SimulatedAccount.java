package io.stowline.benchmarks.scale.model;

import io.stowline.benchmarks.scale.model.AccountOutage.OutageKind;
import io.stowline.benchmarks.scale.model.ModelResponse.ResponseKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A storage account: its own target, the targets of its partitions, and the servers of its ranges, which split under load and merge when
 * they are idle. Used by one thread.
 */
public final class SimulatedAccount {

    private static final int REVIEW_SECONDS = 10;

    private final EventClock clock;
    private final ServiceCapacity capacity;
    private final @Nullable AccountOutage outage;
    private final EntityRate target;
    private final EntityRate[] partitions;
    private final long[] loads;
    private final List<PartitionServer> servers = new ArrayList<>();
    private final PartitionServer[] serverOf;
    private final long halfWay;
    private int splits;
    private int merges;

    /**
     * Creates an account.
     *
     * @param partitions the number of its partitions
     * @param ranges the number of equal ranges at first
     * @param outage its outage, or null when it has none
     */
    public SimulatedAccount(
            EventClock clock, ServiceCapacity capacity, int partitions, int ranges, @Nullable AccountOutage outage) {
        this.clock = clock;
        this.capacity = capacity;
        this.outage = outage;
        this.target = new EntityRate(capacity.account());
        this.partitions = new EntityRate[partitions];
        this.loads = new long[partitions];
        this.serverOf = new PartitionServer[partitions];
        this.halfWay = EventClock.nanos(capacity.roundTripSeconds() / 2);
        for (int i = 0; i < partitions; i++) {
            this.partitions[i] = new EntityRate(capacity.partition());
        }
        for (int i = 0; i < ranges; i++) {
            place(new PartitionServer(capacity, partitions * i / ranges, partitions * (i + 1) / ranges, 0), i);
        }
        clock.at(EventClock.nanos(REVIEW_SECONDS), this::review);
    }

    /** Returns the number of ranges, each of which has a server. */
    public int ranges() {
        return servers.size();
    }

    /** Returns the number of splits so far. */
    public int splits() {
        return splits;
    }

    /** Returns the number of merges so far. */
    public int merges() {
        return merges;
    }

    /** Sends a request and returns its end; a silent one ends when its connection is reset. */
    ModelResponse send(int partition, int entities) {
        long arrival = clock.now() + halfWay;
        if (outage != null && outage.covers(arrival)) {
            return outage.kind() == OutageKind.FAILING
                    ? new ModelResponse(ResponseKind.FAILED, arrival + halfWay)
                    : new ModelResponse(ResponseKind.RESET, EventClock.nanos(outage.ends()));
        }
        if (!target.allows(arrival, entities)) {
            target.take(entities * capacity.refusalShare());
            return new ModelResponse(ResponseKind.ACCOUNT_BUSY, arrival + halfWay);
        }
        loads[partition] += entities;
        PartitionServer server = serverOf[partition];
        if (server.isMoving(arrival)) {
            return new ModelResponse(ResponseKind.PARTITION_BUSY, arrival + halfWay);
        }
        if (!partitions[partition].allows(arrival, entities) || !server.hasRoom(arrival, entities)) {
            server.refuse(arrival, entities);
            return new ModelResponse(ResponseKind.PARTITION_BUSY, arrival + halfWay);
        }
        target.take(entities);
        partitions[partition].take(entities);
        return new ModelResponse(ResponseKind.DONE, server.serve(arrival, entities) + halfWay);
    }

    private void place(PartitionServer server, int index) {
        servers.add(index, server);
        for (int i = server.from(); i < server.to(); i++) {
            serverOf[i] = server;
        }
    }

    /** The load is not measured in an outage, so that no range counts as idle after it. */
    private void review() {
        if (outage == null || !outage.covers(clock.now())) {
            for (PartitionServer server : List.copyOf(servers)) {
                if (server.splitsAfter(load(server), capacity, REVIEW_SECONDS)) {
                    int middle = middle(server);
                    clock.at(clock.now() + EventClock.nanos(capacity.splitSeconds()), () -> split(server, middle));
                }
            }
            mergeIdle();
        }
        Arrays.fill(loads, 0);
        clock.at(clock.now() + EventClock.nanos(REVIEW_SECONDS), this::review);
    }

    private double load(PartitionServer server) {
        return (double) entities(server.from(), server.to()) / REVIEW_SECONDS / capacity.server();
    }

    private long entities(int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += loads[i];
        }
        return sum;
    }

    /** Returns the partition that divides the load most evenly. */
    private int middle(PartitionServer server) {
        int best = server.from() + 1;
        long whole = entities(server.from(), server.to());
        long difference = Long.MAX_VALUE;
        for (int i = server.from() + 1; i < server.to(); i++) {
            long off = Math.abs(whole - 2 * entities(server.from(), i));
            if (off < difference) {
                difference = off;
                best = i;
            }
        }
        return best;
    }

    private void split(PartitionServer server, int middle) {
        int index = servers.indexOf(server);
        if (index < 0) {
            return;
        }
        servers.remove(index);
        place(new PartitionServer(capacity, server.from(), middle, 0).behind(server), index);
        place(new PartitionServer(capacity, middle, server.to(), moved()), index + 1);
        splits++;
    }

    private void mergeIdle() {
        for (int i = 0; i + 1 < servers.size(); i++) {
            PartitionServer left = servers.get(i);
            PartitionServer right = servers.get(i + 1);
            if (left.isIdle(capacity, REVIEW_SECONDS) && right.isIdle(capacity, REVIEW_SECONDS)) {
                servers.remove(i);
                servers.remove(i);
                place(new PartitionServer(capacity, left.from(), right.to(), moved()).behind(left), i);
                merges++;
            }
        }
    }

    private long moved() {
        return clock.now() + EventClock.nanos(capacity.moveSeconds());
    }
}
