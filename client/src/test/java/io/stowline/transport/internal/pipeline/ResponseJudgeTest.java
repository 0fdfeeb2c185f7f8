package io.stowline.transport.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.Attempt;
import io.stowline.retry.Deadline;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.Verdict;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ServerClock;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.StrayResponseException;
import io.stowline.transport.internal.http.WriteTracker;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.scheduler.VirtualTimeScheduler;

class ResponseJudgeTest {

    private static final ServerClock CLOCK = new ServerClock(Clock.fixed(Bench.START, ZoneOffset.UTC));

    private static Exchange<String> sent(OperationType type) {
        Exchange<String> exchange = Bench.call(type);
        WriteTracker tracker = WriteTracker.reporting();
        exchange.begin(
                Attempt.first(
                        RetrySettings.defaults(), Deadline.in(Duration.ofMinutes(2), VirtualTimeScheduler.create())),
                tracker);
        tracker.markWritten();
        return exchange;
    }

    @ParameterizedTest
    @EnumSource(OperationType.class)
    @DisplayName("RETRY-2: a malformed answer has the verdict of a lost one, and is an answer that cannot be read")
    void malformed(OperationType type) {
        Exchange<String> exchange = sent(type);
        IOException error = new MalformedResponseException("it has two lengths");

        Verdict verdict = exchange.judge(null, error, CLOCK, 0);

        Verdict lost = Verdict.retry("MalformedResponseException");
        assertThat(verdict).isEqualTo(type == OperationType.READ ? lost : lost.asAmbiguous());
        assertThat(exchange.failure(error).unreadable().why())
                .isEqualTo("the answer breaks the rules of HTTP: it has two lengths");
    }

    @ParameterizedTest
    @EnumSource(OperationType.class)
    @DisplayName("OUTCOME-0: the answer to another request is no answer")
    void stray(OperationType type) {
        Exchange<String> exchange = sent(type);
        IOException error = StrayResponseException.early(200);

        exchange.judge(null, error, CLOCK, 0);

        assertThat(exchange.failure(error).unreadable()).isNull();
    }
}
