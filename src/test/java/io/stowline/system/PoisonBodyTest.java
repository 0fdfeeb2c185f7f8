package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.error.AuthenticationException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("QUEUE-3: the body of a poison message stays as long as the original or the copy needs it")
class PoisonBodyTest {

    private final MovedClock clock = new MovedClock();
    private final MemoryStorage memory = MemoryStorage.create(clock);
    private final ClaimCheckQueue reports = new ClaimCheckQueue(memory);
    private final BlobContainer bodies = reports.bodies;
    private final MessageQueue<byte[]> queue = reports.queue;

    @AfterEach
    void close() {
        reports.close();
    }

    private long sweep() {
        clock.pass(Duration.ofHours(2));
        return queue.sweepBodies(Duration.ofHours(1));
    }

    @Test
    @DisplayName("a cleared copy leaves the body of an original that could not be deleted")
    void originalStays() {
        queue.send(new byte[100_000], send -> send.neverExpires());
        try (MessageLease<byte[]> held = queue.hold(queue.receive().orElseThrow())) {
            memory.refuseNext("DELETE", "/reports/messages", 403, "AuthorizationFailure");
            assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> held.poison("broken"));
        }
        assertThat(queue.poison().count()).isEqualTo(1);
        queue.poison().clear();
        clock.pass(Duration.ofMinutes(10));
        assertThat(sweep()).isZero();

        try (Stowline other = ClaimCheckQueue.client(memory)) {
            MessageQueue<byte[]> there =
                    other.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(other.container("bodies")));
            ReceivedMessage<byte[]> original = there.receive().orElseThrow();
            assertThat(original.body()).hasSize(100_000);
            there.delete(original);
        }
        assertThat(bodies.stream()).isEmpty();
    }

    @Test
    @DisplayName("an original that is removed leaves the body of its copy")
    void copyStays() {
        queue.send(new byte[100_000]);
        try (MessageLease<byte[]> held = queue.hold(queue.receive().orElseThrow())) {
            memory.refuseNext("DELETE", "/reports/messages", 403, "AuthorizationFailure");
            assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> held.poison("broken"));
        }
        clock.pass(Duration.ofMinutes(10));
        try (Stowline other = ClaimCheckQueue.client(memory)) {
            MessageQueue<byte[]> there =
                    other.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(other.container("bodies")));
            there.delete(there.receive().orElseThrow());
        }

        assertThat(sweep()).isZero();
        assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);
    }

    @Test
    @DisplayName("a redriven message is kept as long as it was to be kept when it was sent")
    void timeToLive() {
        queue.send(new byte[100_000], send -> send.neverExpires());
        queue.send(new byte[1], send -> send.timeToLive(Duration.ofHours(5)));
        for (ReceivedMessage<byte[]> message : queue.receive(2)) {
            queue.hold(message).poison("broken");
        }
        clock.pass(Duration.ofDays(2));
        assertThat(queue.poison().redrive(all -> true)).isEqualTo(2);

        List<ReceivedMessage<byte[]>> redriven = queue.receive(2);
        assertThat(redriven)
                .filteredOn(message -> message.body().length == 1)
                .singleElement()
                .satisfies(message -> assertThat(message.expiresAt())
                        .isEqualTo(message.insertedAt().plus(Duration.ofHours(5))));
        assertThat(redriven)
                .filteredOn(message -> message.body().length > 1)
                .singleElement()
                .satisfies(message -> assertThat(message.expiresAt()).isAfter(Instant.parse("9999-01-01T00:00:00Z")));
        clock.pass(Duration.ofDays(30));
        assertThat(sweep()).isZero();
        assertThat(bodies.stream()).hasSize(1);
    }

    private void refusePoison(String method, String path) {
        try (MessageLease<byte[]> held = queue.hold(queue.receive().orElseThrow())) {
            memory.refuseNext(method, path, 403, "AuthorizationFailure");
            assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> held.poison("broken"));
        }
        clock.pass(Duration.ofMinutes(10));
    }

    @Test
    @DisplayName("a message whose copy is refused keeps its body, without a poison queue and with an empty one")
    void refusedCopy() {
        queue.send(new byte[100_000]);
        refusePoison("PUT", "/reports-poison");
        assertThat(sweep()).isZero();
        assertThat(queue.poison().count()).isZero();
        storage().queue("reports-poison").create();
        refusePoison("POST", "/reports-poison/messages");
        assertThat(queue.poison().count()).isZero();
        assertThat(sweep()).isZero();

        ReceivedMessage<byte[]> message = queue.receive().orElseThrow();
        assertThat(message.body()).hasSize(100_000);
        queue.delete(message);
        assertThat(bodies.stream()).isEmpty();
    }

    @Test
    @DisplayName("a body that is larger than this queue reads is moved and redriven unread")
    void largerThanRead() {
        queue.send(new byte[100_000]);
        MessageQueue<byte[]> narrow = storage()
                .queue("reports", byte[].class)
                .withEnvelope(e -> e.claimCheck(bodies).maxBody(99_000).compressAbove(0));
        ReceivedMessage<byte[]> large = narrow.receive().orElseThrow();
        assertThat(large.isDecodable()).isFalse();
        narrow.hold(large).poison("too large");
        assertThat(narrow.poison().redrive(all -> true)).isEqualTo(1);

        ReceivedMessage<byte[]> message = queue.receive().orElseThrow();
        assertThat(message.body()).hasSize(100_000);
        queue.delete(message);
        assertThat(bodies.stream()).isEmpty();
    }

    @Test
    @DisplayName("a message whose copy is refused leaves a body that is swept once its time to live is over")
    void refusedCopyExpires() {
        queue.send(new byte[100_000], send -> send.timeToLive(Duration.ofHours(12)));
        queue.send(new byte[1], send -> send.neverExpires().delay(Duration.ofDays(1)));
        refusePoison("PUT", "/reports-poison");
        assertThat(sweep()).isZero();
        clock.pass(Duration.ofHours(12));
        assertThat(sweep()).isEqualTo(1);
    }

    private Stowline storage() {
        return reports.storage;
    }

    @Test
    @DisplayName("a redrive that cannot delete leaves two messages, and each has a body of its own")
    void redrivenTwice() {
        queue.send(new byte[100_000]);
        queue.hold(queue.receive().orElseThrow()).poison("broken");
        memory.refuseNext("DELETE", "/reports-poison/messages", 403, "AuthorizationFailure");
        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> queue.poison().redrive(all -> true));

        queue.delete(queue.receive().orElseThrow());
        clock.pass(Duration.ofMinutes(10));
        try (Stowline other = ClaimCheckQueue.client(memory)) {
            MessageQueue<byte[]> there =
                    other.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(other.container("bodies")));
            assertThat(there.poison().peek(1).get(0).body()).hasSize(100_000);
            assertThat(there.poison().redrive(all -> true)).isEqualTo(1);
            ReceivedMessage<byte[]> second = there.receive().orElseThrow();
            assertThat(second.body()).hasSize(100_000);
            there.delete(second);
        }
        assertThat(bodies.stream()).isEmpty();
    }

    @Test
    @DisplayName("a redrive that cannot read a body now leaves its message in the poison queue")
    void unreadBody() {
        queue.send(new byte[100_000]);
        queue.hold(queue.receive().orElseThrow()).poison("broken");
        memory.refuseNext("GET", "/bodies/", 403, "AuthorizationFailure");

        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> queue.poison().redrive(all -> true))
                .withMessageContainingAll("bodies/reports/", "reports-poison(");

        assertThat(queue.approximateCount()).isZero();
        assertThat(queue.poison().redrive(all -> true)).isEqualTo(1);
    }

    @Test
    @DisplayName("a queue that cannot write the body again does not redrive its message")
    void redriveWithoutClaimCheck() {
        queue.send(new byte[100_000]);
        queue.hold(queue.receive().orElseThrow()).poison("broken");
        MessageQueue<byte[]> plain = storage().queue("reports", byte[].class);

        assertThatIllegalStateException()
                .isThrownBy(() -> plain.poison().redrive(all -> true))
                .withMessageContaining("claimCheck");

        assertThat(queue.poison().redrive(all -> true)).isEqualTo(1);
        assertThat(queue.receive().orElseThrow().body()).hasSize(100_000);
    }
}
