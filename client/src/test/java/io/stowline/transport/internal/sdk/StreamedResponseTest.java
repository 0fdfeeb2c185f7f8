package io.stowline.transport.internal.sdk;

import static io.stowline.transport.internal.pipeline.StreamResponse.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.pipeline.StreamResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class StreamedResponseTest {

    private final StreamResponse source = new StreamResponse(206, Flux.just(bytes("häl"), bytes("lo")));
    private final AtomicInteger readThrough = new AtomicInteger();
    private final HttpResponse response =
            new StreamedResponse(source, body -> body.doOnSubscribe(read -> readThrough.incrementAndGet()));

    @Test
    void headIsTheSources() {
        source.getHeaders().set(HttpHeaderName.ETAG, "e");

        assertThat(response.getStatusCode()).isEqualTo(206);
        assertThat(response.getHeaders()).isSameAs(source.getHeaders());
        assertThat(response.getHeaderValue(HttpHeaderName.ETAG)).isEqualTo("e");
        assertThat(response.getRequest()).isSameAs(source.getRequest());
    }

    @Test
    void everyWayOfReadingGoesThroughTheOperator() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        response.writeBodyTo(Channels.newChannel(written));

        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("hällo");
        assertThat(response.getBody().count().block()).isEqualTo(2);
        assertThat(response.getBodyAsString().block()).isEqualTo("hällo");
        assertThat(response.getBodyAsString(StandardCharsets.UTF_8).block()).isEqualTo("hällo");
        assertThat(response.getBodyAsByteArray().block()).hasSize(6);
        assertThat(response.getBodyAsBinaryData().toString()).isEqualTo("hällo");
        assertThat(response.getBodyAsInputStreamSync().readAllBytes()).hasSize(6);
        assertThat(readThrough).hasValue(7);
    }

    @Test
    void closingClosesTheSource() {
        response.close();

        assertThat(source.closed()).isTrue();
        assertThat(readThrough).hasValue(0);
    }
}
