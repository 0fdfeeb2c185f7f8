package io.stowline.table.internal.write;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.codec.PropertiesReader;
import io.stowline.table.internal.codec.PropertiesReader.RowProperties;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.EntityTags;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The verifier that judges, by a read-back of the entity, a write whose response was lost. All cases and their reasons
 * are in {@code docs/internals/outcome-tables.md}: a marker proves that the write was carried out; a missing one proves
 * nothing, as a later write may have removed it, and neither does a missing entity.
 *
 * @param marker the marker that it left, or {@code null} if it left none
 * @param contentCounts whether it is enough that the content is there, from any writer
 * @param unresolved what is not known of its attempts
 */
record WriteVerifier(
        EncodedOperation sent, @Nullable String marker, boolean contentCounts, UnresolvedAttempts unresolved) {

    private static final String OLDER = "what is stored is older than the first attempt";
    private static final String SAME_VERSION = "the entity still has the version that the write was for";
    private static final String GONE = "the entity does not exist now; another client may have removed it since";
    private static final String NEWER =
            "the stored entity may have been written after the first attempt (the service's time has whole seconds),"
                    + " by an unknown writer";
    private static final String CHANGED = "the entity has another version, and nothing of the write is in it";

    /** Returns the result for a missing entity. */
    ReadBackResult<WriteResult> absent() {
        return sent.verb() == EntityVerb.DELETE && !sent.bound()
                ? new ReadBackResult.ProvenDone<>(
                        WriteResult.absent(Evidence.CONTENT, sent.mayRepeat(unresolved, Evidence.CONTENT)))
                : new ReadBackResult.Unproven<>(GONE);
    }

    /** Returns the result for an entity in this state. */
    ReadBackResult<WriteResult> of(EntitySnapshot seen) throws IOException {
        if (marker != null && marker.equals(seen.properties().marker())) {
            return recovered(seen, Evidence.MARKER);
        }
        if (sent.bound() && EntityTags.same(seen.etag(), sent.ifMatch())) {
            return ReadBackResult.onceOver(unresolved, SAME_VERSION);
        }
        if (unresolved.isYoungerThan(seen.written(), seen.date())) {
            // A version that has gone does not come back, so that a write bound to it can never be carried out.
            return sent.bound()
                    ? new ReadBackResult.ProvenRefused<>(OLDER)
                    : ReadBackResult.onceOver(unresolved, OLDER);
        }
        if (contentCounts && sent.verb().hasBody() && holdsContent(seen)) {
            return recovered(seen, Evidence.CONTENT);
        }
        return new ReadBackResult.Unproven<>(sent.bound() ? CHANGED : NEWER);
    }

    private ReadBackResult<WriteResult> recovered(EntitySnapshot seen, Evidence evidence) throws IOException {
        boolean complete = sent.verb().replaces() && seen.properties().equal(EntitySnapshot.sent(sent));
        return new ReadBackResult.ProvenDone<>(
                WriteResult.recovered(complete ? seen.etag() : "", evidence, sent.mayRepeat(unresolved, evidence)));
    }

    private boolean holdsContent(EntitySnapshot seen) throws IOException {
        RowProperties content = EntitySnapshot.sent(sent);
        return sent.verb().replaces()
                ? seen.properties().equal(content)
                : seen.properties().hold(content);
    }

    /**
     * An entity as a read-back found it.
     *
     * @param properties its content
     * @param written the time of its last write, by the service's clock
     * @param date the service's clock at the time of the response
     */
    record EntitySnapshot(
            RowProperties properties,
            String etag,
            @Nullable Instant written,
            @Nullable Instant date) {

        /** Reads the response to a point read. */
        static EntitySnapshot of(StorageResponse response) throws IOException {
            DecodedRow<RowProperties> row = read(response.body());
            return new EntitySnapshot(row.value(), TableOperations.etag(response), row.timestamp(), response.date());
        }

        /** Returns the content that an operation sends. */
        static RowProperties sent(EncodedOperation operation) throws IOException {
            return read(operation.body()).value();
        }

        private static DecodedRow<RowProperties> read(byte[] json) throws IOException {
            return new Reader().read(new JsonCursor(json));
        }

        private static final class Reader extends PropertiesReader<RowProperties> {
            @Override
            protected RowProperties build(RowProperties found, @Nullable Instant rowTimestamp) {
                return found;
            }
        }
    }
}
