package io.stowline.spring.boot.web;

import io.stowline.blob.BlobInfo;
import io.stowline.table.StoredEntity;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The condition {@code If-Match} of a request: the versions for which its change is meant. A handler method takes it as an argument, without an annotation. A
 * request without it is a problem 428, and a malformed one is a 400; an {@code Optional<IfMatch>} is empty without the header.
 *
 * <pre>{@code
 * @RestController
 * class RunnerController {
 *     Table<Runner> runners;
 *
 *     @PutMapping("/{race}/{bib}")
 *     ResponseEntity<Runner> change(@PathVariable String race, @PathVariable String bib, IfMatch ifMatch, @RequestBody Runner changed) {
 *         StoredEntity<Runner> stored = ifMatch.check(runners.find(race, bib));
 *         WriteResult written = runners.replace(stored.with(changed));
 *         return ResponseEntity.ok().headers(EntityTag.of(written.etag())).body(changed);
 *     }
 * }
 * }</pre>
 *
 * <p>The check alone does not exclude a change by another client between the read and the write: the write is bound to the version that was checked, and is a
 * 412 then, too. Immutable and thread-safe.
 */
public final class IfMatch {

    private static final String LIMIT = "entity tags such as \"a\", \"b\", or *";

    private final boolean any;
    private final boolean weak;
    private final Set<EntityTag> tags;

    private IfMatch(boolean any, boolean weak, Set<EntityTag> tags) {
        this.any = any;
        this.weak = weak;
        this.tags = Set.copyOf(tags);
    }

    /**
     * Reads a header, for tests of a handler.
     *
     * @param header a list of entity tags, or {@code *}
     * @return the condition
     * @throws ProblemException if the header is malformed
     */
    public static IfMatch of(String header) {
        String text = header.strip();
        if (text.equals("*")) {
            return new IfMatch(true, false, Set.of());
        }
        Set<EntityTag> tags = new HashSet<>();
        boolean weak = false;
        int next = tagAfter(text, 0);
        while (next < text.length()) {
            boolean marked = text.startsWith(EntityTag.WEAK, next);
            int start = marked ? next + EntityTag.WEAK.length() : next;
            int end = EntityTag.end(text, start);
            int separator = end < 0 ? -1 : afterSpace(text, end);
            if (separator < 0 || (separator < text.length() && text.charAt(separator) != ',')) {
                throw malformed(header);
            }
            if (!marked) {
                tags.add(new EntityTag(text.substring(start, end)));
            }
            weak |= marked;
            next = tagAfter(text, separator);
        }
        if (tags.isEmpty() && !weak) {
            throw malformed(header);
        }
        return new IfMatch(false, weak, tags);
    }

    /** Recipients of a list ignore its empty elements (RFC 9110, 5.6.1). */
    private static int tagAfter(String text, int start) {
        int i = afterSpace(text, start);
        while (i < text.length() && text.charAt(i) == ',') {
            i = afterSpace(text, i + 1);
        }
        return i;
    }

    private static int afterSpace(String text, int start) {
        int i = start;
        while (i < text.length() && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
            i++;
        }
        return i;
    }

    private static ProblemException malformed(String header) {
        return ProblemException.invalid("If-Match", header, LIMIT);
    }

    /**
     * Returns whether any version will do.
     *
     * @return true for {@code *}
     */
    public boolean isAny() {
        return any;
    }

    /**
     * Returns whether a version is among those of the condition. Tags that are marked as weak match nothing.
     *
     * @param current the tag of the version
     * @return true for one of the tags, and for {@code *}
     */
    public boolean matches(EntityTag current) {
        return any || tags.contains(current);
    }

    /**
     * Passes on an entity whose version is among those of the condition.
     *
     * @param stored the entity as it was read
     * @param <T> its type
     * @return the same entity
     * @throws ProblemException if it has another version: a 412
     */
    public <T> StoredEntity<T> check(StoredEntity<T> stored) {
        check(EntityTag.of(stored));
        return stored;
    }

    /**
     * Passes on an entity whose version is among those of the condition.
     *
     * @param stored the entity, if it was found
     * @param <T> its type
     * @return the entity
     * @throws ProblemException if there is none, a 404; if it has another version, a 412
     */
    public <T> StoredEntity<T> check(Optional<StoredEntity<T>> stored) {
        return check(EntityTag.found(stored));
    }

    /**
     * Passes on the facts of a blob whose version is among those of the condition.
     *
     * @param blob the blob as it was read
     * @return the same facts
     * @throws ProblemException if it has another version: a 412
     */
    public BlobInfo check(BlobInfo blob) {
        check(EntityTag.of(blob.etag()));
        return blob;
    }

    private void check(EntityTag current) {
        if (!matches(current)) {
            throw new ProblemException(
                    ProblemType.VERSION_CHANGED,
                    weak && tags.isEmpty()
                            ? "A weak tag matches no version: send the ETag as it was received, and have no proxy mark"
                                    + " it as weak."
                            : ProblemType.VERSION_CHANGED.detail());
        }
    }
}
