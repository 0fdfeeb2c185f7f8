package io.stowline.system.ledger.script;

import java.util.Map;
import java.util.TreeMap;

/** The content of an entity: at most the two properties that the workload writes. */
public record Row(Map<String, String> properties) {

    public static final String VALUE = "value";
    public static final String NOTE = "note";

    public Row {
        properties = Map.copyOf(properties);
    }

    public static Row none() {
        return new Row(Map.of());
    }

    /** Returns the row after a change to this one. */
    public Row after(Change change) {
        Map<String, String> after = new TreeMap<>(change.verb().replaces() ? Map.of() : properties);
        after.put(change.verb().property(), change.value());
        return new Row(after);
    }

    /** Returns whether the row shows the wanted content, by whichever client. */
    public boolean shows(Change change) {
        boolean there = change.value().equals(properties.get(change.verb().property()));
        return there && (!change.verb().replaces() || properties.size() == 1);
    }
}
