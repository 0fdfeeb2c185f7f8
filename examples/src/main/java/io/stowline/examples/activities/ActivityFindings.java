package io.stowline.examples.activities;

import io.stowline.examples.shared.Report;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/** The activities that were read back, beside those that were accepted. Not thread-safe. */
final class ActivityFindings {

    private final BitSet missing;
    private final TreeMap<String, Long> costs = new TreeMap<>();
    private long read;
    private long twice;
    private long strange;
    private long disordered;
    private long last = -1;

    /** Makes the findings of a number of activities that were accepted. */
    ActivityFindings(int accepted) {
        this.missing = new BitSet(accepted);
        missing.set(0, accepted);
    }

    /** Takes the next activity in the order of reading. */
    void take(Activity activity) {
        read++;
        int number = (int) activity.number();
        if (!activity.equals(Activity.of(number, activity.at()))) {
            strange++;
        } else if (missing.get(number)) {
            missing.clear(number);
        } else {
            twice++;
        }
        if (number < last) {
            disordered++;
        }
        last = number;
        costs.merge(activity.campaign(), activity.microcents(), Long::sum);
    }

    /** Returns what is not as it should be. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        if (!missing.isEmpty()) {
            wrong.add(missing.cardinality() + " activities are lost, the first is number " + missing.nextSetBit(0));
        }
        if (twice > 0) {
            wrong.add(twice + " activities are there twice, or were never accepted");
        }
        if (strange > 0) {
            wrong.add(strange + " activities are not as they were written");
        }
        if (disordered > 0) {
            wrong.add(disordered + " activities come before one that was written earlier");
        }
        return wrong;
    }

    /** Adds the figures to a report. */
    void report(Report report) {
        report.row("activities read back", "%,d", read)
                .row("  lost", "%,d", missing.cardinality())
                .row("  twice", "%,d", twice)
                .row("  changed or out of order", "%,d", strange + disordered);
        costs.forEach((campaign, cost) -> report.row("cost of " + campaign, "%,.2f", cost / 1e8));
    }
}
