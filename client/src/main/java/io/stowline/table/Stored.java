package io.stowline.table;

import io.stowline.transport.ReadOrigin;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value together with the version of the entity that it was read from.
 *
 * <p>Immutable and safe to share between threads, as far as the value is.
 *
 * @param <T> the type of the value
 */
public final class Stored<T> {

    private static final String ANY_VERSION = "*";

    private final T value;
    private final String etag;
    private final @Nullable Instant timestamp;
    private final ReadOrigin origin;

    private Stored(T value, String etag, @Nullable Instant timestamp, ReadOrigin origin) {
        this.value = Objects.requireNonNull(value, "value");
        this.etag = checked(etag);
        this.timestamp = timestamp;
        this.origin = origin;
    }

    /**
     * A value with the ETag of the version that it takes the place of.
     *
     * @param value the value
     * @param etag the ETag, as {@link Written#etag()} or an earlier read gave it
     * @param <T> the type of the value
     * @return both
     * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header: without an ETag a conditional update
     *     would silently become an upsert
     */
    public static <T> Stored<T> of(T value, String etag) {
        return new Stored<>(value, etag, null, ReadOrigin.primary());
    }

    /**
     * A value that takes the place of whatever version there is, but not of none: for unconditional updates.
     *
     * @param value the value
     * @param <T> the type of the value
     * @return the value with the ETag {@code *}
     */
    public static <T> Stored<T> anyVersion(T value) {
        return new Stored<>(value, ANY_VERSION, null, ReadOrigin.primary());
    }

    static <T> Stored<T> read(T value, String etag, @Nullable Instant timestamp) {
        return new Stored<>(value, etag, timestamp, ReadOrigin.primary());
    }

    Stored<T> from(ReadOrigin place) {
        return place.secondary() ? new Stored<>(value, etag, timestamp, place) : this;
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
     * The value.
     *
     * @return the value
     */
    public T value() {
        return value;
    }

    /**
     * The version: an opaque text that the service made.
     *
     * @return the ETag, or {@code *} for any version
     */
    public String etag() {
        return etag;
    }

    /**
     * When the service last wrote the entity, where the read gave it.
     *
     * @return the service's time stamp
     */
    public Optional<Instant> timestamp() {
        return Optional.ofNullable(timestamp);
    }

    /**
     * Where it was read from; the primary unless {@link Table#readFrom} or the client's builder says otherwise. An ETag is the same in both
     * places, so that an update of what the secondary gave fails if it is not the present version.
     *
     * @return the place, and how old it may be
     */
    public ReadOrigin origin() {
        return origin;
    }

    /**
     * Another value for the same version: what to hand to an update.
     *
     * @param changed the value to write
     * @return it, with this ETag
     */
    public Stored<T> with(T changed) {
        return new Stored<>(changed, etag, timestamp, origin);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Stored<?> that && value.equals(that.value) && etag.equals(that.etag);
    }

    @Override
    public int hashCode() {
        return 31 * value.hashCode() + etag.hashCode();
    }

    @Override
    public String toString() {
        return "Stored[" + value + ", etag=" + etag + "]";
    }
}
