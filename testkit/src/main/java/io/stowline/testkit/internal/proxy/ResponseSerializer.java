package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.StubResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.impl.io.ChunkedOutputStream;
import org.apache.hc.core5.http.impl.io.ContentLengthOutputStream;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseWriterFactory;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;

/** The layout of a response in bytes, before any of them is sent. */
final class ResponseSerializer {

    private static final int BUFFER = 8192;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final SessionOutputBufferImpl buffer = new SessionOutputBufferImpl(
            BUFFER, StandardCharsets.ISO_8859_1.newEncoder().onUnmappableCharacter(CodingErrorAction.REPLACE));

    private ResponseSerializer() {}

    /** Returns the response to a request of a method; a body that is cut has no end. */
    static byte[] of(String method, StubResponse stub, Delivery delivery) {
        boolean hasBody = HttpSyntax.hasBody(method, stub);
        ResponseSerializer wire = new ResponseSerializer();
        try {
            ClassicHttpResponse response = HttpSyntax.response(stub, hasBody);
            wire.head(response);
            if (hasBody) {
                wire.body(response.containsHeader(HttpHeaders.TRANSFER_ENCODING), stub.body(), delivery);
            }
            return wire.bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void head(ClassicHttpResponse response) throws IOException {
        try {
            DefaultHttpResponseWriterFactory.INSTANCE.create().write(response, buffer, bytes);
            buffer.flush(bytes);
        } catch (HttpException e) {
            throw new IOException(e);
        }
    }

    private void body(boolean chunked, byte[] body, Delivery delivery) throws IOException {
        OutputStream content = chunked
                ? new ChunkedOutputStream(buffer, bytes, BUFFER)
                : new ContentLengthOutputStream(buffer, bytes, body.length);
        content.write(body, 0, Math.min(body.length, delivery.bodyBytes()));
        content.flush();
        if (!delivery.isCut()) {
            content.close();
        }
    }
}
