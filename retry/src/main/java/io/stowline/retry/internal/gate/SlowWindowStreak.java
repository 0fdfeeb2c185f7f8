package io.stowline.retry.internal.gate;

/** Consecutive windows that were too slow, and whether cutting the limit made them faster. */
final class SlowWindowStreak {

    enum Step {
        NONE,
        CUT,
        GIVE_UP
    }

    private double before;
    private double first;
    private int windows;

    /** What to do after a window. */
    Step next(boolean slow, double limit, double ratio, int least) {
        if (!slow) {
            end();
            return Step.NONE;
        }
        if (++windows == 1) {
            before = limit;
            first = ratio;
        }
        boolean deep = limit <= Math.max(least, 0.6 * before);
        if (windows > 1 && deep && ratio > 0.8 * first) {
            end();
            return Step.GIVE_UP;
        }
        return Step.CUT;
    }

    /** The limit at its beginning. */
    double before() {
        return before;
    }

    void end() {
        windows = 0;
    }
}
