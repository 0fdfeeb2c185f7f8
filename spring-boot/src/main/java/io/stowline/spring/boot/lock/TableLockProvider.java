package io.stowline.spring.boot.lock;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import net.javacrumbs.shedlock.support.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A provider of ShedLock over a table: one row for each lock, with {@code lockUntil}, {@code lockedAt} and {@code lockedBy}. Each write names the version
 * that was read, so that one process at a time gets the lock.
 *
 * <p>Times are those of the clocks of the processes, as ShedLock has them. A lock whose acquisition has an unknown outcome counts as that of another
 * process: its task is skipped until {@code lockAtMostFor} has passed.
 *
 * <p>Thread-safe.
 */
public final class TableLockProvider implements ExtensibleLockProvider {

    private static final Logger LOG = LoggerFactory.getLogger(TableLockProvider.class);
    private static final String ROW = "lock";
    private static final String UNTIL = "lockUntil";

    private final Table<Entity> table;

    /**
     * Makes a provider.
     *
     * @param table holds the rows of the locks
     */
    public TableLockProvider(Table<Entity> table) {
        this.table = Objects.requireNonNull(table, "table");
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        String name = configuration.getName();
        Entity row = row(configuration, configuration.getLockAtMostUntil());
        try {
            StoredEntity<Entity> stored = table.find(EncodedKey.of(name), ROW).orElse(null);
            if (stored == null) {
                return lock(configuration, table.claim(row).etag());
            }
            Instant until = stored.value().get(UNTIL, Instant.class);
            return until != null && until.isAfter(ClockProvider.now())
                    ? Optional.empty()
                    : lock(configuration, table.replace(stored.with(row)).etag());
        } catch (ConflictException | PreconditionFailedException e) {
            LOG.debug("Another process has acquired the lock '{}' first", name, e);
            return Optional.empty();
        } catch (OutcomeUnknownException e) {
            LOG.warn("The task of the lock '{}' is skipped: it is unknown which process has acquired it", name, e);
            return Optional.empty();
        } catch (StorageException e) {
            throw new LockException("The lock '" + name + "' cannot be acquired", e);
        }
    }

    /** A recovered write has no ETag if another process has written since. */
    private Optional<SimpleLock> lock(LockConfiguration configuration, String etag) {
        return etag.isEmpty() ? Optional.empty() : Optional.of(new RowLock(configuration, etag));
    }

    private static Entity row(LockConfiguration configuration, Instant until) {
        return Entity.builder(EncodedKey.of(configuration.getName()), ROW)
                .set("name", configuration.getName())
                .set(UNTIL, until)
                .set("lockedAt", ClockProvider.now())
                .set("lockedBy", Utils.getHostname())
                .build();
    }

    /** A lock that the version of its row proves. */
    private final class RowLock extends AbstractSimpleLock {

        private final String etag;

        RowLock(LockConfiguration configuration, String etag) {
            super(configuration);
            this.etag = etag;
        }

        @Override
        protected void doUnlock() {
            try {
                table.replace(StoredEntity.of(row(lockConfiguration, lockConfiguration.getUnlockTime()), etag));
            } catch (PreconditionFailedException | NotFoundException e) {
                LOG.warn(
                        "The lock '{}' was over before its task: {} is too short for it",
                        lockConfiguration.getName(),
                        lockConfiguration.getLockAtMostFor(),
                        e);
            } catch (StorageException e) {
                throw new LockException(
                        "The lock '" + lockConfiguration.getName() + "' cannot be unlocked; it ends at "
                                + lockConfiguration.getLockAtMostUntil(),
                        e);
            }
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
            if (!lockConfiguration.getLockAtMostUntil().isAfter(ClockProvider.now())) {
                return Optional.empty();
            }
            Entity row = row(extended, extended.getLockAtMostUntil());
            try {
                return lock(extended, table.replace(StoredEntity.of(row, etag)).etag());
            } catch (PreconditionFailedException | NotFoundException e) {
                LOG.debug("The lock '{}' was over before it was extended", extended.getName(), e);
                return Optional.empty();
            } catch (StorageException e) {
                throw new LockException("The lock '" + extended.getName() + "' cannot be extended", e);
            }
        }
    }
}
