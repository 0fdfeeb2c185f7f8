package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.springframework.context.ApplicationContext;

/** A started web application, as its callers see it over HTTP. */
record RunningApplication(ApplicationContext context) {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(5);

    HttpResponse<String> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .join();
    }

    /** Waits for a condition, for up to a minute. */
    static void until(String condition, BooleanSupplier reached) {
        long begin = System.nanoTime();
        while (!reached.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as(condition)
                    .isLessThan(DEADLINE);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
