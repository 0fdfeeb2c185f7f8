package io.stowline.blob.internal.client;

import io.stowline.blob.BlobHeaders;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.directory.BlobSettings;
import io.stowline.blob.internal.directory.BlobSettings.KeptProperties;
import io.stowline.blob.internal.directory.DirectoryCopy;
import io.stowline.blob.internal.directory.DirectoryDeletion;
import io.stowline.blob.internal.directory.DirectoryDownload;
import io.stowline.blob.internal.directory.DirectoryTransfer;
import io.stowline.blob.internal.directory.DirectoryUpload;
import io.stowline.blob.internal.upload.MediaTypes;
import io.stowline.transport.internal.outcome.SourceTime;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A factory of the transfers of directories for both faces of a container, with the settings of the application. */
record DirectoryTransfers(BlobContext context) {

    private static final String UNTYPED = "application/octet-stream";

    DirectoryTransfer upload(Path directory, String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        DirectorySettings all = settings(settings);
        return DirectoryUpload.of(context, directory, prefix, all, each(all));
    }

    DirectoryTransfer download(String prefix, Path directory, UnaryOperator<DirectorySettings.Builder> settings) {
        return DirectoryDownload.of(context, prefix, directory, settings(settings));
    }

    DirectoryTransfer copy(
            String prefix, BlobContext target, String newPrefix, UnaryOperator<DirectorySettings.Builder> settings) {
        DirectorySettings all = settings(settings);
        return DirectoryCopy.of(context, prefix, target, newPrefix, all, each(all));
    }

    DirectoryTransfer delete(String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return DirectoryDeletion.of(context, prefix, settings(settings));
    }

    private static DirectorySettings settings(UnaryOperator<DirectorySettings.Builder> settings) {
        return changed(settings, DirectorySettings.builder()).build();
    }

    /** Returns the builder that the caller's settings give; the error of a missing one names it. */
    static <B> B changed(UnaryOperator<B> settings, B defaults) {
        return Objects.requireNonNull(
                Objects.requireNonNull(settings, "settings").apply(defaults), "settings gave no builder");
    }

    private static BlobSettings each(DirectorySettings settings) {
        return (name, source, condition, modified) -> {
            UploadSettings defaults =
                    (source == null ? MediaTypes.settings(name, null) : UploadSettings.builder()).build();
            KeptProperties kept = condition.kept();
            if (kept != null) {
                defaults = keeping(kept, defaults);
            }
            if (source != null) {
                defaults = with(
                        false,
                        null,
                        source.metadata(),
                        defaults.toBuilder()
                                .headers(none -> source.headers().toBuilder())
                                .build());
            }
            UploadSettings chosen = Objects.requireNonNull(
                            settings.upload().apply(name, defaults.toBuilder()),
                            () -> "the settings of the upload of " + name)
                    .build();
            return with(condition.any(), condition.etag(), SourceTime.in(chosen.metadata(), modified), chosen);
        };
    }

    /** The service sends this type for a blob without a content type: then the type of the file is better. */
    private static UploadSettings keeping(KeptProperties kept, UploadSettings defaults) {
        BlobHeaders headers = kept.headers();
        boolean typed = headers.contentType() != null && !headers.contentType().equals(UNTYPED);
        UploadSettings.Builder all = defaults.toBuilder()
                .headers(guessed -> typed
                        ? headers.toBuilder()
                        : headers.toBuilder().contentType(guessed.build().contentType()))
                .tags(kept.tags());
        if (kept.tier() != null) {
            all.tier(kept.tier());
        }
        return with(false, null, kept.metadata(), all.build());
    }

    /** Not by the builder: metadata that the service has stored may have names and values that new metadata may not have. */
    static UploadSettings with(
            boolean overwrite, @Nullable String etag, Map<String, String> metadata, UploadSettings settings) {
        return new UploadSettings(
                overwrite,
                Optional.ofNullable(etag),
                settings.headers(),
                metadata,
                settings.tags(),
                settings.tier(),
                settings.ifTags(),
                settings.blockSize(),
                settings.parallelism(),
                settings.gzip(),
                settings.progress());
    }
}
