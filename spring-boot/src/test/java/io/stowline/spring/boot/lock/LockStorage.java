package io.stowline.spring.boot.lock;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.MovedClock;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** An account in memory whose time a test moves, with a container of locks, and the processes that use it. */
final class LockStorage implements AutoCloseable {

    static final String LOCKS = "locks";

    private final List<LockProcess> processes = new ArrayList<>();
    final MovedClock clock = MovedClock.standing();
    final MemoryStorage memory = MemoryStorage.create(clock);

    LockStorage() {
        process().container.create();
        memory.requests();
    }

    LockProcess process() {
        LockProcess process = new LockProcess(memory);
        processes.add(process);
        return process;
    }

    /** Moves the time of the service, but not that of the processes: for them it is a stop of the others, or a renewal that went astray. */
    void pass(Duration time) {
        clock.pass(time);
    }

    @Override
    public void close() {
        processes.forEach(process -> process.client.close());
    }

    /** One process: a client and the way of its requests. */
    static final class LockProcess implements HttpClient {

        private static final HttpHeaderName LEASE = HttpHeaderName.fromString("x-ms-lease-duration");
        private static final Duration POLL = Duration.ofMillis(100);

        private final MemoryStorage memory;
        private final Queue<Sinks.Empty<Void>> held = new ConcurrentLinkedQueue<>();
        private final Queue<String> leases = new ConcurrentLinkedQueue<>();
        private volatile boolean dead;
        private volatile boolean holds;
        private volatile boolean holdsReads;
        private volatile boolean loses;
        private volatile boolean losesFromWrite;
        final Stowline client;
        final BlobContainer container;
        final BlobLeaseLockRegistry registry;

        private LockProcess(MemoryStorage memory) {
            this.memory = memory;
            this.client = Stowline.builder()
                    .connectionString(memory.connectionString())
                    .httpClient(this)
                    .closeTimeout(Duration.ofMillis(200))
                    .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
                    .build();
            this.container = client.container(LOCKS);
            this.registry = new BlobLeaseLockRegistry(container, Duration.ofSeconds(30), POLL);
        }

        FencedLock lock(String key) {
            return registry.obtain(key);
        }

        /** Sends nothing from now on, as after {@code kill -9}. */
        void kill() {
            dead = true;
        }

        /** Carries requests out, and holds their responses back until {@link #respond}. */
        void holdResponses() {
            holds = true;
        }

        /** Carries requests out, and holds the responses of those back that read the properties of a blob, until {@link #respond}. */
        void holdReads() {
            holdsReads = true;
        }

        /** Carries requests out, and loses their responses until {@link #respond}. */
        void loseResponses() {
            loses = true;
        }

        /** Carries requests out, and loses the responses of the first that writes and of all after it, until {@link #respond}. */
        void loseFromWrite() {
            losesFromWrite = true;
        }

        void respond() {
            holds = false;
            holdsReads = false;
            loses = false;
            losesFromWrite = false;
            for (Sinks.Empty<Void> next = held.poll(); next != null; next = held.poll()) {
                next.tryEmitEmpty();
            }
        }

        /** Returns the durations of the leases that were requested, in seconds. */
        List<String> leases() {
            return List.copyOf(leases);
        }

        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            if (dead) {
                return Mono.error(new IOException("the process is dead"));
            }
            String lease = request.getHeaders().getValue(LEASE);
            if (lease != null) {
                leases.add(lease);
            }
            Mono<HttpResponse> response = memory.httpClient().send(request);
            loses |= losesFromWrite && request.getHttpMethod() != HttpMethod.GET;
            if (loses) {
                return response.then(Mono.error(new IOException("the response is lost")));
            }
            if (!holds && !(holdsReads && request.getHttpMethod() == HttpMethod.HEAD)) {
                return response;
            }
            Sinks.Empty<Void> goesOn = Sinks.empty();
            held.add(goesOn);
            return response.flatMap(known -> goesOn.asMono().thenReturn(known));
        }
    }
}
