package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpMessage;
import org.apache.hc.core5.http.HttpRequestFactory;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnectionFactory;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnectionFactory;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParserFactory;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.message.BasicLineParser;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.jspecify.annotations.Nullable;

/** Messages as the HTTP library sees them, to and from the ones of the test kit. */
final class HttpSyntax {

    private static final String LENGTH = "Content-Length";
    private static final String ENCODING = "Transfer-Encoding";
    // ISO 8859-1 both ways leaves every byte of a head as it came.
    private static final CharCodingConfig BYTES = CharCodingConfig.custom()
            .setCharset(StandardCharsets.ISO_8859_1)
            .setUnmappableInputAction(CodingErrorAction.REPLACE)
            .build();
    // A header line of Azure holds up to 8 KiB of metadata beside its name; a response of a test may hold more.
    private static final Http1Config BOUNDS =
            Http1Config.custom().setMaxLineLength(1 << 20).setMaxHeaderCount(-1).build();
    private static final DefaultBHttpServerConnectionFactory SERVERS = DefaultBHttpServerConnectionFactory.builder()
            .http1Config(BOUNDS)
            .charCodingConfig(BYTES)
            .requestParserFactory(
                    new DefaultHttpRequestParserFactory(BOUNDS, BasicLineParser.INSTANCE, new RawTargets()))
            .build();
    private static final DefaultBHttpClientConnectionFactory CLIENTS = DefaultBHttpClientConnectionFactory.builder()
            .http1Config(BOUNDS)
            .charCodingConfig(BYTES)
            .build();

    private HttpSyntax() {}

    static DefaultBHttpServerConnection server(Socket socket) throws IOException {
        return SERVERS.createConnection(socket);
    }

    static DefaultBHttpClientConnection client(Socket socket) throws IOException {
        return CLIENTS.createConnection(socket);
    }

    static ClassicHttpRequest request(SentRequest sent) {
        ClassicHttpRequest request = RawTargets.of(sent.method(), sent.target());
        headers(request, sent.headerLines());
        if (sent.bodyLength() > 0 || request.containsHeader(LENGTH)) {
            frame(request, sent.bodyLength());
        }
        if (request.containsHeader(LENGTH) || request.containsHeader(ENCODING)) {
            request.setEntity(new ByteArrayEntity(sent.body(), null));
        }
        return request;
    }

    static ClassicHttpResponse response(StubResponse stub, boolean hasBody) {
        ClassicHttpResponse response = new BasicClassicHttpResponse(stub.status());
        response.setVersion(HttpVersion.HTTP_1_1);
        headers(response, stub.headerLines());
        if (hasBody) {
            frame(response, stub.bodyLength());
        }
        return response;
    }

    private static void headers(HttpMessage message, List<Map.Entry<String, String>> lines) {
        lines.forEach(line -> message.addHeader(line.getKey(), line.getValue()));
    }

    private static void frame(HttpMessage message, int length) {
        Header given = message.getFirstHeader(LENGTH);
        String right = Integer.toString(length);
        if (!message.containsHeader(ENCODING) && (given == null || !right.equals(given.getValue()))) {
            message.setHeader(LENGTH, right);
        }
    }

    static boolean hasBody(String method, StubResponse response) {
        return MessageSupport.canResponseHaveBody(method, new BasicClassicHttpResponse(response.status()));
    }

    static boolean keepsAlive(ClassicHttpRequest request, ClassicHttpResponse response) {
        return DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, HttpCoreContext.create());
    }

    static List<Map.Entry<String, String>> lines(HttpMessage message) {
        return Arrays.stream(message.getHeaders())
                .map(header -> Map.entry(header.getName(), Objects.requireNonNullElse(header.getValue(), "")))
                .toList();
    }

    static byte[] body(@Nullable HttpEntity entity, int limit, Object message) throws IOException {
        if (entity == null) {
            return new byte[0];
        }
        try (InputStream content = entity.getContent()) {
            byte[] body = content.readNBytes(limit);
            if (body.length == limit && content.read() >= 0) {
                throw new OversizedBodyException(
                        "the body of " + message + " is larger than the proxy's limit of " + limit + " bytes");
            }
            return body;
        }
    }

    /** A factory of requests that leaves their targets alone: the library's takes {@code //} for the beginning of a host. */
    private static final class RawTargets implements HttpRequestFactory<ClassicHttpRequest> {

        static ClassicHttpRequest of(String method, String target) {
            BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, "/");
            request.setPath(target);
            return request;
        }

        @Override
        public ClassicHttpRequest newHttpRequest(String method, String target) {
            return of(method, target);
        }

        @Override
        public ClassicHttpRequest newHttpRequest(String method, URI target) {
            return of(method, target.toString());
        }
    }
}
