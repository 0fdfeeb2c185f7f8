package io.stowline.testkit.internal.strict;

import static io.stowline.testkit.internal.strict.BatchText.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.strict.BatchText.Operation;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of rules that have several, and the forms of their responses. */
class MoreRefusalsTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-21T10:00:00Z"), ZoneOffset.UTC);
    private static final String T = TableSamples.TABLE;

    private final List<StrictRule> refused = new ArrayList<>();
    private final StrictStage stage = new StrictStage(Rulebook.without(Set.of()), CLOCK, refused::add);

    @Test
    void namesTheOperationThatFailed() throws IOException {
        StubResponse response = send(BatchText.probe(
                insert(T, "p", "0"), insert(T, "p", "1"), insert(T, "{\"PartitionKey\":\"p\",\"RowKey\":2}")));

        assertThat(response.status()).isEqualTo(202);
        assertThat(response.header("Content-Type")).startsWith("multipart/mixed; boundary=batchresponse_");
        assertThat(response.text())
                .contains("HTTP/1.1 400 Bad Request\r\nContent-ID: 3\r\n")
                .contains("\"code\":\"InvalidInput\"")
                .contains("\"value\":\"2:One of the request inputs is not valid.")
                .contains("RequestId:" + response.header("x-ms-request-id"));
        assertThat(refused).containsExactly(StrictRule.KEY_TYPE);
    }

    @Test
    void namesTheSecondOperationOnAnotherPartition() throws IOException {
        StubResponse response = send(TableSamples.batches().get(0).breaks());

        assertThat(response.text()).contains("\"1:All commands in a batch must operate on same entity group.");
    }

    @Test
    void takesTheSameEntityUnderAnotherCaseOfTheTableForTheSame() throws IOException {
        send(BatchText.probe(insert("Strict", "p", "1"), insert("STRICT", "p", "1")));

        assertThat(refused).containsExactly(StrictRule.BATCH_DUPLICATE);
    }

    @Test
    void countsTheOperationsOfAllKinds() throws IOException {
        Operation[] operations = IntStream.range(0, 101)
                .mapToObj(i -> new Operation("DELETE", TableSamples.entity("p", "" + i), List.of("If-Match: *"), ""))
                .toArray(Operation[]::new);

        StubResponse response = send(BatchText.probe(operations));

        assertThat(response.text()).contains("\"99:The batch request operation exceeds the maximum 100 changes");
    }

    @Test
    void respondsAWholeBatchThatIsRefusedPlainly() throws IOException {
        StubResponse response = send(BatchText.probe(BatchText.batch(BatchText.changeSet(List.of()))));

        assertThat(response.status()).isEqualTo(400);
        assertThat(response.header("Content-Type")).startsWith("application/json");
        assertThat(response.text()).startsWith("{\"odata.error\":{\"code\":\"InvalidInput\"");
    }

    @Test
    void letsABatchPassThatItCannotRead() throws IOException {
        send(StrictProbe.table("POST", "/$batch").body("multipart/mixed; boundary=b", "nonsense"));
        send(StrictProbe.table("POST", "/$batch").body("text/plain", "nonsense"));

        assertThat(refused).containsExactly(StrictRule.BATCH_EMPTY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "MERGE", "PATCH"})
    void checksUpsertsButNotForMissingKeys(String method) throws IOException {
        send(StrictProbe.table(method, "/" + TableSamples.entity("p", "r")).json("{\"n\":1}"));
        assertThat(refused).isEmpty();

        send(StrictProbe.table(method, "/" + TableSamples.entity("p", "r")).json("{\"a b\":1}"));
        assertThat(refused).containsExactly(StrictRule.PROPERTY_NAME);
    }

    @Test
    void refusesEachForbiddenCharacterOfAKey() throws IOException {
        for (String character : List.of("/", "\\\\", "#", "?", "\\u0000", "\\t", "\\u001f", "\\u007f", "\\u009f")) {
            send(StrictProbe.table("POST", "/" + T).json("{\"PartitionKey\":\"a" + character + "\",\"RowKey\":\"\"}"));
        }
        send(StrictProbe.table("POST", "/" + T)
                .json("{\"PartitionKey\":\" '\\\"%&=;,:@$!*()\\u00a0é\",\"RowKey\":\"\"}"));

        assertThat(refused).hasSize(9).containsOnly(StrictRule.KEY_CHARACTERS);
    }

    @ParameterizedTest
    @CsvSource({"Edm.Binary, AAAA, 65535, false", "Edm.Binary, AAAA, 65538, true", "Edm.String, x, 32768, false"})
    void measuresProperties(String type, String unit, int size, boolean tooLarge) throws IOException {
        String value = unit.repeat(unit.equals("x") ? size : size / 3);

        send(StrictProbe.table("POST", "/" + T)
                .json("{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"v\":\"" + value + "\",\"v@odata.type\":\"" + type
                        + "\"}"));

        assertThat(refused).isEqualTo(tooLarge ? List.of(StrictRule.PROPERTY_SIZE) : List.of());
    }

    @Test
    void refusesAtomOnlyWhereThatIsSaidOfTheVersion() throws IOException {
        send(StrictProbe.table("GET", "/T()")
                .header("x-ms-version", "2013-08-15")
                .withoutHeader("Accept"));
        send(StrictProbe.table("GET", "/T()").header("Accept", "*/*"));
        send(StrictProbe.table("POST", "/T")
                .withoutHeader("Accept")
                .header("Prefer", "return-no-content")
                .json("{}"));
        send(StrictProbe.table("GET", "/?restype=service&comp=properties").withoutHeader("Accept"));
        assertThat(refused).containsExactly(StrictRule.KEY_MISSING);

        send(StrictProbe.table("GET", "/T()?$format=application%2Fatom%2Bxml"));
        send(StrictProbe.table("POST", "/T").body("application/atom+xml", "<entry/>"));
        assertThat(refused).hasSize(3).endsWith(StrictRule.ATOM_FORMAT, StrictRule.ATOM_FORMAT);
    }

    @Test
    void letsReadsAndDeletesOutsideTheRangeOfASignaturePassOrNot() throws IOException {
        Map<String, String> sas = Sas.table(T, "rd", Map.of("spk", "k", "srk", "5", "epk", "k", "erk", "6"));
        send(StrictProbe.table("GET", "/" + TableSamples.entity("a", "1")).sas(sas));
        send(StrictProbe.table("DELETE", "/" + TableSamples.entity("k", "5"))
                .header("If-Match", "*")
                .sas(sas));
        assertThat(refused).isEmpty();

        send(StrictProbe.table("DELETE", "/" + TableSamples.entity("k", "7"))
                .header("If-Match", "*")
                .sas(sas));
        assertThat(refused).containsExactly(StrictRule.SAS_RANGE);
    }

    @Test
    void knowsThePermissionThatEachOperationOfABatchNeeds() throws IOException {
        Operation update = new Operation("MERGE", TableSamples.entity("p", "1"), List.of("If-Match: *"), "{}");
        Operation upsert = new Operation("MERGE", TableSamples.entity("p", "2"), List.of(), "{}");
        Operation delete = new Operation("DELETE", TableSamples.entity("p", "3"), List.of("If-Match: *"), "");

        send(BatchText.probe(insert(T, "p", "0"), update, upsert, delete).sas(Sas.account("aud")));
        assertThat(refused).isEmpty();

        send(BatchText.probe(update, delete).sas(Sas.account("ra")));
        send(BatchText.probe(update, upsert).sas(Sas.account("u")));
        assertThat(refused).containsExactly(StrictRule.SAS_BATCH, StrictRule.SAS_UPSERT);
    }

    @Test
    void boundsTheTimeToLiveByTheVersion() throws IOException {
        StrictProbe put =
                StrictProbe.queue("POST", "/q/messages?messagettl=604801").body("application/xml", "<QueueMessage/>");
        send(put);
        assertThat(refused).isEmpty();

        StubResponse response = send(put.header("x-ms-version", "2016-05-31"));
        assertThat(refused).containsExactly(StrictRule.TTL_RANGE);
        assertThat(response.text()).contains("<Reason>Value must be 1 to 604800.</Reason>");
    }

    @Test
    void measuresMessagesInBytesOfUtf8() throws IOException {
        String text = "é".repeat(32_768);
        send(StrictProbe.queue("PUT", "/q/messages/id?popreceipt=r&visibilitytimeout=0")
                .body("application/xml", "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>"));
        assertThat(refused).isEmpty();

        StubResponse response = send(StrictProbe.queue("POST", "/q/messages")
                .body("application/xml", "<QueueMessage><MessageText>" + text + "x</MessageText></QueueMessage>"));
        assertThat(refused).containsExactly(StrictRule.MESSAGE_SIZE);
        assertThat(response.text()).contains("<MaxLimit>65536</MaxLimit>");
    }

    @Test
    void letsEmptyTheQueueAndKnowsItsOtherParts() throws IOException {
        send(StrictProbe.queue("DELETE", "/q/messages"));
        send(StrictProbe.queue("PUT", "/q-1?comp=metadata"));
        send(StrictProbe.queue("GET", "/q/messages?peekonly=true&numofmessages=32"));

        assertThat(refused).isEmpty();
    }

    @Test
    void forgetsTheSizeOfAPageBlobThatIsReplacedOrDeleted() throws IOException {
        StrictProbe create = StrictProbe.blob("PUT", "/c/b").header("x-ms-blob-type", "PageBlob");
        StrictProbe write = StrictProbe.blob("PUT", "/c/b?comp=page")
                .header("x-ms-range", "bytes=512-1023")
                .body(new byte[512]);
        send(create.header("x-ms-blob-content-length", "512"));
        send(StrictProbe.blob("PUT", "/c/b?comp=properties").header("x-ms-blob-content-length", "1024"));
        send(write);
        send(StrictProbe.blob("DELETE", "/c/b"));
        send(write);
        assertThat(refused).isEmpty();

        send(create.header("x-ms-blob-content-length", "512"));
        send(write);
        assertThat(refused).containsExactly(StrictRule.PAGE_BEYOND_BLOB);
    }

    @Test
    void letsLargeRangesOfPagesBeCleared() throws IOException {
        send(StrictProbe.blob("PUT", "/c/b?comp=page")
                .header("x-ms-page-write", "clear")
                .header("Range", "bytes=0-8388607"));

        assertThat(refused).isEmpty();
    }

    @Test
    void letsReadsCombineConditions() throws IOException {
        send(StrictProbe.blob("GET", "/c/b").header("If-Match", "\"1\"").header("If-None-Match", "\"2\", \"3\""));

        assertThat(refused).isEmpty();
    }

    @Test
    void letsSystemContainersBeCreated() throws IOException {
        send(StrictProbe.blob("PUT", "/$root?restype=container"));

        assertThat(refused).isEmpty();
    }

    private StubResponse send(StrictProbe probe) throws IOException {
        return stage.response(probe.toRequest(CLOCK.instant()), request -> StubResponse.of(201));
    }
}
