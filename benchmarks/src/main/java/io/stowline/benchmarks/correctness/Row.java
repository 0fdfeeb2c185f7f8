package io.stowline.benchmarks.correctness;

import java.util.Map;
import java.util.TreeMap;

/** What an entity holds: at most the two properties that the workload writes. */
record Row(Map<String, String> properties) {

    static final String VALUE = "value";
    static final String NOTE = "note";

    Row {
        properties = Map.copyOf(properties);
    }

    static Row none() {
        return new Row(Map.of());
    }

    /** What is there after a change to this. */
    Row after(Change change) {
        Map<String, String> after = new TreeMap<>(change.verb().replaces() ? Map.of() : properties);
        after.put(change.verb().property(), change.value());
        return new Row(after);
    }

    /** Whether what a change wanted stands here, whoever wrote it. */
    boolean shows(Change change) {
        boolean there = change.value().equals(properties.get(change.verb().property()));
        return there && (!change.verb().replaces() || properties.size() == 1);
    }
}
