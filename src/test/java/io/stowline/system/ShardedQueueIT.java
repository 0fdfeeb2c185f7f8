package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.ShardedQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

@Timeout(120)
class ShardedQueueIT extends StorageTest {

    private static final int SHARDS = 8;
    private static final Duration GUARD = Duration.ofSeconds(60);

    private final String name = "w" + UUID.randomUUID().toString().substring(0, 30);
    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final List<QueueConsumer> consumers = new ArrayList<>();
    private final List<Stowline> clients = new ArrayList<>();
    private int sent;

    @AfterEach
    void remove() {
        consumers.forEach(QueueConsumer::close);
        clients.forEach(Stowline::close);
        wide(storage, SHARDS, SHARDS).dropIfExists();
        storage.queue(name + "-poison").dropIfExists();
    }

    private ShardedQueue<String> wide(Stowline client, int sendTo, int receiveFrom) {
        return client.shardedQueue(name, String.class, s -> s.sendTo(sendTo).receiveFrom(receiveFrom));
    }

    /** A separate client, as another process has it, which consumes from the shards that it receives from. */
    private ShardedQueue<String> process(int sendTo, int receiveFrom) {
        Stowline client = connected();
        clients.add(client);
        ShardedQueue<String> queue = wide(client, sendTo, receiveFrom);
        queue.createIfMissing();
        consumers.add(queue.consume(m -> handled.add(m.body()))
                .concurrency(8)
                .pollDelay(Duration.ofMillis(20), Duration.ofMillis(200))
                .start());
        return queue;
    }

    /** Each of them sends some messages in turn, some by key, and some together. */
    private Set<String> send(List<ShardedQueue<String>> senders) {
        Set<String> bodies = new HashSet<>();
        for (ShardedQueue<String> sender : senders) {
            for (int i = 0; i < 8; i++) {
                bodies.add(sendOne(sender, null));
                bodies.add(sendOne(sender, "key " + i));
            }
            List<String> together = List.of("message " + sent++, "message " + sent++, "message " + sent++);
            assertThat(sender.sendAll(together, body -> body.endsWith("1") ? body : null))
                    .allMatch(ItemResult::succeeded);
            bodies.addAll(together);
        }
        return bodies;
    }

    private String sendOne(ShardedQueue<String> sender, String key) {
        String body = "message " + sent++;
        SendResult result = key == null ? sender.send(body) : sender.send(body, key);
        if (key != null) {
            assertThat(result.queue()).isEqualTo(sender.shardOf(key).name());
        }
        return body;
    }

    private void areHandled(Set<String> bodies) throws InterruptedException {
        Set<String> missing = new HashSet<>(bodies);
        while (!missing.isEmpty()) {
            String body = handled.poll(GUARD.toSeconds(), TimeUnit.SECONDS);
            assertThat(body).as("one of %s", missing).isNotNull();
            missing.remove(body);
        }
    }

    private void stopOldest() {
        assertThat(consumers.remove(0).stop(GUARD).abandoned()).isZero();
    }

    @Test
    @DisplayName(
            "Q1: growing from 2 shards to 8 and shrinking back, with clients of both settings at once, handles every"
                    + " message")
    void growsAndShrinks() throws Exception {
        ShardedQueue<String> small = process(2, 2);
        areHandled(send(List.of(small)));

        ShardedQueue<String> receiving = process(2, SHARDS);
        areHandled(send(List.of(small, receiving)));
        stopOldest();

        ShardedQueue<String> large = process(SHARDS, SHARDS);
        areHandled(send(List.of(receiving, large)));
        stopOldest();
        assertThat(large.exists()).isTrue();

        ShardedQueue<String> shrinking = process(2, SHARDS);
        Set<String> last = send(List.of(large, shrinking));
        stopOldest();
        areHandled(last);
        consumers.get(0).stop(GUARD);
        for (MessageQueue<String> shard : shrinking.shards().subList(2, SHARDS)) {
            assertThat(shard.approximateCount()).as(shard.name()).isZero();
        }

        ShardedQueue<String> smallAgain = process(2, 2);
        areHandled(send(List.of(shrinking, smallAgain)));
        stopOldest();
        stopOldest();
        assertThat(smallAgain.approximateCount()).isZero();
    }

    @Test
    @DisplayName("Q1: poison of all shards is in one queue, and goes back to shards that get messages")
    void sharesPoison() throws Exception {
        ShardedQueue<String> large = wide(storage, 4, 4);
        large.createIfMissing();
        Set<String> bodies = send(List.of(large));
        try (QueueConsumer failing = large.consume(m -> {
                    handled.add(m.body());
                    throw new IllegalStateException("never");
                })
                .poisonAfter(1)
                .pollDelay(Duration.ofMillis(20), Duration.ofMillis(200))
                .start()) {
            areHandled(bodies);
            failing.stop(GUARD);
        }
        assertThat(large.approximateCount()).isZero();
        assertThat(large.poison().count()).isEqualTo(bodies.size());

        ShardedQueue<String> shrunk = wide(storage, 2, 4);
        long home = large.poison().peek(32).stream()
                .filter(message -> message.queue().orElseThrow().endsWith("-0"))
                .count();
        assertThat(home).isPositive();
        assertThat(shrunk.poison().redrive(message -> true)).isEqualTo(bodies.size());

        assertThat(shrunk.shards().get(0).approximateCount()).isGreaterThanOrEqualTo(home);
        assertThat(shrunk.shards().subList(2, 4))
                .allSatisfy(shard -> assertThat(shard.approximateCount()).isZero());
        assertThat(shrunk.approximateCount()).isEqualTo(bodies.size());
        shrunk.clear();
        assertThat(shrunk.approximateCount()).isZero();
    }

    @Test
    @DisplayName("Q1: messages are received, held and deleted by hand in the shard that they are in")
    void worksByHand() {
        ShardedQueue<String> queue = wide(storage, 3, 3);
        assertThat(queue.exists()).isFalse();
        assertThat(queue.createIfMissing()).isTrue();
        assertThat(queue.createIfMissing()).isFalse();
        for (int i = 0; i < 6; i++) {
            queue.send("message " + i);
        }
        assertThat(queue.peek(32)).hasSize(6);

        List<ReceivedMessage<String>> received = queue.receive(32);
        assertThat(received).hasSize(6);
        queue.delete(received.get(0));
        ReceivedMessage<String> renewed = queue.shardOf(received.get(1)).update(received.get(1), Duration.ofMinutes(1));
        queue.delete(renewed);
        for (ReceivedMessage<String> message : received.subList(2, 6)) {
            try (MessageLease<String> held = queue.hold(message)) {
                held.complete();
            }
        }
        assertThat(queue.approximateCount()).isZero();
        assertThat(queue.dropIfExists()).isTrue();
    }

    @Test
    @DisplayName("Q1: the reactive face sends, consumes and stops as one")
    void worksReactively() throws Exception {
        ShardedQueue<String> queue = wide(storage, 3, 3);
        queue.reactive().createIfMissing().block(GUARD);
        try (QueueConsumer consumer = queue.reactive()
                .consume(m -> Mono.fromRunnable(() -> handled.add(m.body())))
                .start()) {
            Set<String> bodies = new HashSet<>();
            for (int i = 0; i < 9; i++) {
                String body = "message " + i;
                bodies.add(body);
                Mono<SendResult> sending = i % 2 == 0
                        ? queue.reactive().send(body)
                        : queue.reactive().send(body, "key " + i);
                sending.block(GUARD);
            }
            areHandled(bodies);
            assertThat(consumer.queue()).isEqualTo(name);
            assertThat(consumer.stop(GUARD).abandoned()).isZero();
        }

        assertThat(queue.reactive().approximateCount().block(GUARD)).isZero();
    }
}
