package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeaderName;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A sink that keeps what it gets, over all attempts. */
public final class CollectingSink implements BodySink {

    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private @Nullable String thrower;
    private Exception thrown = new IOException("none");
    private boolean full;
    private int pauses;
    private @Nullable Runnable draining;
    private Runnable again = () -> {};

    /** Throws this in its method of this name. */
    public CollectingSink throwing(String method, Exception failure) {
        thrower = method;
        thrown = failure;
        return this;
    }

    private void fail(String method) throws IOException {
        if (method.equals(thrower)) {
            if (thrown instanceof IOException broken) {
                throw broken;
            }
            throw (RuntimeException) thrown;
        }
    }

    @Override
    public synchronized void begin(int status, StorageResponse.Headers headers, long contentLength) throws IOException {
        fail("begin");
        begun.add(status + " " + contentLength + " " + headers.value(HttpHeaderName.ETAG));
    }

    @Override
    public synchronized void add(BodyPart part) throws IOException {
        fail("add");
        byte[] copy = new byte[part.length()];
        part.copyTo(copy, 0);
        bytes.writeBytes(copy);
    }

    /** Fills the sink for now. */
    public synchronized CollectingSink fill() {
        full = true;
        return this;
    }

    /** Fills the sink after each part, until it is drained in this way. */
    public synchronized CollectingSink fillAfterEachPart(Runnable how) {
        draining = how;
        return this;
    }

    /** Forgets what it has got. */
    public synchronized void clear() {
        bytes.reset();
    }

    /** Makes room again. */
    public void drain() {
        Runnable waits;
        synchronized (this) {
            full = false;
            waits = again;
            again = () -> {};
        }
        waits.run();
    }

    /** Returns the number of times that it was full. */
    public synchronized int pauses() {
        return pauses;
    }

    @Override
    public synchronized boolean ready(Runnable later) {
        full |= draining != null;
        if (full) {
            pauses++;
            again = later;
        }
        if (draining != null) {
            draining.run();
        }
        return !full;
    }

    /** Returns status, length and ETag of each response. */
    public List<String> begun() {
        return begun;
    }

    /** All bytes so far. */
    public synchronized byte[] bytes() {
        return bytes.toByteArray();
    }

    /** All bytes so far as text. */
    public synchronized String text() {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }
}
