package io.stowline.queue.internal;

import io.stowline.transport.StorageLimits;
import java.util.regex.Pattern;

/** The service's rule for names of queues (its page "Naming queues and metadata"). */
final class QueueNames {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    private static final int SHORTEST = StorageLimits.QUEUE_NAME_MIN_CHARS;
    private static final int LONGEST = StorageLimits.QUEUE_NAME_MAX_CHARS;

    private QueueNames() {}

    static String check(String name) {
        if (name.length() < SHORTEST
                || name.length() > LONGEST
                || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("queue name '" + name + "' must be " + SHORTEST + " to " + LONGEST
                    + " lower-case letters, digits and single dashes between them (" + name.length()
                    + " characters given)");
        }
        return name;
    }
}
