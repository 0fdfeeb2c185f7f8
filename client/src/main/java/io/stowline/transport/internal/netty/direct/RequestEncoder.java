package io.stowline.transport.internal.netty.direct;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.RequestHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An encoder that writes a request into one buffer, which leaves by one system call: head and body, or the head alone if the body goes in slices. */
final class RequestEncoder {

    /** The version of HTTP that it writes. */
    static final String VERSION = "HTTP/1.1";

    private static final String LINE = "\r\n";
    private static final String END_OF_FIRST_LINE = " " + VERSION + LINE;
    private static final int FIXED = 96;
    private static final int SCRATCH_LENGTH = 4 << 10;

    /**
     * The buffer in which requests are put together before they are copied to direct memory, which the socket needs:
     * pooled arrays would be a second pool.
     */
    private static final FastThreadLocal<byte[]> SCRATCH = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[SCRATCH_LENGTH];
        }
    };

    private byte[] target;
    private int at;

    private RequestEncoder(byte[] target) {
        this.target = target;
    }

    /**
     * Encodes a request.
     *
     * @param address the request's
     * @return the bytes without a body that is written in slices; their memory goes back to the pool when they are released
     * @throws IllegalArgumentException if a header or the address has characters that HTTP does not allow there
     */
    static ByteBuf encode(DirectRequest request, HttpOrigin origin, String address, ByteBufAllocator memory) {
        String uri = bytewise(address);
        int pathAt = HttpOrigin.pathOf(uri);
        RequestBody body = request.content();
        RequestEncoder encoder = new RequestEncoder(SCRATCH.get());
        encoder.ensure(FIXED + uri.length() - pathAt + origin.authority().length());
        encoder.put(request.getHttpMethod().name());
        encoder.put(" ");
        encoder.path(uri, pathAt);
        encoder.head(request.getHttpMethod(), origin, request.headers(), body);
        if (body != null && !body.sliced()) {
            encoder.ensure(body.length());
            body.write(encoder.target, encoder.at);
            encoder.at += body.length();
        }
        return memory.directBuffer(encoder.at, encoder.at).writeBytes(encoder.target, 0, encoder.at);
    }

    /** Makes room for so many bytes more, and for the few that end the head. */
    private void ensure(int more) {
        int max = at + more + FIXED;
        if (target.length < max) {
            target = Arrays.copyOf(target, Math.max(max, 2 * target.length));
            SCRATCH.set(target);
        }
    }

    private void head(HttpMethod method, HttpOrigin origin, RequestHeaders headers, @Nullable RequestBody body) {
        put(END_OF_FIRST_LINE);
        if (!headers.has(HttpHeaderName.HOST)) {
            put("host: ");
            put(origin.authority());
            put(LINE);
        }
        if (!headers.has(HttpHeaderName.ACCEPT)) {
            put("accept: */*\r\n");
        }
        boolean unsaid = body != null || expectsBody(method);
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            boolean length =
                    HttpHeaderName.CONTENT_LENGTH.getCaseInsensitiveName().equalsIgnoreCase(name);
            if (body == null || !length) {
                header(name, headers.value(i));
                unsaid &= !length;
            }
        }
        if (unsaid) {
            header("content-length", Integer.toString(body == null ? 0 : body.length()));
        }
        put(LINE);
    }

    private static boolean expectsBody(HttpMethod method) {
        return method == HttpMethod.POST || method == HttpMethod.PUT || method == HttpMethod.PATCH;
    }

    private void header(String name, String value) {
        ensure(name.length() + value.length());
        name(name);
        put(": ");
        value(name, value);
        put(LINE);
    }

    private void name(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a header has no name");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == ':') {
                throw new IllegalArgumentException("the name of a header has the character " + (int) c);
            }
            target[at++] = (byte) c;
        }
    }

    /** A character that HTTP cannot carry becomes a question mark; one that would end the line is refused. */
    private void value(String name, String value) {
        byte[] bytes = target;
        int to = at;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (HeadDecoder.control(c)) {
                throw new IllegalArgumentException("the header " + name + " has the character " + (int) c);
            }
            bytes[to++] = c > 0xff ? (byte) '?' : (byte) c;
        }
        at = to;
    }

    private void put(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            target[at++] = (byte) ascii.charAt(i);
        }
    }

    private void path(String address, int from) {
        if (!address.startsWith("/", from)) {
            target[at++] = '/';
        }
        for (int i = from; i < address.length(); i++) {
            char c = address.charAt(i);
            if (c <= ' ' || c == 0x7f) {
                throw new IllegalArgumentException("the address of a request has the character " + (int) c);
            }
            target[at++] = (byte) c;
        }
    }

    /** Each character becomes a byte of its UTF-8. */
    private static String bytewise(String address) {
        for (int i = 0; i < address.length(); i++) {
            if (address.charAt(i) > 0x7f) {
                return new String(address.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            }
        }
        return address;
    }
}
