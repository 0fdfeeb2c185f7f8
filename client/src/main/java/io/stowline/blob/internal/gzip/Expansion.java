package io.stowline.blob.internal.gzip;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.OpenedContent;
import io.stowline.error.ProtocolException;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.gzip.GzipDecoder;
import io.stowline.transport.internal.gzip.GzipDecoder.GzipFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The expansion of one download whose blob has the Content-Encoding gzip, within the bounds of its settings (decision 203). It takes the
 * stored bytes in their order. One reader; closing comes from any thread.
 */
public final class Expansion implements AutoCloseable {

    /** The expanded bytes for one stored byte that a download takes by default. */
    public static final int RATIO = 200;

    /** The expanded bytes that the ratio does not refuse. */
    public static final int ALWAYS = 64 << 20;

    /** The length of content whose expanded bytes are not known before it is read. */
    public static final long UNKNOWN = -1;

    private static final int PIECE = 64 << 10;
    private static final int TRAILER_LENGTH = 4;
    private static final int SMALLEST = 18;

    /** The expanded bytes that deflate can make of one. */
    private static final int DEFLATE_RATIO = 1_032;

    private final BlobContext context;
    private final String verb;
    private final BlobInfo info;
    private final DownloadSettings settings;
    private final GzipDecoder decoder = new GzipDecoder();
    private final long bound;
    private long length;

    private Expansion(BlobContext context, String verb, BlobInfo info, DownloadSettings settings) {
        this.context = context;
        this.verb = verb;
        this.info = info;
        this.settings = settings;
        long byRatio = Math.max(ALWAYS, Math.max(0, info.size()) * settings.maxRatio());
        this.bound = Math.min(settings.maxExpanded(), byRatio);
    }

    /** A receiver of expanded bytes, which may change after the call. */
    @FunctionalInterface
    public interface ExpandedTarget {
        void take(byte[] bytes, int count) throws IOException;
    }

    /** A source of stored bytes, which gives -1 at its end. */
    @FunctionalInterface
    public interface StoredSource {
        int read(byte[] target, int offset, int max);
    }

    /**
     * Returns the expansion of a blob, or {@code null} if its content is read as it is stored.
     *
     * @param whole whether all of the blob is read
     * @throws IllegalStateException if it is compressed, and only a range of it is read
     */
    public static @Nullable Expansion of(
            BlobContext context, String verb, BlobInfo info, boolean whole, DownloadSettings settings) {
        if (!isWanted(info, settings)) {
            return null;
        }
        if (!whole) {
            throw new IllegalStateException(PrintableText.of(context.resource(info.name()))
                    + " is stored as gzip, so that a range of its content is not known: set asStored() for a range of"
                    + " its "
                    + info.size() + " stored bytes, or read it whole");
        }
        return new Expansion(context, verb, info, settings);
    }

    /** Returns whether the settings let the content of this blob be expanded. */
    public static boolean isWanted(BlobInfo info, DownloadSettings settings) {
        return !settings.asStored() && isGzip(info.headers().contentEncoding());
    }

    /** Returns whether a Content-Encoding is that of gzip. */
    public static boolean isGzip(@Nullable String contentEncoding) {
        return contentEncoding != null
                && ("gzip".equalsIgnoreCase(contentEncoding.strip())
                        || "x-gzip".equalsIgnoreCase(contentEncoding.strip()));
    }

    /** Passes the expanded content of stored bytes on. */
    public void add(ByteBuffer stored, ExpandedTarget target) throws IOException {
        byte[] piece = new byte[PIECE];
        decoder.input(stored.duplicate());
        for (int count = decoded(piece, 0, PIECE); count > 0; count = decoded(piece, 0, PIECE)) {
            target.take(piece, count);
        }
    }

    /** Reads expanded content; -1 at its end. */
    public int read(byte[] target, int offset, int max, StoredSource source) {
        int count = decoded(target, offset, max);
        while (count == 0) {
            byte[] stored = new byte[PIECE];
            int read = source.read(stored, 0, PIECE);
            if (read < 0) {
                finish();
                return -1;
            }
            decoder.input(ByteBuffer.wrap(stored, 0, read));
            count = decoded(target, offset, max);
        }
        return count;
    }

    /** Returns the expanded content of opened bytes, whose length is not known. */
    public OpenedContent expanded(OpenedContent stored) {
        return new OpenedContent(stored.info(), UNKNOWN, expanded(stored.source()), () -> {
            stored.close();
            close();
        });
    }

    /** Returns the expanded content, a piece at each request. */
    private Flux<ByteBuffer> expanded(Flux<ByteBuffer> stored) {
        return stored.concatMapIterable(
                        bytes -> {
                            decoder.input(bytes.duplicate());
                            return Pieces::new;
                        },
                        1)
                .concatWith(Mono.fromRunnable(this::finish));
    }

    /** An iterator over the expanded content of one part. */
    private final class Pieces implements Iterator<ByteBuffer> {

        private @Nullable ByteBuffer next;

        @Override
        public boolean hasNext() {
            if (next == null) {
                byte[] piece = new byte[PIECE];
                int count = decoded(piece, 0, PIECE);
                next = count == 0 ? null : ByteBuffer.wrap(piece, 0, count);
            }
            return next != null;
        }

        @Override
        public ByteBuffer next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the part has no further bytes");
            }
            ByteBuffer given = Objects.requireNonNull(next);
            next = null;
            return given;
        }
    }

    /** Returns the bytes that the last member states, as far as the limit lets them into memory. */
    public int expectedSize(byte[] stored) {
        if (stored.length < SMALLEST) {
            return 0;
        }
        long size = 0;
        for (int i = 1; i <= TRAILER_LENGTH; i++) {
            size = size << 8 | (stored[stored.length - i] & 0xFF);
        }
        long possible = Math.min(bound, (long) stored.length * DEFLATE_RATIO);
        return (int) Math.min(size, Math.min(possible, settings.limit()));
    }

    /**
     * Returns the whole expanded content, or {@code null} if it has more bytes than the array, which {@link #length} then states: only
     * content of several members is longer than the last one states.
     *
     * @param content an array of the size that it is expected to have
     * @throws IllegalStateException if it is more than the limit of the settings
     */
    public byte @Nullable [] whole(byte[] stored, byte[] content) {
        byte[] more = new byte[PIECE];
        length = 0;
        decoder.input(ByteBuffer.wrap(stored));
        int count;
        do {
            int filled = (int) Math.min(length, content.length);
            count = filled == content.length
                    ? decoded(more, 0, PIECE)
                    : decoded(content, filled, content.length - filled);
            if (length > settings.limit()) {
                throw new IllegalStateException(PrintableText.of(context.resource(info.name()))
                        + " has more expanded bytes than the limit of " + settings.limit()
                        + " for a download into memory; downloadTo and open have none");
            }
        } while (count > 0);
        finish();
        return length > content.length ? null : content;
    }

    /** Returns the bytes that the content has so far. */
    public long length() {
        return length;
    }

    private int decoded(byte[] target, int offset, int size) {
        try {
            int count = decoder.read(target, offset, size);
            length += count;
            if (length > bound) {
                throw new IllegalStateException(PrintableText.of(context.resource(info.name())) + " has " + info.size()
                        + " bytes of gzip, which expand to more than the limit of " + bound
                        + "; maxExpansion() allows more, and asStored() reads it as it is");
            }
            return count;
        } catch (GzipFormatException e) {
            throw wrong(e);
        }
    }

    /** Checks that the stored bytes are complete. */
    public void finish() {
        try {
            decoder.finish();
        } catch (GzipFormatException e) {
            throw wrong(e);
        }
    }

    private ProtocolException wrong(GzipFormatException e) {
        return new ProtocolException(
                FailureFacts.of(verb, context.resource(info.name()))
                        .tried(1, 0, Duration.ZERO)
                        .because(
                                "its Content-Encoding is gzip, but its content is not: " + e.getMessage(),
                                "asStored() reads it as it is"),
                null);
    }

    @Override
    public void close() {
        decoder.close();
    }
}
