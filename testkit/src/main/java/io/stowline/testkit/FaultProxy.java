package io.stowline.testkit;

import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.proxy.ProxyListener;
import io.stowline.testkit.internal.proxy.ProxyServer;
import io.stowline.testkit.internal.proxy.ProxySettings;
import io.stowline.testkit.internal.proxy.Rule;
import io.stowline.testkit.internal.proxy.Rules;
import io.stowline.testkit.internal.proxy.match.Matching;
import io.stowline.testkit.internal.proxy.record.Recorder;
import io.stowline.testkit.internal.proxy.record.Waiter;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 proxy on the loopback interface that stands in front of a storage account, or of any server, and does to
 * requests and responses what networks and busy services do.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.builder().inFrontOf(account).seed(42).start()) {
 *     FaultRule lost = proxy.when(requests().method("POST").path("**$batch").nth(2)).loseResponse();
 *     proxy.when(requests().service(QUEUE).chance(0.05).times(10))
 *             .respond(StubResponse.error(503, "ServerBusy", "The server is busy.").retryAfter(Duration.ofSeconds(1)));
 *
 *     run(proxy.storage().connectionString());
 *
 *     assertThat(lost.hits()).as(lost.explain()).isEqualTo(1);
 *     assertThat(proxy.recorded(requests().path("**$batch"))).hasSize(3);
 * }
 * }</pre>
 *
 * <p>A request comes in whole, is recorded, and is given to the first rule, in order of definition, that takes it; a request
 * that no rule takes is forwarded. Targets and header lines are passed on as they came, {@code Host} included, so that
 * signatures hold; only a missing or wrong {@code Content-Length} is put right, and trailers of chunked bodies are left out.
 * {@code Expect: 100-continue} is granted at once. Each client connection has one to the service, which is kept; when a kept
 * one turns out closed before any byte of a response came, the request is sent once more over a new one. When the service
 * cannot be reached, the connection of the client is reset.
 *
 * <p>What is left to chance is drawn from the seed: for one order of requests a run repeats itself. Nothing is left behind by
 * {@link #close()}, which resets all connections. Safe for use by several threads.
 */
public final class FaultProxy implements AutoCloseable {

    private final long seed;
    private final ProxyTarget target;
    private final List<ProxyListener> doors;
    private final Rules rules;
    private final Recorder recorder;
    private final ProxyServer server;

    private FaultProxy(Builder settings, ProxyTarget target) throws IOException {
        this.seed = settings.seed;
        this.target = target;
        this.rules = new Rules(seed);
        this.recorder = new Recorder(settings.recordedExchanges, settings.waiter);
        this.doors = target.open();
        this.server = new ProxyServer(
                doors,
                new ProxySettings(rules, recorder, List.copyOf(settings.stages), settings.maxBody, settings.waiter));
    }

    /**
     * Collects settings for a proxy.
     *
     * @return a builder with the defaults
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the account that the proxy stands in front of, its endpoints at the proxy. They stay when the emulator behind it is
     * restarted.
     *
     * @return storage whose requests come through here
     * @throws IllegalStateException if the proxy stands in front of a single endpoint
     */
    public TestStorage storage() {
        return target.storage(doors);
    }

    /**
     * Returns the endpoint that the proxy stands in front of, at the proxy.
     *
     * @return an endpoint with the same path
     * @throws IllegalStateException if the proxy stands in front of an account
     */
    public URI endpoint() {
        return target.endpoint(doors);
    }

    /**
     * Returns an endpoint of the account that the proxy stands in front of, at the proxy.
     *
     * @param service the service
     * @return an endpoint with the same path
     * @throws IllegalStateException if there is no such endpoint
     */
    public URI endpoint(StorageService service) {
        return target.endpoint(service, doors);
    }

    /**
     * Adds a rule after the existing ones. It applies once it has an action.
     *
     * @param requests which requests it takes
     * @return the rule
     */
    public FaultRule when(RequestMatch requests) {
        return new FaultRule(rules, rules.add(requests.spec()));
    }

    /**
     * Resets all connections and has new ones refused until {@link #accept()}; the ports stay reserved.
     *
     * @throws TestkitException if the thread was interrupted, or the system does not let go of a port
     */
    public void refuse() {
        try {
            for (ProxyListener door : doors) {
                door.shut();
            }
        } catch (IOException e) {
            throw new TestkitException("cannot shut " + this, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted while shutting " + this, e);
        }
    }

    /**
     * Accepts connections again, at the same ports. Has no effect when they are accepted.
     *
     * @throws TestkitException if another program has taken a port
     */
    public void accept() {
        try {
            for (ProxyListener door : doors) {
                door.open();
            }
        } catch (IOException e) {
            throw new TestkitException("cannot listen for " + this + " again", e);
        }
    }

    /**
     * Returns the newest exchanges: 10,000 unless set otherwise.
     *
     * @return in order of arrival, those in flight included
     */
    public List<RecordedExchange> recorded() {
        return recorder.recorded();
    }

    /**
     * Returns the newest exchanges of some requests.
     *
     * @param requests which requests, counted over what is recorded
     * @return in order of arrival, those in flight included
     */
    public List<RecordedExchange> recorded(RequestMatch requests) {
        Matching matching = new Matching(requests.spec(), seed);
        List<RecordedExchange> matched = new ArrayList<>(recorded());
        matched.removeIf(exchange -> !matching.takes(exchange.request()));
        return List.copyOf(matched);
    }

    /**
     * Waits until no exchange is in flight.
     *
     * @param atMost how long
     * @throws TestkitException if one is in flight still, or the thread was interrupted
     */
    public void awaitIdle(Duration atMost) {
        try {
            List<SentRequest> underWay = recorder.awaitIdle(atMost);
            if (!underWay.isEmpty()) {
                throw new TestkitException("still in flight after " + atMost + ": " + underWay);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted while exchanges were in flight", e);
        }
    }

    /**
     * Returns what went through since the start, or since {@link #clear()}.
     *
     * @return sums over all endpoints
     */
    public TrafficStats traffic() {
        return recorder.traffic();
    }

    /**
     * Returns what went through to a service since the start, or since {@link #clear()}.
     *
     * @param service the service
     * @return sums over that service
     */
    public TrafficStats traffic(StorageService service) {
        return recorder.traffic(service);
    }

    /**
     * Returns how many exchanges ended in a way since the start, or since {@link #clear()}, whether or not they are recorded still.
     *
     * @param ending the way, such as {@link RecordedExchange.Ending#UNREACHABLE}
     * @return a count over all endpoints
     */
    public long ended(RecordedExchange.Ending ending) {
        return recorder.ended(ending);
    }

    /**
     * Returns what each rule has seen and taken: {@link FaultRule#explain()} of all of them.
     *
     * @return text, one paragraph a rule
     */
    public String explain() {
        return rules.all().stream().map(Rule::explain).collect(Collectors.joining("\n"));
    }

    /** Forgets rules, recordings and sums. Requests in flight go on as they began, and the next rule is the first again. */
    public void clear() {
        rules.clear();
        recorder.clear();
    }

    /** Resets all connections, stops listening and ends all threads. Has no effect the second time. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new TestkitException("cannot close " + this, e);
        }
    }

    /** Names what the proxy stands in front of, its ports and its seed. */
    @Override
    public String toString() {
        return "FaultProxy[ports=" + doors.stream().map(ProxyListener::port).toList() + ", before=" + target + ", seed="
                + seed + "]";
    }

    /** Settings of a proxy. Not safe for use by several threads. */
    public static final class Builder {

        private static final int MAX_LIMIT = Integer.MAX_VALUE - 8;

        private final List<Stage> stages = new ArrayList<>();
        private @Nullable ProxyTarget target;
        private long seed = ThreadLocalRandom.current().nextLong();
        private int recordedExchanges = 10_000;
        private int maxBody = 256 << 20;
        private Waiter waiter = Waiter.REAL;

        private Builder() {}

        /**
         * Sets the account to stand in front of.
         *
         * @param storage the account; the proxy looks up its endpoints for each request
         * @return this builder
         * @throws IllegalStateException if its endpoints are not spelled out, or not of plain http
         */
        public Builder inFrontOf(TestStorage storage) {
            target = ProxyTarget.of(storage);
            return this;
        }

        /**
         * Sets the emulator to stand in front of.
         *
         * @param azurite the emulator, whose well-known account is served
         * @return this builder
         */
        public Builder inFrontOf(Azurite azurite) {
            return inFrontOf(TestStorage.of(Objects.requireNonNull(azurite, "azurite")));
        }

        /**
         * Sets the endpoint to stand in front of.
         *
         * @param endpoint an http endpoint of any server
         * @return this builder
         * @throws IllegalArgumentException if it is not of plain http
         */
        public Builder inFrontOf(URI endpoint) {
            target = ProxyTarget.of(endpoint);
            return this;
        }

        /**
         * Sets what decides everything that is left to chance; a new number for each proxy unless set.
         *
         * @param number any number
         * @return this builder
         */
        public Builder seed(long number) {
            seed = number;
            return this;
        }

        /**
         * Sets how many exchanges are recorded, the newest; 10,000 unless set.
         *
         * @param newest at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is less
         */
        public Builder recordedExchanges(int newest) {
            if (newest < 1) {
                throw new IllegalArgumentException("recordedExchanges must be at least 1: " + newest);
            }
            recordedExchanges = newest;
            return this;
        }

        /**
         * Sets how large a body may be; 256 MiB unless set. Bodies are held in memory whole. The connection of a larger one
         * is reset, and the exchange recorded as failed.
         *
         * @param bytes 0 to 2,147,483,639
         * @return this builder
         * @throws IllegalArgumentException if it is none of these
         */
        public Builder maxBody(int bytes) {
            if (bytes < 0 || bytes > MAX_LIMIT) {
                throw new IllegalArgumentException("maxBody must be 0 to " + MAX_LIMIT + ": " + bytes);
            }
            maxBody = bytes;
            return this;
        }

        /**
         * Refuses what the real services refuse; nothing more than the emulator does unless set. Comes before any
         * {@link #behavior}.
         *
         * @param mode which rules, and what counts the refusals
         * @return this builder
         */
        public Builder strict(StrictMode mode) {
            stages.add(0, mode.stage());
            return this;
        }

        /**
         * Adds something that the real services do, between the fault rules and the service.
         *
         * @param behavior what they do; that of an earlier call is nearer to the client
         * @return this builder
         */
        public Builder behavior(ServiceBehavior behavior) {
            stages.add(behavior.stage());
            return this;
        }

        /** Adds a stage between the rules and the service, after those that are there. */
        Builder stage(Stage stage) {
            stages.add(stage);
            return this;
        }

        Builder waiter(Waiter other) {
            waiter = other;
            return this;
        }

        /**
         * Starts the proxy, at ports chosen by the operating system.
         *
         * @return the running proxy
         * @throws IllegalStateException if nothing was set to stand in front of
         * @throws TestkitException if there is no free port
         */
        public FaultProxy start() {
            ProxyTarget chosen = target;
            if (chosen == null) {
                throw new IllegalStateException(
                        "inFrontOf(...) has to be called: a proxy stands in front of something");
            }
            try {
                return new FaultProxy(this, chosen);
            } catch (IOException e) {
                throw new TestkitException("cannot start a proxy before " + chosen, e);
            }
        }
    }

    /**
     * The counts of a proxy's traffic.
     *
     * @param connections how many connections clients opened
     * @param requests how many requests came whole
     * @param responses how many responses were sent whole, scripted ones included
     * @param bytesIn how many bytes clients sent, heads included
     * @param bytesOut how many bytes clients were sent, heads included
     */
    public record TrafficStats(long connections, long requests, long responses, long bytesIn, long bytesOut) {

        /** A proxy without traffic. */
        public static final TrafficStats NONE = new TrafficStats(0, 0, 0, 0, 0);

        /**
         * Adds up.
         *
         * @param more what else went through
         * @return the sums
         */
        public TrafficStats plus(TrafficStats more) {
            return new TrafficStats(
                    connections + more.connections,
                    requests + more.requests,
                    responses + more.responses,
                    bytesIn + more.bytesIn,
                    bytesOut + more.bytesOut);
        }
    }
}
