package io.stowline.spring.boot.listener;

import static io.stowline.queue.QueueConsumer.FailureAction.GIVE_BACK;
import static io.stowline.queue.QueueConsumer.FailureAction.POISON;
import static io.stowline.queue.QueueConsumer.FailureAction.RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.BadRequestException;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ConflictException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageUnavailableException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.FailureAction;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

class FailureRulesTest {

    private static final QueueConsumer.FailureHandler OWN = failure -> RETRY;
    private static final QueueConsumer.FailureHandler GENERAL =
            failure -> failure.error() instanceof ArithmeticException ? POISON : GIVE_BACK;

    private static FailureRules rules(
            QueueConsumer.@Nullable FailureHandler own,
            List<Class<? extends Throwable>> poisonOn,
            List<Class<? extends Throwable>> uncountedOn,
            QueueConsumer.@Nullable FailureHandler general) {
        Supplier<QueueConsumer.FailureHandler> supplier = own == null ? null : () -> own;
        return new FailureRules(supplier, poisonOn, uncountedOn, () -> general);
    }

    private static FailureAction action(FailureRules rules, Throwable error) {
        QueueConsumer.FailureHandler handler = rules.handler();
        return handler == null ? RETRY : handler.onFailure(new QueueConsumer.Failure("orders", "m1", 1, error));
    }

    /** Each row leaves out what decided in the row before. */
    static Stream<Arguments> precedence() {
        List<Class<? extends Throwable>> poison = List.of(IllegalArgumentException.class);
        List<Class<? extends Throwable>> uncounted = List.of(IOException.class);
        Throwable fault = new IllegalArgumentException();
        Throwable outage = new IOException();
        Throwable other = new ArithmeticException();
        return Stream.of(
                Arguments.of("the listener's handler", rules(OWN, List.of(), List.of(), GENERAL), other, RETRY),
                Arguments.of("a class", rules(null, poison, uncounted, GENERAL), fault, POISON),
                Arguments.of("a class", rules(null, poison, uncounted, GENERAL), outage, GIVE_BACK),
                Arguments.of("the general handler", rules(null, poison, uncounted, GENERAL), other, POISON),
                Arguments.of("the general handler", rules(null, List.of(), List.of(), GENERAL), fault, GIVE_BACK),
                Arguments.of("a class, alone", rules(null, poison, uncounted, null), fault, POISON),
                Arguments.of("no rule", rules(null, poison, uncounted, null), other, RETRY),
                Arguments.of("no rule", rules(null, List.of(), List.of(), null), fault, RETRY));
    }

    @ParameterizedTest(name = "{0} decides: {3}")
    @MethodSource("precedence")
    void theFirstThatKnowsAFailureDecides(String decides, FailureRules rules, Throwable error, FailureAction action) {
        assertThat(action(rules, error)).isEqualTo(action);
    }

    @Test
    void subclassesMatchAndTheCloserClassDecides() {
        FailureRules rules = rules(
                null,
                List.of(FileNotFoundException.class, RuntimeException.class),
                List.of(IOException.class, UncheckedIOException.class),
                null);

        assertThat(action(rules, new FileNotFoundException())).isEqualTo(POISON);
        assertThat(action(rules, new NoSuchFileException("a"))).isEqualTo(GIVE_BACK);
        assertThat(action(rules, new UncheckedIOException(new IOException()))).isEqualTo(GIVE_BACK);
        assertThat(action(rules, new IllegalStateException())).isEqualTo(POISON);
        assertThat(action(rules, new Exception())).isEqualTo(RETRY);
    }

    @Test
    void theFirstKnownExceptionOfTheChainOfCausesDecides() {
        FailureRules rules = rules(null, List.of(IllegalArgumentException.class), List.of(IOException.class), null);

        assertThat(action(rules, new CompletionException(new IOException()))).isEqualTo(GIVE_BACK);
        assertThat(action(rules, new CompletionException(new IOException(new IllegalArgumentException()))))
                .isEqualTo(GIVE_BACK);
        assertThat(action(rules, new IllegalArgumentException(new IOException())))
                .isEqualTo(POISON);
        Exception suppressing = new Exception();
        suppressing.addSuppressed(new IOException());
        assertThat(action(rules, suppressing)).isEqualTo(RETRY);
    }

    private static FailureDetails facts(int status) {
        return new FailureDetails(
                "send", "invoices", status, "", "", 3, 0, Duration.ofSeconds(1), null, "id-1", null, "");
    }

    @Test
    @DisplayName("one class stands for a storage that is not there for a time, and for nothing else")
    void outages() {
        FailureRules rules = rules(null, List.of(), List.of(StorageUnavailableException.class), null);

        for (Throwable outage : List.of(
                new UnreachableException(facts(0), null),
                new ThrottledException(facts(503), null),
                new ServerErrorException(facts(500), null),
                new DeadlineExceededException(facts(0), null),
                new CircuitOpenException(facts(0), null))) {
            assertThat(action(rules, new CompletionException(outage))).isEqualTo(GIVE_BACK);
        }
        for (Throwable other : List.of(
                new NotFoundException(facts(404), null),
                new ConflictException(facts(409), null),
                new BadRequestException(facts(400), null),
                new OutcomeUnknownException(facts(0), "it may be there", null))) {
            assertThat(action(rules, other)).isEqualTo(RETRY);
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    @DisplayName("a warning names the exception of the chain that decided, its class in the list and the deliveries")
    void warns(CapturedOutput output) {
        FailureRules rules = rules(null, List.of(IllegalArgumentException.class), List.of(IOException.class), null);

        action(rules, new IllegalStateException("shipping", new ConnectException("refused")));
        assertThat(output.getAll())
                .contains("The failure of delivery 1 of the message m1 of orders is not counted: its"
                        + " java.net.ConnectException is of 'uncounted-on', which names java.io.IOException");
        action(rules, new IllegalStateException(new NumberFormatException()));
        assertThat(output.getAll())
                .contains("is poison: its java.lang.NumberFormatException is of 'poison-on', which names"
                        + " java.lang.IllegalArgumentException");
        action(rules, new FileNotFoundException("plain"));
        assertThat(output.getAll()).doesNotContain("FileNotFoundException");
    }

    @Test
    @DisplayName("a circular chain of causes ends")
    void circularCauses() {
        Exception one = new Exception();
        one.initCause(new Exception(one));

        assertThat(action(rules(null, List.of(IOException.class), List.of(), null), one))
                .isEqualTo(RETRY);
    }
}
