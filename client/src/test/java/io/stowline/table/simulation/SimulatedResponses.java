package io.stowline.table.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The bodies of the service's responses. */
final class SimulatedResponses {

    private SimulatedResponses() {}

    static byte[] error(Refusal refusal, int index, Instant now) {
        return errorText(refusal, index, now).getBytes(StandardCharsets.UTF_8);
    }

    private static String errorText(Refusal refusal, int index, Instant now) {
        return refusal.code().isEmpty()
                ? "<html>a proxy</html>"
                : "{\"odata.error\":{\"code\":\"" + refusal.code() + "\",\"message\":{\"lang\":\"en-US\",\"value\":\""
                        + (index < 0 ? "" : index + ":") + "What the service says of " + refusal.code()
                        + ".\\nRequestId:6ca9\\nTime:" + now + "\"}}}";
    }

    /** Returns the response to a batch that was carried out; a deletion has no version. */
    static String batch(List<String> etags) {
        return multipart(etags.stream().map(SimulatedResponses::done).toList());
    }

    /** Returns the response to a batch of which one operation was refused. */
    static String batch(Refusal refusal, int index, Instant now) {
        return multipart(List.of("HTTP/1.1 " + refusal.status() + " Refused\r\nContent-Type: application/json\r\n\r\n"
                + errorText(refusal, index, now) + "\r\n"));
    }

    /** Returns the response as a broken proxy changes it. */
    static String mangled(SimulatedFault fault, List<String> etags, Random random) {
        List<String> parts =
                new ArrayList<>(etags.stream().map(SimulatedResponses::done).toList());
        switch (fault) {
            case MISSING_PART -> parts.remove(random.nextInt(parts.size()));
            case EXTRA_PART -> parts.add(done("W/\"nobody's\""));
            case GARBAGE -> parts.set(random.nextInt(parts.size()), "HTTP/1.1 \u0001\u0002 ?\r\n\r\nfoo: bar\r\n");
            default -> {
                String whole = multipart(parts);
                return whole.substring(0, random.nextInt(whole.length()));
            }
        }
        return multipart(parts);
    }

    private static String done(String etag) {
        return "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\nDataServiceVersion: 1.0;\r\n"
                + (etag.isEmpty() ? "" : "ETag: " + etag + "\r\n") + "\r\n\r\n";
    }

    private static String multipart(List<String> parts) {
        StringBuilder text = new StringBuilder(
                "--batchresponse_1\r\nContent-Type: multipart/mixed; boundary=changesetresponse_1\r\n\r\n");
        for (String part : parts) {
            text.append("--changesetresponse_1\r\nContent-Type: application/http\r\n")
                    .append("Content-Transfer-Encoding: binary\r\n\r\n")
                    .append(part);
        }
        return text.append("--changesetresponse_1--\r\n--batchresponse_1--\r\n").toString();
    }

    /** An entity as a point read gives it. */
    static byte[] entity(SimulatedKey key, SimulatedStore.Row row) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("odata.metadata", SimulatedOperations.ROOT + "/$metadata#notes/@Element");
        json.put("odata.etag", row.etag());
        json.put("PartitionKey", key.partition());
        json.put("RowKey", key.row());
        json.put("Timestamp", row.timestamp().toString());
        json.setAll(row.properties());
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The version of a single part, for what has one. */
    static @Nullable String etag(List<String> etags) {
        return etags.get(0).isEmpty() ? null : etags.get(0);
    }
}
