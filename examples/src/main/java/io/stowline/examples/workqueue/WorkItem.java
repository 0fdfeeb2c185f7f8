package io.stowline.examples.workqueue;

import java.util.Locale;

/**
 * A job, as the queue carries it.
 *
 * @param number its number, from 1
 * @param millis how long the work takes
 * @param failures how many of its deliveries fail
 */
record WorkItem(int number, long millis, int failures) {

    /** The job that fails whenever a handler has it. */
    static final int POISON = 5;

    private static final int EVERY_FLAKY = 40;
    private static final int FIRST_FLAKY = 20;

    /** Makes a job; one in forty fails once, and one always. */
    static WorkItem of(int number, long millis) {
        if (number == POISON) {
            return new WorkItem(number, millis, Integer.MAX_VALUE);
        }
        return new WorkItem(number, millis, number % EVERY_FLAKY == FIRST_FLAKY ? 1 : 0);
    }

    /** Returns the row key of its result. */
    String key() {
        return String.format(Locale.ROOT, "%06d", number);
    }

    boolean fails(long delivery) {
        return delivery <= failures;
    }
}
