package io.stowline.blob.internal.directory;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.ArchiveStatus;
import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.directory.BlobSettings.KeptProperties;
import io.stowline.blob.internal.directory.BlobSettings.ReplacedVersion;
import io.stowline.blob.internal.operations.BlobListing;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.operations.BlobTrait;
import io.stowline.blob.internal.operations.ListedBlob;
import io.stowline.blob.internal.operations.TagOperations;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.rule.PathFilter;
import io.stowline.error.ConflictException;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.OriginalContent;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The blobs below a prefix that takes the place of a folder, and their names below it. Immutable. */
final class BlobFolder {

    private static final char DELETE = 0x7F;
    private static final byte[] NOTHING = new byte[0];

    private final BlobContext context;
    private final String prefix;
    private final PathFilter filter;
    private final DirectorySettings settings;

    /** Started before the listing. */
    private final Stopwatch begun;

    /**
     * A folder.
     *
     * @param name its name, with or without a slash at its end; empty for the whole container
     * @param settings which names take part
     */
    BlobFolder(BlobContext context, String name, DirectorySettings settings) {
        Objects.requireNonNull(name, "prefix");
        this.context = context;
        this.prefix = name.isEmpty() || name.endsWith("/") ? name : name + "/";
        this.settings = settings;
        this.begun = Stopwatch.start(context.service().timer());
        this.filter = new PathFilter(settings.includes(), settings.excludes());
    }

    String prefix() {
        return prefix;
    }

    /** Returns the container and the prefix, for errors. */
    String resource() {
        return context.resource(prefix);
    }

    /** Returns the prefix of the identities of its blobs. */
    String identity() {
        return context.identity(prefix);
    }

    /** Returns whether a name below it takes part. */
    boolean takes(String name) {
        return filter.matches(name);
    }

    /** Returns its blobs that take part, in the order of the listing. */
    Flux<ListedBlob> blobs() {
        return new BlobListing(context).listed(prefix).filter(blob -> takes(blob.name()));
    }

    /** Returns the blobs for a mirror, which may delete some: a dry run learns of snapshots by the listing alone. */
    Flux<ListedBlob> mirrored() {
        return settings.mirror() ? deletable().filter(blob -> takes(blob.name())) : blobs();
    }

    /** Returns all its blobs, those that take no part included, as a deletion needs them. */
    Flux<ListedBlob> deletable() {
        BlobListing listing = new BlobListing(context);
        return settings.dryRun() && !settings.deletesSnapshots()
                ? listing.listedWithSnapshots(prefix)
                : listing.listed(prefix);
    }

    /** Returns the name below it of a name in the container. */
    String below(String full) {
        return full.substring(prefix.length());
    }

    /** Returns the name of a blob in the container. */
    String full(String name) {
        return prefix + name;
    }

    /**
     * Returns the name of a blob for a file; an error if the service does not allow it.
     *
     * @throws IllegalArgumentException if the service does not take it, or would give it back as another one
     */
    String checked(String name) {
        String full = BlobNameRules.check(prefix + name);
        for (int i = 0; i < full.length(); i++) {
            char c = full.charAt(i);
            if (c < ' ' || c == DELETE || c == '\\' || c >= 0xFFFE) {
                throw new IllegalArgumentException("the service does not keep the character U+"
                        + String.format(Locale.ROOT, "%04X", (int) c) + " at " + i + " in the name of a blob");
            }
            if (c == '.' && (i + 1 == full.length() || full.charAt(i + 1) == '/')) {
                throw new IllegalArgumentException(
                        "the service does not keep the dot at the end of a segment in the blob name '"
                                + PrintableText.of(full) + "'");
            }
        }
        return full;
    }

    /** Returns whether a blob only stands for a folder, as other tools make them. */
    static boolean marksFolder(ListedBlob blob) {
        String name = blob.name();
        return blob.size() == 0 && (blob.is(BlobTrait.FOLDER) || name.isEmpty() || name.endsWith("/"));
    }

    /** Returns why a blob that marks a folder takes no part. */
    IOException marker(ListedBlob blob) {
        return new IOException(resource(blob) + " " + BlobTrait.FOLDER.text() + " and has no content");
    }

    /**
     * Returns why a blob is not downloaded beside others.
     *
     * @param below a blob that needs a folder of its name
     */
    IOException givesWay(String name, String below) {
        return new IOException(PrintableText.of(context.resource(prefix + name) + " has the name of the folder of "
                + context.resource(prefix + below)
                + ", and no folder has a file and a folder of one name: exclude one of them, or download it to another"
                + " folder"));
    }

    /** Returns why the service does not read a blob, or {@code null} if it does. */
    @Nullable
    IOException unreadable(ListedBlob blob) {
        BlobTrait trait = blob.unreadable(hasKey());
        return trait == null ? null : because(blob, trait);
    }

    /** Returns whether the requests have a key of the application's, which may be that of an encrypted blob. */
    private boolean hasKey() {
        return context.calls().view().headers().has("x-ms-encryption-key");
    }

    /** Returns why a blob is not replaced, or {@code null}. */
    @Nullable
    IOException irreplaceable(ListedBlob blob, ReplacedVersion version) {
        if (marksFolder(blob)) {
            return marker(blob);
        }
        if (blob.is(BlobTrait.LEASED)) {
            return because(blob, BlobTrait.LEASED);
        }
        if (blob.is(BlobTrait.COPY_PENDING)) {
            return because(blob, BlobTrait.COPY_PENDING);
        }
        if (settings.keepsProperties() && blob.is(BlobTrait.ENCRYPTED) && !hasKey()) {
            return because(blob, BlobTrait.ENCRYPTED);
        }
        return version.any() ? null : unversioned(blob);
    }

    /**
     * Returns why content is too long to replace a blob, or {@code null}: one request replaces a blob of any type, and blocks only a block
     * blob.
     *
     * @param size the bytes of the content
     * @param blockSize the most of them that one request has
     */
    @Nullable
    IOException tooLong(ListedBlob blob, long size, int blockSize) {
        return size <= blockSize
                ? null
                : new IOException(
                        resource(blob) + " " + BlobTrait.OTHER_TYPE.text() + " of at most a blockSize, which is "
                                + blockSize + " bytes, and there are " + size
                                + ": set a blockSize of at least that, or delete the blob first");
    }

    /** Returns why a blob is not changed in the listed version, or {@code null}. */
    @Nullable
    IOException unversioned(ListedBlob blob) {
        return blob.etag().isEmpty() ? new IOException(resource(blob) + " is listed without an ETag") : null;
    }

    /** Returns why a blob is not deleted, or {@code null}. */
    @Nullable
    IOException undeletable(ListedBlob blob) {
        if (blob.is(BlobTrait.LEASED)) {
            return because(blob, BlobTrait.LEASED);
        }
        return blob.is(BlobTrait.SNAPSHOTS) ? because(blob, BlobTrait.SNAPSHOTS) : null;
    }

    /** Returns why the marker of a folder is not deleted while something stays in it. */
    IOException occupied(ListedBlob marker) {
        return new IOException(resource(marker) + " " + BlobTrait.FOLDER.text() + " in which something stays");
    }

    private IOException because(ListedBlob blob, BlobTrait trait) {
        return new IOException(resource(blob) + " " + trait.text());
    }

    private String resource(ListedBlob blob) {
        return PrintableText.of(context.resource(prefix + blob.name()));
    }

    /** Returns whether a blob exists now. */
    Mono<Boolean> has(String name) {
        return new BlobOperations(context).exists(prefix + name);
    }

    /** Returns whether there is a blob now that is more than the marker of a folder. */
    Mono<Boolean> hasContent(String name) {
        return find(name)
                .map(blob -> !marksFolder(blob))
                .defaultIfEmpty(false)
                .onErrorResume(
                        ConflictException.class, e -> BlobConditions.hasOtherKey(e) ? Mono.just(true) : Mono.error(e));
    }

    /** Returns why a mirror deletes nothing after it has found that its source has a blob after all. */
    IOException thereAgain(String name) {
        return new IOException(PrintableText.of(context.resource(prefix + name)) + " is there again");
    }

    /** Returns a version with the properties that its blob keeps when it is replaced, where the settings keep them. */
    Mono<ReplacedVersion> kept(String name, ReplacedVersion version) {
        boolean replaces = version.any() || version.etag() != null;
        return settings.keepsProperties() && replaces && !settings.dryRun()
                ? properties(prefix + name, version.etag())
                        .map(version::keeping)
                        .defaultIfEmpty(version)
                : Mono.just(version);
    }

    /** Gives nothing if there is no blob. One that is gone before its tags are read is a failure: its successor would lose them. */
    private Mono<KeptProperties> properties(String full, @Nullable String etag) {
        return BlobConditions.unlessMissing(new BlobOperations(context).head("info", full, etag, response -> response))
                .flatMap(response -> tags(full, response.getValue()).map(tags -> {
                    BlobProperties seen = response.getValue();
                    BlobInfo info = BlobInfoMapper.of(full, response);
                    AccessTier tier = Boolean.TRUE.equals(seen.isAccessTierInferred()) ? null : tier(seen);
                    return new KeptProperties(kept(info, seen), info.metadata(), tags, tier);
                }));
    }

    /** The encoding of content that an upload compressed is no property of the file that comes next. */
    private static BlobHeaders kept(BlobInfo info, BlobProperties seen) {
        return OriginalContent.of(seen.getMetadata()) == null
                ? info.headers()
                : info.headers().toBuilder().contentEncoding(null).build();
    }

    /**
     * A blob that leaves the archive tier has that tier until it has arrived in the other one, in which its successor
     * belongs.
     */
    private static @Nullable AccessTier tier(BlobProperties seen) {
        ArchiveStatus status = seen.getArchiveStatus();
        if (ArchiveStatus.REHYDRATE_PENDING_TO_HOT.equals(status)) {
            return AccessTier.HOT;
        }
        if (ArchiveStatus.REHYDRATE_PENDING_TO_COOL.equals(status)) {
            return AccessTier.COOL;
        }
        return ArchiveStatus.REHYDRATE_PENDING_TO_COLD.equals(status) ? AccessTier.COLD : seen.getAccessTier();
    }

    private Mono<Map<String, String>> tags(String full, BlobProperties seen) {
        return seen.getTagCount() == null || seen.getTagCount() == 0
                ? Mono.just(Map.of())
                : new TagOperations(context).tags(full);
    }

    /** Returns a blob as it is now, which may have been written since the listing; empty if none exists. */
    Mono<ListedBlob> find(String name) {
        return BlobConditions.unlessMissing(new BlobOperations(context).head("find", prefix + name, null, response -> {
            ListedBlob found = ListedBlob.of(name, response);
            return isOld(response) ? found : found.with(BlobTrait.WRITTEN_SINCE);
        }));
    }

    /** Returns whether a version is older than the listing, by the service's clock in the same response. */
    private boolean isOld(Response<BlobProperties> response) {
        Instant date = new StorageResponse(response.getStatusCode(), response.getHeaders(), NOTHING).date();
        OffsetDateTime written = response.getValue().getLastModified();
        return date != null
                && written != null
                && written.toInstant().isBefore(date.minus(begun.age()).minus(UnresolvedAttempts.TOLERANCE));
    }

    /**
     * Returns the failure of a blob that may have been written since the listing.
     *
     * @param refusal of the request that was to make it
     */
    static Throwable writtenSince(Throwable refusal) {
        return refusal instanceof ConflictException conflict
                ? new ConflictException(
                        conflict.failure()
                                .saying("; the listing did not show the version that is there, which may have been"
                                        + " written since this transfer began: a further run compares with it"),
                        conflict)
                : refusal;
    }
}
