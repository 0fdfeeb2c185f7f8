package io.stowline.benchmarks.scale.model;

import java.util.Arrays;

/** The counts of one run, by seconds, and the latencies of its measured part. Used by one thread. */
public final class RunFigures {

    private static final double LATENCY_STEP = StrictMath.log(1.02);
    private static final int LATENCIES = 700;
    private static final double SMALLEST_MILLIS = 1;
    private static final int RECOVERY_WINDOW = 10;
    private static final double RECOVERED = 0.95;

    private final int measuredFrom;
    private final int measuredTo;
    private final long[] sent;
    private final long[] refused;
    private final long[] done;
    private final long[] failed;
    private final long[] latencies = new long[LATENCIES];
    private final long[] doneOf;
    private double latencySum;

    /**
     * Creates empty figures.
     *
     * @param seconds the length of the run
     * @param measuredFrom the first second of the measured part
     * @param measuredTo the second behind it
     * @param clients the number of clients
     */
    public RunFigures(int seconds, int measuredFrom, int measuredTo, int clients) {
        this.measuredFrom = measuredFrom;
        this.measuredTo = measuredTo;
        this.sent = new long[seconds + 1];
        this.refused = new long[seconds + 1];
        this.done = new long[seconds + 1];
        this.failed = new long[seconds + 1];
        this.doneOf = new long[clients];
    }

    void sent(double second) {
        sent[(int) second]++;
    }

    void refused(double second) {
        refused[(int) second]++;
    }

    void done(double second, double latencySeconds, int client) {
        done[(int) second]++;
        if (isMeasured((int) second)) {
            latencies[bucket(latencySeconds * 1_000)]++;
            latencySum += latencySeconds * 1_000;
            doneOf[client]++;
        }
    }

    void failed(double second) {
        failed[(int) second]++;
    }

    private boolean isMeasured(int second) {
        return second >= measuredFrom && second < measuredTo;
    }

    private static int bucket(double millis) {
        double steps = StrictMath.log(Math.max(SMALLEST_MILLIS, millis) / SMALLEST_MILLIS) / LATENCY_STEP;
        return Math.min(LATENCIES - 1, (int) steps);
    }

    /** Adds the figures of another account, whose clients follow those of the accounts before. */
    public void add(RunFigures other, int firstClient) {
        sum(sent, other.sent);
        sum(refused, other.refused);
        sum(done, other.done);
        sum(failed, other.failed);
        sum(latencies, other.latencies);
        latencySum += other.latencySum;
        System.arraycopy(other.doneOf, 0, doneOf, firstClient, other.doneOf.length);
    }

    private static void sum(long[] into, long[] from) {
        for (int i = 0; i < from.length; i++) {
            into[i] += from[i];
        }
    }

    /** Returns the number of seconds. */
    public int seconds() {
        return sent.length - 1;
    }

    /** Returns the requests that were sent in each second. */
    public long[] sentBySecond() {
        return sent.clone();
    }

    /** Returns the operations that succeeded in each second. */
    public long[] doneBySecond() {
        return done.clone();
    }

    /** Returns the operations that succeeded in a second of the measured part, on average. */
    public double goodput() {
        return (double) measured(done) / (measuredTo - measuredFrom);
    }

    /** Returns the refused requests as a share of those sent. */
    public double throttledShare() {
        return ratio(measured(refused), measured(sent));
    }

    /** Returns the requests for each operation that succeeded. */
    public double amplification() {
        return ratio(measured(sent), measured(done));
    }

    /** Returns the operations that failed as a share of those that ended. */
    public double failedShare() {
        return ratio(measured(failed), measured(failed) + measured(done));
    }

    private static double ratio(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    private long measured(long[] seconds) {
        return Arrays.stream(seconds, measuredFrom, measuredTo).sum();
    }

    /** Returns Jain's index of the clients' successes: 1 when all have the same number. */
    public double fairness() {
        return fairness(doneOf);
    }

    static double fairness(long[] shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return squares == 0 ? 1 : sum * sum / (shares.length * squares);
    }

    /** Returns the mean latency of a success in milliseconds. */
    public double meanLatencyMillis() {
        return latencySum / Math.max(1, measured(done));
    }

    /** Returns the latency of a success that this share of them does not exceed, in milliseconds; exact to 2 %. */
    public double latencyMillis(double share) {
        long left = (long) Math.ceil(Arrays.stream(latencies).sum() * share);
        int bucket = 0;
        while (bucket < LATENCIES - 1 && (left -= latencies[bucket]) > 0) {
            bucket++;
        }
        return SMALLEST_MILLIS * StrictMath.exp((bucket + 0.5) * LATENCY_STEP);
    }

    /**
     * Returns the seconds from the end of an outage until the successes of ten seconds are 95 % of those before it, and stay so.
     *
     * @param outage the outage, whose measure is the second half of the time before it
     */
    public int recoverySeconds(AccountOutage outage) {
        double normal = mean(outage.begins() / 2, outage.begins());
        int second = done.length - 1 - RECOVERY_WINDOW;
        while (second >= outage.ends() && mean(second, second + RECOVERY_WINDOW) >= RECOVERED * normal) {
            second--;
        }
        return second + 1 - outage.ends();
    }

    /** Returns the goodput of so many seconds after an outage, as a share of that before it. */
    public double goodputAfter(AccountOutage outage, int seconds) {
        return mean(outage.ends(), outage.ends() + seconds) / mean(outage.begins() / 2, outage.begins());
    }

    private double mean(int from, int to) {
        return Arrays.stream(done, from, to).average().orElse(0);
    }

    /** Returns the largest number of requests that were sent in one of these seconds. */
    public long maxSent(int from, int to) {
        return Arrays.stream(sent, from, to).max().orElse(0);
    }
}
