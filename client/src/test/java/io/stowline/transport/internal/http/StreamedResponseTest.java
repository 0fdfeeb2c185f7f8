package io.stowline.transport.internal.http;

import static io.stowline.transport.internal.pipeline.StreamAnswer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.pipeline.StreamAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class StreamedResponseTest {

    private final StreamAnswer source = new StreamAnswer(206, Flux.just(bytes("häl"), bytes("lo")));
    private final AtomicInteger readThrough = new AtomicInteger();
    private final HttpResponse answer =
            new StreamedResponse(source, body -> body.doOnSubscribe(read -> readThrough.incrementAndGet()));

    @Test
    void headIsTheSources() {
        source.getHeaders().set(HttpHeaderName.ETAG, "e");

        assertThat(answer.getStatusCode()).isEqualTo(206);
        assertThat(answer.getHeaders()).isSameAs(source.getHeaders());
        assertThat(answer.getHeaderValue(HttpHeaderName.ETAG)).isEqualTo("e");
        assertThat(answer.getRequest()).isSameAs(source.getRequest());
    }

    @Test
    void everyWayOfReadingGoesThroughTheOperator() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        answer.writeBodyTo(Channels.newChannel(written));

        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("hällo");
        assertThat(answer.getBody().count().block()).isEqualTo(2);
        assertThat(answer.getBodyAsString().block()).isEqualTo("hällo");
        assertThat(answer.getBodyAsString(StandardCharsets.UTF_8).block()).isEqualTo("hällo");
        assertThat(answer.getBodyAsByteArray().block()).hasSize(6);
        assertThat(answer.getBodyAsBinaryData().toString()).isEqualTo("hällo");
        assertThat(answer.getBodyAsInputStreamSync().readAllBytes()).hasSize(6);
        assertThat(readThrough).hasValue(7);
    }

    @Test
    void closingClosesTheSource() {
        answer.close();

        assertThat(source.closed()).isTrue();
        assertThat(readThrough).hasValue(0);
    }
}
