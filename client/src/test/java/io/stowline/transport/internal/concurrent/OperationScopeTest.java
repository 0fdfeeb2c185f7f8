package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.FailureDetails;
import io.stowline.error.UnreachableException;
import io.stowline.transport.internal.error.FailureFacts;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

class OperationScopeTest {

    private final OperationScope scope = new OperationScope(null, Context.empty()) {};

    private static FailureDetails facts(String verb) {
        return FailureFacts.of(verb, "people").because("closed", "closed");
    }

    @Test
    @DisplayName("OUTCOME-0: a write that was carried out is known although a later write of the operation was not")
    void earlierWrite() {
        assertThat(scope.carriedOut()).isNull();
        scope.writing(() -> null);
        assertThat(scope.carriedOut()).isNull();
        scope.writing(() -> facts("first"));
        scope.writing(() -> null);
        scope.writing(() -> null);

        assertThat(scope.carriedOut()).isEqualTo(facts("first"));
    }

    @Test
    @DisplayName(
            "TRANSFER-3: the facts of a write that was carried out outlast what gave them, and no other write's go")
    void wrote() {
        Supplier<FailureDetails> first = () -> facts("first");
        Supplier<FailureDetails> second = () -> facts("second");
        scope.writing(first);
        scope.wrote(first);
        assertThat(scope.carriedOut()).isEqualTo(facts("first"));

        scope.writing(second);
        scope.wrote(first);

        assertThat(scope.carriedOut()).isEqualTo(facts("second"));
    }

    @Test
    @DisplayName("the last one that was carried out counts")
    void lastWrite() {
        scope.writing(() -> facts("first"));
        scope.writing(() -> facts("second"));

        assertThat(scope.carriedOut()).isEqualTo(facts("second"));
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a request that was cut in flight is the end of its operation, and not one that was never sent")
    void cut() {
        UnreachableException unsent = new UnreachableException(facts("update"), null);
        UnreachableException sent = new UnreachableException(
                FailureFacts.of("download", "bodies").tried(1, 0, Duration.ZERO).because("closed", "closed"), null);
        scope.cut(unsent);
        assertThat(scope.cut()).isSameAs(unsent);
        scope.cut(sent);
        scope.cut(unsent);

        assertThat(scope.cut()).isSameAs(sent);
    }

    @Test
    @DisplayName("OUTCOME-1: a write that closing ended in doubt is known unless one was carried out for certain")
    void doubt() {
        assertThat(scope.perhapsCarriedOut()).isNull();
        scope.doubted(facts("open"));
        assertThat(scope.carriedOut()).isNull();
        assertThat(scope.perhapsCarriedOut()).isEqualTo(facts("open"));

        scope.writing(() -> facts("certain"));
        assertThat(scope.perhapsCarriedOut()).isEqualTo(facts("certain"));
    }
}
