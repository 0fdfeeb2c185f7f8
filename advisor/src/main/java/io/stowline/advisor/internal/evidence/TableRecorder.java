package io.stowline.advisor.internal.evidence;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptEvent.Condition;
import io.stowline.observe.AttemptReason;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Attempts at tables: the load of partitions, the order of keys, and the reads and writes of the same entity. Not thread-safe. */
final class TableRecorder {

    private static final int ENTITIES_REMEMBERED = 4_096;
    private static final int REFUSALS_REMEMBERED = 512;
    private static final int PARTITIONS_REMEMBERED = 2_048;

    /** A write after a read within this time decides by it. */
    private static final long DECISION_MILLIS = 10_000;

    private static final long SHARING_MILLIS = 1_000;
    private static final int MAX_DIGITS = 19;
    private static final Set<String> TOO_LARGE =
            Set.of("EntityTooLarge", "RequestBodyTooLarge", "PropertyValueTooLarge", "TooManyProperties");

    private final KeyedHash hash;
    private final Containers containers;
    private final KeyTexts keys;
    private final RecentKeys reads = new RecentKeys(ENTITIES_REMEMBERED);
    private final RecentKeys refusals = new RecentKeys(REFUSALS_REMEMBERED);
    private final RecentKeys writes = new RecentKeys(PARTITIONS_REMEMBERED);
    private final RecentKeys transactions = new RecentKeys(PARTITIONS_REMEMBERED);

    TableRecorder(KeyedHash hash, Containers containers, KeyTexts keys) {
        this.hash = hash;
        this.containers = containers;
        this.keys = keys;
    }

    void add(AttemptEvent event, EvidencePart part, int table, long entities, long bytes, boolean throttled, long now) {
        boolean done = event.reason() == AttemptReason.SUCCESS;
        part.add(Tally.TABLE_ATTEMPTS);
        part.add(Tally.TABLE_THROTTLED, throttled ? 1 : 0);
        part.add(Tally.ENTITIES, entities);
        if (event.operation().equals("transaction")) {
            addTransaction(event, part, done);
        }
        addForm(event, part, done);
        String code = event.errorCode();
        part.add(Tally.SIZE_REFUSALS, code != null && TOO_LARGE.contains(code) ? 1 : 0);
        if (table != Containers.NONE && event.write() && done) {
            containers.see(table, entities);
        }
        String partition = event.partition();
        if (table == Containers.NONE || partition == null) {
            return;
        }
        long key = hash.of(containers.hash(table), partition);
        keys.put(key, partition);
        part.partitions.add(key, table, entities, throttled, bytes);
        String row = event.row();
        long entity = row == null ? 0 : hash.of(key, row);
        if (done && event.operation().equals("transaction")) {
            part.add(Tally.SHARED_TRANSACTIONS, transactions.hasSince(key, now - SHARING_MILLIS) ? 1 : 0);
            transactions.put(key, 0, now);
            part.sharedWrites.addBeside(key, entities);
        }
        if (event.write() && done) {
            addPartitionWrite(part, table, partition, key, entities, now);
        }
        if (row == null) {
            return;
        }
        if (event.write()) {
            addWrite(event, part, table, key, entity, done, now);
            addRowKey(part, table, row);
        } else if (event.caller().equals(event.operation())) {
            addRead(event, part, entity, now);
        }
        if (event.write() && done) {
            writes.put(key, entity, now);
        }
    }

    private static void addForm(AttemptEvent event, EvidencePart part, boolean done) {
        String accept = event.accept();
        if (!event.write() && done && accept != null) {
            boolean light = accept.contains("nometadata") || accept.contains("minimalmetadata");
            part.add(light ? Tally.LIGHT_READS : Tally.HEAVY_READS);
        }
    }

    private static void addTransaction(AttemptEvent event, EvidencePart part, boolean done) {
        part.add(Tally.TRANSACTIONS, done ? 1 : 0);
        part.add(Tally.TRANSACTION_ENTITIES, done ? event.entities() : 0);
        // The largest entity is at least as large as the average.
        part.addEntity(event.bytesSent() / Math.max(1, event.entities()));
        boolean late = event.reason() == AttemptReason.TIMEOUT || "OperationTimedOut".equals(event.errorCode());
        part.add(Tally.TRANSACTION_TIMEOUTS, late ? 1 : 0);
    }

    private void addPartitionWrite(EvidencePart part, int table, String partition, long key, long entities, long now) {
        part.containers.add(table, ContainerTally.WRITES, entities);
        if (!writes.hasSince(key, Long.MIN_VALUE)) {
            part.containers.add(table, ContainerTally.NEW_PARTITIONS, 1);
            writes.put(key, 0, now - SHARING_MILLIS - 1);
        }
        addKey(part, containers.range(table), table, partition, entities, now);
    }

    /** Adds the place of a key in the range of those before. */
    static void addKey(EvidencePart part, KeyOrder range, int container, String key, long entities, long now) {
        if (!range.takes(key)) {
            return;
        }
        part.containers.add(container, ContainerTally.RISES, range.rises(key) ? 1 : 0);
        part.containers.add(container, ContainerTally.FALLS, range.falls(key) ? 1 : 0);
        switch (range.add(key, now)) {
            case END -> part.containers.add(container, ContainerTally.AT_END, entities);
            case START -> part.containers.add(container, ContainerTally.AT_START, entities);
            case BOTH -> {
                part.containers.add(container, ContainerTally.AT_END, entities);
                part.containers.add(container, ContainerTally.AT_START, entities);
            }
            case WITHIN -> {}
        }
    }

    private void addWrite(
            AttemptEvent event, EvidencePart part, int table, long partition, long entity, boolean done, long now) {
        part.addEntity(event.bytesSent());
        if (event.operation().equals("insert") && event.status() == 409) {
            refusals.put(entity, 0, now);
        }
        if (!done) {
            return;
        }
        part.add(Tally.SINGLE_WRITES);
        part.singleWrites.add(event.elapsedNanos());
        if (writes.hasSince(partition, now - SHARING_MILLIS) && writes.value(partition) != entity) {
            part.add(Tally.SHARED_WRITES);
            long micros = event.elapsedNanos() / 1_000;
            part.containers.add(table, ContainerTally.SHARED_MICROS, micros);
            part.sharedWrites.add(partition, table, micros, false, 0);
        }
        boolean read = reads.hasSince(entity, now - DECISION_MILLIS);
        boolean refused = refusals.hasSince(entity, now - DECISION_MILLIS);
        boolean decides =
                event.condition() == Condition.NONE && !event.operation().equals("delete");
        if (decides && (read || refused) && !isPartOfAnother(event)) {
            part.add(Tally.DECIDED_WRITES);
        }
        reads.remove(entity);
        refusals.remove(entity);
    }

    private static boolean isPartOfAnother(AttemptEvent event) {
        return !event.caller().equals(event.operation());
    }

    private void addRead(AttemptEvent event, EvidencePart part, long entity, long now) {
        boolean found = event.reason() == AttemptReason.SUCCESS && event.status() == 200;
        if (!found && event.reason() != AttemptReason.ABSENT) {
            return;
        }
        long etag = etag(event.etag(), hash);
        if (found && event.condition() == Condition.NONE) {
            addFetch(event, part, reads, entity, etag);
        }
        reads.put(entity, etag, now);
    }

    /** Adds a read of a whole entity or blob, which may have had the ETag before. */
    static void addFetch(AttemptEvent event, EvidencePart part, RecentKeys reads, long key, long etag) {
        part.add(Tally.READS);
        if (etag != 0 && reads.hasSince(key, Long.MIN_VALUE) && reads.value(key) == etag) {
            part.add(Tally.UNCHANGED_READS);
            part.add(Tally.UNCHANGED_BYTES, event.bytesReceived());
        }
    }

    static long etag(@Nullable String etag, KeyedHash hash) {
        return etag == null ? 0 : hash.of(0, etag);
    }

    private static void addRowKey(EvidencePart part, int table, String row) {
        part.containers.add(table, ContainerTally.ROW_KEYS, 1);
        if (isNumber(row)) {
            part.containers.add(table, ContainerTally.NUMERIC_KEYS, 1);
            part.addKeyLength(table, row.length());
        }
    }

    private static boolean isNumber(String row) {
        if (row.isEmpty() || row.length() > MAX_DIGITS || (row.charAt(0) == '0' && row.length() > 1)) {
            return false;
        }
        for (int i = 0; i < row.length(); i++) {
            if (row.charAt(i) < '0' || row.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
