package io.stowline.spring.boot.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.listener.ListenerSignature.ParameterRole;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.validation.annotation.Validated;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods that can listen, and the faults of the others. */
class ListenerSignatureTest {

    record Order(String id) {}

    interface Base<T> {
        void inherited(T body);
    }

    @SuppressWarnings("UnusedVariable")
    static class Listeners implements Base<Order> {

        @Override
        public void inherited(Order body) {}

        void body(Order order) {}

        void number(int number) {}

        void lease(MessageLease<Order> lease) {}

        void everything(
                @Header(QueueMessageHeaders.DEQUEUE_COUNT) int count,
                @Headers Map<String, Object> headers,
                MessageHeaders all,
                Message<Order> message,
                MessageLease<Order> lease,
                @Validated Order order,
                @Header Instant insertedAt,
                @Header(name = "traceparent", required = false) @Nullable String trace,
                @Header("tracestate") Optional<String> state) {}

        void bodies(List<Order> orders, @Header("queue") String queue) {}

        void leases(List<MessageLease<Order>> orders) {}

        void batch(QueueConsumer.Batch<Order> batch, List<Order> orders) {}

        void untyped(MessageLease<?> lease) {}

        Mono<Void> mono(Order order) {
            return Mono.empty();
        }

        Publisher<String> publisher(Order order) {
            return Mono.empty();
        }

        CompletableFuture<Void> future(Order order) {
            return CompletableFuture.completedFuture(null);
        }

        void nothing() {}

        void headersOnly(@Header("messageId") String id) {}

        void two(Order order, String other) {}

        void twoTypes(Order order, MessageLease<String> lease) {}

        void mixed(List<Order> orders, MessageLease<Order> lease) {}

        void batchOfMessages(List<Order> orders, @Header("messageId") String id) {}

        void unknownHeader(Order order, @Header("partition") String partition) {}

        void wrongHeader(Order order, @Header("dequeueCount") Order count) {}

        void expression(@Payload("id") Order order) {}

        void validatedBatch(@Validated List<Order> orders) {}

        boolean responds(Order order) {
            return true;
        }

        Mono<Void> reactiveBatch(List<Order> orders) {
            return Mono.empty();
        }

        @SendTo("replies")
        void repliesNothing(Order order) {}

        @SendTo("replies")
        Mono<Void> repliesNothingLater(Order order) {
            return Mono.empty();
        }

        @SendTo("replies")
        Mono<?> repliesAnything(Order order) {
            return Mono.empty();
        }

        @SendTo("replies")
        String repliesToBatches(List<Order> orders) {
            return "";
        }

        @SendTo("replies")
        int repliesNumber(Order order) {
            return 1;
        }

        @SendTo("replies")
        Flux<Message<Integer>> repliesMessages(Order order) {
            return Flux.empty();
        }

        @SendTo("replies")
        CompletableFuture<Set<Integer>> repliesSet(Order order) {
            return new CompletableFuture<>();
        }

        @SendTo("replies")
        Stream<Integer> repliesStream(Order order) {
            return Stream.empty();
        }
    }

    private static ListenerSignature of(String name) {
        Method method = Arrays.stream(Listeners.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name) && !each.isBridge())
                .findFirst()
                .orElseThrow();
        return ListenerSignature.of(method, Listeners.class, method.isAnnotationPresent(SendTo.class));
    }

    @Test
    void takesTheBodyItsLeaseAndItsHeadersInAnyOrder() {
        assertThat(of("body").roles()).containsExactly(ParameterRole.BODY);
        assertThat(of("lease").roles()).containsExactly(ParameterRole.LEASE);
        assertThat(of("everything").roles())
                .containsExactly(
                        ParameterRole.HEADER,
                        ParameterRole.HEADER,
                        ParameterRole.HEADER,
                        ParameterRole.MESSAGE,
                        ParameterRole.LEASE,
                        ParameterRole.VALIDATED_BODY,
                        ParameterRole.HEADER,
                        ParameterRole.HEADER,
                        ParameterRole.HEADER);
        assertThat(of("everything").validates()).isTrue();
        assertThat(of("body").validates()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"body", "lease", "everything", "bodies", "leases", "batch", "inherited", "mono"})
    void namesTheTypeOfTheBodies(String name) {
        assertThat(of(name).body().toClass()).isEqualTo(Order.class);
    }

    @Test
    void primitivesAreBoxedAndWildcardsNameNoType() {
        assertThat(of("number").body().toClass()).isEqualTo(Integer.class);
        assertThat(of("untyped").body()).isNull();
    }

    @Test
    void aTypeVariableIsThatOfTheBeansClass() throws NoSuchMethodException {
        Method inherited = Base.class.getMethod("inherited", Object.class);

        assertThat(ListenerSignature.of(inherited, Listeners.class, false)
                        .body()
                        .toClass())
                .isEqualTo(Order.class);
    }

    @ParameterizedTest
    @CsvSource({"repliesNumber", "repliesMessages", "repliesSet", "repliesStream"})
    void namesTheTypeOfTheReplies(String name) {
        assertThat(of(name).reply().toClass()).isEqualTo(Integer.class);
        assertThat(of("mono").reply()).isNull();
    }

    @Test
    void listsAreBatches() {
        assertThat(of("bodies").batch()).isTrue();
        assertThat(of("leases").roles()).containsExactly(ParameterRole.LEASES);
        assertThat(of("batch").roles()).containsExactly(ParameterRole.BATCH, ParameterRole.BODIES);
        assertThat(of("body").batch()).isFalse();
    }

    @Test
    void publishersAndFuturesAreAdapted() {
        assertThat(of("mono").adapter()).isNotNull();
        assertThat(of("publisher").adapter()).isNotNull();
        assertThat(of("future").adapter()).isNotNull();
        assertThat(of("body").adapter()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nothing         | it has no parameter for the message
        headersOnly     | it has no parameter for the message
        two             | two types of bodies
        twoTypes        | two types of bodies
        mixed           | a batch and, beside it, a single message
        batchOfMessages | a batch has no header 'messageId'
        unknownHeader   | a message has no header 'partition'
        wrongHeader     | the header 'dequeueCount' is of type Long, which cannot be converted to Order
        expression      | @Payload of 'order' has an expression
        validatedBatch  | the bodies of a batch cannot be validated
        responds        | it returns boolean, but a listener is void
        reactiveBatch   | it takes a batch, so it must be void
        repliesNothing  | it has @SendTo, but returns nothing that could be sent
        repliesNothingLater | it has @SendTo, but returns nothing that could be sent
        repliesAnything | names no type of bodies
        repliesToBatches | it takes a batch, so it cannot have @SendTo
        """)
    void whatCannotListenIsRefusedWithTheReason(String name, String reason) {
        assertThatIllegalArgumentException().isThrownBy(() -> of(name)).withMessageContaining(reason);
    }
}
