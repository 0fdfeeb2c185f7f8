package io.stowline.table.internal.range;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.transfer.TableTransferSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The part of a table or a file that takes part in a transfer. Immutable. */
public record TransferScope(TableTransferSettings settings) {

    /**
     * Refuses settings that do not serve a transfer.
     *
     * @param verb names the transfer
     * @param names the settings that serve it
     * @throws IllegalArgumentException naming those that do not
     */
    public void only(String verb, Set<String> names) {
        Set<String> others = new TreeSet<>(settings.names());
        others.removeAll(names);
        if (!others.isEmpty()) {
            throw new IllegalArgumentException(verb + " takes no " + String.join(", ", others) + "; it takes "
                    + String.join(", ", new TreeSet<>(names)));
        }
    }

    /** Returns the keys that take part, without conditions on other properties: a probe must not scan for a match. */
    Query<Entity> keys(Table<Entity> table) {
        Query<Entity> query = table.withScanPolicy(ScanPolicy.ALLOW).query();
        if (settings.partition().isPresent()) {
            query = query.partition(settings.partition().get());
        }
        if (settings.partitionPrefix().isPresent()) {
            query = query.where(
                    Filter.partitionKey().startsWith(settings.partitionPrefix().get()));
        }
        if (settings.rowPrefix().isPresent()) {
            query = query.rowPrefix(settings.rowPrefix().get());
        }
        return query;
    }

    /** Returns the entities that take part. */
    public Query<Entity> entities(Table<Entity> table) {
        Query<Entity> query = keys(table);
        if (settings.where().isPresent()) {
            query = query.where(settings.where().get());
        }
        return settings.select().isEmpty() ? query : query.select(fetched().toArray(String[]::new));
    }

    /** A file has the Timestamp of each entity, whatever is selected. */
    private List<String> fetched() {
        List<String> fetched = new ArrayList<>(settings.select());
        fetched.add("Timestamp");
        return fetched;
    }

    /**
     * Returns the test whether an entity of a file takes part: the service does not filter it.
     *
     * @throws IllegalArgumentException if the condition has more than comparisons, {@code and}, {@code or} and {@code not}
     */
    public Predicate<Entity> rows() {
        Predicate<Entity> keys = this::includesKeys;
        return settings.where()
                .map(filter -> keys.and(RowCondition.of(filter.toString())))
                .orElse(keys);
    }

    private boolean includesKeys(Entity entity) {
        return settings.partition().map(entity.partitionKey()::equals).orElse(true)
                && settings.partitionPrefix()
                        .map(entity.partitionKey()::startsWith)
                        .orElse(true)
                && settings.rowPrefix().map(entity.rowKey()::startsWith).orElse(true);
    }

    /** Returns an entity of a file with the properties that take part. */
    public Entity selected(Entity entity) {
        if (settings.select().isEmpty()) {
            return entity;
        }
        Map<String, Object> properties = new LinkedHashMap<>(entity.properties());
        properties.keySet().retainAll(settings.select());
        return Entity.read(entity.partitionKey(), entity.rowKey(), properties, entity.timestamp());
    }

    /** Returns the scope as text, empty for all. */
    public String text() {
        StringBuilder text = new StringBuilder();
        settings.partition()
                .ifPresent(key -> text.append("partition ").append(quoted(key)).append("; "));
        settings.partitionPrefix()
                .ifPresent(prefix ->
                        text.append("partitionPrefix ").append(quoted(prefix)).append("; "));
        settings.rowPrefix()
                .ifPresent(prefix ->
                        text.append("rowPrefix ").append(quoted(prefix)).append("; "));
        settings.where()
                .ifPresent(filter ->
                        text.append("where ").append(quoted(filter.toString())).append("; "));
        if (!settings.select().isEmpty()) {
            text.append("select ").append(settings.select()).append("; ");
        }
        return text.toString();
    }

    /** Returns a value in quotes, so that no value can look like several settings. */
    public static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
