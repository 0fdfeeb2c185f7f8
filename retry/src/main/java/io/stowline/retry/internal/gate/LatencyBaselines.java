package io.stowline.retry.internal.gate;

import java.util.HashMap;
import java.util.Map;

/**
 * The latencies of each class of attempts while nothing queues, and their ratio to the latencies of this window.
 *
 * <p>Works on logarithms: the mean ratio is the geometric one, which a single attempt of thirty seconds does not move
 * far. A baseline follows shorter latencies fast and longer ones only where the caller reports that they are caused by others. Not safe for use by many threads.
 */
final class LatencyBaselines {

    /** Beyond it a class has no weight; a caller that makes one per request must not fill the heap. */
    static final int MAX_CLASSES = 64;

    private static final double DOWN = 0.5;
    private static final double DRIFT = 0.05;
    private static final double BELIEF = 0.3;
    private static final double ACCEPTANCE = 0.6;

    private static final class Baseline {

        private double level = Double.NaN;
        private double sum;
        private int count;

        double mean() {
            return sum / count;
        }

        void follow(double up) {
            double mean = mean();
            if (Double.isNaN(level)) {
                level = mean;
            } else {
                double trust = count / (count + 8.0);
                level += (mean - level) * trust * (mean < level ? DOWN : up);
            }
        }

        void clear() {
            sum = 0;
            count = 0;
        }
    }

    private final Map<Object, Baseline> classes = new HashMap<>();
    private double typical;
    private long listen;

    void add(Object latencyClass, long nanos) {
        Baseline baseline = classes.get(latencyClass);
        if (baseline == null && classes.size() < MAX_CLASSES) {
            baseline = new Baseline();
            classes.put(latencyClass, baseline);
        }
        if (baseline != null) {
            baseline.sum += log(nanos);
            baseline.count++;
        }
    }

    /** Returns the average ratio of this window's latencies to their baselines; 1 when no class has a baseline yet. */
    double ratio() {
        double excess = 0;
        int count = 0;
        for (Baseline each : classes.values()) {
            if (each.count > 0 && !Double.isNaN(each.level)) {
                excess += each.sum - each.count * each.level;
                count += each.count;
            }
        }
        return count == 0 ? 1 : Math.exp(excess / count);
    }

    boolean known() {
        return !classes.isEmpty();
    }

    /** Takes the first latency of all. */
    void begin(long now, long nanos) {
        typical = log(nanos);
        pause(now);
    }

    /** Takes a latency for the typical one, even if no baseline learns from it. */
    void learn(long nanos) {
        typical += 0.1 * (log(nanos) - typical);
    }

    /**
     * Ignores the responses of the next three latencies: of the requests sent after this time the short ones come back
     * first.
     */
    void pause(long from) {
        listen = from + 3 * (long) Math.exp(typical);
    }

    boolean isPaused(long now) {
        return now - listen < 0;
    }

    /** Ends a window whose latencies may be those of our own queueing: baselines go down only. */
    void settle() {
        end(0);
    }

    /** Ends a window in which nothing of ours queued: baselines also go up, slowly. */
    void drift() {
        end(DRIFT);
    }

    /** Ends a window in which the queue was let run empty: baselines go up somewhat. */
    void believe() {
        end(BELIEF);
    }

    /** Ends a window after cuts that did not help: baselines go up more than half the way. */
    void accept() {
        end(ACCEPTANCE);
    }

    /** Forgets the window. */
    void drop() {
        classes.values().forEach(Baseline::clear);
    }

    private void end(double up) {
        for (Baseline each : classes.values()) {
            if (each.count > 0) {
                each.follow(up);
                each.clear();
            }
        }
    }

    private static double log(long nanos) {
        return Math.log((double) Math.max(1, nanos));
    }
}
