package io.stowline.transport.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.engine.Verdict;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.StrayResponseException;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResponseJudgeTest {

    private static Exchange<String> sent(OperationType type) {
        Exchange<String> exchange = Bench.call(type);
        WriteTracker tracker = WriteTracker.reporting();
        Attempts.begin(exchange, tracker);
        tracker.markWritten();
        return exchange;
    }

    @ParameterizedTest
    @EnumSource(OperationType.class)
    @DisplayName("RETRY-2: a malformed response has the verdict of a lost one, and is a response that cannot be read")
    void malformed(OperationType type) {
        Exchange<String> exchange = sent(type);
        IOException error = new MalformedResponseException("it has two lengths");

        Verdict verdict = Attempts.end(exchange, error);

        Verdict lost = Verdict.retry("MalformedResponseException");
        assertThat(verdict).isEqualTo(type == OperationType.READ ? lost : lost.asAmbiguous());
        assertThat(exchange.failure(error).unreadable().why())
                .isEqualTo("the response breaks the rules of HTTP: it has two lengths");
    }

    @ParameterizedTest
    @EnumSource(OperationType.class)
    @DisplayName("OUTCOME-0: the response to another request is no response")
    void stray(OperationType type) {
        Exchange<String> exchange = sent(type);
        IOException error = StrayResponseException.early(200);

        Attempts.end(exchange, error);

        assertThat(exchange.failure(error).unreadable()).isNull();
    }
}
