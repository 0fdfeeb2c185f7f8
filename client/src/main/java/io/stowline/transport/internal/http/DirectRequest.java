package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.BinaryData;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A request of our own, whose address becomes a URL and its body an array only on demand: there is none on the way to our own
 * HTTP client.
 */
public final class DirectRequest extends HttpRequest {

    private String address;
    private final @Nullable RequestBody content;
    private @Nullable URL url;

    public DirectRequest(HttpMethod method, String address, HttpHeaders headers, @Nullable RequestBody content) {
        super(method, (URL) null, headers);
        this.address = address;
        this.content = content;
    }

    public @Nullable RequestBody content() {
        return content;
    }

    @Override
    public @Nullable BinaryData getBodyAsBinaryData() {
        if (content != null && super.getBodyAsBinaryData() == null) {
            setBody(BinaryData.fromBytes(content.bytes()));
        }
        return super.getBodyAsBinaryData();
    }

    @Override
    public @Nullable Flux<ByteBuffer> getBody() {
        BinaryData body = getBodyAsBinaryData();
        return body == null ? null : body.toFluxByteBuffer();
    }

    /** The address of a request, of ours or not. */
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
        return new DirectRequest(getHttpMethod(), address, new HttpHeaders(getHeaders()), content);
    }

    /** The body of a request, which is written into memory of the HTTP client's when an attempt is sent. Thread-safe. */
    public interface RequestBody {

        /** How many bytes it has. */
        int length();

        /**
         * Writes it; the same bytes each time.
         *
         * @param target where to
         * @param from where it begins there
         */
        void write(byte[] target, int from);

        /** The bytes as an array of their own. */
        default byte[] bytes() {
            byte[] bytes = new byte[length()];
            write(bytes, 0);
            return bytes;
        }

        /**
         * A body that lies in memory.
         *
         * @param bytes its bytes, not to be changed
         */
        static RequestBody of(byte[] bytes) {
            return new RequestBody() {
                @Override
                public int length() {
                    return bytes.length;
                }

                @Override
                public void write(byte[] target, int from) {
                    System.arraycopy(bytes, 0, target, from, bytes.length);
                }

                @Override
                public byte[] bytes() {
                    return bytes;
                }
            };
        }
    }
}
