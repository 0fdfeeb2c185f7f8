package io.stowline.blob.internal.upload;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.BlobSnapshot;
import io.stowline.blob.internal.recovery.BlobWriteVerifier;
import io.stowline.blob.internal.request.BlobRequests.BlobCommit;
import io.stowline.blob.internal.request.BlobRequests.BlobVersion;
import io.stowline.blob.internal.request.BlobRequests.WriteCondition;
import io.stowline.blob.internal.rule.TagRules;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.Evidence;
import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The outcome of the one request that makes a blob. An upload that overwrites anything needs no marker: it can be
 * repeated. Where the metadata leave no room for one, the content decides.
 */
public final class UploadOutcome {

    private static final String OVERWRITES =
            "an upload that overwrites is not read back, for a later one may have replaced what it left; it can be"
                    + " made once more";

    /** A condition on tags needs a blob, of whatever version. */
    private static final String ANY = "*";

    private final BlobContext context;
    private final String verb;
    private final String name;
    private final UploadSettings settings;
    private final UploadedContent sent;
    private final boolean overwrites;
    private final @Nullable String marker;

    /** The content of the blob, with its MD5 in Base64, or {@code null} where that of a copied content is not known. */
    record UploadedContent(long size, @Nullable String md5) {}

    UploadOutcome(BlobContext context, String verb, String name, UploadSettings settings, UploadedContent sent) {
        this.context = context;
        this.verb = verb;
        this.name = name;
        this.settings = settings;
        this.sent = sent;
        this.overwrites = settings.overwrite()
                && settings.ifMatch().isEmpty()
                && settings.ifTags().isEmpty();
        this.marker = overwrites ? null : MetadataRules.markBeside(settings.metadata());
    }

    /** Returns the making of the blob. */
    public BlobCommit commit() {
        String ifMatch = settings.ifMatch().orElse(null);
        boolean absent = ifMatch == null && !settings.overwrite();
        return new BlobCommit(
                new WriteCondition(
                        ifMatch,
                        absent,
                        settings.ifTags().map(BlobTagFilter::expression).orElse(null)),
                settings.headers(),
                sent.md5,
                marker == null ? settings.metadata() : WriteIdMetadata.in(settings.metadata(), marker),
                settings.tags().isEmpty() ? null : TagRules.header(settings.tags()),
                settings.tier().map(AccessTier::toString).orElse(null));
    }

    BlobWriteResult confirmed(BlobVersion made, UnresolvedAttempts unresolved) {
        return BlobWriteResult.confirmed(
                made.etag(), made.lastModified(), sent.size, mayRepeat(unresolved, Evidence.RESPONSE));
    }

    /** A version is replaced once only. */
    private boolean mayRepeat(UnresolvedAttempts unresolved, Evidence evidence) {
        return !BlobWriteVerifier.bound(settings.ifMatch().orElse(null)) && unresolved.mayRepeat(evidence);
    }

    Mono<BlobWriteResult> settle(OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        if (overwrites) {
            return Mono.error(ErrorMapper.stillUnknown(end, OVERWRITES));
        }
        String version = settings.ifMatch().orElse(settings.ifTags().isPresent() ? ANY : null);
        BlobWriteVerifier<BlobWriteResult> verifier = marker == null
                ? BlobWriteVerifier.ofContent(
                        this::asSent, version, unresolved, seen -> recovered(seen, Evidence.CONTENT, unresolved))
                : BlobWriteVerifier.ofMarker(
                        marker, version, unresolved, seen -> recovered(seen, Evidence.MARKER, unresolved));
        return BlobReadBack.settle(
                context,
                end,
                unresolved,
                BlobReadBack.atBlob(context, verb, name, unresolved).map(verifier::of));
    }

    /** Another client may have changed the headers since, which keeps the marker, or the metadata, which does not. */
    private BlobWriteResult recovered(BlobSnapshot seen, Evidence evidence, UnresolvedAttempts unresolved) {
        return BlobWriteResult.recovered(
                asSent(seen) ? seen.etag() : "", seen.written(), sent.size, evidence, mayRepeat(unresolved, evidence));
    }

    private boolean asSent(BlobSnapshot seen) {
        BlobInfo blob = seen.info();
        return blob.size() == sent.size
                && sent.md5 != null
                && sent.md5.equals(blob.contentMd5())
                && BlobInfoMapper.served(settings.headers()).equals(BlobInfoMapper.served(blob.headers()))
                && WriteIdMetadata.hiddenIn(settings.metadata()).equals(blob.metadata());
    }
}
