package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.transport.internal.concurrent.LeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/** A blob as a stream, with a bounded number of bytes read ahead. Used by one thread. A stream that its caller
 * loses is closed, which the log shows. */
public final class BlobStream extends InputStream {

    private static final String VERB = "open";
    private static final int BUFFER = 8 << 10;

    private final PieceCursor content;
    private final DownloadMeter meter;
    private final @Nullable Expansion expansion;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private final Cleaner.Cleanable watch;
    private boolean closed;

    private BlobStream(PieceCursor content, DownloadMeter meter, @Nullable Expansion expansion, String resource) {
        this.content = content;
        this.meter = meter;
        this.expansion = expansion;
        this.watch = LeakDetector.shared().closing(this, "the stream of " + resource, () -> {
            meter.close();
            return content.lost();
        });
    }

    /**
     * Opens a blob; its first bytes are there then.
     *
     * @param context the container
     */
    @SuppressWarnings("MustBeClosedChecker") // the stream closes it
    public static BlobStream open(BlobContext context, String name, DownloadSettings settings) {
        BlobContext primary = context.atPrimary();
        ReadPlan plan = ReadPlan.of(primary, settings);
        DownloadMeter meter = new DownloadMeter(primary, settings, Context.empty());
        PieceCursor content = new PieceCursor(primary, VERB, name, plan, meter.in(Context.empty()));
        try {
            content.ready();
            meter.expect(content.length());
            Expansion expansion = Expansion.of(primary, VERB, content.info(), plan.isComplete(), settings);
            return new BlobStream(content, meter, expansion, primary.resource(name));
        } catch (RuntimeException e) {
            content.close();
            meter.close();
            throw e;
        }
    }

    /** Returns the blob in the version that is read. */
    public BlobInfo info() {
        return content.info();
    }

    /** Returns the length of the whole stream in bytes, or {@link Expansion#UNKNOWN}. */
    public long length() {
        return expansion == null ? content.length() : Expansion.UNKNOWN;
    }

    private void refuseClosed() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
    }

    @Override
    public int read() throws IOException {
        refuseClosed();
        if (position == limit) {
            limit = Math.max(0, counted(buffer, 0, BUFFER));
            position = 0;
        }
        return position == limit ? -1 : buffer[position++] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        refuseClosed();
        if (position == limit) {
            try {
                return counted(target, offset, length);
            } finally {
                // A caller that uses it no more has not lost it before this read has ended.
                Reference.reachabilityFence(this);
            }
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(buffer, position, target, offset, count);
        position += count;
        return count;
    }

    private int counted(byte[] target, int offset, int length) {
        return expansion == null
                ? stored(target, offset, length)
                : expansion.read(target, offset, length, this::stored);
    }

    private int stored(byte[] target, int offset, int length) {
        int count = content.read(target, offset, length);
        if (count < 0) {
            meter.close();
        } else {
            meter.moved(count);
        }
        return count;
    }

    @Override
    public int available() {
        return closed ? 0 : limit - position + (expansion == null ? content.available() : 0);
    }

    @Override
    public void close() {
        closed = true;
        content.close();
        meter.close();
        if (expansion != null) {
            expansion.close();
        }
        watch.clean();
    }
}
