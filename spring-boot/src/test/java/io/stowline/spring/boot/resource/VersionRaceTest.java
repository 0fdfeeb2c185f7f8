package io.stowline.spring.boot.resource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Overwrites beside reads over HTTP. {@code -Drace.gets=10000 -Drace.overwrites=1000} is the long run. */
class VersionRaceTest {

    private static final Logger LOG = LoggerFactory.getLogger(VersionRaceTest.class);
    private static final int GETS = Integer.getInteger("race.gets", 400);
    private static final int OVERWRITES = Integer.getInteger("race.overwrites", 60);
    private static final int READERS = 4;
    private static final List<String> BLOBS = List.of("small.txt", "large.txt");
    private static final List<String> PATHS = List.of("/photos/", "/static/");

    private final Map<String, Integer> versions = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    /**
     * A response with content.
     *
     * @param blob the blob
     * @param etag its version by the head
     * @param from where the body begins
     * @param total the length of the blob by the head
     * @param body the content
     */
    private record Seen(String blob, String etag, int from, int total, String body) {}

    /** The length of each version differs from that of the one before, and so does each byte of eight. */
    private static String content(String blob, int version) {
        int units = (blob.equals("small.txt") ? 200 : 20_000) + version % 50;
        return String.format("%07d;", version).repeat(units);
    }

    private void overwrite(TwoAccounts accounts, int version) {
        for (String blob : BLOBS) {
            String etag = accounts.photos()
                    .upload(content(blob, version).getBytes(US_ASCII), blob, o -> o.overwrite())
                    .etag();
            versions.put(blob + etag, version);
        }
    }

    private void count(String path, String end) {
        counts.computeIfAbsent(path + " " + end, key -> new AtomicInteger()).incrementAndGet();
    }

    private void read(List<WebInstance> instances, int gets, long seed) throws InterruptedException {
        Random random = new Random(seed);
        HttpClient http = HttpClient.newHttpClient();
        String known = "\"none\"";
        for (int i = 0; i < gets; i++) {
            String blob = BLOBS.get(random.nextInt(BLOBS.size()));
            String path = PATHS.get(random.nextInt(PATHS.size())) + blob;
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(instances.get(i % instances.size()).at(path));
            boolean part = random.nextBoolean();
            if (part) {
                int from = random.nextInt(1_500);
                request.header(
                        "Range",
                        "bytes=" + from + (random.nextBoolean() ? "-" : "-" + (from + random.nextInt(90_000))));
            } else {
                request.header("If-None-Match", known);
            }
            try {
                HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString(US_ASCII));
                count(path, String.valueOf(response.statusCode()));
                if (response.statusCode() == 200 || response.statusCode() == 206) {
                    known = response.headers().firstValue("ETag").orElseThrow();
                    seen.add(seen(blob, response));
                }
            } catch (IOException e) {
                count(path, "broken");
            }
        }
    }

    private static Seen seen(String blob, HttpResponse<String> response) {
        String etag = response.headers().firstValue("ETag").orElseThrow();
        String range = response.headers().firstValue("Content-Range").orElse("");
        if (range.isEmpty()) {
            int length =
                    (int) response.headers().firstValueAsLong("Content-Length").orElseThrow();
            return new Seen(blob, etag, 0, length, response.body());
        }
        int from = Integer.parseInt(range.substring("bytes ".length(), range.indexOf('-')));
        return new Seen(blob, etag, from, Integer.parseInt(range.substring(range.indexOf('/') + 1)), response.body());
    }

    @Test
    @DisplayName(
            "TRANSFER-2: head and bytes of each response are of one version, while two instances serve a blob that is"
                    + " overwritten")
    void noResponseMixesVersions() throws Exception {
        try (TwoAccounts accounts = new TwoAccounts()) {
            overwrite(accounts, 0);
            ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
            try (WebInstance first = new WebInstance(accounts);
                    WebInstance second = new WebInstance(accounts)) {
                List<Future<?>> ends = new ArrayList<>();
                for (int reader = 0; reader < READERS; reader++) {
                    long seed = reader;
                    ends.add(threads.submit(() -> {
                        read(List.of(first, second), GETS / READERS, seed);
                        return null;
                    }));
                }
                ends.add(threads.submit(() -> {
                    // Spread over the reads: each version is read before the next one comes.
                    for (int version = 1; version <= OVERWRITES; version++) {
                        while (total() < (long) (version - 1) * GETS / OVERWRITES) {
                            Thread.onSpinWait();
                        }
                        overwrite(accounts, version);
                    }
                    return null;
                }));
                for (Future<?> end : ends) {
                    end.get();
                }
            } finally {
                threads.shutdownNow();
            }
        }

        LOG.info("{} overwrites, responses {}", OVERWRITES, new TreeMap<>(counts));
        assertThat(seen).hasSizeGreaterThan(GETS / 3);
        assertThat(seen).allSatisfy(response -> {
            String content = content(response.blob(), versions.get(response.blob() + response.etag()));
            assertThat(response.total()).isEqualTo(content.length());
            assertThat(content.startsWith(response.body(), response.from())).isTrue();
        });
        assertThat(counts.keySet())
                .as("a small blob is read by one request, so that each response succeeds")
                .noneMatch(key -> key.contains("small.txt") && key.matches(".* (5..|broken)"));
        assertThat(counts.keySet())
                .as("the controller's responses begin with bytes at hand")
                .noneMatch(key -> key.startsWith("/photos/") && key.endsWith("broken"));
        assertThat(counts.keySet()).noneMatch(key -> key.endsWith(" 404") || key.endsWith(" 400"));
    }

    private long total() {
        return counts.values().stream().mapToLong(AtomicInteger::get).sum();
    }
}
