package io.stowline.examples.registrations;

import io.stowline.table.StoredEntity;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ETag;
import org.springframework.http.ResponseEntity;

/**
 * The version of an entity as an HTTP entity tag. The table service marks its own as weak, {@code W/"datetime'..'"}, and {@code If-Match}
 * compares strong tags only. An entity of one version always has the same JSON, so its tag is strong here.
 *
 * @param accepted the tags of {@code If-Match}
 */
record VersionTag(List<ETag> accepted) {

    private static final String WEAK = "W/";

    /** Adds the tag of an entity; a write whose version is not certain has none. */
    static ResponseEntity.BodyBuilder on(ResponseEntity.BodyBuilder response, String etag) {
        return etag.isEmpty() ? response : response.eTag(strong(etag));
    }

    /** Reads {@code If-Match}, which every change needs. */
    static VersionTag required(@Nullable String ifMatch) {
        if (ifMatch == null) {
            throw ProblemType.VERSION_REQUIRED.exception(ProblemType.VERSION_REQUIRED.detail(), null);
        }
        return new VersionTag(ETag.parse(ifMatch));
    }

    /** Passes on the entity if it has the version that the client read. */
    <T> StoredEntity<T> check(StoredEntity<T> stored) {
        ETag current = ETag.create(strong(stored.etag()));
        if (accepted.stream().noneMatch(tag -> tag.isWildcard() || tag.compare(current, true))) {
            throw ProblemType.VERSION_CHANGED.exception(
                    "the version is " + current.formattedTag() + " now: read it again, and repeat the change", null);
        }
        return stored;
    }

    private static String strong(String etag) {
        return etag.startsWith(WEAK) ? etag.substring(WEAK.length()) : etag;
    }
}
