package io.stowline.transport.internal.http;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** An account's connection in virtual time, with drawn jitter, over an HTTP client that a simulation plays. */
public final class SimulatedConnection {

    /** Plays the HTTP client and all behind it. */
    @FunctionalInterface
    public interface Exchange {

        /** Plays the exchange of a request. */
        Mono<HttpResponse> of(HttpRequest request, Line line);
    }

    /** The reports of an HTTP client on a request in flight. */
    public interface Line {

        /** Reports that it is about to be written; false if no caller waits for it, so that it must not be. */
        boolean begin();

        /** Some of its bytes have left. */
        void moved();

        /** Reports that its last byte has left. */
        void whole();
    }

    /**
     * The machine of a simulation.
     *
     * @param timer the clock and alarm
     * @param start the time of day at which the timer began
     * @param random draws the jitter
     * @param callbacks runs the callbacks
     * @param work runs the work that waits for a disk
     */
    public record Machine(Scheduler timer, Instant start, RandomGenerator random, Executor callbacks, Executor work) {

        /** One whose disk is waited for by the thread that has reason to. */
        public Machine(Scheduler timer, Instant start, RandomGenerator random, Executor callbacks) {
            this(timer, start, random, callbacks, Runnable::run);
        }
    }

    private SimulatedConnection() {}

    /**
     * Opens a connection whose requests to tables are played; {@code reporting} says whether the HTTP client reports
     * its writes.
     */
    public static ClientRuntime open(Machine machine, ClientSettings settings, boolean reporting, Exchange exchange) {
        HttpClient client = client(exchange);
        HttpWire wire = reporting ? HttpWire.telling(client) : HttpWire.silent(client);
        TimeSources times = new TimeSources(machine.timer(), machine.random(), clock(machine));
        return new ClientRuntime(Bench.account(), settings.with(machine.callbacks()), wire, times, machine.work());
    }

    /** Returns the number of paused writers to tables. */
    public static long pausedWriters(ClientRuntime runtime) {
        return runtime.backlog(Service.TABLE).paused();
    }

    /** Returns a response of the service. */
    public static HttpResponse response(HttpRequest request, int status, HttpHeaders headers, byte[] body) {
        // Each success of the service has an id. That of a refusal may stand in its text alone.
        HttpHeaders all =
                status / 100 == 2 ? new HttpHeaders(headers).set(StorageResponse.REQUEST_ID, "6ca9") : headers;
        return new BufferedResponse(request, status, all, body);
    }

    private static HttpClient client(Exchange exchange) {
        return request -> Mono.deferContextual(seen -> {
            WriteTracker tracker = seen.get(WriteTracker.class);
            return exchange.of(request, new Line() {
                @Override
                public boolean begin() {
                    return tracker.markWritten();
                }

                @Override
                public void moved() {
                    tracker.moved();
                }

                @Override
                public void whole() {
                    tracker.markComplete();
                }
            });
        });
    }

    private static Clock clock(Machine machine) {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return machine.start().plusNanos(machine.timer().now(TimeUnit.NANOSECONDS));
            }
        };
    }
}
