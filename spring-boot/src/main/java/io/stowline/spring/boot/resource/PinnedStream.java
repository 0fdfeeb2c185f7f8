package io.stowline.spring.boot.resource;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one version of a blob. The first read opens it, so that a skip before it costs nothing. Where the account keeps versions, the
 * stream of a blob that changes goes on at its version; elsewhere it ends with a {@link BlobChangedException}. For one thread at a time.
 */
final class PinnedStream extends InputStream {

    /** Spring's web module skips to a part, reads it and closes the stream: what is read ahead of it is lost. */
    private static final int RANGE_OF_A_PART = 512 << 10;

    private static final int RANGES_OF_A_PART = 2;

    private final BlobContainer container;
    private final BlobInfo info;
    private final String location;
    private @Nullable InputStream source;
    private long position;
    private boolean part;
    private boolean kept;
    private boolean closed;

    PinnedStream(BlobContainer container, BlobInfo info, String location) {
        this.container = container;
        this.info = info;
        this.location = location;
    }

    @Override
    public long skip(long count) throws IOException {
        refuseClosed();
        if (source != null) {
            return super.skip(count);
        }
        long skipped = Math.max(0, Math.min(count, info.size() - position));
        position += skipped;
        part = true;
        return skipped;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        refuseClosed();
        if (length == 0) {
            return 0;
        }
        if (position >= info.size()) {
            return -1;
        }
        int count;
        try {
            count = opened().read(target, offset, length);
        } catch (PreconditionFailedException | NotFoundException e) {
            count = readKept(target, offset, length, e);
        }
        position += Math.max(0, count);
        return count;
    }

    private InputStream opened() throws IOException {
        InputStream opened = source;
        if (opened == null) {
            if (info.etag().isEmpty()) {
                throw new IOException(location + " has no ETag, which its versions are known by");
            }
            opened = container
                    .openDownload(info.name(), o -> {
                        o.asStored().ifMatch(info.etag()).range(position, info.size() - position);
                        return part ? o.rangeSize(RANGE_OF_A_PART).parallelism(RANGES_OF_A_PART) : o;
                    })
                    .stream();
            source = opened;
        }
        return opened;
    }

    /** Reads from the version that the service keeps, if it keeps versions. */
    private int readKept(byte[] target, int offset, int length, StorageException changed) throws IOException {
        String version = info.versionId();
        if (version == null || kept) {
            throw new BlobChangedException(location, changed);
        }
        kept = true;
        try {
            SeekableByteChannel channel =
                    container.versionOf(info.name(), version).channel(o -> o.asStored());
            closeSource();
            InputStream continued = Channels.newInputStream(channel);
            source = continued;
            channel.position(position);
            return continued.read(target, offset, length);
        } catch (NotFoundException e) {
            throw new BlobChangedException(location, e);
        }
    }

    private void refuseClosed() throws IOException {
        if (closed) {
            throw new IOException("the stream of " + location + " is closed");
        }
    }

    private void closeSource() throws IOException {
        if (source != null) {
            source.close();
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        closeSource();
    }
}
