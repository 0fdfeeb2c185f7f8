package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.error.ProtocolException;
import io.stowline.projection.EntityType;
import io.stowline.projection.Mapping;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.RowPrefix;
import io.stowline.table.Entity;
import io.stowline.table.UnreadableEntityException;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.codec.SealedCodec;
import io.stowline.table.internal.codec.TypedCodec;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.Operations.Note;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.transport.internal.http.StorageResponse;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowDecoderTest {

    private static final String ROW = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"Text\":\"x\"}";

    private static StorageResponse response(String json) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.fromString("x-ms-client-request-id"), "mine")
                .set(HttpHeaderName.fromString("x-ms-request-id"), "theirs");
        return new StorageResponse(200, headers, json.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Note> rows(String json) {
        return RowDecoder.rows(new QueryPage(response(json), null), Operations.CODEC.reader()).stream()
                .map(DecodedRow::value)
                .toList();
    }

    @Test
    void readsAPage() {
        assertThat(rows("{\"odata.metadata\":\"x\",\"value\":[" + ROW + ",{\"RowKey\":\"s\",\"PartitionKey\":\"p\"}]}"))
                .containsExactly(new Note("p", "r", "x"), new Note("p", "s", ""));
    }

    @Test
    @DisplayName("MAP-5: a page without rows is a page")
    void readsAnEmptyPage() {
        assertThat(rows("{\"value\":[]}")).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("MAP-5: a page that ends with an error, or has two lists, is no result")
    @ValueSource(
            strings = {
                "{\"value\":[],\"odata.error\":{\"code\":\"OperationTimedOut\"}}",
                "{\"odata.error\":{\"code\":\"InternalError\"},\"value\":[]}",
                "{\"value\":[],\"value\":[]}"
            })
    void contradictions(String json) {
        assertThatThrownBy(() -> rows(json)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void passesOverWhatStandsBesideTheRows() {
        assertThat(rows("{\"odata.extra\":{\"value\":[1]},\"value\":[" + ROW + "],\"after\":[{\"a\":1}]}"))
                .hasSize(1);
    }

    @Test
    void readsAnnotationsBeforeAndAfter() {
        assertThat(rows("{\"value\":[{\"Text@odata.type\":\"Edm.String\",\"Text\":\"x\"},"
                        + "{\"Text\":\"y\",\"Text@odata.type\":\"Edm.String\"}]}"))
                .extracting(Note::text)
                .containsExactly("(Text Edm.String)x", "y(Text Edm.String)");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a response that is cut or is no list is a protocol error with both ids")
    @ValueSource(
            strings = {
                "",
                "[]",
                "<html/>",
                "{}",
                "{\"value\":null}",
                "{\"values\":[]}",
                "{\"value\":[",
                "{\"value\":[{\"RowKey\":\"r\"}",
                "{\"value\":[{\"RowKey\":\"r",
                "{\"value\":[{\"RowKey\":\"r\"}]",
                "{\"value\":[1]}",
                "{\"value\":[{\"RowKey\":\"r\",\"Timestamp\":\"yesterday\"}]}"
            })
    void unreadablePage(String json) {
        ProtocolException error = catchThrowableOfType(ProtocolException.class, () -> rows(json));

        assertThat(error.failure().clientRequestId()).isEqualTo("mine");
        assertThat(error.failure().requestId()).isEqualTo("theirs");
        assertThat(error).hasMessageContaining("query").hasMessageContaining("not the requested JSON");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a point read's response that is cut or is no row is a protocol error")
    @ValueSource(strings = {"", "[]", "5", "{\"RowKey\":", "{\"RowKey\":\"r\""})
    void unreadableRow(String json) {
        assertThatThrownBy(() -> RowDecoder.row(response(json), Operations.CODEC))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("find")
                .hasMessageContaining("request-id theirs");
    }

    record Keyed(@PartitionKey String partition, @RowKey String row, int count) {}

    record Counted(@RowKey String row, int count) {}

    private static <T> List<T> values(Class<T> type, String row) {
        QueryPage page = new QueryPage(response("{\"value\":[" + row + "]}"), null);
        return RowDecoder.values("notes", page, codec(type), null);
    }

    @SuppressWarnings("unchecked")
    private static <T> EntityCodec<T> codec(Class<T> type) {
        return type == Entity.class
                ? (EntityCodec<T>) new EntityObjectCodec(null)
                : new TypedCodec<>(EntityType.of(type));
    }

    @ParameterizedTest
    @DisplayName("MAP-5: a row of a page without a key that was asked for makes the response unreadable")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"count\":1} | PartitionKey",
                "{\"RowKey\":\"r\",\"count\":1} | PartitionKey",
                "{\"PartitionKey\":\"p\",\"count\":1} | RowKey",
                "{\"PartitionKey\":\"p\",\"RowKey\":null,\"count\":1} | RowKey"
            })
    void rowsHaveTheirKeys(String row, String missing) {
        assertThatThrownBy(() -> values(Keyed.class, row))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("a row has no " + missing);
        QueryPage page = new QueryPage(response("{\"value\":[" + row + "]}"), null);
        assertThatThrownBy(() -> RowDecoder.rows("notes", page, Operations.CODEC, null))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("a row has no " + missing);
    }

    @ParameterizedTest
    @DisplayName(
            "MAP-2: the error of a value that cannot be read names table, keys and property, wherever it stands in the row")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "d":1e400,"PartitionKey":"p","RowKey":"r","e":1 | d: the number 1e400 is beyond the range of a double
            "PartitionKey":"p","d":"{x:[1,2","RowKey":"r","e":True | e:
            "e":1,"PartitionKey":"p","RowKey":"r","d":01 | d:
            """)
    void namesThePropertyOfAFault(String row, String fault) {
        assertThatThrownBy(() -> values(Entity.class, "{" + row + "}"))
                .isInstanceOf(UnreadableEntityException.class)
                .hasMessageStartingWith("the entity (p, r) of table notes cannot be read: property " + fault)
                .hasCauseInstanceOf(UncheckedIOException.class);
    }

    @Test
    @DisplayName("MAP-5: an empty key is a key, and one that was not asked for may be missing")
    void keysThatAreThere() {
        assertThat(values(Keyed.class, "{\"PartitionKey\":\"\",\"RowKey\":\"\",\"count\":1}"))
                .containsExactly(new Keyed("", "", 1));
        assertThat(values(Counted.class, "{\"RowKey\":\"r\",\"count\":1}")).containsExactly(new Counted("r", 1));
    }

    record Dated(@PartitionKey String partition, @RowKey String row, int count, Optional<Long> day) {}

    sealed interface Kind permits Plain {}

    @RowPrefix("r")
    record Plain(@PartitionKey String partition, @RowKey String row, int count) implements Kind {}

    record Uncounted(@RowKey String row, Optional<Integer> count) {}

    private static final String MESSAGE = "\"RowKey\":\"~stowline-outbox~4f~00\"";

    @ParameterizedTest
    @DisplayName(
            "MOVE-1: a message of an outbox is no row of a page, whatever stands in it, and leaves no value for the next row")
    @ValueSource(
            strings = {
                "\"PartitionKey\":\"p\"," + MESSAGE + ",\"body\":\"x\"",
                MESSAGE + ",\"PartitionKey\":\"p\",\"count\":7,\"day\":\"8\"",
                "\"day\":\"8\",\"count\":7,\"PartitionKey\":\"q\"," + MESSAGE,
                "\"count\":\"none\"," + MESSAGE + ",\"PartitionKey\":\"p\"",
                "\"count\":NaN," + MESSAGE,
                MESSAGE + ",\"count\":NaN",
                "\"RowKey\":\"\\u007Estowline-outbox~4f~00\""
            })
    void messages(String message) {
        String row = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"count\":1}";
        String page = row + ",{" + message + "}," + row;

        assertThat(values(Dated.class, page))
                .containsExactly(new Dated("p", "r", 1, Optional.empty()), new Dated("p", "r", 1, Optional.empty()));
        assertThat(values(Entity.class, page)).hasSize(2).allSatisfy(entity -> assertThat(entity.properties())
                .containsOnlyKeys("count"));
        List<UnreadableEntityException> skipped = new ArrayList<>();
        EntityCodec<Kind> family = SealedCodec.of(Kind.class, Mapping.standard());
        QueryPage list = new QueryPage(response("{\"value\":[" + page + "]}"), null);
        assertThat(RowDecoder.rowsWithValues(
                        "notes",
                        list,
                        new EntityObjectCodec(null),
                        new TypedCodec<>(EntityType.of(Dated.class)),
                        any -> true))
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.value()).isNotNull());
        assertThat(RowDecoder.rows("notes", list, new TypedCodec<>(EntityType.of(Dated.class)), skipped::add))
                .hasSize(2);
        assertThat(RowDecoder.values("notes", list, family, skipped::add)).hasSize(2);
        assertThat(skipped).isEmpty();
    }

    @Test
    @DisplayName("MOVE-1: the rows of a page are counted with its messages, for they were read")
    void countedMessages() {
        AtomicInteger counted = new AtomicInteger();
        QueryPage page =
                new QueryPage(response("{\"value\":[{" + MESSAGE + "},{\"RowKey\":\"r\"}]}"), null, counted::addAndGet);

        assertThat(RowDecoder.values("notes", page, new TypedCodec<>(EntityType.of(Uncounted.class)), null))
                .containsExactly(new Uncounted("r", Optional.empty()));
        assertThat(counted).hasValue(2);
    }

    @Test
    @DisplayName("a point read shows the row of a message, as it does any row")
    void pointReadOfMessage() {
        assertThat(RowDecoder.row("notes", response("{" + MESSAGE + "}"), new EntityObjectCodec(null))
                        .value()
                        .rowKey())
                .isEqualTo("~stowline-outbox~4f~00");
    }

    @Test
    void unknownIdsAreReportedAsSuch() {
        StorageResponse bare = new StorageResponse(200, new HttpHeaders(), new byte[0]);

        assertThatThrownBy(() -> RowDecoder.row(bare, Operations.CODEC))
                .hasMessageContaining("client-request-id unknown");
    }
}
