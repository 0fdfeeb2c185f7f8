package io.stowline.transport.internal.http;

import static io.stowline.transport.internal.pipeline.StreamAnswer.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.pipeline.StreamAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class BufferedResponseTest {

    private final StreamAnswer source = new StreamAnswer(409, Flux.just(bytes("häl"), bytes("lo")));

    @Test
    void keepsEverythingAndFreesTheConnection() {
        source.getHeaders().set(HttpHeaderName.ETAG, "e");

        HttpResponse answer = BufferedResponse.of(source).block();

        assertThat(source.closed()).isTrue();
        assertThat(answer.getStatusCode()).isEqualTo(409);
        assertThat(answer.getRequest()).isSameAs(source.getRequest());
        assertThat(answer.getHeaderValue(HttpHeaderName.ETAG)).isEqualTo("e");
        assertThat(answer.getBodyAsString().block()).isEqualTo("hällo");
        assertThat(answer.getBodyAsString(StandardCharsets.UTF_8).block()).isEqualTo("hällo");
        assertThat(answer.getBodyAsBinaryData().toString()).isEqualTo("hällo");
        assertThat(answer.getBodyAsByteArray().block()).isEqualTo("hällo".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void bodyCanBeReadAgain() {
        HttpResponse answer = BufferedResponse.of(source).block();
        for (int i = 0; i < 2; i++) {
            ByteBuffer body = answer.getBody().blockLast();
            assertThat(StandardCharsets.UTF_8.decode(body).toString()).isEqualTo("hällo");
        }
    }

    @Test
    void noBodyIsAnEmptyOne() {
        HttpResponse answer =
                BufferedResponse.of(new StreamAnswer(404, Flux.empty())).block();

        assertThat(answer.getBodyAsByteArray().block()).isEmpty();
        assertThat(answer.getBodyAsString().block()).isEmpty();
    }

    @Test
    void brokenBodyIsAnErrorAndFreesTheConnection() {
        StreamAnswer broken = new StreamAnswer(500, Flux.error(new IOException("reset")));

        assertThat(catchThrowable(() -> BufferedResponse.of(broken).block())).hasRootCauseInstanceOf(IOException.class);
        assertThat(broken.closed()).isTrue();
    }
}
