package io.stowline.blob.internal.page;

import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A page blob as a channel that is read and written at any position. It keeps one window of the blob, with the pages that were read or
 * written last, and sends the written ones when it leaves the window, while the caller goes on with the next. Thread-safe, one call at a
 * time.
 */
public final class PageChannel implements SeekableByteChannel {

    /** The bytes of a window. */
    static final int WINDOW = 1 << 20;

    /** The windows that are being sent at a time, beside the one that is written. */
    static final int MAX_IN_FLIGHT = 3;

    private static final int PAGE = PageRules.PAGE;
    private static final int PAGES = WINDOW / PAGE;

    /** The pages that a request reads at least, if the window has so many: 64 KiB. */
    private static final int LEAST_READ = (64 << 10) / PAGE;

    private final PageOperations pages;
    private final Map<Long, CompletableFuture<Void>> inFlight = new LinkedHashMap<>();
    private long size;
    private long position;
    private boolean closed;
    private byte[] window = new byte[0];
    private long base = -1;
    private BitSet known = new BitSet();
    private BitSet written = new BitSet();
    private @Nullable RuntimeException failure;
    private boolean reported;

    private PageChannel(PageOperations pages, long size) {
        this.pages = pages;
        this.size = size;
    }

    /** Opens a blob; one request finds out its size. */
    public static PageChannel open(PageOperations pages) {
        return new PageChannel(pages, BlockingAwait.result(pages.size("channel")));
    }

    @Override
    public synchronized int read(ByteBuffer target) throws IOException {
        if (Objects.requireNonNull(target, "target").isReadOnly()) {
            throw new IllegalArgumentException("the buffer is read-only");
        }
        check();
        if (!target.hasRemaining()) {
            return 0;
        }
        if (position >= size) {
            return -1;
        }
        move(position);
        int from = (int) (position - base);
        int first = from / PAGE;
        if (!known.get(first)) {
            load(first, (from + target.remaining() - 1) / PAGE + 1 - first);
        }
        int end = Math.min(known.nextClearBit(first) * PAGE, (int) Math.min(WINDOW, size - base));
        int count = Math.min(target.remaining(), end - from);
        target.put(window, from, count);
        position += count;
        return count;
    }

    @Override
    public synchronized int write(ByteBuffer source) throws IOException {
        int length = Objects.requireNonNull(source, "source").remaining();
        check();
        if (length > 0 && length > size - position) {
            throw new IOException("a write of " + length + " bytes at position " + position
                    + " ends behind the blob, which has " + size + " bytes: resize it first");
        }
        while (source.hasRemaining()) {
            move(position);
            int from = (int) (position - base);
            int count = Math.min(source.remaining(), WINDOW - from);
            complete(from);
            complete(from + count);
            source.get(window, from, count);
            int first = from / PAGE;
            int end = (from + count - 1) / PAGE + 1;
            known.set(first, end);
            written.set(first, end);
            position += count;
        }
        return length;
    }

    /** Reads the page in which a write begins or ends, unless that is at an edge of the page. */
    private void complete(int at) throws IOException {
        if (at % PAGE != 0 && !known.get(at / PAGE)) {
            load(at / PAGE, 1);
        }
    }

    /** Reads pages of the window that are not known, as far as none of them is. */
    private void load(int first, int wanted) throws IOException {
        awaitSent(base);
        int next = known.nextSetBit(first);
        int end = (int) Math.min(next < 0 ? PAGES : next, (Math.min(WINDOW, size - base) + PAGE - 1) / PAGE);
        int count = Math.min(end - first, Math.max(wanted, LEAST_READ)) * PAGE;
        byte[] bytes = BlockingAwait.result(pages.read(base + (long) first * PAGE, count));
        if (bytes.length < count) {
            throw new EOFException("the blob has become shorter than " + size + " bytes since the channel was opened");
        }
        System.arraycopy(bytes, 0, window, first * PAGE, count);
        known.set(first, first + count / PAGE);
    }

    /** Makes the window the one of a position. */
    private void move(long to) {
        long wanted = to / WINDOW * WINDOW;
        if (wanted != base) {
            send();
            window = new byte[WINDOW];
            known = new BitSet();
            written = new BitSet();
            base = wanted;
        }
    }

    /** Begins to send what was written in the window, after what was sent of it before. */
    private void send() {
        if (written.isEmpty()) {
            return;
        }
        awaitSent(base);
        while (inFlight.size() >= MAX_IN_FLIGHT) {
            awaitSent(inFlight.keySet().iterator().next());
        }
        byte[] bytes = window;
        long from = base;
        BitSet runs = written;
        written = new BitSet();
        Flux<Integer> begins = Flux.<Integer, Integer>generate(() -> runs.nextSetBit(0), (begin, sink) -> {
            if (begin < 0) {
                sink.complete();
                return begin;
            }
            sink.next(begin);
            return runs.nextSetBit(runs.nextClearBit(begin));
        });
        Mono<Void> sent = begins.concatMap(begin -> run(from, bytes, begin, runs.nextClearBit(begin)), 0)
                .then();
        inFlight.put(from, sent.toFuture());
    }

    private Mono<WriteResult> run(long from, byte[] bytes, int begin, int end) {
        return pages.write("channel", from + (long) begin * PAGE, bytes, begin * PAGE, (end - begin) * PAGE);
    }

    private void awaitSent(long from) {
        CompletableFuture<Void> running = inFlight.get(from);
        if (running == null) {
            return;
        }
        boolean done = false;
        try {
            BlockingAwait.on(Mono.fromFuture(running, true));
            done = true;
        } catch (RuntimeException e) {
            done = running.isDone();
            if (!done) {
                throw e;
            }
            fail(e);
        } finally {
            if (done) {
                inFlight.remove(from);
            }
        }
    }

    private void fail(RuntimeException error) {
        if (failure == null) {
            failure = error;
        } else if (failure != error) {
            failure.addSuppressed(error);
        }
    }

    private void check() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        for (Map.Entry<Long, CompletableFuture<Void>> each :
                Map.copyOf(inFlight).entrySet()) {
            if (each.getValue().isDone()) {
                awaitSent(each.getKey());
            }
        }
        report();
    }

    private void report() {
        if (failure != null) {
            reported = true;
            throw failure;
        }
    }

    @Override
    public synchronized long position() throws IOException {
        check();
        return position;
    }

    @Override
    public synchronized SeekableByteChannel position(long newPosition) throws IOException {
        if (newPosition < 0) {
            throw new IllegalArgumentException("a position is not negative, but was " + newPosition);
        }
        check();
        position = newPosition;
        return this;
    }

    @Override
    public synchronized long size() throws IOException {
        check();
        return size;
    }

    /** Sends what was written, and makes the blob smaller; a multiple of 512. */
    @Override
    public synchronized SeekableByteChannel truncate(long newSize) throws IOException {
        PageRules.size("the size", newSize);
        check();
        if (newSize < size) {
            flush();
            report();
            BlockingAwait.result(pages.resize(newSize));
            size = newSize;
            base = -1;
        }
        position = Math.min(position, size);
        return this;
    }

    private void flush() {
        send();
        for (Long from : Map.copyOf(inFlight).keySet()) {
            awaitSent(from);
        }
    }

    @Override
    public synchronized boolean isOpen() {
        return !closed;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        try {
            flush();
        } finally {
            closed = true;
            window = new byte[0];
        }
        if (!reported) {
            report();
        }
    }
}
