package io.stowline.blob.internal.copy;

import io.stowline.blob.BlobHeaders;
import io.stowline.blob.CopySettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.BlobWriteVerifier;
import io.stowline.blob.internal.request.BlobRequests;
import io.stowline.blob.internal.request.BlobRequests.BlobCommit;
import io.stowline.blob.internal.request.BlobRequests.WriteCondition;
import io.stowline.blob.internal.request.SourceAccess;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.rule.TagRules;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The start of a copy that goes on after its request. The target must not exist: until the copy ends, and after it fails, it is an empty blob. Its marker
 * finds the copy's id after a lost response. Thread-safe.
 */
public final class StartedCopy {

    private static final String VERB = "startCopy";

    private final BlobContext context;
    private final String name;
    private final CopySource source;
    private final CopySettings settings;

    /**
     * A copy that has not begun.
     *
     * @throws IllegalArgumentException if a setting is not for a copy of this kind
     */
    public StartedCopy(BlobContext context, String name, CopySource source, CopySettings settings) {
        this.context = context;
        this.name = BlobNameRules.check(name);
        this.source = source;
        this.settings = settings;
        settings.tier().ifPresent(tier -> context.service().version().checkTier(tier.toString()));
        if (settings.overwrite()
                || settings.ifMatch().isPresent()
                || settings.ifTags().isPresent()
                || settings.headers() != CopySettings.builder().build().headers()) {
            throw new IllegalArgumentException("startCopy to " + context.resource(name)
                    + " makes a new blob with the headers of its source, since the target is empty until the copy ends:"
                    + " overwrite, ifMatch, ifTags and headers are for copyFrom");
        }
    }

    /** Starts it. */
    public Mono<PendingCopy> start() {
        return context.asOperation(
                Operation.of(VERB, context.resource(name), OperationType.WRITE, context.retry()),
                source.info(VERB, settings.sourceIfMatch().orElse(null))
                        .flatMap(from -> tags().flatMap(tags -> source.lastingAccess(
                                        from.info().etag(), context.service().account())
                                .flatMap(access -> start(from, tags, access))))
                        .map(id -> new PendingCopy(context, name, id)));
    }

    private Mono<Map<String, String>> tags() {
        return settings.sourceTags() ? source.tags(VERB) : Mono.just(settings.tags());
    }

    private Mono<String> start(SourceInfo from, Map<String, String> tags, SourceAccess access) {
        return Mono.defer(() -> {
            Map<String, String> metadata =
                    from.in(settings.metadata().orElse(from.info().metadata()));
            String marker = MetadataRules.markBeside(metadata);
            BlobCommit commit = new BlobCommit(
                    new WriteCondition(null, true, null),
                    BlobHeaders.none(),
                    null,
                    marker == null ? metadata : WriteIdMetadata.in(metadata, marker),
                    tags.isEmpty() ? null : TagRules.header(tags),
                    settings.tier().map(Object::toString).orElse(null));
            return context.calls()
                    .direct()
                    .settled(
                            VERB,
                            () -> context.resource(name),
                            () -> new BlobRequests(context, VERB, name).startCopy(commit, access, context.retry()),
                            (id, exchange) -> id,
                            (end, unresolved) -> settle(marker, end, unresolved));
        });
    }

    /** The copy of another owner, or a blob of any other kind, has not this marker (COPY-2). */
    private Mono<String> settle(@Nullable String marker, OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        BlobWriteVerifier<String> verifier = BlobWriteVerifier.ofMarker(
                marker == null ? "" : marker, null, unresolved, seen -> Objects.requireNonNullElse(seen.copyId(), ""));
        return BlobReadBack.settle(
                context,
                end,
                unresolved,
                BlobReadBack.atBlob(context, VERB, name, unresolved).map(verifier::of));
    }
}
