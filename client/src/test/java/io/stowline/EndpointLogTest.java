package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import io.stowline.error.ThrottledException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.net.ConnectException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EndpointLogTest {

    private static final String LOGGER = "io.stowline.endpoints";
    private final Bench bench = new Bench();

    private void call(String origin) {
        for (int attempt = 0; attempt < 5; attempt++) {
            bench.wire().breaksBeforeWriting(new ConnectException("refused, see https://h/?sig=topsecret"));
        }
        Request request =
                Request.of("find", "people(p, r)", OperationType.READ, HttpMethod.GET, origin + "/people?sv=1&sig=s3");
        Bench.Outcome<String> outcome = bench.start(bench.pipeline()
                .send(Exchange.of(
                        request, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()))));
        bench.pass(Duration.ofSeconds(1));
        outcome.cancel();
    }

    private static long lines(CapturedLog log) {
        return log.text()
                .lines()
                .filter(line -> line.contains("no response from"))
                .count();
    }

    @Test
    @DisplayName("RETRY-7: the first attempt that an endpoint does not answer is logged at once, without a secret")
    void firstFailureIsLogged() {
        try (CapturedLog log = new CapturedLog(LOGGER)) {
            call("https://user:pass@acct.table.core.windows.net:444");

            assertThat(log.text())
                    .contains("WARN")
                    .contains("no response from https://acct.table.core.windows.net:444: ")
                    .contains("ConnectException")
                    .contains("attempt 1 of find")
                    .doesNotContain("topsecret", "s3", "pass@");
            assertThat(lines(log)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("RETRY-7: an endpoint is logged once in a minute, each endpoint by itself")
    void onceInAMinute() {
        try (CapturedLog log = new CapturedLog(LOGGER)) {
            call("https://one.example");
            call("https://one.example");
            call("https://two.example");
            assertThat(lines(log)).isEqualTo(2);

            bench.pass(Duration.ofMinutes(1));
            call("https://one.example");
            assertThat(lines(log)).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("RETRY-7: the exception tells of a failed operation, and the log repeats it for debugging only")
    void failuresAreNotLoggedTwice() {
        try (CapturedLog log = new CapturedLog("io.stowline.operations")) {
            bench.wire().responds(503, Bench.jsonError("ServerBusy", "text"));
            Request request =
                    Request.of("find", "people(p, r)", OperationType.READ, HttpMethod.GET, Bench.ROOT + "/people");
            RetrySettings once = RetrySettings.builder().backoff(Backoff.none()).build();
            Bench.Outcome<String> outcome = bench.start(bench.pipeline()
                    .send(Exchange.of(request, once, response -> new ParseResult.Value<>(response.text()))));

            assertThat(outcome.error()).isInstanceOf(ThrottledException.class);
            assertThat(log.text())
                    .contains("DEBUG")
                    .contains(String.valueOf(outcome.error().getMessage()))
                    .doesNotContain("WARN");
        }
    }

    @Test
    @DisplayName("RETRY-7: a response that refuses is no silence")
    void refusalsAreNotLogged() {
        try (CapturedLog log = new CapturedLog(LOGGER)) {
            bench.wire().responds(404, Bench.jsonError("ResourceNotFound", "text"));
            Request request =
                    Request.of("find", "people(p, r)", OperationType.READ, HttpMethod.GET, Bench.ROOT + "/people");
            Bench.Outcome<String> outcome = bench.start(bench.pipeline()
                    .send(Exchange.of(
                            request, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()))));

            assertThatThrownBy(outcome::value).isInstanceOf(AssertionError.class);
            assertThat(lines(log)).isZero();
        }
    }
}
