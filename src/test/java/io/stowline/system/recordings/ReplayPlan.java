package io.stowline.system.recordings;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decision about one recording: the verbs that can meet its response, or the reason why none can.
 *
 * @param refused the reason, or {@code null} if there are replays
 */
record ReplayPlan(List<Replay> replays, @Nullable String refused) {

    static ReplayPlan of(Replay... replays) {
        return new ReplayPlan(List.of(replays), null);
    }

    static ReplayPlan refused(String reason) {
        return new ReplayPlan(List.of(), reason);
    }

    ReplayPlan and(Replay... more) {
        List<Replay> all = new ArrayList<>(replays);
        all.addAll(List.of(more));
        return new ReplayPlan(List.copyOf(all), refused);
    }
}
