package io.stowline.spring.boot.web;

import io.stowline.table.StoredEntity;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/**
 * The strong entity tag of a version, as HTTP's {@code ETag} and {@code If-Match} have it (RFC 9110).
 *
 * <p>The table service marks its ETags as weak, {@code W/"datetime'..'"}, and {@code If-Match} compares strong tags only. A handler that makes the same
 * bytes of the same version each time may call them strong: this tag is that of the service without the mark. Blobs have strong ones already.
 *
 * <pre>{@code
 * @RestController
 * class RunnerController {
 *     Table<Runner> runners;
 *
 *     @GetMapping("/{race}/{bib}")
 *     ResponseEntity<Runner> get(@PathVariable String race, @PathVariable String bib) {
 *         return EntityTag.ok(runners.find(race, bib));
 *     }
 *
 *     @PostMapping("/")
 *     ResponseEntity<Void> add(@RequestBody Runner runner) {
 *         WriteResult written = runners.insert(runner);
 *         return ResponseEntity.noContent().headers(EntityTag.of(written.etag())).build();
 *     }
 * }
 * }</pre>
 *
 * @param value the tag in its quotation marks; empty if the version is not known
 */
public record EntityTag(String value) implements Consumer<HttpHeaders> {

    static final String WEAK = "W/";
    private static final char QUOTE = '"';

    /**
     * Checks a tag.
     *
     * @param value the tag in its quotation marks, or an empty text
     * @throws IllegalArgumentException if it is no strong tag
     */
    public EntityTag {
        Objects.requireNonNull(value, "value");
        if (!value.isEmpty() && end(value, 0) != value.length()) {
            throw new IllegalArgumentException("an entity tag is a text in quotation marks, not " + value);
        }
    }

    /**
     * Returns the tag of a version of the service.
     *
     * @param etag the ETag of an entity, a blob or a write; empty where a write does not know it
     * @return the tag; unknown if the ETag is empty
     * @throws IllegalArgumentException if it is {@code *} or no ETag
     */
    public static EntityTag of(String etag) {
        String opaque = etag.startsWith(WEAK) ? etag.substring(WEAK.length()) : etag;
        if (opaque.equals("*")) {
            throw new IllegalArgumentException("the ETag * stands for any version, and is the tag of none");
        }
        return new EntityTag(opaque);
    }

    /**
     * Returns the tag of an entity that was read.
     *
     * @param stored the entity
     * @return the tag
     */
    public static EntityTag of(StoredEntity<?> stored) {
        return of(stored.etag());
    }

    /**
     * Returns the response to a {@code GET}: the value with its tag. Spring MVC sends a 304 without the value if the tag is among those of {@code
     * If-None-Match}.
     *
     * @param stored the entity
     * @param <T> its type
     * @return the response
     */
    public static <T> ResponseEntity<T> ok(StoredEntity<T> stored) {
        return ResponseEntity.ok().headers(of(stored)).body(stored.value());
    }

    /**
     * Returns the response to a {@code GET} as {@link #ok(StoredEntity)} does.
     *
     * @param stored the entity, if it was found
     * @param <T> its type
     * @return the response
     * @throws ProblemException if there is none: a 404
     */
    public static <T> ResponseEntity<T> ok(Optional<StoredEntity<T>> stored) {
        return ok(found(stored));
    }

    static <T> StoredEntity<T> found(Optional<StoredEntity<T>> stored) {
        return stored.orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, ProblemType.NOT_FOUND.detail()));
    }

    /**
     * Returns whether the version is known. A recovered write may not know its version: the client reads it.
     *
     * @return false if {@link #value} is empty
     */
    public boolean isKnown() {
        return !value.isEmpty();
    }

    /**
     * Sets {@code ETag}, if the version is known: {@code ResponseEntity.noContent().headers(tag).build()}.
     *
     * @param headers the headers of the response to which the tag belongs
     */
    @Override
    public void accept(HttpHeaders headers) {
        if (isKnown()) {
            headers.setETag(value);
        }
    }

    /** Returns where the tag ends that begins at a position, or -1 if none does: {@code entity-tag} of RFC 9110 without its mark. */
    static int end(String text, int start) {
        if (start >= text.length() || text.charAt(start) != QUOTE) {
            return -1;
        }
        for (int i = start + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == QUOTE) {
                return i + 1;
            }
            if (c < 0x21 || c == 0x7F || c > 0xFF) {
                return -1;
            }
        }
        return -1;
    }
}
