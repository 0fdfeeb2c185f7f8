package io.stowline.queue.internal.poison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.NotFoundException;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.QueueBench;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

@Timeout(60)
@DisplayName("QUEUE-3: a redrive sees every message, and hides none for long")
class PoisonRedriveTest {

    private static final String NONE = QueueBench.messages();
    private static final String TWO = QueueBench.messages("first", "second");

    private final QueueBench bench = new QueueBench();
    private final QueueOperations poison = bench.client("orders-poison");
    private final List<String> seen = new ArrayList<>();
    private final List<String> moved = new ArrayList<>();

    private QueueBench.Running<Long> redrive(Predicate<MessageView> chosen) {
        return run(new PoisonRedrive(poison, copy -> List.of(bench.client()), null, queue -> {}), chosen);
    }

    private QueueBench.Running<Long> run(PoisonRun.Treatment treatment, Predicate<MessageView> chosen) {
        return bench.start(new PoisonRun(
                        poison,
                        treatment,
                        copy -> {
                            seen.add(copy.raw());
                            return chosen.test(copy);
                        },
                        Mono::just,
                        Callbacks.on(Runnable::run))
                .run());
    }

    private QueueBench given(String xml) {
        return bench.responds(200, xml);
    }

    private QueueBench updated() {
        bench.wire()
                .responds(
                        204,
                        "",
                        "x-ms-popreceipt",
                        QueueBench.RECEIPT,
                        "x-ms-time-next-visible",
                        "Thu, 29 Feb 2024 12:00:00 GMT");
        return bench;
    }

    private long receives() {
        return bench.wire().sent().stream()
                .filter(request -> request.method().equals("GET"))
                .count();
    }

    @Test
    @DisplayName("what a receive has hidden whose response was lost is waited for")
    void lostResponse() throws Exception {
        bench.losesTheResponse();
        given(NONE);
        given(TWO);
        given(NONE);
        updated();
        updated();
        QueueBench.Running<Long> redrive = redrive(copy -> false);
        bench.pass(Duration.ofSeconds(20));
        assertThat(receives()).isEqualTo(2);
        assertThat(redrive.future()).isNotDone();

        bench.pass(Duration.ofSeconds(31));

        assertThat(redrive.value()).isZero();
        assertThat(seen).containsExactly("first", "second");
    }

    @Test
    @DisplayName("messages that come again are no reason to go on")
    void again() throws Exception {
        given(TWO);
        given(TWO);
        updated();
        updated();

        assertThat(redrive(copy -> false).value()).isZero();
        assertThat(seen).hasSize(2);
        assertThat(bench.wire().sent().get(0).url()).contains("visibilitytimeout=30");
    }

    @Test
    @DisplayName("a message whose turn comes late is held again before it is sent")
    void heldAgain() throws Exception {
        given(QueueBench.messages("late"));
        updated();
        bench.responds(201, QueueBench.sent("sent"));
        bench.wire().responds(204, "");
        given(NONE);

        QueueBench.Running<Long> redrive = redrive(copy -> {
            bench.pass(Duration.ofSeconds(20));
            return true;
        });

        assertThat(redrive.value()).isEqualTo(1);
        assertThat(bench.wire().sent().stream().map(request -> request.method()))
                .containsExactly("GET", "PUT", "POST", "DELETE", "GET");
    }

    @Test
    @DisplayName("a message that another client has received since is left to it")
    void taken() throws Exception {
        given(QueueBench.messages("late"));
        bench.responds(404, QueueBench.error("MessageNotFound"), "x-ms-error-code", "MessageNotFound");
        given(NONE);

        QueueBench.Running<Long> redrive = redrive(copy -> {
            bench.pass(Duration.ofSeconds(40));
            return true;
        });

        assertThat(redrive.value()).isZero();
        assertThat(bench.wire().sent().stream().map(request -> request.method()))
                .containsExactly("GET", "PUT", "GET");
    }

    /** A receive at 12:00:30 of one copy that was put there at this second. */
    private void givenAt(int second, String id, String text) {
        given(QueueBench.messageOf(second, id, text));
    }

    private long sends() {
        return bench.wire().sent().stream()
                .filter(request -> request.method().equals("POST"))
                .count();
    }

    private void moved(String id) {
        bench.responds(201, QueueBench.sent(id));
        bench.wire().responds(204, "");
    }

    @Test
    @DisplayName("QUEUE-3: what a consumer poisons again while the redrive runs is not moved once more")
    void poisonedAgain() throws Exception {
        givenAt(30, "copy-1", "poison");
        moved("sent-1");
        givenAt(30, "copy-2", "{\"stowlinePoison\":1,\"id\":\"sent-1\",\"body\":\"poison\"}");
        givenAt(30, "copy-3", "another");
        moved("sent-3");
        given(NONE);
        updated();

        assertThat(redrive(copy -> true).value()).isEqualTo(2);
        assertThat(seen).containsExactly("poison", "another");
        assertThat(sends()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "QUEUE-3: copies that are put there after the beginning are left, and do not keep the redrive from its end")
    void younger() throws Exception {
        givenAt(30, "copy-1", "poison");
        moved("sent-1");
        givenAt(32, "copy-2", "younger");
        givenAt(10, "copy-3", "older");
        moved("sent-3");
        for (int i = 0; i < 4; i++) {
            givenAt(40 + i, "young-" + i, "younger");
        }
        for (int i = 0; i < 5; i++) {
            updated();
        }

        assertThat(redrive(copy -> true).value()).isEqualTo(2);
        assertThat(seen).containsExactly("poison", "older");
        assertThat(receives()).isEqualTo(7);
        assertThat(sends()).isEqualTo(2);
    }

    @Test
    @DisplayName("QUEUE-3: a removal beside a consumer that fills the queue ends")
    void removal() throws Exception {
        for (int i = 0; i < 5; i++) {
            givenAt(30 + 2 * i, "copy-" + i, "poison");
            bench.wire().responds(204, "");
        }

        bench.start(new PoisonRemoval(poison, null).run().thenReturn(true)).value();

        assertThat(receives()).isEqualTo(5);
    }

    @Test
    @DisplayName("QUEUE-3: one message is removed, a damaged one too, and the others are shown again")
    void removesOne() throws Exception {
        given(QueueBench.messages("first", "{\"stowlinePoison\":1}", "third"));
        bench.wire().responds(204, "");
        given(NONE);
        updated();
        updated();

        assertThat(run(new PoisonRemoval(poison, null), copy -> copy.raw().startsWith("{"))
                        .value())
                .isEqualTo(1);
        assertThat(seen).hasSize(3);
        assertThat(bench.wire().sent().stream().map(request -> request.method()))
                .containsExactly("GET", "DELETE", "GET", "PUT", "PUT");
        assertThat(bench.wire().sent().get(1).url()).contains("/messages/id-1?");
    }

    @Test
    @DisplayName("WORLD-3: a damaged copy is not sent back")
    void damagedCopy() throws Exception {
        given(QueueBench.messages("{\"stowlinePoison\":1,\"id\":\"1\"}"));
        given(NONE);
        updated();

        assertThat(redrive(copy -> true).value()).isZero();
        assertThat(sends()).isZero();
    }

    private QueueBench absent() {
        return bench.responds(404, QueueBench.error("QueueNotFound"), "x-ms-error-code", "QueueNotFound");
    }

    private QueueBench.Running<Long> redriveToTwo() {
        return run(
                new PoisonRedrive(
                        poison, copy -> List.of(bench.client("orders-3"), bench.client("orders")), null, moved::add),
                copy -> true);
    }

    @Test
    @DisplayName("QUEUE-3: a message whose queue is gone goes to another queue of the redrive")
    void otherHome() throws Exception {
        given(QueueBench.messages("poison"));
        absent();
        moved("sent");
        given(NONE);

        assertThat(redriveToTwo().value()).isEqualTo(1);
        assertThat(moved).containsExactly("orders");
        assertThat(bench.wire().sent().get(1).url()).contains("/orders-3/messages");
        assertThat(bench.wire().sent().get(2).url()).contains("/orders/messages");
    }

    @Test
    @DisplayName("QUEUE-3: without any of its queues the message stays, and the error names the queue of its copy")
    void noHome() {
        given(QueueBench.messages("poison"));
        absent();
        absent();
        updated();

        assertThatThrownBy(() -> redriveToTwo().value())
                .hasRootCauseInstanceOf(NotFoundException.class)
                .hasStackTraceContaining("orders-3");
        assertThat(moved).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 404})
    @DisplayName("WORLD-4: a gateway's page for a receive is no empty poison queue")
    void gatewayPage(int status) throws Exception {
        bench.wire().respondsAsGateway(status, "<html></html>", "Content-Type", "text/html");
        given(NONE);
        given(TWO);
        given(NONE);
        updated();
        updated();
        QueueBench.Running<Long> redrive = redrive(copy -> false);
        bench.pass(Duration.ofSeconds(20));
        assertThat(redrive.future()).isNotDone();

        bench.pass(Duration.ofSeconds(31));

        assertThat(redrive.value()).isZero();
        assertThat(seen).containsExactly("first", "second");
    }
}
