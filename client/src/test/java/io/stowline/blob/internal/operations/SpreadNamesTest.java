package io.stowline.blob.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.NotFoundException;
import io.stowline.projection.key.KeyFormat;
import io.stowline.transport.internal.account.NameRules;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names that begin with a hash, and their listing over all prefixes. */
@Timeout(60)
class SpreadNamesTest {

    private static final Pattern PREFIX = Pattern.compile("(?:^|&)prefix=([^&]*)");
    private static final Pattern MARKER = Pattern.compile("(?:^|&)marker=([^&]*)");
    private static final int PAGE = 7;

    private final TreeSet<String> names = new TreeSet<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger max = new AtomicInteger();
    /** The first responses wait until so many requests have come. */
    private volatile CountDownLatch together = new CountDownLatch(0);

    private final StubBlobs blobs = new StubBlobs(this::page, settings -> settings.retries(0));
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    private static String value(Pattern pattern, StubRequest request) {
        Matcher found = pattern.matcher(request.query());
        return found.find() ? URLDecoder.decode(found.group(1), StandardCharsets.UTF_8) : "";
    }

    private BlobStubResponse page(StubRequest request) {
        max.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        together.countDown();
        StubBlobs.await(together);
        try {
            String prefix = value(PREFIX, request);
            if (prefix.startsWith("!")) {
                return BlobStubResponse.refusal(404, "ContainerNotFound");
            }
            String from = value(MARKER, request);
            List<String> left = names.tailSet(from).stream()
                    .filter(name -> name.startsWith(prefix))
                    .limit(PAGE + 1)
                    .toList();
            StringBuilder items = new StringBuilder();
            left.stream().limit(PAGE).forEach(name -> items.append("<Blob><Name>")
                    .append(name)
                    .append("</Name><Properties><Etag>0x1</Etag><Content-Length>1</Content-Length>"
                            + "<BlobType>BlockBlob</BlobType></Properties></Blob>"));
            String next = left.size() > PAGE ? "<NextMarker>" + left.get(PAGE) + "</NextMarker>" : "<NextMarker />";
            return BlobStubResponse.of(200)
                    .with("Content-Type", "application/xml")
                    .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>" + items + "</Blobs>"
                                    + next + "</EnumerationResults>")
                            .getBytes(StandardCharsets.UTF_8));
        } finally {
            inFlight.decrementAndGet();
        }
    }

    private List<String> listed(Collection<String> prefixes, int parallelism) {
        try (Stream<BlobInfo> found = photos.stream(prefixes, parallelism)) {
            return found.map(BlobInfo::name).toList();
        }
    }

    @Test
    @DisplayName("A2: the listing over all prefixes of a hash is the sorted listing of all")
    void allPrefixes() {
        KeyFormat devices = KeyFormat.hashed(20).text("device");
        IntStream.range(0, 300).forEach(i -> names.add(devices.format("device" + i)));

        together = new CountDownLatch(4);
        assertThat(listed(devices.prefixes(), 4)).containsExactlyElementsOf(names);
        assertThat(max).hasValue(4);
        assertThat(photos.reactive().stream(devices.prefixes())
                        .map(BlobInfo::name)
                        .collectList()
                        .block())
                .containsExactlyElementsOf(names);
        assertThat(photos.stream(devices.prefixes("device7")).map(BlobInfo::name))
                .containsExactlyElementsOf(
                        names.stream().filter(name -> name.contains("!device7")).toList());
    }

    @Test
    @DisplayName("A2: prefixes in any order, within each other and without blobs give each blob once, in order")
    void anyPrefixes() {
        Random random = new Random(5);
        for (int round = 0; round < 12; round++) {
            names.clear();
            IntStream.range(0, 60).forEach(i -> names.add(text(random, 6)));
            List<String> prefixes = new ArrayList<>();
            IntStream.range(0, random.nextInt(8)).forEach(i -> prefixes.add(text(random, 3)));

            assertThat(listed(prefixes, 1 + random.nextInt(5)))
                    .containsExactlyElementsOf(names.stream()
                            .filter(name -> prefixes.stream().anyMatch(name::startsWith))
                            .toList());
        }
        assertThat(listed(List.of("a", "", "b"), 3)).containsExactlyElementsOf(names);
    }

    private static String text(Random random, int max) {
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(max); i > 0; i--) {
            text.append((char) ('a' + random.nextInt(3)));
        }
        return text.toString();
    }

    @Test
    @DisplayName("A2: a listing that is closed requests no more, and a failed one ends with the error of its prefix")
    void ends() {
        KeyFormat devices = KeyFormat.hashed(200).text("device");
        IntStream.range(0, 2_000).forEach(i -> names.add(devices.format("device" + i)));
        try (Stream<BlobInfo> found = photos.stream(devices.prefixes(), 3)) {
            assertThat(found.limit(5)).hasSize(5);
        }
        assertThat(blobs.requested()).hasSizeLessThan(10);
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> listed(List.of("!", "!!a", "0"), 3));
        assertThat(listed(List.of("000"), 3)).isNotEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> listed(List.of(), 0))
                .withMessageContaining("1 to 256");
        assertThat(listed(List.of(), 1)).isEmpty();
    }

    @Test
    @DisplayName("A2: the names that formats make keep the rules of the client")
    void names() {
        Random random = new Random(3);
        for (int i = 0; i < 300; i++) {
            String blob = KeyFormat.forBlobs()
                    .withHash(100)
                    .escaped("a")
                    .number("b", 3)
                    .format("/\\.?#é\u0001".substring(random.nextInt(6)), i);
            assertThat(BlobNameRules.check(blob)).matches("\\d{3}!.*");
            String queue =
                    KeyFormat.forQueues().withHash(100).text("a").random("b", 5).format("a" + i, random);
            assertThat(NameRules.queue(queue)).matches("\\d{3}-a\\d+-.{5}");
            String container = KeyFormat.forContainers().withHash(9).text("a").format("x".repeat(1 + i % 59));
            assertThat(NameRules.container(container)).matches("\\d{3}-x+");
        }
    }
}
