package io.stowline.transport.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.timeout.AttemptLog;
import io.stowline.transport.internal.account.TokenRequestException;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.pipeline.Attempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StreamResponse;
import io.stowline.transport.internal.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class ExternalSdkCallsTest {

    private static final AttemptLog LOG = new AttemptLog(List.of(), Duration.ZERO);

    private final HttpRequest send =
            new HttpRequest(HttpMethod.POST, "https://acct.queue.core.windows.net/orders/messages?sig=secret");

    private static Exchange<Object> call(boolean repeatAnything, HttpRequest request, Context data) {
        return new ExternalSdkCalls(RetrySettings.defaults(), repeatAnything, null)
                .exchange(CallContexts.of(request, data));
    }

    private static Verdict lost(Exchange<Object> exchange) {
        WriteTracker tracker = WriteTracker.silent();
        Attempts.begin(exchange, tracker);
        tracker.begin();
        return Attempts.end(exchange, new IOException("reset"));
    }

    @Test
    @DisplayName("RETRY-7: a request is known by the SDK's name for it and its path, never its query")
    void name() {
        Request request = call(
                        false, send, new Context("caller-method", "com.azure.MessagesImpl$MessagesService.enqueueSync"))
                .request();

        assertThat(request.name()).isEqualTo("enqueueSync");
        assertThat(request.resource()).isEqualTo("/orders/messages");
        assertThat(call(false, send, Context.NONE).request().name()).isEqualTo("POST");
    }

    @Test
    @DisplayName("RETRY-7: a client request id is kept; one is made where there is none")
    void clientRequestId() {
        assertThat(call(false, send, Context.NONE).clientRequestId()).hasSize(36);
        send.setHeader(HttpHeaderName.fromString("x-ms-client-request-id"), "given");
        assertThat(call(false, send, Context.NONE).clientRequestId()).isEqualTo("given");
    }

    @Test
    @DisplayName(
            "RETRY-11: after a lost response a message is not sent again, unless the application says so; a read is")
    void repeats() {
        assertThat(lost(call(false, send, Context.NONE)))
                .isEqualTo(Verdict.never("IOException").asAmbiguous());
        assertThat(lost(call(true, send, Context.NONE)))
                .isEqualTo(Verdict.retry("IOException").asAmbiguous());
        HttpRequest receive = new HttpRequest(HttpMethod.GET, send.getUrl());
        assertThat(lost(call(false, receive, Context.NONE))).isEqualTo(Verdict.retry("IOException"));
    }

    @Test
    void lastResponseIsHandedOn() {
        HttpResponse last = new StreamResponse(503, Flux.empty());

        assertThat(ExternalSdkCalls.settle(
                                new RetryResult<>(last, null, Verdict.retry("503"), LOG, StopReason.RETRIES_EXHAUSTED))
                        .block())
                .isSameAs(last);
    }

    @Test
    void lastErrorIsHandedOnAsItWas() {
        IOException last = new IOException("reset");
        RetryResult<HttpResponse> ended = new RetryResult<>(
                null, Exceptions.propagate(last), Verdict.retry("IOException"), LOG, StopReason.RETRIES_EXHAUSTED);

        StepVerifier.create(ExternalSdkCalls.settle(ended))
                .verifyErrorSatisfies(error -> assertThat(error).isSameAs(last));
    }

    @Test
    void failureOfACredentialIsHandedOnAsTheCredentials() {
        RetryResult<HttpResponse> ended = new RetryResult<>(
                null,
                new TokenRequestException(new IOException("nobody home")),
                Verdict.never("no token"),
                LOG,
                StopReason.NOT_RETRYABLE);

        StepVerifier.create(ExternalSdkCalls.settle(ended)).verifyErrorSatisfies(error -> assertThat(error)
                .isNotInstanceOf(TokenRequestException.class)
                .hasMessageContaining("nobody home"));
    }
}
