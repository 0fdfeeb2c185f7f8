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
import io.stowline.retry.Attempt;
import io.stowline.retry.Deadline;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.Verdict;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.http.BufferedResponse;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.WriteTracker;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Exceptions;
import reactor.test.scheduler.VirtualTimeScheduler;

class ExchangeTest {

    private final ServerClock clock = new ServerClock(Clock.fixed(Bench.START, ZoneOffset.UTC));
    private final Exchange<String> exchange = Bench.call(OperationType.WRITE);

    @BeforeEach
    void beginTheFirstAttempt() {
        begin();
    }

    private void begin() {
        exchange.begin(
                Attempt.first(
                        RetrySettings.defaults(), Deadline.in(Duration.ofMinutes(2), VirtualTimeScheduler.create())),
                WriteTracker.reporting());
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
        assertThat(exchange.judge(response(status, "value"), null, clock, 0)).isEqualTo(Verdict.success());
        assertThat(exchange.value()).isEqualTo("value");
        assertThat(exchange.refusal()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {199, 304, 307, 400, 404, 599})
    void everythingElseIsARefusal(int status) {
        exchange.judge(response(status, ""), null, clock, 0);

        assertThat(exchange.refusal().status()).isEqualTo(status);
        assertThatNullPointerException().isThrownBy(exchange::value);
    }

    @Test
    @DisplayName("CACHE-1: 304 is the answer to a conditional read")
    void unchangedIsAResponseToARead() {
        Request request = Bench.request(OperationType.READ).header(HttpHeaderName.IF_NONE_MATCH, "W/\"1\"");
        Exchange<String> read =
                Exchange.of(request, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()));
        read.begin(
                Attempt.first(
                        RetrySettings.defaults(), Deadline.in(Duration.ofMinutes(2), VirtualTimeScheduler.create())),
                WriteTracker.reporting());

        assertThat(read.judge(response(304, ""), null, clock, 0)).isEqualTo(Verdict.success());
        assertThat(read.value()).isEmpty();
        assertThat(read.refusal()).isNull();
    }

    @Test
    void nextAttemptForgetsWhatTheLastOneSaidOnceItIsSent() {
        exchange.judge(response(503, Bench.jsonError("ServerBusy", "text")), null, clock, 0);
        assertThat(exchange.refusal()).isNotNull();
        exchange.tracker().markWritten();

        begin();
        assertThat(exchange.tracker().written()).isFalse();
        assertThat(exchange.refusal()).isNotNull();

        exchange.sent(Bench.START, refusal -> null, RequestSecrets.NONE);
        assertThat(exchange.refusal()).isNull();
    }

    @Test
    @DisplayName("RETRY-2: whether a broken connection is ambiguous is known by what this attempt has written")
    void errorIsJudgedByWhatWasWritten() {
        assertThat(exchange.judge(null, new IOException("reset"), clock, 0)).isEqualTo(Verdict.retryNow("IOException"));
        begin();
        exchange.tracker().markWritten();
        assertThat(exchange.judge(null, new IOException("reset"), clock, 0))
                .isEqualTo(Verdict.retry("IOException").asAmbiguous());
    }

    @Test
    void errorIsUnwrapped() {
        Throwable wrapped = Exceptions.propagate(new IOException("reset"));

        assertThat(exchange.judge(null, wrapped, clock, 0).reason()).isEqualTo("IOException");
    }

    @Test
    void countsAttempts() {
        assertThat(Bench.call(OperationType.READ).attempts()).isZero();
        assertThat(exchange.attempts()).isEqualTo(1);
    }

    @Test
    void givesItsFirstPermitOnce() {
        assertThat(exchange.takeFirstPermit()).isNull();
        var gate = io.stowline.retry.internal.gate.Gate.fixed(1);
        gate.request(io.stowline.retry.internal.gate.Gate.PermitPriority.NORMAL, permit -> {
            Exchange<String> admitted = exchange.admittedBy(permit);
            assertThat(admitted.takeFirstPermit()).isSameAs(permit);
            assertThat(admitted.takeFirstPermit()).isNull();
        });
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a write that has succeeded counts as one that may have been applied until its result is handed"
                    + " over")
    void succeededAndNotHandedOver() {
        Exchange<String> write = Bench.call(OperationType.WRITE);
        write.judge(response(201, "value"), null, clock, 0);
        Exchange<String> read = Bench.call(OperationType.READ);
        read.judge(response(200, "value"), null, clock, 0);

        assertThat(ErrorMapper.closed(write)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(ErrorMapper.interrupted(write).unansweredAttempts()).isEqualTo(1);
        assertThat(write.unanswered()).isZero();
        assertThat(ErrorMapper.closed(read)).isInstanceOf(UnreachableException.class);
        assertThat(ErrorMapper.interrupted(read).unansweredAttempts()).isZero();
    }
}
