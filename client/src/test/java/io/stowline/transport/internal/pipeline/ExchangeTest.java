package io.stowline.transport.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.AttemptLog;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Exceptions;
import reactor.test.scheduler.VirtualTimeScheduler;

class ExchangeTest {

    private final Exchange<String> exchange = Bench.call(OperationType.WRITE);
    private RequestAttempt attempt;

    @BeforeEach
    void beginTheFirstAttempt() {
        attempt = begin(exchange);
    }

    private static RequestAttempt begin(Exchange<?> exchange) {
        return Attempts.begin(exchange, WriteTracker.reporting());
    }

    private static HttpResponse response(int status, String body, String... headers) {
        HttpHeaders all = new HttpHeaders().set(StorageResponse.REQUEST_ID, "6ca9");
        for (int i = 0; i < headers.length; i += 2) {
            all.set(HttpHeaderName.fromString(headers[i]), headers[i + 1]);
        }
        HttpRequest request = new HttpRequest(HttpMethod.GET, Bench.ROOT);
        return new BufferedResponse(request, status, all, body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 299})
    void successKeepsTheValue(int status) {
        assertThat(Attempts.end(exchange, response(status, "value"))).isEqualTo(Verdict.success());
        assertThat(exchange.value()).isEqualTo("value");
        assertThat(exchange.refusal()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {199, 304, 307, 400, 404, 599})
    void everythingElseIsARefusal(int status) {
        Attempts.end(exchange, response(status, ""));

        assertThat(exchange.refusal().status()).isEqualTo(status);
        assertThatNullPointerException().isThrownBy(exchange::value);
    }

    @Test
    @DisplayName("CACHE-1: 304 is the response to a conditional read")
    void unchangedIsAResponseToARead() {
        Request request = Bench.request(OperationType.READ).addHeader(HttpHeaderName.IF_NONE_MATCH, "W/\"1\"");
        Exchange<String> read =
                Exchange.of(request, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()));
        begin(read);

        assertThat(Attempts.end(read, response(304, ""))).isEqualTo(Verdict.success());
        assertThat(read.value()).isEmpty();
        assertThat(read.refusal()).isNull();
    }

    @Test
    void nextAttemptForgetsWhatTheLastOneSaidOnceItIsSent() {
        Attempts.end(exchange, response(503, Bench.jsonError("ServerBusy", "text")));
        assertThat(exchange.refusal()).isNotNull();
        attempt.tracker().markWritten();

        attempt = begin(exchange);
        assertThat(attempt.tracker().written()).isFalse();
        assertThat(exchange.refusal()).isNotNull();

        attempt.sent(Bench.START, refusal -> null, new HttpRequest(HttpMethod.GET, Bench.ROOT));
        assertThat(exchange.refusal()).isNull();
    }

    @Test
    @DisplayName("RETRY-2: whether a broken connection is ambiguous is known by what this attempt has written")
    void errorIsJudgedByWhatWasWritten() {
        assertThat(Attempts.end(exchange, new IOException("reset"))).isEqualTo(Verdict.retryNow("IOException"));
        attempt = begin(exchange);
        attempt.tracker().markWritten();
        assertThat(Attempts.end(exchange, new IOException("reset")))
                .isEqualTo(Verdict.retry("IOException").asAmbiguous());
    }

    @Test
    void errorIsUnwrapped() {
        Throwable wrapped = Exceptions.propagate(new IOException("reset"));

        assertThat(Attempts.end(exchange, wrapped).reason()).isEqualTo("IOException");
    }

    private static List<String> lines(RequestHeaders headers) {
        return IntStream.range(0, headers.size())
                .mapToObj(i -> headers.name(i) + ": " + headers.value(i))
                .toList();
    }

    @Test
    @DisplayName("RETRY-7: a later attempt sets its headers in a copy, since an earlier one may still be in flight")
    void laterAttemptsKeepTheHeadersOfTheFirst() {
        Bench bench = new Bench();
        bench.wire().responds(503, Bench.jsonError("ServerBusy", "text")).responds(200, "done");
        Exchange<String> write = Bench.call(OperationType.WRITE);
        Outcome<String> outcome = bench.start(write);
        List<String> first = lines(write.request().headers());
        bench.pass(Duration.ofMinutes(1));

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(lines(write.request().headers())).isEqualTo(first);
        assertThat(bench.wire().sent()).allSatisfy(sent -> assertThat(sent.header("x-ms-client-request-id"))
                .isEqualTo(write.clientRequestId()));
    }

    @Test
    void countsAttempts() {
        assertThat(Bench.call(OperationType.READ).attempts()).isZero();
        assertThat(exchange.attempts()).isEqualTo(1);
    }

    @Test
    void givesItsGrantedPermitToTheFirstAttempt() {
        assertThat(attempt.granted()).isNull();
        Gate gate = Gate.fixed(1);
        gate.request(PermitPriority.NORMAL, permit -> {
            Exchange<String> admitted = exchange.forBatch(Bench.BATCH, permit);
            assertThat(begin(admitted).granted()).isSameAs(permit);
            Attempt second = new Attempt(
                    RetrySettings.defaults(),
                    Deadline.in(Duration.ofMinutes(2), VirtualTimeScheduler.create()),
                    2,
                    AttemptLog.EMPTY);
            RequestAttempt next = admitted.begin(
                    second, WriteTracker.reporting(), admitted.attempt().lease(), OperationObserver.none());
            assertThat(next.granted()).isNull();
            admitted.releaseGranted();
            assertThat(gate.inUse()).isZero();
        });
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a write that has succeeded counts as one that may have been applied until its result is handed"
                    + " over")
    void succeededAndNotHandedOver() {
        Exchange<String> write = Bench.call(OperationType.WRITE);
        begin(write);
        Attempts.end(write, response(201, "value"));
        Exchange<String> read = Bench.call(OperationType.READ);
        begin(read);
        Attempts.end(read, response(200, "value"));

        assertThat(ErrorMapper.closed(write)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(ErrorMapper.interrupted(write).unansweredAttempts()).isEqualTo(1);
        assertThat(write.unanswered()).isZero();
        assertThat(ErrorMapper.closed(read)).isInstanceOf(UnreachableException.class);
        assertThat(ErrorMapper.interrupted(read).unansweredAttempts()).isZero();
    }
}
