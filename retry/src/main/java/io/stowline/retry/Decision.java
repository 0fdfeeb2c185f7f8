package io.stowline.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What follows an attempt: the end, when {@code stop} is given, else another attempt after {@code pause}. */
record Decision(@Nullable Stop stop, Duration pause) {

    static Decision end(Stop stop) {
        return new Decision(stop, Duration.ZERO);
    }

    static Decision again(Duration pause) {
        return new Decision(null, pause);
    }
}
