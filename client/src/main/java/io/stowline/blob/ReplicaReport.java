package io.stowline.blob;

import io.stowline.error.internal.PrintableText;
import java.util.List;
import java.util.Objects;

/**
 * The result of a publication or removal of copies, with the end of each copy.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param name the blob's name
 * @param version the ETag of the source that was copied; empty for a removal
 * @param copies the copies in the order of their containers, each named by its address. {@code TRANSFERRED} and {@code DELETED} are done,
 *     {@code UNCHANGED} was so before, {@code SKIPPED} is not a copy, {@code FAILED} is as it was, or unknown by its error
 */
public record ReplicaReport(String name, String version, List<TransferReport.Item> copies) {

    /**
     * Keeps its own list of the copies.
     *
     * @param name the blob's name
     * @param version the ETag of the source that was copied; empty for a removal
     * @param copies the copies in the order of their containers
     */
    public ReplicaReport {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(version, "version");
        copies = List.copyOf(copies);
    }

    /**
     * Returns the copies that failed; another call tries these only, since it leaves equal copies as they are.
     *
     * @return the failures; empty if all copies are as wanted
     */
    public List<TransferReport.Item> failures() {
        return copies.stream()
                .filter(copy -> copy.action() == TransferReport.Action.FAILED)
                .toList();
    }

    @Override
    public String toString() {
        return PrintableText.of("ReplicaReport[" + name + ", version=" + version + ", copies=" + copies + "]");
    }
}
