package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.FailureDetails;
import io.stowline.error.UnreachableException;
import io.stowline.transport.internal.error.FailureFacts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

class OperationScopeTest {

    private final OperationScope operationScope = new OperationScope(null, Context.empty()) {};

    private static FailureDetails facts(String verb) {
        return FailureFacts.of(verb, "people").because("closed", "closed");
    }

    /** A write with figures that its test sets. */
    private static final class Write implements SentWrite {

        private final String verb;
        private int unanswered;
        private boolean confirmed;
        private boolean ended;

        Write(String verb) {
            this.verb = verb;
        }

        Write unanswered() {
            unanswered = 1;
            return this;
        }

        Write confirmed() {
            confirmed = true;
            return this;
        }

        @Override
        public String clientRequestId() {
            return "id of " + verb;
        }

        @Override
        public int applied() {
            return unanswered + (confirmed ? 1 : 0);
        }

        @Override
        public boolean isCarriedOut() {
            return confirmed;
        }

        @Override
        public FailureDetails soFar(String ending) {
            return facts(verb);
        }

        @Override
        public SentWrite ended() {
            ended = true;
            return this;
        }
    }

    private @Nullable FailureDetails known() {
        return operationScope.perhapsCarriedOut("closed");
    }

    private Write begun(String verb) {
        Write write = new Write(verb);
        operationScope.writing(write);
        return write;
    }

    @Test
    @DisplayName("OUTCOME-0: a write that was carried out is known although later writes of the operation were not")
    void earlierWrite() {
        assertThat(known()).isNull();
        Write first = begun("first");
        assertThat(known()).isNull();
        operationScope.wrote(first.confirmed());
        operationScope.wrote(begun("second"));
        begun("third");

        assertThat(known()).isEqualTo(facts("first"));
        assertThat(first.ended).as("without its body").isTrue();
    }

    @Test
    @DisplayName("OUTCOME-0: a write whose responses were lost is known between its end and what follows it")
    void gap() {
        Write write = begun("insert").unanswered();
        assertThat(known()).isEqualTo(facts("insert"));
        operationScope.wrote(write);

        assertThat(known()).isEqualTo(facts("insert"));
    }

    @Test
    @DisplayName("OUTCOME-0: of writes at the same time each is known, whichever began last")
    void together() {
        Write first = begun("first");
        Write second = begun("second");
        first.unanswered();
        operationScope.wrote(second);
        assertThat(known()).isEqualTo(facts("first"));

        operationScope.wrote(first);
        assertThat(known()).isEqualTo(facts("first"));
    }

    @Test
    @DisplayName("OUTCOME-0: a write in doubt is no longer one once a read-back has disproved it")
    void disproved() {
        operationScope.wrote(begun("first").confirmed());
        operationScope.wrote(begun("second").unanswered());
        assertThat(known()).isEqualTo(facts("second"));

        operationScope.disproved("id of second");
        assertThat(known()).isEqualTo(facts("first"));
    }

    @Test
    @DisplayName("the facts of an operation with many writes in doubt stay few")
    void bounded() {
        for (int i = 0; i < 1_000; i++) {
            operationScope.wrote(begun("write " + i).unanswered());
        }

        assertThat(known()).isEqualTo(facts("write 15"));
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a request that was cut in flight is the end of its operation, and not one that was never sent")
    void cut() {
        UnreachableException unsent = new UnreachableException(facts("update"), null);
        UnreachableException sent = new UnreachableException(
                FailureFacts.of("download", "bodies").tried(1, 0, Duration.ZERO).because("closed", "closed"), null);
        operationScope.cut(unsent);
        assertThat(operationScope.cut()).isSameAs(unsent);
        operationScope.cut(sent);
        operationScope.cut(unsent);

        assertThat(operationScope.cut()).isSameAs(sent);
    }
}
