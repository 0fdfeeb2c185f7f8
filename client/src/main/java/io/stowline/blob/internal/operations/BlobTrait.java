package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import com.azure.storage.blob.models.LeaseStatusType;
import io.stowline.blob.internal.request.ListedElement;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A fact of a listing that decides what a transfer of many blobs can do with a blob. */
public enum BlobTrait {
    /**
     * Marked by its metadata as a stand-in for a folder, as accounts with a hierarchical namespace list their folders.
     */
    FOLDER("marks a folder"),
    ARCHIVED("is in the archive tier: setTier moves it to another one, which takes hours"),
    COPY_PENDING("is the target of a copy that the service has not ended"),
    COPY_FAILED("is the target of a copy that the service ended without success, and has no content"),
    ENCRYPTED("is encrypted by a key that its writer keeps, without which the service does not read it"),
    LEASED("has a lease, without which the service does not change it"),
    /** Set on a blob that was read by itself. */
    WRITTEN_SINCE("may have been written since the transfer began"),
    OTHER_TYPE("is an append or page blob, which is replaced by content"),
    SNAPSHOTS("has snapshots: deleteSnapshots() deletes them too");

    private static final Set<BlobTrait> UNREADABLE = EnumSet.of(ARCHIVED, COPY_PENDING, COPY_FAILED, ENCRYPTED);

    private static final String FOLDER_NAME = "hdi_isfolder";

    private final String text;

    BlobTrait(String text) {
        this.text = text;
    }

    /** Returns the trait in words, behind the name of a blob. */
    public String text() {
        return text;
    }

    /** Returns the one of these traits that keeps the service from reading the blob, or {@code null}. */
    static @Nullable BlobTrait unreadable(Set<BlobTrait> traits, boolean withKey) {
        for (BlobTrait trait : traits) {
            if (UNREADABLE.contains(trait) && !(withKey && trait == ENCRYPTED)) {
                return trait;
            }
        }
        return null;
    }

    static Set<BlobTrait> of(ListedElement seen) {
        return of(
                seen.metadata(),
                seen.tier(),
                seen.copyStatus(),
                seen.customerKeyHash(),
                seen.leaseStatus(),
                seen.type());
    }

    static Set<BlobTrait> of(BlobProperties seen) {
        return of(
                seen.getMetadata(),
                seen.getAccessTier(),
                seen.getCopyStatus(),
                seen.getEncryptionKeySha256(),
                seen.getLeaseStatus(),
                seen.getBlobType());
    }

    private static Set<BlobTrait> of(
            @Nullable Map<String, String> metadata,
            @Nullable AccessTier tier,
            @Nullable CopyStatusType copy,
            @Nullable String key,
            @Nullable LeaseStatusType lease,
            @Nullable BlobType type) {
        Set<BlobTrait> traits = EnumSet.noneOf(BlobTrait.class);
        if (metadata != null && standsForFolder(metadata)) {
            traits.add(FOLDER);
        }
        if (AccessTier.ARCHIVE.equals(tier)) {
            traits.add(ARCHIVED);
        }
        if (copy == CopyStatusType.PENDING) {
            traits.add(COPY_PENDING);
        } else if (copy == CopyStatusType.FAILED || copy == CopyStatusType.ABORTED) {
            traits.add(COPY_FAILED);
        }
        if (key != null && !key.isEmpty()) {
            traits.add(ENCRYPTED);
        }
        if (lease == LeaseStatusType.LOCKED) {
            traits.add(LEASED);
        }
        if (type != null && type != BlobType.BLOCK_BLOB) {
            traits.add(OTHER_TYPE);
        }
        return Set.copyOf(traits);
    }

    private static boolean standsForFolder(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .anyMatch(entry ->
                        entry.getKey().equalsIgnoreCase(FOLDER_NAME) && Boolean.parseBoolean(entry.getValue()));
    }
}
