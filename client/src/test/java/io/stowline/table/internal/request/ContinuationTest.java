package io.stowline.table.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.error.ProtocolException;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.table.internal.request.QuerySpec.QueryString;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.request.PageTrail;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

class ContinuationTest {

    private static final String PARTITION = "x-ms-continuation-NextPartitionKey";
    private static final String ROW = "x-ms-continuation-NextRowKey";
    private static final String TABLE = "x-ms-continuation-NextTableName";

    private static Continuation of(String... headers) {
        HttpHeaders all = new HttpHeaders();
        for (int i = 0; i < headers.length; i += 2) {
            all.set(HttpHeaderName.fromString(headers[i]), headers[i + 1]);
        }
        return Continuation.of(new StorageResponse(200, all, new byte[0]));
    }

    private static String query(Continuation continuation) {
        QueryString query = new QueryString();
        continuation.addTo(query);
        return query.toString();
    }

    @Test
    void absentHeadersAreTheEnd() {
        assertThat(of()).isNull();
        assertThat(of("ETag", "x")).isNull();
    }

    @Test
    @DisplayName("MAP-5: a header that is present and empty is a token, and is sent back empty")
    void emptyIsAToken() {
        assertThat(of(PARTITION, "")).isEqualTo(new Continuation("", null, null));
        assertThat(query(of(PARTITION, "", ROW, ""))).isEqualTo("?NextPartitionKey=&NextRowKey=");
        assertThat(query(of(TABLE, ""))).isEqualTo("?NextTableName=");
    }

    @Test
    @DisplayName("MAP-5: tokens go back as they came, encoded for the URL")
    void tokensGoBackAsTheyCame() {
        assertThat(query(of(PARTITION, "1!8!cA--", ROW, "a b+c=&'")))
                .isEqualTo("?NextPartitionKey=1%218%21cA--&NextRowKey=a%20b%2Bc%3D%26%27");
    }

    @Test
    @DisplayName("MAP-5: a partition without a row is sent without a row")
    void partitionWithoutRow() {
        assertThat(query(of(PARTITION, "p"))).isEqualTo("?NextPartitionKey=p");
    }

    @Test
    void headersAreFoundInAnyCase() {
        assertThat(of(PARTITION.toUpperCase(java.util.Locale.ROOT), "p")).isEqualTo(new Continuation("p", null, null));
    }

    private static PageTrail<Continuation> after(String... tokens) {
        PageTrail<Continuation> trail = PageTrail.start(Schedulers.parallel());
        for (String token : tokens) {
            trail = trail.onwards(new Continuation(token, null, null), false);
        }
        return trail;
    }

    @Test
    @DisplayName("MAP-5: a page that goes on where it began is a protocol error, not an endless list")
    void repeated() {
        HttpHeaders headers =
                new HttpHeaders().set(HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey"), "p");
        StorageResponse response = new StorageResponse(200, headers, new byte[0]);

        Continuation.refuseEndless(after(), response, false, "query", "notes");
        Continuation.refuseEndless(after("o"), response, false, "query", "notes");
        for (PageTrail<Continuation> before : List.of(after("p"), after("p", "q"))) {
            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(() -> Continuation.refuseEndless(before, response, false, "query", "notes"))
                    .withMessageContaining("would never end");
        }
    }

    @Test
    @DisplayName("MAP-5: a list of a million pages without a result ends, and a result begins the count again")
    void nothingButContinuations() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        PageTrail<Integer> trail = PageTrail.start(clock);
        for (int page = 0; page < PageTrail.MAX_EMPTY - 1; page++) {
            trail = trail.onwards(page, true);
        }
        clock.advanceTimeBy(Duration.ofHours(2));

        assertThat(trail.against(-1, true))
                .contains("the last 1000000 pages of this list had no result", "page 1000000 came PT2H after");
        assertThat(trail.against(-1, false)).isNull();
        assertThat(trail.against(null, true)).isNull();
        assertThat(trail.onwards(-1, false).against(-2, true)).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"value":[]}                         | true
        {"odata.metadata":"x","value":[ ] }  | true
        {"value":[{"A":"[]"}]}               | false
        {"value":[{"A":[]}]}                 | false
        {}                                   | false
        []                                   | false
        """)
    void emptyPages(String json, boolean empty) {
        StorageResponse page = new StorageResponse(200, new HttpHeaders(), json.getBytes(StandardCharsets.UTF_8));
        assertThat(new QueryPage(page, null).isEmpty()).isEqualTo(empty);
    }

    @Test
    @DisplayName("MAP-5: the error of a list without an end names the list")
    void namesTheList() {
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.fromString(PARTITION), "p");
        StorageResponse response = new StorageResponse(200, headers, new byte[0]);
        PageTrail<Continuation> before = after();
        for (int page = 0; page < PageTrail.MAX_EMPTY - 1; page++) {
            before = before.onwards(new Continuation("o" + page, null, null), true);
        }
        PageTrail<Continuation> trail = before;

        Continuation.refuseEndless(trail, response, false, "query", "notes");
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> Continuation.refuseEndless(trail, response, true, "query", "notes"))
                .withMessageContaining("query notes: ")
                .withMessageContaining("divide the list");
    }
}
