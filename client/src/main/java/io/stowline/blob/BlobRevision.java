package io.stowline.blob;

import com.azure.storage.blob.models.BlobItem;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.RevisionId;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.operations.RevisionOperations;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A state of a blob that was kept: a snapshot, which a client has taken, or a version, which the service keeps of every write where the
 * account is configured for it. It does not change, and is read like a blob.
 *
 * <pre>{@code
 * BlobRevision before = photos.snapshot("report.csv");
 * photos.upload(path, "report.csv", with -> with.overwrite());
 * before.downloadTo(Path.of("old.csv"));
 * before.promote();
 * before.delete();
 * }</pre>
 *
 * <p>What the reads throw is what those of {@link BlobContainer} throw. {@link #reactive()} has the same verbs without blocking.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class BlobRevision {

    private final BlobContext context;
    private final String name;
    private final RevisionId id;
    private final @Nullable BlobInfo info;
    private final State state;

    /** The state of a revision in a listing. */
    private enum State {
        KEPT,
        CURRENT,
        DELETED
    }

    private BlobRevision(BlobContext container, String name, RevisionId id, @Nullable BlobInfo info, State state) {
        this.context = container.at(id);
        this.name = name;
        this.id = id;
        this.info = info;
        this.state = state;
    }

    static BlobRevision snapshot(BlobContext container, String name, String id) {
        return of(container, name, RevisionId.SNAPSHOT, id);
    }

    static BlobRevision version(BlobContext container, String name, String id) {
        return of(container, name, RevisionId.VERSION, id);
    }

    private static BlobRevision of(BlobContext container, String name, String parameter, String id) {
        Objects.requireNonNull(name, "name");
        if (Objects.requireNonNull(id, "id").isEmpty()) {
            throw new IllegalArgumentException("the id is empty");
        }
        return new BlobRevision(container, NameRules.blob(name), new RevisionId(parameter, id), null, State.KEPT);
    }

    static BlobRevision of(BlobContext container, BlobItem item) {
        RevisionId id = Objects.requireNonNull(RevisionOperations.id(item), "no revision");
        State state = Boolean.TRUE.equals(item.isDeleted())
                ? State.DELETED
                : Boolean.TRUE.equals(item.isCurrentVersion()) ? State.CURRENT : State.KEPT;
        return new BlobRevision(container, item.getName(), id, BlobInfoMapper.of(item), state);
    }

    /**
     * Returns the name of the blob.
     *
     * @return its name in the container
     */
    public String name() {
        return name;
    }

    /**
     * Returns the id that the service gave, by which {@link BlobContainer#snapshotOf} or {@link BlobContainer#versionOf} finds it again.
     *
     * @return the time at which it was kept, in the service's form
     */
    public String id() {
        return id.id();
    }

    /**
     * Returns whether it is a snapshot, which a client has taken.
     *
     * @return false of a version, which the service keeps of a write
     */
    public boolean isSnapshot() {
        return id.parameter().equals(RevisionId.SNAPSHOT);
    }

    /**
     * Returns the facts that a listing gave.
     *
     * @return the facts; empty of a revision that no listing gave
     */
    public Optional<BlobInfo> listed() {
        return Optional.ofNullable(info);
    }

    /**
     * Returns whether a listing gave it as the version that is the present state of the blob.
     *
     * @return true if it is current
     */
    public boolean current() {
        return state == State.CURRENT;
    }

    /**
     * Returns whether a listing gave it as deleted: it is kept for the account's time, and {@link BlobContainer#undelete} brings it back.
     *
     * @return true if it is deleted
     */
    public boolean deleted() {
        return state == State.DELETED;
    }

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this revision
     */
    public ReactiveBlobRevision reactive() {
        return new ReactiveBlobRevision(this, context);
    }

    private BlobContainer blobs() {
        return new BlobContainer(context);
    }

    /**
     * Returns the properties.
     *
     * @return its facts
     * @throws NotFoundException if it is not there
     */
    public BlobInfo info() {
        return blobs().info(name);
    }

    /**
     * Returns the tags.
     *
     * @return names and values
     * @throws NotFoundException if it is not there
     */
    public Map<String, String> tags() {
        return blobs().tags(name);
    }

    /**
     * Reads the content into memory, at most 64 MiB.
     *
     * @return the content
     * @throws NotFoundException if it is not there
     */
    public byte[] download() {
        return blobs().download(name);
    }

    /**
     * Reads the content, or a part of it, into memory.
     *
     * @param settings sets what differs from the defaults
     * @return the content
     * @throws NotFoundException if it is not there
     */
    public byte[] download(UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().download(name, settings);
    }

    /**
     * Reads the content into a file; see {@link BlobContainer#downloadTo(String, Path)}.
     *
     * @param target the file, replaced if it is there
     * @return the blob that was read
     * @throws NotFoundException if it is not there
     */
    public BlobInfo downloadTo(Path target) {
        return blobs().downloadTo(name, target);
    }

    /**
     * Reads the content into a file; see {@link BlobContainer#downloadTo(String, Path, UnaryOperator)}.
     *
     * @param target the file, replaced if it is there
     * @param settings sets what differs from the defaults
     * @return the blob that was read, and what was resumed
     * @throws NotFoundException if it is not there
     */
    public DownloadSettings.FileDownload downloadTo(Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().downloadTo(name, target, settings);
    }

    /**
     * Reads the content into a stream; see {@link BlobContainer#downloadTo(String, OutputStream)}.
     *
     * @param target the stream, flushed and not closed
     * @return the blob that was read
     * @throws NotFoundException if it is not there
     */
    public BlobInfo downloadTo(OutputStream target) {
        return blobs().downloadTo(name, target);
    }

    /**
     * Opens the content for reading at the reader's pace; see {@link BlobContainer#open(String)}.
     *
     * @return the content; close it unless it was read to its end
     * @throws NotFoundException if it is not there
     */
    public InputStream open() {
        return blobs().open(name);
    }

    /**
     * Opens the content for reading at any position; see {@link BlobContainer#channel}.
     *
     * @return the channel, at position 0; close it
     * @throws NotFoundException if it is not there
     */
    public SeekableByteChannel channel() {
        return blobs().channel(name);
    }

    /**
     * Makes it the present state of its blob, whatever that is: content, headers and metadata are copied by the service. After a lost
     * response the copy may be made twice.
     *
     * @throws NotFoundException if it is not there
     * @throws ConflictException if a copy to the blob is pending
     */
    public void promote() {
        BlockingAwait.on(new RevisionOperations(context).promote(name));
    }

    /**
     * Removes it. Where a response was lost and it is gone, that is success.
     *
     * @return its result
     * @throws NotFoundException if it is not there
     */
    public WriteResult delete() {
        return BlobContainer.await(new RevisionOperations(context).delete(name));
    }

    @Override
    public String toString() {
        return PrintableText.of("BlobRevision[" + context.resource(name) + "]");
    }
}
