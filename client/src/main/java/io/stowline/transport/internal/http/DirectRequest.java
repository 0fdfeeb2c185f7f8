package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.BinaryData;
import io.netty.buffer.ByteBufAllocator;
import io.stowline.transport.internal.http.BodySlices.SliceIterator;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A request of our own, whose address becomes a URL, its body an array and its headers a map only on demand: there is none on the way to our
 * own HTTP client.
 */
public final class DirectRequest extends HttpRequest {

    /** Small, since HTTP clients take many pieces ahead. */
    private static final int MOVING = 16 << 10;

    private String address;
    private final RequestHeaders headers;
    private final @Nullable RequestBody content;
    private final int maxResponse;
    private final @Nullable Standstill standstill;
    private @Nullable URL url;

    public DirectRequest(HttpMethod method, String address, RequestHeaders headers, @Nullable RequestBody content) {
        this(method, address, headers, content, ResponseBounds.PAGE_BYTES, null);
    }

    /** A request whose standstill is counted, unless there is none; an HTTP client that is not ours moves a long body as it takes it. */
    public DirectRequest(
            HttpMethod method,
            String address,
            RequestHeaders headers,
            @Nullable RequestBody content,
            int maxResponse,
            @Nullable Standstill standstill) {
        super(method, (URL) null, (HttpHeaders) null);
        this.address = address;
        this.headers = headers;
        this.content = content;
        this.maxResponse = maxResponse;
        this.standstill = standstill;
    }

    public @Nullable RequestBody content() {
        return content;
    }

    /** Returns the most bytes of the body of a successful response that is read as an array. */
    public int maxResponse() {
        return maxResponse;
    }

    /** Returns the headers, to be read only: once {@link #getHeaders} has shown them to other code, they are those of that map. */
    public RequestHeaders headers() {
        HttpHeaders shown = super.getHeaders();
        return shown == null ? headers : RequestHeaders.of(shown);
    }

    /** Returns the value of a header of a request, the library's or not, or {@code null} if it has none of this name. */
    public static @Nullable String header(HttpRequest request, HttpHeaderName name) {
        return request instanceof DirectRequest own
                ? own.header(name)
                : request.getHeaders().getValue(name);
    }

    private @Nullable String header(HttpHeaderName name) {
        HttpHeaders shown = super.getHeaders();
        return shown == null ? headers.value(name) : shown.getValue(name);
    }

    @Override
    public HttpHeaders getHeaders() {
        if (super.getHeaders() == null) {
            setHeaders(headers.toHttpHeaders());
        }
        return super.getHeaders();
    }

    @Override
    public HttpRequest setHeader(HttpHeaderName name, @Nullable String value) {
        HttpHeaders shown = super.getHeaders();
        if (value == null) {
            getHeaders().remove(name);
        } else if (shown == null) {
            headers.set(name, value);
        } else {
            shown.set(name, value);
        }
        return this;
    }

    @Override
    @SuppressWarnings("deprecation") // policies of others may call it
    public HttpRequest setHeader(String name, @Nullable String value) {
        return setHeader(HttpHeaderName.fromString(name), value);
    }

    @Override
    public HttpRequest setBody(@Nullable BinaryData body) {
        getHeaders(); // which get its length
        return super.setBody(body);
    }

    @Override
    public @Nullable BinaryData getBodyAsBinaryData() {
        if (content != null && super.getBodyAsBinaryData() == null) {
            setBody(data(content, standstill));
        }
        return super.getBodyAsBinaryData();
    }

    private static @Nullable BinaryData data(RequestBody body, @Nullable Standstill standstill) {
        if (!body.sliced()) {
            return BinaryData.fromBytes(body.bytes());
        }
        return standstill == null && body.inMemory()
                ? BinaryData.fromListByteBuffer(body.parts())
                : moving(body, standstill);
    }

    /** A piece that is taken counts as a movement; the next one is taken once there is room for it. */
    private static @Nullable BinaryData moving(RequestBody body, @Nullable Standstill standstill) {
        Flux<ByteBuffer> pieces = Flux.defer(() -> body.pieces(MOVING)).doOnNext(piece -> {
            if (standstill != null) {
                standstill.moved();
            }
        });
        return BinaryData.fromFlux(pieces, (long) body.length(), false).block();
    }

    @Override
    public @Nullable Flux<ByteBuffer> getBody() {
        BinaryData body = getBodyAsBinaryData();
        return body == null ? null : body.toFluxByteBuffer();
    }

    /** Returns the address of a request, the library's or not. */
    public static String address(HttpRequest request) {
        return request instanceof DirectRequest own
                ? own.address
                : request.getUrl().toString();
    }

    void setAddress(String next) {
        address = next;
        url = null;
    }

    @Override
    public URL getUrl() {
        URL known = url;
        if (known == null) {
            try {
                known = new URL(address);
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException("not a URL: " + address, e);
            }
            url = known;
        }
        return known;
    }

    @Override
    public HttpRequest setUrl(URL next) {
        setAddress(next.toString());
        return this;
    }

    @Override
    public HttpRequest setUrl(String next) {
        setAddress(next);
        return this;
    }

    @Override
    public HttpRequest copy() {
        return new DirectRequest(getHttpMethod(), address, headers().copy(), content, maxResponse, standstill);
    }

    /** The body of a request, whose bytes reach the HTTP client when an attempt is sent: from memory, or read for each attempt. Thread-safe. */
    public interface RequestBody {

        /** The most bytes of a body that is copied behind the head of its request; a longer one is written in slices. */
        int MAX_COMPLETE = 128 << 10;

        /** The most bytes of a slice. */
        int SLICE = 64 << 10;

        /** Returns its length in bytes. */
        int length();

        /**
         * Writes it; the same bytes each time.
         *
         * @param target where to
         * @param from where it begins there
         */
        void write(byte[] target, int from);

        /** Returns whether it is written in slices. */
        default boolean sliced() {
            return length() > MAX_COMPLETE;
        }

        /**
         * Returns the memory of its bytes, in their order.
         *
         * @return buffers with positions of the receiver's, whose bytes are not to be changed
         */
        default List<ByteBuffer> parts() {
            return List.of(ByteBuffer.wrap(bytes()));
        }

        /** Returns whether it lies in memory, so that no part of it has to be read. */
        default boolean inMemory() {
            return true;
        }

        /**
         * Returns the bytes for one attempt of the library's HTTP client, in slices of at most {@link #SLICE}.
         *
         * @param memory where slices have their memory if they need any
         * @param ready called once, on another thread, after a slice was not there yet and now is, or cannot be read
         */
        default BodySlices slices(ByteBufAllocator memory, Runnable ready) {
            return BodySlices.inMemory(new SliceIterator(parts(), SLICE));
        }

        /**
         * Returns the bytes for one attempt of another HTTP client, none of which is read before it is requested.
         *
         * @param max the most bytes of a piece
         */
        default Flux<ByteBuffer> pieces(int max) {
            return Flux.fromIterable(() -> new SliceIterator(parts(), max));
        }

        /** Returns the bytes as an array, not to be changed. */
        default byte[] bytes() {
            byte[] bytes = new byte[length()];
            write(bytes, 0);
            return bytes;
        }

        /**
         * Returns a body that lies in memory.
         *
         * @param bytes its bytes, not to be changed
         */
        static RequestBody of(byte[] bytes) {
            return new ArrayBody(bytes, 0, bytes.length);
        }

        /**
         * Returns a body that is a part of an array.
         *
         * @param bytes the array, in which the part is not to be changed while the request lasts
         * @param from where the part begins
         * @param length how many bytes it has
         * @throws IndexOutOfBoundsException if the array has no such part
         */
        static RequestBody of(byte[] bytes, int from, int length) {
            return new ArrayBody(bytes, Objects.checkFromIndexSize(from, length, bytes.length), length);
        }

        /**
         * Returns a body that lies in several buffers, from the position to the limit of each.
         *
         * @param parts the buffers, whose bytes are not to be changed while the request lasts
         * @throws ArithmeticException if they have more than 2 GiB
         */
        static RequestBody of(List<ByteBuffer> parts) {
            return new BufferBody(parts);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // bodies are never compared
    private record ArrayBody(byte[] array, int from, int length) implements RequestBody {

        @Override
        public void write(byte[] target, int at) {
            System.arraycopy(array, from, target, at, length);
        }

        @Override
        public List<ByteBuffer> parts() {
            return List.of(ByteBuffer.wrap(array, from, length));
        }

        @Override
        public byte[] bytes() {
            return length == array.length ? array : Arrays.copyOfRange(array, from, from + length);
        }
    }

    private static final class BufferBody implements RequestBody {

        private final List<ByteBuffer> parts;
        private final int length;

        BufferBody(List<ByteBuffer> given) {
            parts = given.stream().map(ByteBuffer::duplicate).toList();
            int bytes = 0;
            for (ByteBuffer part : parts) {
                bytes = Math.addExact(bytes, part.remaining());
            }
            length = bytes;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public void write(byte[] target, int from) {
            int at = from;
            for (ByteBuffer part : parts) {
                part.get(part.position(), target, at, part.remaining());
                at += part.remaining();
            }
        }

        @Override
        public List<ByteBuffer> parts() {
            return parts.stream().map(ByteBuffer::duplicate).toList();
        }
    }
}
