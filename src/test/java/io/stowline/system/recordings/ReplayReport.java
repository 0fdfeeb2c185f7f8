package io.stowline.system.recordings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of a run, and its differences. */
final class ReplayReport {

    private final Map<String, Integer> recordings = new TreeMap<>();
    private final Map<String, Integer> replayed = new TreeMap<>();
    private final Map<String, Integer> verbs = new TreeMap<>();
    private final Map<String, Integer> refused = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();
    private int replays;

    void add(ServiceRecording recording, ReplayPlan plan) {
        recordings.merge(recording.service(), 1, Integer::sum);
        if (plan.refused() == null) {
            replayed.merge(recording.service(), 1, Integer::sum);
        } else {
            refused.merge(plan.refused(), 1, Integer::sum);
        }
    }

    void ran(ServiceRecording recording, Replay replay, List<String> wrong) {
        replays++;
        verbs.merge(replay.verb(), 1, Integer::sum);
        wrong.forEach(text -> differences.add(replay.verb() + " of " + recording + ": " + text));
    }

    int replays() {
        return replays;
    }

    Map<String, Integer> percentReplayed() {
        Map<String, Integer> percent = new TreeMap<>();
        recordings.forEach((service, count) -> percent.put(service, replayed.getOrDefault(service, 0) * 100 / count));
        return percent;
    }

    List<String> differences() {
        return differences;
    }

    String summary() {
        StringBuilder text = new StringBuilder();
        recordings.forEach((service, count) -> text.append(
                service + ": " + count + " exchanges, " + replayed.getOrDefault(service, 0) + " replayed\n"));
        text.append("replays: " + replays + " " + verbs + "\n");
        refused.forEach((reason, count) -> text.append("not replayed: " + count + " " + reason + "\n"));
        text.append("differences: " + differences.size() + "\n");
        differences.forEach(line -> text.append("  " + line + "\n"));
        return text.toString();
    }
}
