package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeaderName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
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

    /** The same sink, which throws this in its method of this name. */
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
    public synchronized void add(ByteBuffer piece) throws IOException {
        fail("add");
        byte[] copy = new byte[piece.remaining()];
        piece.get(copy);
        bytes.writeBytes(copy);
    }

    /** Status, length and ETag of each answer. */
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
