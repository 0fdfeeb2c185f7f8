package io.stowline.table.internal.request;

import static io.stowline.table.internal.request.Operations.operation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.table.internal.request.Operations.Note;
import io.stowline.transport.internal.request.Request;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OperationEncoderTest {

    private static final String BODY = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"Text\":\"text\"}";
    private static final String ADDRESS = "https://acct.table.core.windows.net/notes(PartitionKey='p',RowKey='r')";

    @Provide
    static Arbitrary<String> keys() {
        return Texts.keys();
    }

    @Provide
    static Arbitrary<String> texts() {
        return Texts.texts();
    }

    private static String part(EncodedOperation operation) {
        return Operations.part(operation);
    }

    @Test
    @DisplayName("BATCH-3: an insert's part, to the byte")
    void insertPart() {
        assertThat(part(operation(EntityVerb.INSERT, "p", "r", "text")))
                .isEqualTo(lines(
                        "Content-Type: application/http",
                        "Content-Transfer-Encoding: binary",
                        "",
                        "POST https://acct.table.core.windows.net/notes HTTP/1.1",
                        "Accept: application/json;odata=nometadata",
                        "DataServiceVersion: 3.0",
                        "Content-Type: application/json",
                        "Prefer: return-no-content",
                        "",
                        BODY));
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    @ParameterizedTest
    @DisplayName("MAP-1: only conditional verbs carry If-Match; inside a batch PATCH is called MERGE")
    @CsvSource({
        "INSERT_OR_MERGE, MERGE, false",
        "INSERT_OR_REPLACE, PUT, false",
        "REPLACE, PUT, true",
        "MERGE, MERGE, true"
    })
    void partsOfTheOtherVerbs(EntityVerb verb, String method, boolean conditional) {
        assertThat(part(operation(verb, "p", "r", "text")))
                .contains("\r\n\r\n" + method + " " + ADDRESS + " HTTP/1.1\r\n")
                .contains("Content-Type: application/json\r\n" + (conditional ? "If-Match: W/\"1\"\r\n" : "") + "\r\n")
                .endsWith(BODY + "\r\n")
                .doesNotContain("Prefer");
    }

    @Test
    void deletionHasNoBody() {
        assertThat(part(operation(EntityVerb.DELETE, "p", "r", "")))
                .endsWith(lines(
                        "DELETE " + ADDRESS + " HTTP/1.1",
                        "Accept: application/json;odata=nometadata",
                        "DataServiceVersion: 3.0",
                        "If-Match: W/\"1\"",
                        "",
                        ""));
    }

    @ParameterizedTest
    @EnumSource(EntityVerb.class)
    @DisplayName("MAP-1: an update without an ETag and an upsert with one are refused before there are bytes")
    void refusesTheWrongCondition(EntityVerb verb) {
        boolean update = verb == EntityVerb.REPLACE || verb == EntityVerb.MERGE || verb == EntityVerb.DELETE;
        String wrong = update ? null : "W/\"1\"";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> operation(verb, "p", "r", "text", wrong))
                .withMessageContaining(verb.label())
                .withMessageContaining(update ? "needs an ETag" : "takes no ETag");
        assertThat(part(operation(verb, "p", "r", "text", update ? "W/\"1\"" : null))
                        .contains("If-Match"))
                .isEqualTo(update);
        assertThat(verb.upsert()).isEqualTo(verb.name().startsWith("INSERT_OR"));
    }

    @Property(tries = 300)
    @Label("MAP-3, BATCH-3: all lines end in CRLF, the address is ASCII, and body and address are slices of the part")
    void slices(
            @ForAll EntityVerb verb,
            @ForAll("keys") String partitionKey,
            @ForAll("keys") String rowKey,
            @ForAll("texts") String text) {
        EncodedOperation operation = operation(verb, partitionKey, rowKey, text);
        String part = part(operation);
        String body = new String(operation.body(), StandardCharsets.UTF_8);

        assertThat(part.replace("\r\n", "")).doesNotContain("\n", "\r");
        assertThat(operation.url()).matches("\\p{ASCII}*").doesNotContain(" ");
        assertThat(part).contains(" " + operation.url() + " HTTP/1.1\r\n").endsWith("\r\n\r\n" + body + "\r\n");
        assertThat(body.isEmpty()).isEqualTo(verb == EntityVerb.DELETE);
        if (verb != EntityVerb.INSERT) {
            assertThat(operation.url()).isEqualTo(Operations.encoder().url(partitionKey, rowKey));
        }
    }

    @Property(tries = 200)
    @Label("OUTCOME-2: a mark is the entity's last property, in a batch and alone, and changes nothing else")
    void marks(@ForAll("keys") String rowKey, @ForAll("texts") String text) {
        EncodedOperation plain = operation(EntityVerb.REPLACE, "p", rowKey, text);
        EncodedOperation marked = plain.marked("00000000-0000-0000-0000-000000000001");
        String body = new String(plain.body(), StandardCharsets.UTF_8);
        String with =
                body.substring(0, body.length() - 1) + ",\"StowlineWrite\":\"00000000-0000-0000-0000-000000000001\"}";

        assertThat(new String(marked.body(), StandardCharsets.UTF_8)).isEqualTo(with);
        assertThat(part(marked)).isEqualTo(part(plain).replace(body, with));
        assertThat(marked.url()).isEqualTo(plain.url());
        assertThat(new String(plain.body(), StandardCharsets.UTF_8)).isEqualTo(body);
    }

    @ParameterizedTest
    @EnumSource(EntityVerb.class)
    @DisplayName("BATCH-2: travelling alone, an operation has the same address, body and conditions")
    void travellingAlone(EntityVerb verb) {
        EncodedOperation operation = operation(verb, "O'Neil", "r 1", "text");
        Request request = Operations.requests().operation("notes", operation);

        assertThat(request.url()).isEqualTo(operation.url());
        assertThat(request.method()).isEqualTo(TableRequests.method(verb));
        assertThat(request.headers().value(HttpHeaderName.IF_MATCH)).isEqualTo(operation.ifMatch());
        assertThat(request.headers().value(HttpHeaderName.fromString("Prefer")))
                .isEqualTo(verb == EntityVerb.INSERT ? "return-no-content" : null);
        if (verb == EntityVerb.DELETE) {
            assertThat(request.body()).isNull();
            assertThat(request.method()).isEqualTo(HttpMethod.DELETE);
        } else {
            assertThat(request.body().bytes()).isEqualTo(operation.body());
            assertThat(new String(request.body().bytes(), StandardCharsets.UTF_8))
                    .contains("\"PartitionKey\":\"O'Neil\"");
        }
        if (verb != EntityVerb.INSERT) {
            assertThat(request.url()).endsWith("/notes(PartitionKey='O%27%27Neil',RowKey='r%201')");
        }
    }

    @ParameterizedTest
    @DisplayName("MAP-3: keys are checked before anything is sent")
    @CsvSource({"a/b, r, PartitionKey", "p, a#b, RowKey", "p, 'a?b', RowKey", "'a\\b', r, PartitionKey"})
    void checksKeys(String partitionKey, String rowKey, String named) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operation(EntityVerb.INSERT, partitionKey, rowKey, ""))
                .withMessageContaining(named);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operation(EntityVerb.DELETE, partitionKey, rowKey, ""))
                .withMessageContaining(named);
    }

    @Test
    @DisplayName("MAP-3 T17: a key of 1,024 characters goes, one of 1,025 does not")
    void checksTheLengthOfKeys() {
        assertThat(operation(EntityVerb.INSERT, "k".repeat(1_024), "", "").rowKey())
                .isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operation(EntityVerb.INSERT, "p", "k".repeat(1_025), ""))
                .withMessageContaining("1025")
                .withMessageContaining("1024");
    }

    @Test
    void aRefusedEntityLeavesNothingBehind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operation(EntityVerb.INSERT, "p", "r", "x".repeat(40_000)));

        assertThat(part(operation(EntityVerb.INSERT, "p", "r", "text"))).endsWith(BODY + "\r\n");
    }

    @Test
    void servesManyThreads() {
        OperationEncoder encoder = Operations.encoder();

        assertThat(IntStream.range(0, 2_000)
                        .parallel()
                        .mapToObj(i -> encoder.encode(
                                EntityVerb.INSERT, new Note("p", "r" + i, "t" + i), Operations.CODEC, null))
                        .filter(operation -> !part(operation)
                                .endsWith("\"RowKey\":\"" + operation.rowKey() + "\",\"Text\":\"t"
                                        + operation.rowKey().substring(1) + "\"}\r\n")))
                .isEmpty();
    }
}
