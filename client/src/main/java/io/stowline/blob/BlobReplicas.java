package io.stowline.blob;

import io.stowline.error.NotFoundException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Containers, often of several accounts, that hold copies of hot blobs; made by {@link BlobContainer#replicas}. The container that makes it is the
 * source: it has the blob, and publication copies it to the others.
 *
 * <pre>{@code
 * BlobReplicas models = photos.replicas(List.of(second, third), o -> o.startWithin(Duration.ofMinutes(1)));
 * ReplicaReport report = models.publish("model.bin");
 * models.downloadTo("model.bin", Path.of("model.bin"));
 * }</pre>
 *
 * <p><b>Reads</b> choose one of all containers, the source included, by a hash of the instance and the name, so that the instances spread evenly. When
 * a copy throttles or fails after the retries of its container, is missing, is over, or has an older version than this object has met, the
 * read tries each other container once, the source among them. A read is of one version of one copy: a stream that fails after its
 * first bytes is not continued elsewhere.
 *
 * <p><b>Publication</b> does not change all copies at one moment. Until it ends, and after one that failed for some containers, these keep the
 * old version, which other instances may read. One instance never goes back to an older version.
 *
 * <p>Thread-safe. {@link #reactive()} has the same methods without blocking. Failures are those of {@link BlobContainer}; of a read whose every
 * copy failed, that of the source.
 */
public interface BlobReplicas {

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face
     */
    ReactiveBlobReplicas reactive();

    /**
     * Copies a blob from the source to all other containers; see {@link #publish(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @return the end of each copy
     * @throws NotFoundException if the source does not have the blob
     */
    default ReplicaReport publish(String name) {
        return publish(name, settings -> settings);
    }

    /**
     * Copies a blob from the source to all other containers, in parallel. The services move the content, as by {@link
     * BlobContainer#copyFrom(BlobContainer, String, String, UnaryOperator)}.
     *
     * <p>All copies are of the version that the source has when the call begins, and their metadata name it. A copy that fails leaves its
     * container as it was and is reported; the others go on. A blob of this name that is not such a copy is a failure, and stays.
     *
     * @param name the blob's name
     * @param settings changes the default settings of each copy; without {@code overwrite}, {@code ifMatch} and {@code ifTags}
     * @return the end of each copy
     * @throws NotFoundException if the source does not have the blob
     * @throws IllegalArgumentException if a setting is out of range, or a condition on the target
     */
    ReplicaReport publish(String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Reads a small blob into memory, at most 64 MiB.
     *
     * @param name the blob's name
     * @return its content
     * @throws NotFoundException if no container has it
     * @throws IllegalStateException if it is larger
     */
    default byte[] download(String name) {
        return download(name, settings -> settings);
    }

    /**
     * Reads a blob, or a part of it, into memory. A copy that fails in the middle is read from the next one from the beginning.
     *
     * @param name the blob's name
     * @param settings changes the default settings; without {@code ifMatch} and {@code ifTags}
     * @return its content
     * @throws NotFoundException if no container has it
     * @throws IllegalStateException if it is larger than the limit of the settings
     * @throws IllegalArgumentException if a setting is out of range, or a condition on one copy
     */
    byte[] download(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Downloads a blob to a file; see {@link BlobContainer#downloadTo(String, Path)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @return the copy that was read
     * @throws NotFoundException if no container has it
     */
    default BlobInfo downloadTo(String name, Path target) {
        return downloadTo(name, target, settings -> settings).blob();
    }

    /**
     * Downloads a blob, or a part of it, to a file; see {@link BlobContainer#downloadTo(String, Path, UnaryOperator)}. An interrupted download is
     * resumed from the same copy.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @param settings changes the default settings; without {@code ifMatch} and {@code ifTags}
     * @return the copy that was read, and what an earlier download had written
     * @throws NotFoundException if no container has it
     * @throws IllegalArgumentException if a setting is out of range, or a condition on one copy
     */
    DownloadSettings.FileDownload downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Opens a blob as a stream.
     *
     * @param name the blob's name
     * @return its content, to be closed
     * @throws NotFoundException if no container has it
     */
    default InputStream open(String name) {
        return open(name, settings -> settings);
    }

    /**
     * Opens a blob, or a part of it, as a stream.
     *
     * @param name the blob's name
     * @param settings changes the default settings; without {@code ifMatch} and {@code ifTags}
     * @return its content, to be closed
     * @throws NotFoundException if no container has it
     * @throws IllegalArgumentException if a setting is out of range, or a condition on one copy
     */
    InputStream open(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Opens a blob, whose facts are those of the bytes that are read.
     *
     * @param name the blob's name
     * @return the copy and its content, to be closed
     * @throws NotFoundException if no container has it
     */
    default BlobDownload openDownload(String name) {
        return openDownload(name, settings -> settings);
    }

    /**
     * Opens a blob, or a part of it, whose facts are those of the bytes that are read.
     *
     * @param name the blob's name
     * @param settings changes the default settings; without {@code ifMatch} and {@code ifTags}
     * @return the copy and its content, to be closed
     * @throws NotFoundException if no container has it
     * @throws IllegalArgumentException if a setting is out of range, or a condition on one copy
     */
    BlobDownload openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Removes the copies of a blob from all containers but the source. A blob that is not a copy stays, and so does the source.
     *
     * @param name the blob's name
     * @return the end of each copy
     */
    ReplicaReport remove(String name);
}
