package io.stowline.testkit.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.ServiceBehavior;
import io.stowline.testkit.StrictMode;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.RawStorage;
import io.stowline.testkit.internal.strict.StrictProbe;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@AzuriteTest
class ServiceBehaviorLiveTest {

    private static final Clock CLOCK = Clock.systemUTC();

    private final Azurite azurite;
    private final String table = "T" + UUID.randomUUID().toString().replace("-", "");

    ServiceBehaviorLiveTest(Azurite azurite) {
        this.azurite = azurite;
    }

    @Test
    @DisplayName("MAP-5: a query over small and empty pages finds every entity once")
    void findsAllOverSmallAndEmptyPages() throws Exception {
        try (FaultProxy proxy = proxy(builder ->
                builder.behavior(ServiceBehavior.emptyPagesEvery(2)).behavior(ServiceBehavior.smallPages(2)))) {
            RawStorage storage = fill(proxy, 7);

            List<Integer> pages = walk(storage);

            assertThat(pages.stream().mapToInt(Integer::intValue).sum()).isEqualTo(7);
            assertThat(pages).containsExactly(2, 0, 2, 2, 0, 1);
        }
    }

    @Test
    void respondsNotModifiedForAnEntity() throws Exception {
        try (FaultProxy proxy = proxy(builder -> builder.behavior(ServiceBehavior.entitiesNotModified()))) {
            RawStorage storage = fill(proxy, 1);
            StrictProbe read = StrictProbe.table("GET", "/" + table + "(PartitionKey='p',RowKey='0')");

            String etag = storage.send(read).headers().firstValue("ETag").orElseThrow();

            assertThat(storage.send(read.header("If-None-Match", etag)).statusCode())
                    .isEqualTo(304);
            assertThat(storage.send(read.header("If-None-Match", "W/\"other\"")).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void keepsADeletedTableForAWhile() throws Exception {
        try (FaultProxy proxy = proxy(builder -> builder.behavior(ServiceBehavior.beingDeleted(1)))) {
            RawStorage storage = fill(proxy, 1);

            storage.send(StrictProbe.table("DELETE", "/Tables('" + table + "')"));

            assertThat(storage.send(create()).statusCode()).isEqualTo(409);
            assertThat(storage.send(create()).statusCode()).isBetween(201, 204);
        }
    }

    @Test
    @DisplayName("RETRY-3: a client whose clock is off is refused until it goes by the service's date")
    void refusesByItsOwnClock() throws Exception {
        StrictMode strict = StrictMode.on().without(StrictRule.DATE_SKEW);
        try (FaultProxy proxy =
                proxy(builder -> builder.strict(strict).behavior(ServiceBehavior.clockAhead(Duration.ofHours(1))))) {
            RawStorage off = new RawStorage(proxy::endpoint, CLOCK);
            RawStorage right = new RawStorage(proxy::endpoint, Clock.offset(CLOCK, Duration.ofHours(1)));

            assertThat(off.send(create()).statusCode()).isEqualTo(403);
            assertThat(right.send(create()).statusCode()).isBetween(201, 204);
            assertThat(strict.refusals()).isEmpty();
        }
    }

    @Test
    void respondsForbiddenInJson() throws Exception {
        try (FaultProxy proxy = proxy(builder -> builder.behavior(ServiceBehavior.jsonErrors()))) {
            HttpResponse<String> response = new RawStorage(proxy::endpoint, CLOCK)
                    .send(StrictProbe.table("GET", "/Tables").sas(Map.of("sig", "none", "se", "2099-01-01T00:00:00Z")));

            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(response.body()).startsWith("{\"odata.error\":");
        }
    }

    private FaultProxy proxy(UnaryOperator<FaultProxy.Builder> settings) {
        return settings.apply(FaultProxy.builder().inFrontOf(azurite)).start();
    }

    private RawStorage fill(FaultProxy proxy, int entities) throws Exception {
        RawStorage storage = new RawStorage(proxy::endpoint, CLOCK);
        storage.send(create());
        for (int i = 0; i < entities; i++) {
            storage.send(
                    StrictProbe.table("POST", "/" + table).json("{\"PartitionKey\":\"p\",\"RowKey\":\"" + i + "\"}"));
        }
        return storage;
    }

    private StrictProbe create() {
        return StrictProbe.table("POST", "/Tables").json("{\"TableName\":\"" + table + "\"}");
    }

    /** The number of entities in each page. */
    private List<Integer> walk(RawStorage storage) throws Exception {
        List<Integer> pages = new ArrayList<>();
        String query = "$filter=PartitionKey%20eq%20'p'";
        String continuation = "";
        do {
            HttpResponse<String> page =
                    storage.send(StrictProbe.table("GET", "/" + table + "()?" + query + continuation));
            pages.add(page.body().split("RowKey", -1).length - 1);
            continuation = parameter(page, "NextPartitionKey") + parameter(page, "NextRowKey");
        } while (!continuation.isEmpty());
        return pages;
    }

    private static String parameter(HttpResponse<String> page, String name) {
        return page.headers()
                .firstValue("x-ms-continuation-" + name)
                .map(token -> "&" + name + "=" + URLEncoder.encode(token, StandardCharsets.UTF_8))
                .orElse("");
    }
}
