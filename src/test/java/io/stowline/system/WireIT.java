package io.stowline.system;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.urlMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static com.github.tomakehurst.wiremock.stubbing.Scenario.STARTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.stowline.Stowline;
import io.stowline.error.ThrottledException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.Azurite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** What really goes over the wire, seen by a proxy between the client and the emulator. */
class WireIT extends StorageTest {

    private static final Pattern ENTITY_ADDRESS =
            Pattern.compile("\\(PartitionKey='([^']*)',RowKey='([^']*)'\\) HTTP/1.1");

    private WireMockServer proxy;
    private Stowline proxied;
    private Table<Runner> runners;

    @BeforeEach
    void putProxyBetween(Azurite azurite) {
        String origin = azurite.tableEndpoint().toString().replaceFirst("(http://[^/]+).*", "$1");
        proxy = new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
        proxy.start();
        proxy.stubFor(any(anyUrl()).atPriority(10).willReturn(aResponse().proxiedFrom(origin)));
        proxied = client("AccountName=" + azurite.accountName() + ";AccountKey=" + azurite.accountKey()
                + ";TableEndpoint=" + proxy.baseUrl() + "/" + azurite.accountName());
        runners = proxied.table(freshTable(Runner.class).name(), Runner.class);
    }

    @AfterEach
    void takeProxyAway() {
        proxied.close();
        proxy.stop();
    }

    private List<LoggedRequest> sent(RequestMethod method, String url) {
        return proxy.getAllServeEvents().stream()
                .map(event -> LoggedRequest.createFrom(event.getRequest()))
                .filter(request ->
                        request.getMethod().equals(method) && request.getUrl().matches(url))
                .toList();
    }

    @Test
    @DisplayName("B3, B4, B6: an EGT holds one partition, no entity twice, at most 100 operations and 4 MiB")
    void groupsOnTheWire() {
        try (TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofMillis(50)))) {
            for (int i = 0; i < 1_500; i++) {
                writer.insertOrReplace(Runner.of("race " + i % 7, i % 400));
            }
        }

        List<LoggedRequest> batches = sent(RequestMethod.POST, ".*/\\$batch.*");
        assertThat(batches).isNotEmpty().allSatisfy(batch -> {
            assertThat(batch.getBody()).hasSizeLessThan(4 * 1024 * 1024);
            List<MatchResult> addresses =
                    ENTITY_ADDRESS.matcher(batch.getBodyAsString()).results().toList();
            Set<String> partitions = new HashSet<>();
            List<String> rows = new ArrayList<>();
            addresses.forEach(address -> {
                partitions.add(address.group(1));
                rows.add(address.group(2));
            });
            assertThat(partitions).hasSize(1);
            assertThat(rows).hasSizeBetween(2, 100).doesNotHaveDuplicates();
        });
    }

    @Test
    @DisplayName("B2: a batch of one travels as a plain request")
    void sendsOneAlone() {
        try (TableWriter<Runner> writer = runners.writer()) {
            writer.insertOrReplace(Runner.of("race", 1));
        }

        assertThat(sent(RequestMethod.POST, ".*")).isEmpty();
        assertThat(sent(RequestMethod.PUT, ".*")).hasSize(1);
    }

    @Test
    @DisplayName("T2, T10, R5, R7: what every request carries")
    void dressesRequests() {
        runners.insert(Runner.of("race", 1));
        runners.find("race", Runner.of("race", 1).id());

        LoggedRequest insert = sent(RequestMethod.POST, ".*").get(0);
        assertThat(insert.getHeader("Prefer")).isEqualTo("return-no-content");
        assertThat(insert.getUrl()).endsWith("?timeout=30");
        assertThat(insert.getHeader("x-ms-client-request-id")).hasSize(36);
        assertThat(insert.getHeader("User-Agent")).startsWith("stowline/");
        LoggedRequest find = sent(RequestMethod.GET, ".*").get(0);
        assertThat(find.getHeader("Accept")).isEqualTo("application/json;odata=nometadata");
        assertThat(find.getUrl()).contains("$select=PartitionKey%2CRowKey%2Cname%2Cage");
    }

    @Test
    @DisplayName("M5: every page repeats the whole question, and one page is fetched ahead")
    void pagesOnTheWire() {
        fill(95);
        proxy.resetRequests();

        assertThat(runners.query().partition("race").pageSize(10).list()).hasSize(95);

        List<LoggedRequest> pages = sent(RequestMethod.GET, ".*");
        assertThat(pages).hasSize(10).allSatisfy(page -> assertThat(page.getUrl())
                .contains("$filter=PartitionKey%20eq%20%27race%27")
                .contains("$top=10")
                .contains("$select="));
        assertThat(pages)
                .filteredOn(page -> page.getUrl().contains("NextRowKey="))
                .hasSize(9);
    }

    @Test
    @DisplayName("M5: whoever stops reading stops the requests")
    void stopsWithTheReader() {
        fill(95);
        proxy.resetRequests();

        try (Stream<Runner> stream = runners.query().pageSize(10).stream()) {
            assertThat(stream.limit(15).toList()).hasSize(15);
        }
        assertThat(sent(RequestMethod.GET, ".*")).hasSizeLessThanOrEqualTo(3);

        proxy.resetRequests();
        assertThat(runners.reactive().query().pageSize(10).stream()
                        .take(15)
                        .collectList()
                        .block())
                .hasSize(15);
        assertThat(sent(RequestMethod.GET, ".*")).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    @DisplayName("M5: with a limit no page is asked for that is not wanted")
    void fetchesNoPageBeyondTheLimit() {
        fill(95);
        proxy.resetRequests();

        assertThat(runners.query().pageSize(10).limit(15).list()).hasSize(15);

        assertThat(sent(RequestMethod.GET, ".*")).hasSize(2);
    }

    @Test
    @DisplayName("R2, R7: a busy server is asked again, under the same client request id")
    void retriesWhenThrottled() {
        proxy.stubFor(any(urlMatching(".*RowKey.*"))
                .inScenario("busy")
                .whenScenarioStateIs(STARTED)
                .willSetStateTo("better")
                .willReturn(aResponse().withStatus(503).withHeader("x-ms-error-code", "ServerBusy")));

        runners.insertOrReplace(Runner.of("race", 1));

        List<LoggedRequest> attempts = sent(RequestMethod.PUT, ".*");
        assertThat(attempts).hasSize(2);
        assertThat(attempts.get(0).getHeader("x-ms-client-request-id"))
                .isEqualTo(attempts.get(1).getHeader("x-ms-client-request-id"));
    }

    @Test
    @DisplayName("R7: what fails for good says how often and why")
    void givesUpWithTheFacts() {
        proxy.stubFor(
                any(urlMatching(".*RowKey.*"))
                        .willReturn(
                                aResponse()
                                        .withStatus(503)
                                        .withHeader("x-ms-request-id", "r-1")
                                        .withBody(
                                                "<?xml version=\"1.0\"?><Error><Code>ServerBusy</Code>"
                                                        + "<Message>Operations per second is over the account limit.\nRequestId:x</Message></Error>")));

        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> runners.insertOrReplace(Runner.of("race", 1)))
                .withMessageContaining("over the account limit")
                .satisfies(e -> {
                    assertThat(e.failure().attempts()).isEqualTo(5);
                    assertThat(e.failure().errorCode()).isEqualTo("ServerBusy");
                    assertThat(e.failure().requestId()).isEqualTo("r-1");
                    assertThat(e.failure().operation()).isEqualTo("insertOrReplace");
                });
    }

    @Test
    @DisplayName("R2: a connection that breaks is tried again on another one")
    void survivesResets() {
        proxy.stubFor(any(urlMatching(".*RowKey.*"))
                .inScenario("reset")
                .whenScenarioStateIs(STARTED)
                .willSetStateTo("once")
                .willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
        proxy.stubFor(any(urlMatching(".*RowKey.*"))
                .inScenario("reset")
                .whenScenarioStateIs("once")
                .willSetStateTo("twice")
                .willReturn(aResponse().withFault(Fault.EMPTY_RESPONSE)));

        runners.insertOrReplace(Runner.of("race", 1));

        assertThat(sent(RequestMethod.PUT, ".*")).hasSize(3);
        assertThat(runners.find("race", Runner.of("race", 1).id())).isPresent();
    }

    @Test
    @DisplayName("B5: one culprit among 100 costs two more requests at the most")
    void isolatesCulpritsCheaply() {
        runners.insert(Runner.of("race", 42));
        proxy.resetRequests();
        TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofSeconds(30)));
        List<?> handles = IntStream.range(0, 100)
                .mapToObj(i -> writer.insert(Runner.of("race", i)).toFuture())
                .toList();
        assertThat(writer.flush().failed()).isEqualTo(1);
        writer.close();

        assertThat(handles).hasSize(100);
        assertThat(sent(RequestMethod.POST, ".*")).hasSize(2);
    }

    @Test
    @DisplayName("B3: exact sizes: large entities fill a batch up to the limit and not beyond")
    void packsByBytes() {
        Table<Entity> table = proxied.table(runners.name());
        byte[] block = new byte[60_000];
        try (TableWriter<Entity> writer = table.writer(w -> w.linger(Duration.ofSeconds(30)))) {
            Flux.range(0, 60)
                    .map(i -> Entity.builder("big", "r" + i)
                            .set("a", block)
                            .set("b", block)
                            .set("c", block)
                            .build())
                    .toIterable()
                    .forEach(writer::insert);
        }

        List<LoggedRequest> batches = sent(RequestMethod.POST, ".*/\\$batch.*");
        assertThat(batches).hasSizeBetween(4, 5).allSatisfy(batch -> assertThat(batch.getBody())
                .hasSizeLessThanOrEqualTo(4 * 1024 * 1024));
        assertThat(storage.table(runners.name()).query().select("x").list()).hasSize(60);
    }

    private void fill(int count) {
        try (TableWriter<Runner> writer = runners.writer(w -> w.linger(Duration.ofSeconds(30)))) {
            IntStream.range(0, count).mapToObj(i -> Runner.of("race", i)).forEach(writer::insert);
        }
    }
}
