package io.stowline.blob.internal;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlockBlobItem;
import io.stowline.blob.BlobFacts;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.Uploaded;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.Evidence;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Failures;
import io.stowline.transport.internal.MetadataMark;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What becomes of the one request that makes a blob. An upload that overwrites whatever is there needs no mark: it can be repeated. */
final class UploadOutcome {

    private static final String OVERWRITES =
            "an upload that overwrites is not read back, for a later one may have replaced what it left; it can be made once more";

    private final BlobScope scope;
    private final String name;
    private final UploadSettings settings;
    private final Sent sent;
    private final @Nullable String mark;

    /** The content of the blob, with its MD5 in Base64. */
    record Sent(long size, String md5) {}

    UploadOutcome(BlobScope scope, String name, UploadSettings settings, Sent sent) {
        this.scope = scope;
        this.name = name;
        this.settings = settings;
        this.sent = sent;
        this.mark = settings.overwrite() && settings.ifMatch().isEmpty() ? null : MetadataMark.newId();
    }

    BlobRequestConditions conditions() {
        BlobRequestConditions conditions = new BlobRequestConditions();
        settings.ifMatch().ifPresent(conditions::setIfMatch);
        return settings.overwrite() || settings.ifMatch().isPresent() ? conditions : conditions.setIfNoneMatch("*");
    }

    Map<String, String> metadata() {
        return mark == null ? settings.metadata() : MetadataMark.in(settings.metadata(), mark);
    }

    Uploaded confirmed(Response<BlockBlobItem> answer, Doubt doubt) {
        BlockBlobItem item = answer.getValue();
        return Uploaded.confirmed(
                HeaderValues.quoted(item.getETag()),
                Facts.instant(item.getLastModified()),
                sent.size,
                mayRepeat(doubt, Evidence.ANSWER));
    }

    /** A version is replaced once only. */
    private boolean mayRepeat(Doubt doubt, Evidence evidence) {
        return !Judge.bound(settings.ifMatch().orElse(null)) && doubt.mayRepeat(evidence);
    }

    Mono<Uploaded> settle(OutcomeUnknownException end, Doubt doubt) {
        if (mark == null) {
            return Mono.error(Failures.stillUnknown(end, OVERWRITES));
        }
        Judge<Uploaded> judge =
                Judge.ofMark(mark, settings.ifMatch().orElse(null), doubt, seen -> recovered(seen, doubt));
        return Settled.of(
                scope,
                end,
                doubt,
                Looks.atBlob(scope, BlockVerbs.VERB, name, doubt).map(judge::of));
    }

    /** Somebody may have changed the headers since, which keeps the mark, or the metadata, which does not. */
    private Uploaded recovered(Seen seen, Doubt doubt) {
        BlobFacts blob = seen.facts();
        boolean asSent = blob.size() == sent.size
                && sent.md5.equals(blob.contentMd5())
                && served(settings.headers()).equals(served(blob.headers()))
                && settings.metadata().equals(blob.metadata());
        return Uploaded.recovered(
                asSent ? seen.etag() : "",
                seen.written(),
                sent.size,
                Evidence.MARKER,
                mayRepeat(doubt, Evidence.MARKER));
    }

    /** As the service serves them. */
    static BlobHeaders served(BlobHeaders headers) {
        return headers.contentType() == null
                ? headers.toBuilder().contentType("application/octet-stream").build()
                : headers;
    }
}
