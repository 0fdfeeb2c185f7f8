package io.stowline.table.internal.range;

import io.stowline.error.StorageException;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Query;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entities of queries one after the other, which are read again behind the last entity after an outage. For one thread, but closing, which
 * ends the reading of another thread with an error.
 */
public final class PatientEntities implements Iterator<Entity>, AutoCloseable {

    private final Function<@Nullable EntityKey, List<Query<Entity>>> planner;
    private final OutagePatience patience;
    private final Deque<Query<Entity>> queries = new ArrayDeque<>();
    private @Nullable EntityKey last;
    private volatile @Nullable Stream<Entity> stream;
    private volatile boolean closed;
    private Iterator<Entity> each = Stream.<Entity>empty().iterator();

    /**
     * Plans the first queries; nothing is sent.
     *
     * @param planner gives the queries behind a key, in the order of the keys
     * @param last the key of the entity before; {@code null} for none
     */
    public PatientEntities(
            Function<@Nullable EntityKey, List<Query<Entity>>> planner,
            @Nullable EntityKey last,
            OutagePatience patience) {
        this.planner = planner;
        this.last = last;
        this.patience = patience;
        queries.addAll(planner.apply(last));
    }

    @Override
    public boolean hasNext() {
        while (true) {
            try {
                while (!each.hasNext()) {
                    endQuery();
                    if (queries.isEmpty()) {
                        return false;
                    }
                    Stream<Entity> opened = queries.remove().stream();
                    stream = opened;
                    requireOpen();
                    each = opened.iterator();
                }
                requireOpen();
                return true;
            } catch (StorageException failure) {
                endQuery();
                patience.await(failure);
                queries.clear();
                queries.addAll(planner.apply(last));
            }
        }
    }

    @Override
    public Entity next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all entities have been read");
        }
        Entity entity = each.next();
        last = new EntityKey(entity.partitionKey(), entity.rowKey());
        patience.over();
        return entity;
    }

    private void endQuery() {
        each = Stream.<Entity>empty().iterator();
        closeStream();
        requireOpen();
    }

    private void requireOpen() {
        if (closed) {
            closeStream();
            throw new IllegalStateException("the entities were closed while they were read");
        }
    }

    private void closeStream() {
        Stream<Entity> open = stream;
        stream = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        closeStream();
    }
}
