package io.stowline.transport.internal.http.response;

import static io.stowline.transport.internal.pipeline.StreamResponse.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.pipeline.StreamResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class BufferedResponseTest {

    private final StreamResponse source = new StreamResponse(409, Flux.just(bytes("häl"), bytes("lo")));

    @Test
    void keepsEverythingAndFreesTheConnection() {
        source.getHeaders().set(HttpHeaderName.ETAG, "e");

        HttpResponse response = BufferedResponse.of(source).block();

        assertThat(source.closed()).isTrue();
        assertThat(response.getStatusCode()).isEqualTo(409);
        assertThat(response.getRequest()).isSameAs(source.getRequest());
        assertThat(response.getHeaderValue(HttpHeaderName.ETAG)).isEqualTo("e");
        assertThat(response.getBodyAsString().block()).isEqualTo("hällo");
        assertThat(response.getBodyAsString(StandardCharsets.UTF_8).block()).isEqualTo("hällo");
        assertThat(response.getBodyAsBinaryData().toString()).isEqualTo("hällo");
        assertThat(response.getBodyAsByteArray().block()).isEqualTo("hällo".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void bodyCanBeReadAgain() {
        HttpResponse response = BufferedResponse.of(source).block();
        for (int i = 0; i < 2; i++) {
            ByteBuffer body = response.getBody().blockLast();
            assertThat(StandardCharsets.UTF_8.decode(body).toString()).isEqualTo("hällo");
        }
    }

    @Test
    void noBodyIsAnEmptyOne() {
        HttpResponse response =
                BufferedResponse.of(new StreamResponse(404, Flux.empty())).block();

        assertThat(response.getBodyAsByteArray().block()).isEmpty();
        assertThat(response.getBodyAsString().block()).isEmpty();
    }

    @Test
    void brokenBodyIsAnErrorAndFreesTheConnection() {
        StreamResponse broken = new StreamResponse(500, Flux.error(new IOException("reset")));

        assertThat(catchThrowable(() -> BufferedResponse.of(broken).block())).hasRootCauseInstanceOf(IOException.class);
        assertThat(broken.closed()).isTrue();
    }
}
