package io.stowline.examples.stress;

import io.stowline.testkit.SentRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A simulation that decides like the service which writes of entities are above the targets of their partition or of the account: a token bucket for each.
 * Thread-safe.
 */
final class SimulatedTargets {

    private static final double BURST_SECONDS = 0.1;
    private static final Pattern PARTITION = Pattern.compile("PartitionKey='([^']*)'");

    private final double partitionRate;
    private final LongSupplier nanoTime;
    private final Bucket account;
    private final Map<String, Bucket> partitions = new HashMap<>();

    /** Tokens that come back at a rate, up to a burst. */
    private static final class Bucket {

        private final double rate;
        private final double burst;
        private double tokens;
        private long last;

        Bucket(double rate, long now) {
            this.rate = rate;
            this.burst = Math.max(1, rate * BURST_SECONDS);
            this.tokens = burst;
            this.last = now;
        }

        boolean holds(int wanted, long now) {
            tokens = Math.min(burst, tokens + (now - last) * rate / 1e9);
            last = now;
            return tokens >= Math.min(wanted, burst);
        }

        void take(int wanted) {
            tokens -= wanted;
        }
    }

    SimulatedTargets(double partitionRate, double accountRate, LongSupplier nanoTime) {
        this.partitionRate = partitionRate;
        this.nanoTime = nanoTime;
        this.account = new Bucket(accountRate, nanoTime.getAsLong());
    }

    /** Returns whether a request is above a target. A request that is not takes its entities from both. */
    boolean isAbove(SentRequest request) {
        Matcher found = PARTITION.matcher(request.target().replace("%27", "'"));
        int entities = 0;
        String partition = "";
        if (found.find()) {
            entities = 1;
            partition = found.group(1);
        } else if (request.path().endsWith("$batch")) {
            Matcher all = PARTITION.matcher(request.text().replace("%27", "'"));
            while (all.find()) {
                entities++;
                partition = all.group(1);
            }
        }
        return entities > 0 && isAbove(partition, entities);
    }

    private synchronized boolean isAbove(String partition, int entities) {
        long now = nanoTime.getAsLong();
        Bucket own = partitions.computeIfAbsent(partition, name -> new Bucket(partitionRate, now));
        if (!own.holds(entities, now) || !account.holds(entities, now)) {
            return true;
        }
        own.take(entities);
        account.take(entities);
        return false;
    }
}
