package io.stowline.caching.internal.entry;

import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.load.CacheKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** A shelf in memory that fails where the test says so, and counts what is open. */
public final class FakeShelf implements OverflowStore {

    public enum Fault {
        BEGIN,
        WRITE,
        COMMIT,
        FIND,
        LINK
    }

    final Map<CacheKey, EntryHead> heads = new HashMap<>();
    final Map<CacheKey, byte[]> bodies = new HashMap<>();
    public final AtomicInteger open = new AtomicInteger();
    final AtomicInteger aborted = new AtomicInteger();
    public final AtomicInteger writing = new AtomicInteger();

    public @Nullable Fault fault;

    boolean closed;

    /** The action during its next read only. */
    public Runnable meanwhile = () -> {};

    /** Returns the shelf that a later process finds. */
    public FakeShelf reopened() {
        FakeShelf later = new FakeShelf();
        heads.forEach((key, head) ->
                later.heads.put(key, EntryHead.of(head.status(), head.headers(), InvalidationStamp.earlier(0))));
        later.bodies.putAll(bodies);
        return later;
    }

    @Override
    public long capacity() {
        return 100_000;
    }

    @Override
    public @Nullable CacheHit find(CacheKey key) {
        Runnable once = meanwhile;
        meanwhile = () -> {};
        once.run();
        if (fault == Fault.FIND) {
            throw new IllegalStateException("no disk");
        }
        if (fault == Fault.LINK) {
            throw new NoClassDefFoundError("no disk");
        }
        return heads.containsKey(key) && !closed ? held(heads.get(key), bodies.get(key)) : null;
    }

    private CacheHit held(EntryHead head, byte[] body) {
        open.incrementAndGet();
        return new CacheHit(
                head, OneTimeBody.file(body.length, Flux.just(ByteBuffer.wrap(body)), open::decrementAndGet));
    }

    @Override
    public Writing begin(CacheKey key, EntryHead head) throws IOException {
        fail(Fault.BEGIN);
        writing.incrementAndGet();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        return new Writing() {
            private boolean ended;

            private void end() {
                if (!ended) {
                    ended = true;
                    writing.decrementAndGet();
                }
            }

            @Override
            public void write(ByteBuffer buffer) throws IOException {
                fail(Fault.WRITE);
                BodyCollector.add(bytes, buffer);
            }

            @Override
            public CacheHit commit() throws IOException {
                fail(Fault.COMMIT);
                end();
                heads.put(key, head);
                bodies.put(key, bytes.toByteArray());
                return held(head, bytes.toByteArray());
            }

            @Override
            public void abort() {
                aborted.incrementAndGet();
                end();
            }
        };
    }

    private void fail(Fault here) throws IOException {
        if (fault == Fault.LINK) {
            throw new NoClassDefFoundError("no disk");
        }
        if (closed || fault == here) {
            throw new IOException(closed ? "closed" : "the disk is full");
        }
    }

    @Override
    public void validated(CacheKey key, EntryHead head) {
        heads.computeIfPresent(key, (same, before) -> head);
    }

    @Override
    public void remove(CacheKey key) {
        heads.remove(key);
        bodies.remove(key);
    }

    @Override
    public void removeIf(Predicate<CacheKey> gone) {
        heads.keySet().removeIf(gone);
        bodies.keySet().removeIf(gone);
    }

    @Override
    public void forEach(Consumer<CacheKey> each) {
        heads.keySet().forEach(each);
    }

    @Override
    public void close() {
        closed = true;
    }
}
