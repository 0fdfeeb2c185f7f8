package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriter;
import io.stowline.error.NotFoundException;
import io.stowline.projection.InvalidKeyException;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.AbstractResource;
import org.springframework.core.io.WritableResource;
import org.springframework.util.StringUtils;

/**
 * A blob as a resource of Spring, bound to one version. The first access that finds the blob binds: {@link #contentLength}, {@link #lastModified},
 * {@link #info()} and all streams are of that version from then on. A request reads the facts together with the first 64 KiB, so that a small
 * blob needs no other one. A larger blob that is replaced or removed since is a {@link BlobChangedException}; where its account keeps versions,
 * its streams go on. A resource that lives long is read by {@link #latest()}:
 *
 * <pre>{@code
 * @RestController
 * class Notice {
 *     private final BlobResource notice;
 *
 *     Notice(BlobResources resources) {
 *         notice = resources.resource("azure-blob://texts/notice.txt");
 *     }
 *
 *     @GetMapping("/notice")
 *     String notice() throws IOException {
 *         return notice.latest().getContentAsString(UTF_8);
 *     }
 * }
 * }</pre>
 *
 * <p>A missing blob or container makes {@link #exists()} false and is a {@link FileNotFoundException} elsewhere. Other failures of the service are
 * those of {@link BlobContainer}. Length and bytes are those that are stored, also of a blob with a {@code Content-Encoding}. A location without
 * a name is that of the container.
 *
 * <p>Two resources are equal if their locations are. Thread-safe; it blocks, and refuses to block an event loop.
 */
public final class BlobResource extends AbstractResource implements WritableResource {

    private final ResourceLocation location;
    private final Supplier<Stowline> client;
    private final AtomicReference<@Nullable PinnedBlob> pinned;
    private final AtomicReference<@Nullable InputStream> opened;

    BlobResource(ResourceLocation location, Supplier<Stowline> client, @Nullable PinnedBlob pinned) {
        this(location, client, pinned, null);
    }

    private BlobResource(
            ResourceLocation location,
            Supplier<Stowline> client,
            @Nullable PinnedBlob pinned,
            @Nullable InputStream opened) {
        this.location = location;
        this.client = client;
        this.pinned = new AtomicReference<>(pinned);
        this.opened = new AtomicReference<>(opened);
    }

    /** Requests a part of this version and returns the resource whose first stream has it, for a reader that skips to the part. */
    BlobResource opened(long from, long length) throws IOException {
        PinnedBlob known = pinned();
        return new BlobResource(location, client, known, known.open(container(), location.toString(), from, length));
    }

    /**
     * Returns the same blob, bound to no version yet: the next access finds the present one.
     *
     * @return a new resource; nothing is sent
     */
    public BlobResource latest() {
        return new BlobResource(location, client, null);
    }

    /**
     * Returns the facts of the blob in the version that this resource is bound to, with its ETag and its headers.
     *
     * @return the facts
     * @throws FileNotFoundException if there is no such blob
     * @throws IOException if its first bytes cannot be read
     */
    public BlobInfo info() throws IOException {
        return pinned().info();
    }

    private PinnedBlob pinned() throws IOException {
        PinnedBlob known = pinned.get();
        if (known == null) {
            PinnedBlob found = find();
            known = pinned.compareAndSet(null, found) ? found : Objects.requireNonNullElse(pinned.get(), found);
        }
        return known;
    }

    private PinnedBlob find() throws IOException {
        if (location.isContainer()) {
            throw refused(location + " is a container and no blob", "blob name: it is empty");
        }
        try {
            location.checkName();
            return PinnedBlob.read(container(), location.name());
        } catch (NotFoundException | IllegalArgumentException e) {
            throw missing(location + " is not there: " + e.getMessage(), e);
        }
    }

    private static FileNotFoundException missing(String message, RuntimeException cause) {
        FileNotFoundException missing = new FileNotFoundException(message);
        missing.initCause(cause);
        return missing;
    }

    /** A name may come from a request, whose client learns the reason only. */
    private static FileNotFoundException refused(String message, String reason) {
        return missing(message, new InvalidKeyException(reason));
    }

    private BlobContainer container() {
        return client.get().container(location.container());
    }

    /**
     * Returns whether the blob is there, or the container if the location has no name. Neither a missing container nor a name that no blob can have
     * is an error.
     *
     * @return true if it is
     */
    @Override
    public boolean exists() {
        try {
            if (location.isContainer()) {
                return container().exists();
            }
            pinned();
            return true;
        } catch (FileNotFoundException | IllegalArgumentException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean isReadable() {
        return !location.isContainer() && exists();
    }

    @Override
    public boolean isWritable() {
        return !location.isContainer();
    }

    @Override
    public long contentLength() throws IOException {
        return info().size();
    }

    @Override
    public long lastModified() throws IOException {
        return info().lastModified().toEpochMilli();
    }

    /**
     * Opens the content of the version that this resource is bound to. A stream of a larger blob sends its request at the first read, after any
     * skip.
     *
     * @return the content; close it unless it was read to its end
     * @throws FileNotFoundException if there is no such blob
     */
    @Override
    public InputStream getInputStream() throws IOException {
        InputStream first = opened.getAndSet(null);
        return first == null ? pinned().open(container(), location.toString()) : first;
    }

    /**
     * Opens a stream that writes the blob and replaces whatever is there. Closing it publishes the content, all or none of it, and this resource
     * is then bound to no version. After a failed write nothing is published; an application that fails between two writes and closes the stream
     * publishes the first of them, which {@link BlobContainer#write(String)} does not. The blob gets the content type that the end of its name
     * stands for, if Java knows it.
     *
     * @return the stream; close it
     * @throws FileNotFoundException if the location is that of a container
     * @throws IllegalArgumentException if no blob can have the name, such as one with a line feed
     */
    @Override
    public OutputStream getOutputStream() throws IOException {
        if (location.isContainer()) {
            throw refused(location + " is a container and no blob", "blob name: it is empty");
        }
        location.checkName();
        String type = URLConnection.guessContentTypeFromName(location.name());
        BlobWriter writer = container()
                .write(
                        location.name(),
                        o -> type == null ? o.overwrite() : o.overwrite().contentType(type));
        return new PublishingStream(writer, () -> pinned.set(null));
    }

    /**
     * Returns the blob at a path from this one, as Spring resolves paths: {@code b.jpg} is beside this blob. A backslash is a slash, the segments
     * {@code .} and {@code ..} are resolved, and one slash at the beginning of a name is left out. All else stands for itself: there are no percent
     * escapes, wildcards or schemes. A name that no blob can have, such as one with a line feed, makes a resource that does not exist, and that
     * cannot be written.
     *
     * @param relativePath the path
     * @return the resource, bound to no version
     * @throws FileNotFoundException if the path leads out of the container
     */
    @Override
    public BlobResource createRelative(String relativePath) throws IOException {
        String name = StringUtils.cleanPath(StringUtils.applyRelativePath(location.name(), relativePath));
        if (name.equals("..") || name.startsWith("../")) {
            throw refused(
                    "'" + relativePath + "' leads out of the container of " + location,
                    "blob name: it leads out of its container");
        }
        return new BlobResource(location.withName(name.startsWith("/") ? name.substring(1) : name), client, null);
    }

    @Override
    public @Nullable String getFilename() {
        return location.isContainer() ? null : StringUtils.getFilename(location.name());
    }

    /**
     * Returns the location, percent-encoded.
     *
     * @return the location
     */
    @Override
    public URI getURI() {
        return URI.create(location.toString());
    }

    /**
     * Returns the location as a URL that reads this resource, with the credential of its account. The address of a blob for others is a
     * {@linkplain BlobContainer#sas(String) signature}.
     *
     * @return the location
     */
    @Override
    public URL getURL() throws IOException {
        return BlobUrl.of(this);
    }

    @Override
    public File getFile() throws IOException {
        throw new FileNotFoundException(location + " is no file: read its stream, or download it by"
                + " BlobContainer.downloadTo; BlobResources.find lists blobs by a pattern");
    }

    @Override
    public String getDescription() {
        return "blob [" + location + "]";
    }
}
