package io.stowline.table;

import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.ReadOrigin;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value together with the ETag of the entity version that it was read from.
 *
 * <p>Immutable and safe to share between threads, as far as the value is.
 *
 * @param <T> the type of the value
 */
public final class StoredEntity<T> {

    private static final String ANY_VERSION = "*";

    private final T value;
    private final String etag;
    private final @Nullable Instant timestamp;
    private final ReadOrigin origin;
    private final @Nullable T before;

    private StoredEntity(T value, String etag, @Nullable Instant timestamp, ReadOrigin origin, @Nullable T before) {
        this.value = Objects.requireNonNull(value, "value");
        this.before = before;
        this.etag = checked(etag);
        this.timestamp = timestamp;
        this.origin = origin;
    }

    /**
     * Returns a value with the ETag of the version that it replaces.
     *
     * @param value the value
     * @param etag the ETag, as {@link WriteResult#etag()} or an earlier read gave it
     * @param <T> the type of the value
     * @return both
     * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header: without an ETag a conditional update
     *     would silently become an upsert
     */
    public static <T> StoredEntity<T> of(T value, String etag) {
        return new StoredEntity<>(value, etag, null, ReadOrigin.primary(), null);
    }

    /**
     * Returns a value for an unconditional update: it replaces any existing version, but never inserts.
     *
     * @param value the value
     * @param <T> the type of the value
     * @return the value with the ETag {@code *}
     */
    public static <T> StoredEntity<T> anyVersion(T value) {
        return new StoredEntity<>(value, ANY_VERSION, null, ReadOrigin.primary(), null);
    }

    /**
     * Returns a value as a read of the service gives it, for fakes of a {@link Table}.
     *
     * @param value the value
     * @param etag the ETag of the version that was read
     * @param timestamp the time of its last write, or {@code null}
     * @param origin the endpoint that was read
     * @param <T> the type of the value
     * @return the value with these facts
     * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header
     */
    public static <T> StoredEntity<T> read(T value, String etag, @Nullable Instant timestamp, ReadOrigin origin) {
        return new StoredEntity<>(value, etag, timestamp, Objects.requireNonNull(origin, "origin"), value);
    }

    /**
     * Returns the value that was read in this version, which {@link #with} keeps: an {@link IndexedTable} finds the index rows by it.
     *
     * @return the value; empty if this was not read but made by {@link #of}
     */
    public Optional<T> before() {
        return Optional.ofNullable(before);
    }

    private static String checked(String etag) {
        if (etag.isEmpty()) {
            throw new IllegalArgumentException(
                    "the ETag is empty: a conditional update needs the ETag of the version that was read");
        }
        for (int i = 0; i < etag.length(); i++) {
            char c = etag.charAt(i);
            if (c < 0x21 || c > 0x7E) {
                throw new IllegalArgumentException("the ETag has a character that cannot stand in a header (U+"
                        + Integer.toHexString(c) + " at " + i + ")");
            }
        }
        return etag;
    }

    /**
     * Returns the value.
     *
     * @return the value
     */
    public T value() {
        return value;
    }

    /**
     * Returns the version: an opaque text that the service made.
     *
     * @return the ETag, or {@code *} for any version
     */
    public String etag() {
        return etag;
    }

    /**
     * Returns when the service last wrote the entity, where the read gave it.
     *
     * @return the service's time stamp
     */
    public Optional<Instant> timestamp() {
        return Optional.ofNullable(timestamp);
    }

    /**
     * Returns where it was read from; the primary unless {@link Table#withReadPreference} or the client's builder sets another. An ETag
     * is the same in both places, so that an update of what the secondary gave fails if it is not the present version.
     *
     * @return the place, and how old it may be
     */
    public ReadOrigin origin() {
        return origin;
    }

    /**
     * Returns another value for the same version, to pass to an update.
     *
     * @param changed the value to write
     * @return it, with this ETag
     */
    public StoredEntity<T> with(T changed) {
        return new StoredEntity<>(changed, etag, timestamp, origin, before);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredEntity<?> that && value.equals(that.value) && etag.equals(that.etag);
    }

    @Override
    public int hashCode() {
        return 31 * value.hashCode() + etag.hashCode();
    }

    @Override
    public String toString() {
        return PrintableText.of("Stored[" + value + ", etag=" + etag + "]");
    }
}
