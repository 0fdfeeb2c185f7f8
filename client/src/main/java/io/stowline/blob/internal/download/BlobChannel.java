package io.stowline.blob.internal.download;

import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.download.PrefetchWindow.PrefetchBounds;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A blob as a channel that is read at any position, all of one version. It keeps the range that was read last. A reader who goes on where
 * that ends gets larger ranges and, from the third one on, ranges ahead of it. Thread-safe as a {@link java.nio.channels.FileChannel} is:
 * reads that use the position follow each other.
 */
public final class BlobChannel extends AbstractInterruptibleChannel implements SeekableByteChannel {

    private static final String VERB = "channel";

    /** The least that a request reads, if the blob has so much. */
    private static final int SMALLEST = 64 << 10;

    private final RangeSource source;
    private final PinnedVersion version;
    private final ReadPlan plan;
    private final TransferMemory memory;
    private final Object turn = new Object();
    private final Object current = new Object();

    private long position;
    private @Nullable OrderedRead ahead;
    private int inOrder;
    private boolean closed;

    private BlobChannel(BlobContext context, RangeSource source, PinnedVersion version, ReadPlan plan) {
        this.source = source;
        this.version = version;
        this.plan = plan;
        this.memory = context.service().memory();
    }

    /**
     * Opens a blob; one request finds out what it is.
     *
     * @param context the container
     */
    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    public static BlobChannel open(BlobContext context, String name, DownloadSettings settings) {
        BlobContext primary = context.atPrimary();
        ReadPlan plan = ReadPlan.of(primary, settings);
        if (!plan.isComplete()) {
            throw new IllegalArgumentException(
                    "range: a channel reads at the position that its reader sets, not a range");
        }
        RangeSource source = new RangeSource(primary, name, VERB);
        BlobPiece found = Objects.requireNonNull(BlockingAwait.on(source.head(plan)), "the blob has no properties");
        if (Expansion.isWanted(found.info(), settings)) {
            throw new IllegalStateException(PrintableText.of(primary.resource(name))
                    + " is stored as gzip, so that its content has no positions: set asStored() for a channel of its "
                    + found.info().size() + " stored bytes, or read it by open()");
        }
        return new BlobChannel(primary, source, found.version(), plan);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (Objects.requireNonNull(target, "target").isReadOnly()) {
            throw new IllegalArgumentException("the buffer is read-only");
        }
        synchronized (turn) {
            open();
            if (!target.hasRemaining()) {
                return 0;
            }
            if (position >= version.info().size()) {
                return -1;
            }
            boolean done = false;
            try {
                begin();
                int count = copy(target);
                position += count;
                done = count > 0;
                return count;
            } catch (StorageInterruptedException | IllegalStateException e) {
                if (isOpen() && !Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                return -1;
            } finally {
                end(done);
            }
        }
    }

    private int copy(ByteBuffer target) {
        int count = 0;
        // What is there may be dropped before it is taken.
        while (count == 0) {
            count = copy(found(target.remaining()), target);
        }
        return count;
    }

    private static int copy(OrderedRead from, ByteBuffer target) {
        if (target.hasArray()) {
            int count = from.read(target.array(), target.arrayOffset() + target.position(), target.remaining());
            target.position(target.position() + count);
            return count;
        }
        byte[] bytes = new byte[Math.min(target.remaining(), RangeSource.UNCOUNTED)];
        int count = from.read(bytes, 0, bytes.length);
        target.put(bytes, 0, count);
        return count;
    }

    private OrderedRead found(int wanted) {
        OrderedRead running = ahead;
        if (running != null && running.seek(position)) {
            return running;
        }
        boolean follows = running != null && position == running.position();
        inOrder = follows ? inOrder + 1 : 0;
        if (running == null || !follows || (inOrder == 2 && plan.depth() > 1)) {
            running = restart(wanted);
        }
        if (!Boolean.TRUE.equals(BlockingAwait.on(running.ready()))) {
            throw new IllegalStateException("no byte before the end");
        }
        return running;
    }

    private OrderedRead restart(int wanted) {
        int size = (int) Math.min(plan.rangeSize(), Math.max(SMALLEST, (long) wanted << Math.min(inOrder, 20)));
        int depth = inOrder >= 2 ? plan.depth() : 1;
        OrderedRead before;
        OrderedRead next;
        synchronized (current) {
            before = ahead;
            next = OrderedRead.of(
                    source,
                    plan,
                    memory,
                    version,
                    new PrefetchBounds(position, version.info().size(), size, plan.rangeSize(), depth));
            ahead = next;
            if (closed) {
                next.close();
            }
        }
        if (before != null) {
            before.close();
        }
        return next;
    }

    private void open() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public long position() throws IOException {
        synchronized (turn) {
            open();
            return position;
        }
    }

    @Override
    public SeekableByteChannel position(long newPosition) throws IOException {
        if (newPosition < 0) {
            throw new IllegalArgumentException("a position is not negative, but was " + newPosition);
        }
        synchronized (turn) {
            open();
            position = newPosition;
            return this;
        }
    }

    @Override
    public long size() throws IOException {
        open();
        return version.info().size();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        open();
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long size) throws IOException {
        open();
        throw new NonWritableChannelException();
    }

    @Override
    protected void implCloseChannel() {
        OrderedRead running;
        synchronized (current) {
            closed = true;
            running = ahead;
        }
        if (running != null) {
            running.close();
        }
    }
}
