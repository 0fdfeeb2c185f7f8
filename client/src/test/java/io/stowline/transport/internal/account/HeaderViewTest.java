package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.queue.internal.QueueBench;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.ExtraHeaders;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Headers of a view on the wire. */
class HeaderViewTest {

    private final QueueBench bench = new QueueBench();
    private final FakeWire wire = bench.wire();

    @Test
    void allAttemptsOfAnSdkRequestCarryThem() throws Exception {
        wire.breaks(new IOException("reset"));
        bench.responds(200, QueueBench.messages("hello"));
        QueueOperations view = bench.client().header("x-ms-tenant", "a").header("traceparent", "00-1");
        var messages = bench.start(view.receive(1, Duration.ofMinutes(1)));
        bench.pass(Duration.ofSeconds(10));

        assertThat(messages.value()).hasSize(1);
        assertThat(wire.sent()).hasSize(2).allSatisfy(sent -> {
            assertThat(sent.header("x-ms-tenant")).isEqualTo("a");
            assertThat(sent.header("traceparent")).isEqualTo("00-1");
        });
    }

    @Test
    void requestsOfOtherViewsDoNotCarryThem() throws Exception {
        bench.responds(200, QueueBench.messages("hello"));
        bench.client().header("x-ms-tenant", "a");
        bench.start(bench.client().receive(1, Duration.ofMinutes(1))).value();

        assertThat(wire.last().header("x-ms-tenant")).isNull();
    }

    @Test
    void theSignatureCoversThem() {
        HttpRequest request =
                new HttpRequest(HttpMethod.GET, "https://acct.queue.core.windows.net/orders/messages?timeout=30");
        request.setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
        ExtraHeaders.NONE.with("x-ms-tenant", "a b").with("traceparent", "00-1").forEach(request::setHeader);
        Bench.account()
                .credential()
                .authorizer(Service.QUEUE)
                .authorize(request, Bench.START)
                .block();
        String toSign = String.join(
                "\n",
                "GET" + "\n".repeat(11),
                "x-ms-date:Thu, 29 Feb 2024 12:00:00 GMT",
                "x-ms-tenant:a b",
                "/acct/orders/messages",
                "timeout:30");

        assertThat(request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION))
                .isEqualTo("SharedKey acct:" + IndependentHmac.of(Bench.KEY, toSign));
    }
}
