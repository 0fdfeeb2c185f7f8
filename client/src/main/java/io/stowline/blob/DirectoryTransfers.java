package io.stowline.blob;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.directory.BlobSettings;
import io.stowline.blob.internal.directory.BlobSettings.KeptProperties;
import io.stowline.blob.internal.directory.DirectoryCopy;
import io.stowline.blob.internal.directory.DirectoryDeletion;
import io.stowline.blob.internal.directory.DirectoryDownload;
import io.stowline.blob.internal.directory.DirectoryTransfer;
import io.stowline.blob.internal.directory.DirectoryUpload;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;

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
            UploadSettings.Builder defaults =
                    source == null ? UploadSettings.ofFile(name, null) : UploadSettings.builder();
            KeptProperties kept = condition.kept();
            if (kept != null) {
                keep(kept, defaults);
            }
            if (source != null) {
                defaults.headers(none -> source.headers().toBuilder()).storedMetadata(source.metadata());
            }
            return settings.uploadOf(name, defaults).build().with(condition, modified);
        };
    }

    /** The service sends this type for a blob without a content type: then the type of the file is better. */
    private static void keep(KeptProperties kept, UploadSettings.Builder defaults) {
        BlobHeaders headers = kept.headers();
        boolean typed = headers.contentType() != null && !headers.contentType().equals(UNTYPED);
        defaults.headers(guessed -> typed
                        ? headers.toBuilder()
                        : headers.toBuilder().contentType(guessed.build().contentType()))
                .storedMetadata(kept.metadata())
                .tags(kept.tags());
        if (kept.tier() != null) {
            defaults.tier(kept.tier());
        }
    }
}
