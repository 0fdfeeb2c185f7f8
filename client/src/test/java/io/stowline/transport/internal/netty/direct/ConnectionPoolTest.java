package io.stowline.transport.internal.netty.direct;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import io.netty.channel.embedded.EmbeddedChannel;
import io.stowline.transport.internal.netty.direct.ConnectionPool.Census;
import io.stowline.transport.internal.netty.direct.ConnectionPool.Opening;
import io.stowline.transport.internal.netty.direct.EmbeddedPool.Sent;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Refused implies full, and idle implies admits, whatever ends a request or a connection. */
@SuppressWarnings("FutureReturnValueIgnored") // channels are embedded
@Timeout(120)
class ConnectionPoolTest {

    private static final String DONE = "HTTP/1.1 204 No Content||";
    private static final long PROMPT = EmbeddedPool.PROMPT.toMillis();

    @Test
    void opensUpToItsBoundAndServesInOrder() {
        EmbeddedPool server = new EmbeddedPool(2);
        List<Sent> sent = Stream.generate(server::send).limit(5).toList();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 2, 0, 5));
        EmbeddedChannel one = server.connect();
        EmbeddedChannel two = server.connect();
        assertThat(server.pool.census()).isEqualTo(new Census(2, 0, 0, 3));
        server.receive(two, DONE);
        assertThat(EmbeddedPool.written(two)).contains(sent.get(1).id).contains(sent.get(2).id);
        server.receive(one, DONE);
        assertThat(EmbeddedPool.written(one)).contains(sent.get(0).id).contains(sent.get(3).id);
        server.receive(one, DONE);
        assertThat(EmbeddedPool.written(one)).contains(sent.get(4).id);
        server.close();
    }

    @Test
    void theConnectionThatWasUsedLastComesFirst() {
        EmbeddedPool server = new EmbeddedPool(3);
        for (int i = 0; i < 3; i++) {
            server.send();
        }
        List<EmbeddedChannel> channels =
                Stream.generate(server::connect).limit(3).toList();
        channels.forEach(EmbeddedPool::written);
        for (int next : new int[] {0, 2, 1}) {
            server.receive(channels.get(next), DONE);
        }
        for (int i = 0; i < 4; i++) {
            Sent next = server.send();
            assertThat(EmbeddedPool.written(channels.get(0))).isEmpty();
            assertThat(EmbeddedPool.written(channels.get(2))).isEmpty();
            assertThat(EmbeddedPool.written(channels.get(1))).contains(next.id);
            server.receive(channels.get(1), DONE);
            assertThat(next.response).isNotNull();
        }
        server.close();
    }

    @Test
    @DisplayName(
            "RETRY-2: a connection that cannot be opened fails the request that waits longest, and the next is tried")
    void refusedConnections() {
        EmbeddedPool server = new EmbeddedPool(1);
        Sent first = server.send();
        Sent second = server.send();
        server.refuse(new ConnectException("refused"));
        assertThat(first.error).isInstanceOf(ConnectException.class);
        assertThat(first.tracker.endedBy(first.error)).isFalse();
        assertThat(server.openings).hasSize(1);
        server.receive(server.connect(), DONE);
        assertThat(second.response).isNotNull();
        server.close();
    }

    @Test
    @DisplayName("a request has the time for which it waited for a new connection, and none on one of the pool")
    void connectTimes() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        EmbeddedPool server = new EmbeddedPool(1);
        Sent first = timed(server, clock);
        Sent second = timed(server, clock);
        clock.advanceTimeBy(Duration.ofSeconds(2));
        EmbeddedChannel channel = server.connect();
        clock.advanceTimeBy(Duration.ofSeconds(1));
        server.receive(channel, DONE);
        assertThat(first.tracker.connectNanos()).isEqualTo(Duration.ofSeconds(2).toNanos());
        assertThat(EmbeddedPool.written(channel)).contains(second.id);
        assertThat(second.tracker.connectNanos()).isZero();

        server.receive(channel, DONE);
        server.now += EmbeddedPool.IDLE.toMillis();
        Sent refused = timed(server, clock);
        clock.advanceTimeBy(Duration.ofSeconds(3));
        server.refuse(new ConnectException("refused"));
        assertThat(refused.error).isNotNull();
        assertThat(refused.tracker.connectNanos())
                .isEqualTo(Duration.ofSeconds(3).toNanos());
        server.close();
    }

    private static Sent timed(EmbeddedPool server, VirtualTimeScheduler clock) {
        Sent sent = new Sent("timed-" + clock.now(TimeUnit.NANOSECONDS) + "-" + server.pool.census());
        sent.tracker.setClock(clock);
        return server.send(sent, HttpMethod.POST);
    }

    @Test
    void manyRefusalsOneAfterTheOther() {
        EmbeddedPool server = new EmbeddedPool(1);
        List<Sent> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            all.add(server.send());
        }
        for (int i = 0; i < 20_000; i++) {
            server.refuse(new ConnectException("refused"));
        }
        assertThat(all).allMatch(sent -> sent.ends == 1);
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
        server.close();
    }

    @Test
    void requestsThatWereCancelledInLineTakeNoConnection() {
        EmbeddedPool server = new EmbeddedPool(1);
        Sent first = server.send();
        EmbeddedChannel channel = server.connect();
        List<Sent> waiting = Stream.generate(server::send).limit(1_000).toList();
        waiting.subList(0, 999).forEach(Sent::cancel);
        assertThat(server.pool.census()).isEqualTo(new Census(1, 0, 0, 1));
        EmbeddedPool.written(channel);
        server.receive(channel, DONE);
        assertThat(first.response).isNotNull();
        assertThat(EmbeddedPool.written(channel)).contains(waiting.get(999).id);
        server.close();
    }

    @Test
    @DisplayName("RETRY-2: an idle connection and an old one serve no request")
    void idleAndOldConnections() {
        EmbeddedPool server = new EmbeddedPool(1);
        server.send();
        EmbeddedChannel first = server.connect();
        server.receive(first, DONE);
        server.now += EmbeddedPool.IDLE.toMillis() - 1;
        server.send();
        assertThat(server.openings).isEmpty();
        server.receive(first, DONE);
        server.now += EmbeddedPool.IDLE.toMillis();
        server.send();
        server.settle();
        assertThat(first.isOpen()).isFalse();
        EmbeddedChannel second = server.connect();
        Sent waiting = server.send();
        server.now += EmbeddedPool.AGE.toMillis();
        server.receive(second, DONE);
        assertThat(second.isOpen()).isFalse();
        server.receive(server.connect(), DONE);
        assertThat(waiting.response).isNotNull();
        server.close();
    }

    @Test
    void theWatchClosesIdleConnectionsAndEndsLongWaits() {
        EmbeddedPool server = new EmbeddedPool(2);
        server.send();
        EmbeddedChannel idle = server.connect();
        server.receive(idle, DONE);
        server.now += EmbeddedPool.IDLE.toMillis();
        server.pool.expire();
        server.settle();
        assertThat(idle.isOpen()).isFalse();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));

        Sent late = server.send();
        server.now += EmbeddedPool.WAIT.toMillis() - 1;
        server.pool.expire();
        assertThat(late.ends).isZero();
        Sent fresh = server.send();
        server.now++;
        server.pool.expire();
        assertThat(late.error).isInstanceOf(TimeoutException.class).hasMessageContaining("http://server.test");
        assertThat(late.tracker.endedBy(late.error)).isFalse();
        server.receive(server.connect(), DONE);
        assertThat(fresh.response).isNotNull();
        server.close();
    }

    @Test
    @DisplayName("RETRY-2: no later request waits for an opening that hangs")
    void anOpeningThatHangsHoldsUpItsRequestOnly() {
        EmbeddedPool server = new EmbeddedPool(3);
        Sent first = server.send();
        server.pass(PROMPT);
        server.pool.expire();
        server.settle();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 2, 0, 1));
        Opening hanging = server.openings.remove(0);
        EmbeddedChannel channel = server.connect();
        assertThat(EmbeddedPool.written(channel)).contains(first.id);
        server.receive(channel, DONE);
        assertThat(first.response).isNotNull();
        server.openings.add(hanging);
        assertThat(server.connect().isOpen()).isTrue();
        assertThat(server.pool.census()).as("late is idle").isEqualTo(new Census(2, 0, 2, 0));
        server.close();
    }

    @Test
    @DisplayName(
            "RETRY-5: an opening ends with the request that waits for it, and no later request waits for it or fails"
                    + " with it")
    void anOpeningEndsWithItsRequest() {
        EmbeddedPool server = new EmbeddedPool(1);
        Sent first = server.send();
        Opening hanging = server.openings.get(0);
        EmbeddedChannel silent = server.begin(hanging);
        first.cancel();
        server.settle();
        assertThat(silent.isOpen()).isFalse();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
        Sent retry = server.send();
        assertThat(server.openings).hasSize(1).doesNotContain(hanging);
        hanging.failed(new ConnectException("timeout"));
        assertThat(retry.over()).isFalse();
        server.receive(server.connect(), DONE);
        assertThat(retry.response).isNotNull();
        server.openings.add(hanging);
        assertThat(server.connect().isOpen()).as("opened after all").isFalse();
        server.close();
    }

    @Test
    @DisplayName("RETRY-5: the wait that is over ends its opening, too")
    void anOpeningEndsWithTheLastWait() {
        EmbeddedPool server = new EmbeddedPool(1);
        Sent late = server.send();
        EmbeddedChannel silent = server.begin(server.openings.get(0));
        server.pass(EmbeddedPool.WAIT.toMillis());
        server.pool.expire();
        server.settle();
        assertThat(late.error).isInstanceOf(TimeoutException.class);
        assertThat(silent.isOpen()).isFalse();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
        server.close();
    }

    @Test
    @DisplayName("RETRY-5: of several openings the oldest ends, and a slow one stays for the request that is left")
    void theOldestOpeningEnds() {
        EmbeddedPool server = new EmbeddedPool(4);
        Sent first = server.send();
        Sent second = server.send();
        EmbeddedChannel slow = server.begin(server.openings.get(0));
        EmbeddedChannel slower = server.begin(server.openings.get(1));
        server.now += PROMPT;
        server.pool.expire();
        server.pool.expire();
        server.settle();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 4, 0, 2));
        first.cancel();
        server.settle();
        assertThat(slow.isOpen()).isFalse();
        assertThat(slower.isOpen()).isTrue();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 2, 0, 1));
        server.send();
        assertThat(server.pool.census()).as("another one").isEqualTo(new Census(0, 3, 0, 2));
        second.cancel();
        server.close();
    }

    @Test
    @DisplayName("RETRY-2: an opening that is given up makes place for one that the next request can rely on")
    void anOpeningThatEndsMakesPlace() {
        EmbeddedPool server = new EmbeddedPool(2);
        Sent first = server.send();
        Sent second = server.send();
        server.now += PROMPT;
        server.pool.expire();
        assertThat(server.pool.census()).as("full").isEqualTo(new Census(0, 2, 0, 2));
        first.cancel();
        server.settle();
        assertThat(server.openings).hasSize(2).anyMatch(opening -> opening.prompt(server.now));
        assertThat(second.over()).isFalse();
        server.close();
    }

    @Test
    @DisplayName("the close ends what opens, and what begins after it ends itself")
    void closingEndsOpenings() {
        EmbeddedPool server = new EmbeddedPool(2);
        server.send();
        server.send();
        Opening later = server.openings.get(1);
        EmbeddedChannel silent = server.begin(server.openings.get(0));
        server.pool.close();
        server.settle();
        assertThat(silent.isOpen()).isFalse();
        assertThat(server.begin(later).isOpen()).isFalse();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
        server.close();
    }

    @Test
    @DisplayName("RETRY-2: the look opens one more for a request beside a slow opening, within the bound")
    void theLookOpensAnother() {
        EmbeddedPool server = new EmbeddedPool(3);
        server.send();
        EmbeddedChannel used = server.connect();
        server.pass(1);
        Sent waiting = server.send();
        assertThat(server.openings).hasSize(1);
        server.pass(PROMPT - 1);
        assertThat(server.openings).hasSize(1);
        server.pass(PoolTimer.MIN_WAIT);
        assertThat(server.openings).hasSize(2);
        for (int i = 0; i < 5; i++) {
            server.pass(PROMPT);
            assertThat(server.pool.census()).as("full").isEqualTo(new Census(1, 2, 0, 1));
        }
        server.refuse(new ConnectException("handshake timed out"));
        assertThat(waiting.error).isInstanceOf(ConnectException.class);
        Sent next = server.send();
        assertThat(server.pool.census()).isEqualTo(new Census(1, 2, 0, 1));
        server.receive(used, DONE);
        assertThat(EmbeddedPool.written(used)).contains(next.id);
        server.close();
    }

    @Test
    void theLookComesWhenAConnectionReachesItsAge() {
        EmbeddedPool server = new EmbeddedPool(1);
        server.send();
        EmbeddedChannel channel = server.connect();
        server.receive(channel, DONE);
        long step = EmbeddedPool.WAIT.toMillis() / 2;
        long before = EmbeddedPool.AGE.toMillis() - step / 2;
        while (server.now + step < before) {
            server.pass(step);
            server.send();
            server.receive(channel, DONE);
            assertThat(channel.isOpen()).isTrue();
        }
        server.pass(before - server.now);
        server.pool.expire();
        server.pass(EmbeddedPool.AGE.toMillis() - server.now);
        assertThat(channel.isOpen()).isFalse();
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
        server.close();
    }

    @Test
    void closingEndsAllThatIsThereAndAllThatComes() {
        EmbeddedPool server = new EmbeddedPool(2);
        Sent carried = server.send();
        EmbeddedChannel channel = server.connect();
        Sent opening = server.send();
        Sent waiting = server.send();
        Opening late = server.openings.get(0);
        server.pool.close();
        server.settle();
        assertThat(channel.isOpen()).isFalse();
        assertThat(carried.ends).isOne();
        assertThat(opening.error).isInstanceOf(RejectedExecutionException.class);
        assertThat(waiting.error).isInstanceOf(RejectedExecutionException.class);
        server.openings.add(late);
        assertThat(server.connect().isOpen()).isFalse();
        assertThat(server.send().error).isInstanceOf(RejectedExecutionException.class);
        assertThat(server.pool.census()).isEqualTo(new Census(0, 0, 0, 0));
        server.close();
    }

    static Stream<Long> seeds() {
        return Stream.iterate(1L, seed -> seed + 1).limit(150);
    }

    /** Plays clients, server and clock at random. */
    private static final class Play {

        private static final Pattern ID = Pattern.compile("x-ms-client-request-id: (\\S+)");
        private static final int MAX = 4;

        private final SplittableRandom random;
        private final EmbeddedPool server = new EmbeddedPool(MAX);
        private final List<Sent> all = new ArrayList<>();
        private final Map<EmbeddedChannel, String> carried = new HashMap<>();

        Play(long seed) {
            random = new SplittableRandom(seed);
        }

        void run() {
            for (int step = 0; step < 300; step++) {
                step();
                check();
            }
            for (int round = 0; !all.stream().allMatch(Sent::over); round++) {
                assertThat(round).as("rounds until all requests are over").isLessThan(1_000);
                if (!server.openings.isEmpty()) {
                    server.connect();
                }
                check();
                List.copyOf(carried.keySet()).forEach(this::respond);
                check();
            }
            assertThat(server.pool.census().waiting()).isZero();
            assertThat(server.pool.census().idle())
                    .isEqualTo(server.pool.census().open());
            server.close();
            assertThat(server.pool.census().open()).isZero();
        }

        private void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> all.add(server.send());
                case 4 ->
                    all.stream()
                            .filter(sent -> !sent.over())
                            .skip(random.nextInt(4))
                            .findFirst()
                            .ifPresent(Sent::cancel);
                case 5 -> {
                    Collections.shuffle(server.openings, new Random(random.nextLong()));
                    if (!server.openings.isEmpty()) {
                        server.connect();
                    }
                }
                case 6 -> {
                    if (!server.openings.isEmpty() && random.nextBoolean()) {
                        server.refuse(new ConnectException("refused"));
                    }
                }
                case 7, 8, 9 ->
                    carried.keySet().stream()
                            .skip(random.nextInt(MAX))
                            .findFirst()
                            .ifPresent(this::respond);
                case 10 -> open().skip(random.nextInt(MAX)).findFirst().ifPresent(this::harm);
                default -> {
                    server.now += random.nextLong(random.nextBoolean() ? 20_000 : PROMPT * 2);
                    if (random.nextBoolean()) {
                        server.pool.expire();
                        lookForSlowOpenings();
                    }
                }
            }
            server.settle();
        }

        /** Each waiting request can rely on an opening that is not slow, after a check. */
        private void lookForSlowOpenings() {
            server.settle();
            Census census = server.pool.census();
            if (census.waiting() > 0 && census.open() + census.opening() < MAX) {
                assertThat(server.openings).as("slow implies another").anyMatch(opening -> opening.prompt(server.now));
            }
        }

        private Stream<EmbeddedChannel> open() {
            return server.channels.stream().filter(EmbeddedChannel::isOpen);
        }

        private void respond(EmbeddedChannel channel) {
            String id = carried.remove(channel);
            String whole =
                    "HTTP/1.1 200 OK|x-ms-client-request-id: " + id + "|Content-Length: " + id.length() + "||" + id;
            int cut = random.nextInt(whole.length());
            if (random.nextInt(10) == 0) {
                whole = whole.replace("|Content", "|Connection: close|Content");
            } else if (random.nextInt(10) == 0) {
                whole += "stray";
            }
            server.receive(channel, whole.substring(0, cut));
            if (channel.isOpen()) {
                server.receive(channel, whole.substring(cut));
            }
        }

        private void harm(EmbeddedChannel channel) {
            if (random.nextBoolean()) {
                channel.close();
            } else {
                server.receive(channel, "garbage");
            }
        }

        /** Learns what was written, and compares what there is with what there must be. */
        private void check() {
            server.settle();
            for (EmbeddedChannel channel : server.channels) {
                Matcher ids = ID.matcher(EmbeddedPool.written(channel));
                while (ids.find()) {
                    carried.put(channel, ids.group(1));
                }
            }
            carried.keySet().removeIf(channel -> !channel.isOpen());
            Census census = server.pool.census();
            assertThat(census.open()).isEqualTo((int) open().count());
            assertThat(census.opening()).isEqualTo(server.openings.size());
            assertThat(census.open() + census.opening()).isLessThanOrEqualTo(MAX);
            assertThat(census.open() - census.idle()).as("connections in use").isEqualTo(carried.size());
            if (census.waiting() > 0) {
                assertThat(census.idle()).as("idle implies admits").isZero();
                assertThat(census.opening() >= census.waiting() || census.open() + census.opening() == MAX)
                        .as("refused implies full")
                        .isTrue();
            }
            long alive = all.stream().filter(sent -> !sent.over()).count();
            assertThat(alive).isEqualTo(census.waiting() + carried.size());
            for (Sent sent : all) {
                assertThat(sent.ends).isLessThanOrEqualTo(1);
                if (sent.response != null) {
                    assertThat(sent.response.getBodyAsBinaryData()).hasToString(sent.id);
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @DisplayName("PERMIT-4: refused implies full, idle implies admits, and each request ends once, with its own answer")
    @MethodSource("seeds")
    void anyPlay(long seed) {
        new Play(seed).run();
    }

    @Test
    void aRequestInACallbackIsServed() {
        EmbeddedPool server = new EmbeddedPool(1);
        Sent inner = new Sent("inner");
        Sent first = server.send();
        first.whenOver = () -> server.send(inner, HttpMethod.POST);
        EmbeddedChannel channel = server.connect();
        server.receive(channel, DONE);
        assertThat(EmbeddedPool.written(channel)).contains("inner");
        server.receive(channel, DONE);
        assertThat(inner.response).isNotNull();
        server.close();
    }
}
