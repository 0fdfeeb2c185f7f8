package io.stowline.spring.boot.lock;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.util.Assert;

/**
 * A metadata store of Spring Integration over a table: one partition for each key, with the text in its row. Each method is atomic, by the version of the row.
 *
 * <p>A text has up to 65,536 characters, a key up to 1,024. A write whose outcome stays unknown is an {@link io.stowline.error.OutcomeUnknownException}: {@link #putIfAbsent}
 * returns {@code null} only if this call has stored the text.
 *
 * <p>Thread-safe.
 */
public final class TableMetadataStore implements ConcurrentMetadataStore {

    private static final String ROW = "metadata";
    private static final String VALUE = "value";
    private static final int MAX_LENGTH = 65_536;

    /** A property has up to 32,768 characters; a pair of surrogates stays together. */
    private static final int MAX_PART = 32_000;

    private final Table<Entity> table;

    /**
     * Makes a store.
     *
     * @param table holds the texts
     */
    public TableMetadataStore(Table<Entity> table) {
        this.table = Objects.requireNonNull(table, "table");
    }

    @Override
    public void put(String key, String value) {
        table.insertOrReplace(row(key, value));
    }

    @Override
    public @Nullable String get(String key) {
        return find(key).map(TableMetadataStore::text).orElse(null);
    }

    @Override
    public @Nullable String remove(String key) {
        while (true) {
            StoredEntity<Entity> stored = find(key).orElse(null);
            if (stored == null) {
                return null;
            }
            try {
                table.delete(stored);
                return text(stored);
            } catch (PreconditionFailedException changed) {
                // The text that is there now is removed.
            } catch (NotFoundException removed) {
                return null;
            }
        }
    }

    @Override
    public @Nullable String putIfAbsent(String key, String value) {
        Entity row = row(key, value);
        while (true) {
            try {
                table.claim(row);
                return null;
            } catch (ConflictException present) {
                Optional<StoredEntity<Entity>> stored = find(key);
                if (stored.isPresent()) {
                    return text(stored.get());
                }
            }
        }
    }

    @Override
    public boolean replace(String key, String oldValue, String newValue) {
        Assert.notNull(oldValue, "'oldValue' must not be null");
        Entity row = row(key, newValue);
        while (true) {
            StoredEntity<Entity> stored = find(key).orElse(null);
            if (stored == null || !text(stored).equals(oldValue)) {
                return false;
            }
            try {
                table.replace(stored.with(row));
                return true;
            } catch (PreconditionFailedException changed) {
                // Another text, or the same one again.
            } catch (NotFoundException removed) {
                return false;
            }
        }
    }

    private Optional<StoredEntity<Entity>> find(String key) {
        Assert.notNull(key, "'key' must not be null");
        return table.find(EncodedKey.of(key), ROW);
    }

    private static Entity row(String key, String value) {
        Assert.notNull(key, "'key' must not be null");
        Assert.notNull(value, "'value' must not be null");
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the value of the key '" + key + "' has " + value.length()
                    + " characters; a metadata store over a table has values of up to " + MAX_LENGTH);
        }
        Entity.Builder row = Entity.builder(EncodedKey.of(key), ROW).set("key", key);
        int part = 0;
        int from = 0;
        do {
            int to = Math.min(value.length(), from + MAX_PART);
            if (to < value.length() && Character.isLowSurrogate(value.charAt(to))) {
                to--;
            }
            row.set(property(part++), value.substring(from, to));
            from = to;
        } while (from < value.length());
        return row.build();
    }

    private static String property(int part) {
        return part == 0 ? VALUE : VALUE + part;
    }

    private static String text(StoredEntity<Entity> stored) {
        StringBuilder text = new StringBuilder();
        for (int part = 0; stored.value().get(property(part)) instanceof String value; part++) {
            text.append(value);
        }
        return text.toString();
    }
}
