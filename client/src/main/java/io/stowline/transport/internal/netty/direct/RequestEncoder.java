package io.stowline.transport.internal.netty.direct;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes head and body of a request into one buffer, which leaves by one system call. */
final class RequestEncoder {

    private static final byte[] VERSION = ascii(" HTTP/1.1\r\n");
    private static final byte[] HOST = ascii("host: ");
    private static final byte[] ACCEPT = ascii("accept: */*\r\n");
    private static final byte[] LENGTH = ascii("content-length: ");
    private static final byte[] LINE = ascii("\r\n");
    private static final int FIXED = 96;

    private final byte[] target;
    private int at;

    private RequestEncoder(byte[] target, int at) {
        this.target = target;
        this.at = at;
    }

    /**
     * Encodes a request.
     *
     * @param path where the path of its address begins
     * @return the bytes, whose memory goes back to the pool when they are released
     * @throws IllegalArgumentException if a header or the address has characters that HTTP does not allow there
     */
    static ByteBuf encode(DirectRequest request, HttpOrigin origin, String address, int path, ByteBufAllocator memory) {
        byte[] uri = uri(address, path);
        RequestBody body = request.content();
        int length = body == null ? 0 : body.length();
        int most = FIXED + uri.length + origin.authority().length + length;
        HttpHeaders headers = request.getHeaders();
        for (HttpHeader header : headers) {
            most += header.getName().length() + header.getValue().length() + 4;
        }
        ByteBuf buffer = memory.heapBuffer(most, most);
        try {
            RequestEncoder encoder = new RequestEncoder(buffer.array(), buffer.arrayOffset());
            encoder.head(request.getHttpMethod(), uri, origin, headers, body);
            if (body != null) {
                body.write(encoder.target, encoder.at);
                encoder.at += length;
            }
            return buffer.writerIndex(encoder.at - buffer.arrayOffset());
        } catch (Throwable failed) {
            buffer.release();
            throw failed;
        }
    }

    private void head(
            HttpMethod method, byte[] uri, HttpOrigin origin, HttpHeaders headers, @Nullable RequestBody body) {
        value("method", method.toString());
        target[at++] = ' ';
        put(uri);
        put(VERSION);
        if (headers.getValue(HttpHeaderName.HOST) == null) {
            put(HOST);
            put(origin.authority());
            put(LINE);
        }
        if (headers.getValue(HttpHeaderName.ACCEPT) == null) {
            put(ACCEPT);
        }
        boolean unsaid = body != null || expectsBody(method);
        for (HttpHeader header : headers) {
            String name = header.getName();
            if (!HttpHeaderName.CONTENT_LENGTH.getCaseInsensitiveName().equalsIgnoreCase(name)) {
                header(name, header.getValue());
            } else if (body == null) {
                header(name, header.getValue());
                unsaid = false;
            }
        }
        if (unsaid) {
            put(LENGTH);
            value("content-length", Integer.toString(body == null ? 0 : body.length()));
            put(LINE);
        }
        put(LINE);
    }

    private static boolean expectsBody(HttpMethod method) {
        return method == HttpMethod.POST || method == HttpMethod.PUT || method == HttpMethod.PATCH;
    }

    private void header(String name, String value) {
        name(name);
        target[at++] = ':';
        target[at++] = ' ';
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

    /** What HTTP cannot carry is a question mark, and what would end the line is refused. */
    private void value(String name, String value) {
        byte[] bytes = target;
        int to = at;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                throw new IllegalArgumentException("the header " + name + " has the character " + (int) c);
            }
            bytes[to++] = c > 0xff ? (byte) '?' : (byte) c;
        }
        at = to;
    }

    private void put(byte[] bytes) {
        System.arraycopy(bytes, 0, target, at, bytes.length);
        at += bytes.length;
    }

    private static byte[] uri(String address, int path) {
        String text = address.startsWith("/", path) ? address.substring(path) : "/" + address.substring(path);
        byte[] uri = text.getBytes(StandardCharsets.UTF_8);
        for (byte b : uri) {
            if ((b >= 0 && b <= ' ') || b == 0x7f) {
                throw new IllegalArgumentException("the address of a request has the character " + b);
            }
        }
        return uri;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
