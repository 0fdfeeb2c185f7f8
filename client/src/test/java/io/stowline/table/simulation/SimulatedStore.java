package io.stowline.table.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.stowline.table.internal.request.EntityVerb;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** One table of the service: its entities with their versions, and all that ever happened to them. */
final class SimulatedStore {

    /** An operation with this text is refused. */
    static final String INVALID = "invalid";

    private final Scheduler time;
    private final Instant start;
    private final Map<SimulatedKey, Row> rows = new LinkedHashMap<>();
    private final Map<SimulatedKey, List<Event>> events = new LinkedHashMap<>();
    private boolean gone;
    private long versions;

    SimulatedStore(Scheduler time, Instant start) {
        this.time = time;
        this.start = start;
    }

    /** An entity as it is now. */
    record Row(String etag, Instant timestamp, Map<String, JsonNode> properties) {}

    /** The refused operation, and the reason. */
    record Refused(int index, Refusal why) {}

    /** Returns the reason that would keep these from being carried out, or {@code null}. */
    @Nullable
    Refused refusal(List<StoreChange> changes) {
        for (int i = 0; i < changes.size(); i++) {
            Refusal why = gone
                    ? Refusal.NO_TABLE
                    : refusal(changes.get(i), rows.get(changes.get(i).key()));
            if (why != null) {
                return new Refused(i, why);
            }
        }
        return null;
    }

    private static @Nullable Refusal refusal(StoreChange change, @Nullable Row row) {
        JsonNode text = change.properties().get("text");
        if (text != null && text.asText().equals(INVALID)) {
            return Refusal.INVALID;
        }
        return switch (change.verb()) {
            case INSERT -> row == null ? null : Refusal.EXISTS;
            case INSERT_OR_MERGE, INSERT_OR_REPLACE -> null;
            default -> {
                if (row == null) {
                    yield Refusal.MISSING;
                }
                yield "*".equals(change.ifMatch()) || row.etag().equals(change.ifMatch()) ? null : Refusal.CHANGED;
            }
        };
    }

    /** Carries these out, which nothing keeps from it; {@code skew} is how far off the clock of the machine is that does it. */
    List<String> apply(List<StoreChange> changes, long skewMillis) {
        return changes.stream().map(change -> apply(change, skewMillis)).toList();
    }

    private String apply(StoreChange change, long skewMillis) {
        Row row = rows.get(change.key());
        if (change.verb() == EntityVerb.DELETE) {
            rows.remove(change.key());
            return noted(change, "", null);
        }
        Map<String, JsonNode> properties = new LinkedHashMap<>();
        boolean merges = change.verb() == EntityVerb.MERGE || change.verb() == EntityVerb.INSERT_OR_MERGE;
        if (row != null && merges) {
            properties.putAll(row.properties());
        }
        properties.putAll(change.properties());
        Instant now = instant().plusMillis(skewMillis);
        Instant timestamp = row == null || row.timestamp().isBefore(now)
                ? now
                : row.timestamp().plusNanos(100);
        String etag = "W/\"v" + ++versions + "\"";
        rows.put(change.key(), new Row(etag, timestamp, properties));
        return noted(change, etag, properties);
    }

    private String noted(StoreChange change, String etag, @Nullable Map<String, JsonNode> after) {
        events.computeIfAbsent(change.key(), key -> new ArrayList<>()).add(new Event(now(), change, etag, after));
        return etag;
    }

    /** The table is dropped. */
    void drop() {
        gone = true;
        List.copyOf(rows.keySet()).forEach(key -> apply(new StoreChange(EntityVerb.DELETE, key, "*", Map.of(), 0), 0));
    }

    /** The table is made again, empty. */
    void create() {
        gone = false;
    }

    boolean isGone() {
        return gone;
    }

    @Nullable
    Row row(SimulatedKey key) {
        return rows.get(key);
    }

    List<Event> history(SimulatedKey key) {
        return events.getOrDefault(key, List.of());
    }

    Iterable<List<Event>> histories() {
        return events.values();
    }

    long now() {
        return time.now(TimeUnit.NANOSECONDS);
    }

    Instant instant() {
        return start.plusNanos(now());
    }
}
