package io.stowline.advisor.internal.rule;

import io.stowline.advisor.AdvisorSettings;
import io.stowline.advisor.Severity;
import io.stowline.advisor.Threshold;

/**
 * The thresholds of one judgement. While a practice is broken its thresholds are a fifth lower, so that a value that varies around one
 * does not change the judgement each time.
 *
 * @param settings the thresholds
 * @param last the severity of the judgement before
 */
public record Levels(AdvisorSettings settings, Severity last) {

    private static final double KEPT = 0.8;

    /** Returns the value of a threshold, without the fifth. */
    double of(Threshold threshold) {
        return settings.threshold(threshold);
    }

    /** Returns whether a value is above a threshold that raises a severity. */
    boolean isOver(Threshold threshold, double value, Severity raised) {
        return value > of(threshold) * (isKept(raised) ? KEPT : 1);
    }

    /** Returns whether a value is below a threshold that raises a severity. */
    boolean isUnder(Threshold threshold, double value, Severity raised) {
        return value < of(threshold) / (isKept(raised) ? KEPT : 1);
    }

    /** Returns whether there are enough events for a judgement. */
    boolean isEnough(long samples, long min) {
        return samples > 0 && samples >= min * (isKept(Severity.ADVICE) ? KEPT : 1);
    }

    private boolean isKept(Severity raised) {
        return last.compareTo(raised) >= 0;
    }

    /** Begins a judgement of as many events as the settings require. */
    Judgement.Builder judge(long samples) {
        return judge(samples, settings.minSamples());
    }

    /** Begins a judgement of at least some events. */
    Judgement.Builder judge(long samples, long min) {
        return new Judgement.Builder(this, samples, min);
    }
}
