package io.stowline.table.internal.transfer;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.ScanPolicy;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.Transaction;
import io.stowline.table.internal.format.FileEntity;
import io.stowline.table.internal.format.RejectedLine;
import io.stowline.table.internal.operation.DefaultTransaction;
import io.stowline.table.internal.range.OutagePatience;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.transfer.RowGroup.PlannedRow;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.ImportMode.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A writer of groups of rows, each until it is certain what became of every row. Where the state of an entity decides, because an insert met
 * an existing one or an outcome is unknown, it reads the entities and compares contents: so a group can be written again at any time.
 * Thread-safe.
 */
final class RowWriter {

    /** The time for rows that another client writes again and again. */
    private static final Duration CONTEST = Duration.ofMinutes(3);

    /** The rows of one page: beyond them a range may have many entities that no row of the group is about. */
    private static final int RANGE_ROWS = 1_000;

    private final Table<Entity> target;
    private final ImportMode mode;
    private final boolean dryRun;
    private final TableService service;
    private final AtomicBoolean reached = new AtomicBoolean();

    RowWriter(Table<Entity> target, ImportMode mode, boolean dryRun, TableService service) {
        this.target = target.withScanPolicy(ScanPolicy.ALLOW);
        this.mode = mode;
        this.dryRun = dryRun;
        this.service = service;
    }

    /**
     * The result of a group.
     *
     * @param covered the rows of the source that it covers
     * @param tally its figures
     * @param rejected the lines of rejected rows with their reasons, in the order of the rows
     */
    record GroupResult(CoveredRows covered, PartTally tally, List<byte[]> rejected) {}

    GroupResult write(RowGroup group) {
        return new Settlement(group).settle();
    }

    /** The settlement of one group. For one thread. */
    private final class Settlement {

        private final RowGroup group;
        private final IdentityHashMap<PlannedRow, String> reasons = new IdentityHashMap<>();
        private final OutagePatience outage = new OutagePatience(service.timer(), service::pause, reached);
        private @Nullable Deadline contest;
        private long written;
        private long unchanged;
        private boolean compares = mode.rule() == Rule.REPLACE_IF_NEWER && !dryRun;

        Settlement(RowGroup group) {
            this.group = group;
        }

        GroupResult settle() {
            List<PlannedRow> open = new ArrayList<>(group.rows());
            open.removeIf(row -> row.entity() == null);
            while (!open.isEmpty()) {
                open = attempt(open);
            }
            List<byte[]> rejected = new ArrayList<>();
            for (PlannedRow row : group.rows()) {
                String reason = row.entity() == null ? row.reason() : reasons.get(row);
                if (reason != null) {
                    rejected.add(RejectedLine.of(row.row(), reason));
                }
            }
            reasons.keySet().forEach(row -> group.tally().refused(row.known().line()));
            group.tally().settled(written, unchanged, rejected.size());
            return new GroupResult(group.covered(), group.tally(), rejected);
        }

        /** Returns the rows that are still open. */
        private List<PlannedRow> attempt(List<PlannedRow> open) {
            Map<String, StoredEntity<Entity>> existing;
            try {
                existing = compares ? existing(open) : Map.of();
            } catch (StorageException e) {
                outage.await(e);
                return open;
            }
            Transaction<Entity> transaction = target.transaction(group.partition());
            List<PlannedRow> sent = new ArrayList<>();
            for (PlannedRow row : open) {
                if (adds(transaction, row, existing.get(row.known().key().rowKey()))) {
                    sent.add(row);
                }
            }
            if (!sent.isEmpty() && !dryRun) {
                try {
                    transaction.commit();
                } catch (TransactionFailedException e) {
                    StorageException refusal = (StorageException) Objects.requireNonNull(e.getCause(), "the cause");
                    return afterRefusal(sent, sent.get(e.index()), refusal);
                } catch (BadRequestException | ConflictException | PreconditionFailedException | NotFoundException e) {
                    if (sent.size() > 1) {
                        throw e;
                    }
                    return afterRefusal(sent, sent.get(0), e);
                } catch (PredecessorUnknownException | StorageException e) {
                    // an attempt of these rows may still take effect, or none was carried out
                    outage.await(e);
                    compares = mode.rule() == Rule.INSERT_ONLY || mode.rule() == Rule.REPLACE_IF_NEWER;
                    return sent;
                }
                outage.over();
            }
            written += sent.size();
            return List.of();
        }

        private boolean adds(Transaction<Entity> transaction, PlannedRow row, @Nullable StoredEntity<Entity> stored) {
            FileEntity entity = row.known();
            try {
                switch (mode.rule()) {
                    case MERGE -> add(transaction, EntityVerb.INSERT_OR_MERGE, entity);
                    case REPLACE -> add(transaction, EntityVerb.INSERT_OR_REPLACE, entity);
                    case INSERT_ONLY -> {
                        if (stored != null) {
                            keep(row, entity.entity().equals(stored.value()));
                            return false;
                        }
                        add(transaction, EntityVerb.INSERT, entity);
                    }
                    case REPLACE_IF_NEWER -> {
                        return addsNewer(transaction, row, stored);
                    }
                }
                return true;
            } catch (IllegalArgumentException e) {
                reasons.put(row, String.valueOf(e.getMessage()));
                return false;
            }
        }

        /** A line that was scanned is the body of its operation. */
        private static void add(Transaction<Entity> transaction, EntityVerb verb, FileEntity row) {
            if (row.scanned() && transaction instanceof DefaultTransaction<Entity> own) {
                own.add(verb, row.key(), row.line(), row.markable());
                return;
            }
            switch (verb) {
                case INSERT -> transaction.insert(row.entity());
                case INSERT_OR_MERGE -> transaction.insertOrMerge(row.entity());
                case INSERT_OR_REPLACE -> transaction.insertOrReplace(row.entity());
                case MERGE, REPLACE, DELETE ->
                    throw new IllegalArgumentException(verb + " needs an entity that was read");
            }
        }

        private void keep(PlannedRow row, boolean equal) {
            if (equal) {
                unchanged++;
            } else {
                reasons.put(row, "an entity with these keys and other properties exists");
            }
        }

        private boolean addsNewer(
                Transaction<Entity> transaction, PlannedRow row, @Nullable StoredEntity<Entity> stored) {
            Entity entity = row.known().entity();
            String property = mode.property().orElseThrow();
            Object given = value(entity, entity.timestamp(), property);
            if (!(given instanceof Comparable)) {
                reasons.put(row, "the row has no property " + property + " that has an order");
                return false;
            }
            if (stored == null) {
                transaction.insert(entity);
                return true;
            }
            Object present = value(stored.value(), stored.timestamp().orElse(null), property);
            if (present != null && present.getClass() != given.getClass()) {
                reasons.put(
                        row,
                        "the property " + property + " is of another type in the entity, so that neither is newer");
                return false;
            }
            if (present != null && compare(given, present) <= 0) {
                unchanged++;
                return false;
            }
            transaction.replace(stored.with(entity));
            return true;
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // both are of one class, which is comparable to itself
        private int compare(Object given, Object present) {
            return ((Comparable) given).compareTo(present);
        }

        private @Nullable Object value(Entity entity, @Nullable Instant timestamp, String property) {
            return property.equals(PropertyNames.TIMESTAMP) ? timestamp : entity.get(property);
        }

        private List<PlannedRow> afterRefusal(List<PlannedRow> sent, PlannedRow row, StorageException refusal) {
            boolean inserts = mode.rule() == Rule.INSERT_ONLY || mode.rule() == Rule.REPLACE_IF_NEWER;
            boolean met = refusal instanceof ConflictException
                    || refusal instanceof PreconditionFailedException
                    || (refusal instanceof NotFoundException missing && !missing.isContainerMissing() && compares);
            outage.over();
            if (inserts && met && isContested()) {
                compares = true;
                return sent;
            }
            if (!(refusal instanceof BadRequestException)) {
                throw refusal;
            }
            reasons.put(
                    row,
                    "the service refuses the row: "
                            + Optional.ofNullable(refusal.failure().errorCode())
                                    .orElseGet(() ->
                                            String.valueOf(refusal.failure().status())));
            List<PlannedRow> rest = new ArrayList<>(sent);
            rest.remove(row);
            return rest;
        }

        private boolean isContested() {
            Deadline known = contest;
            if (known == null) {
                known = Deadline.in(CONTEST, service.timer());
                contest = known;
            }
            return !known.expired();
        }
    }

    /** One page of the range from the first to the last row, and point reads for what lies behind it. */
    private Map<String, StoredEntity<Entity>> existing(List<PlannedRow> rows) {
        Map<String, StoredEntity<Entity>> found = new LinkedHashMap<>();
        String partition = rows.get(0).known().key().partitionKey();
        String last = rows.get(rows.size() - 1).known().key().rowKey();
        Filter range = Filter.rowKey()
                .atLeast(rows.get(0).known().key().rowKey())
                .and(Filter.rowKey().atMost(last));
        int read = 0;
        String reached = "";
        try (Stream<StoredEntity<Entity>> entities = target.query()
                .partition(partition)
                .where(range)
                .limit(RANGE_ROWS)
                .streamStored()) {
            for (StoredEntity<Entity> stored : (Iterable<StoredEntity<Entity>>) entities::iterator) {
                reached = stored.value().rowKey();
                found.put(reached, stored);
                read++;
            }
        }
        if (read == RANGE_ROWS) {
            String from = reached;
            List<EntityKey> behind = rows.stream()
                    .map(row -> row.known().key().rowKey())
                    .filter(key -> key.compareTo(from) > 0)
                    .map(key -> new EntityKey(partition, key))
                    .toList();
            target.findAll(behind).forEach(stored -> found.put(stored.value().rowKey(), stored));
        }
        return found;
    }
}
