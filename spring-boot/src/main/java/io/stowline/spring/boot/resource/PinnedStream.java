package io.stowline.spring.boot.resource;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import java.io.EOFException;
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
    private long sourcePosition;
    private long sourceEnd;
    private long position;
    private boolean begun;
    private boolean part;
    private boolean kept;
    private boolean closed;

    PinnedStream(BlobContainer container, BlobInfo info, String location) {
        this.container = container;
        this.info = info;
        this.location = location;
    }

    /** Opens a part at once, for a reader that skips to it and reads it. */
    PinnedStream expect(long from, long length) throws IOException {
        open(from, length);
        return this;
    }

    @Override
    public long skip(long count) throws IOException {
        refuseClosed();
        if (begun) {
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
        begun = true;
        int count;
        try {
            count = source().read(target, offset, length);
        } catch (PreconditionFailedException | NotFoundException e) {
            count = openKept(position, e).read(target, offset, length);
        }
        if (count < 0) {
            throw new EOFException(location + " ended after " + position + " of " + info.size() + " bytes");
        }
        position += count;
        sourcePosition = position;
        return count;
    }

    /** Returns what gives the byte of the position. */
    private InputStream source() throws IOException {
        InputStream opened = source;
        return opened != null && sourcePosition == position && position < sourceEnd
                ? opened
                : open(position, info.size() - position);
    }

    private InputStream open(long from, long length) throws IOException {
        if (info.etag().isEmpty()) {
            throw new IOException(location + " has no ETag, which its versions are known by");
        }
        try {
            InputStream opened = container
                    .openDownload(info.name(), o -> {
                        o.asStored().ifMatch(info.etag()).range(from, length);
                        return part ? o.rangeSize(RANGE_OF_A_PART).parallelism(RANGES_OF_A_PART) : o;
                    })
                    .stream();
            return readFrom(opened, from, from + length);
        } catch (PreconditionFailedException | NotFoundException e) {
            return openKept(from, e);
        }
    }

    /** Opens the version that the service keeps, if it keeps versions. */
    private InputStream openKept(long from, StorageException changed) throws IOException {
        String version = info.versionId();
        if (version == null || kept) {
            throw new BlobChangedException(location, changed);
        }
        kept = true;
        try {
            SeekableByteChannel channel =
                    container.versionOf(info.name(), version).channel(o -> o.asStored());
            channel.position(from);
            return readFrom(Channels.newInputStream(channel), from, info.size());
        } catch (NotFoundException e) {
            throw new BlobChangedException(location, e);
        }
    }

    private InputStream readFrom(InputStream opened, long from, long end) throws IOException {
        closeSource();
        source = opened;
        sourcePosition = from;
        sourceEnd = end;
        return opened;
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
