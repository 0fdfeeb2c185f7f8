package io.stowline.table.internal.request;

import com.azure.core.http.HttpMethod;
import io.stowline.table.internal.codec.EntityJsonWriter.WriteMarker;
import io.stowline.table.internal.json.AsciiCopier;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the batch parts on one table, whatever the entity: the headers and the table's address. Immutable.
 */
final class BatchPartTemplate {

    private static final String PART_HEADERS =
            "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n";
    private static final String COMMON_HEADERS =
            " HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\nDataServiceVersion: 3.0\r\n";
    private static final String BODY_TYPE = "Content-Type: application/json\r\n";
    private static final String NO_CONTENT = "Prefer: return-no-content\r\n";
    private static final String IF_MATCH = "If-Match: ";
    private static final String LINE_END = "\r\n";

    private final String tableUrl;
    private final Map<EntityVerb, Headers> headers = new EnumMap<>(EntityVerb.class);

    BatchPartTemplate(String tableUrl) {
        this.tableUrl = tableUrl;
        for (EntityVerb verb : EntityVerb.values()) {
            byte[] before = ascii(PART_HEADERS + method(verb) + " " + tableUrl);
            byte[] after = ascii(
                    COMMON_HEADERS + (verb.hasBody() ? BODY_TYPE : "") + (verb == EntityVerb.INSERT ? NO_CONTENT : ""));
            headers.put(verb, new Headers(before, after));
        }
    }

    /** PATCH has its old name inside a change set. */
    private static String method(EntityVerb verb) {
        HttpMethod method = TableRequests.method(verb);
        return method == HttpMethod.PATCH ? "MERGE" : method.toString();
    }

    /** The bytes before and after the entity's end of the address. */
    @SuppressWarnings("ArrayRecordComponent") // made once per verb; never compared
    private record Headers(byte[] before, byte[] after) {}

    private Headers headers(EncodedOperation operation) {
        return Objects.requireNonNull(headers.get(operation.verb()));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    String tableUrl() {
        return tableUrl;
    }

    /** Returns the length of an operation's part. */
    int size(EncodedOperation operation) {
        Headers around = headers(operation);
        return around.before.length
                + operation.address().length
                + around.after.length
                + conditionSize(operation.ifMatch())
                + LINE_END.length()
                + operation.content().length
                + (operation.marker() == null ? 0 : WriteMarker.LENGTH)
                + LINE_END.length();
    }

    private static int conditionSize(@Nullable String ifMatch) {
        return ifMatch == null ? 0 : IF_MATCH.length() + ifMatch.length() + LINE_END.length();
    }

    /** Writes an operation's part and gives where it ends. */
    int write(EncodedOperation operation, byte[] target, int from) {
        Headers around = headers(operation);
        int at = AsciiCopier.put(around.before, target, from);
        at = AsciiCopier.put(operation.address(), target, at);
        at = AsciiCopier.put(around.after, target, at);
        String ifMatch = operation.ifMatch();
        if (ifMatch != null) {
            at = AsciiCopier.put(
                    LINE_END, target, AsciiCopier.put(ifMatch, target, AsciiCopier.put(IF_MATCH, target, at)));
        }
        at = AsciiCopier.put(LINE_END, target, at);
        at = AsciiCopier.put(operation.content(), target, at);
        String marker = operation.marker();
        if (marker != null) {
            at = WriteMarker.write(marker, target, at);
        }
        return AsciiCopier.put(LINE_END, target, at);
    }
}
