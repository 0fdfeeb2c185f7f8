package io.stowline.table.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.error.ProtocolException;
import io.stowline.table.internal.Operations.Note;
import io.stowline.transport.internal.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecodingTest {

    private static final String ROW = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"Text\":\"x\"}";

    private static Answer answer(String json) {
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.fromString("x-ms-client-request-id"), "mine")
                .set(HttpHeaderName.fromString("x-ms-request-id"), "theirs");
        return new Answer(200, headers, json.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Note> rows(String json) {
        return Decoding.rows(new Page(answer(json), null), Operations.CODEC.reader()).stream()
                .map(Row::value)
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
        assertThat(rows("{}")).isEmpty();
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
    @DisplayName("RETRY-7: an answer that is cut or is no list is a protocol error with both ids")
    @ValueSource(
            strings = {
                "",
                "[]",
                "<html/>",
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
        assertThat(error).hasMessageContaining("query").hasMessageContaining("not the JSON that was asked for");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a point read's answer that is cut or is no row is a protocol error")
    @ValueSource(strings = {"", "[]", "5", "{\"RowKey\":", "{\"RowKey\":\"r\""})
    void unreadableRow(String json) {
        assertThatThrownBy(() -> Decoding.row(answer(json), Operations.CODEC))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("find")
                .hasMessageContaining("request-id theirs");
    }

    @Test
    void unknownIdsAreToldAsSuch() {
        Answer bare = new Answer(200, new HttpHeaders(), new byte[0]);

        assertThatThrownBy(() -> Decoding.row(bare, Operations.CODEC))
                .hasMessageContaining("client-request-id unknown");
    }
}
