package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.options.BlobSetAccessTierOptions;
import com.azure.storage.blob.options.BlobSetTagsOptions;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.request.BlobReads;
import io.stowline.blob.internal.rule.TagRules;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.StoredTexts;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.DocumentedStatus;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The tags and the access tier of blobs, which change without a new version. What they give arrives on an I/O thread. Thread-safe. */
public record TagOperations(BlobContext context) {

    private static final DocumentedStatus TAGGED = DocumentedStatus.status(204);
    private static final DocumentedStatus TIERED = DocumentedStatus.status(200, 202);

    /** Reads the tags of a blob. */
    public Mono<Map<String, String>> tags(String name) {
        return tags("tags", name);
    }

    /** Reads the tags of a blob for a caller's verb. */
    public Mono<Map<String, String>> tags(String verb, String name) {
        return tags(verb, name, reads -> reads.tags(context.retry()));
    }

    private Mono<Map<String, String>> tags(
            String verb, String name, Function<BlobReads, Exchange<Map<String, String>>> request) {
        return context.named(name, () -> context.calls()
                .direct()
                .observed(
                        verb,
                        () -> context.resource(name),
                        () -> request.apply(new BlobReads(context, verb, name)),
                        (found, exchange) -> StoredTexts.tags(found)));
    }

    /** Replaces the tags of a blob. */
    public Mono<WriteResult> setTags(String name, Map<String, String> tags) {
        return setTagsIf(name, tags, null);
    }

    /** Replaces the tags of a blob if they match the condition. */
    public Mono<WriteResult> setTags(String name, Map<String, String> tags, BlobTagFilter condition) {
        return setTagsIf(
                name, tags, Objects.requireNonNull(condition, "condition").expression());
    }

    private Mono<WriteResult> setTagsIf(String name, Map<String, String> tags, @Nullable String condition) {
        return context.named(name, () -> {
            Map<String, String> checked = TagRules.check(tags);
            return context.settled(
                    context.write("setTags", context.resource(name), TAGGED),
                    () -> context.blob(name)
                            .setTagsWithResponse(new BlobSetTagsOptions(checked)
                                    .setRequestConditions(new BlobRequestConditions().setTagsConditions(condition))),
                    (response, unresolved) -> WriteResult.confirmed("", unresolved.mayRepeat(Evidence.RESPONSE)),
                    (end, unresolved) -> settle(name, checked, end, unresolved));
        });
    }

    private Mono<WriteResult> settle(
            String name, Map<String, String> wanted, OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        return BlobReadBack.settle(
                context,
                end,
                unresolved,
                tags("setTags", name, reads -> reads.tags(context.retry().forReadBack())
                                .with(options -> options.within(unresolved.deadline())))
                        .map(found -> found.equals(wanted)
                                ? new ReadBackResult.ProvenDone<>(WriteResult.recovered(
                                        "", Evidence.CONTENT, unresolved.mayRepeat(Evidence.CONTENT)))
                                : new ReadBackResult.Unproven<>(
                                        "the blob has other tags, which may have been set since, or before")));
    }

    /** Moves a blob to another tier. */
    public Mono<WriteResult> setTier(String name, AccessTier tier) {
        Objects.requireNonNull(tier, "tier");
        return context.named(name, () -> {
            context.service().version().checkTier(tier.toString());
            return context.changed(
                    context.write("setTier", context.resource(name), TIERED),
                    () -> context.blob(name).setAccessTierWithResponse(new BlobSetAccessTierOptions(tier)),
                    response -> "");
        });
    }
}
