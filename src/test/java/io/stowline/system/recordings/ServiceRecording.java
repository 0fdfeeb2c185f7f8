package io.stowline.system.recordings;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * Recorded exchange with the real service. Account names and keys are replaced.
 *
 * @param source its file and place there
 * @param service {@code table}, {@code queue} or {@code blob}
 * @param requestBody the body of the request; empty where the recording lacks it
 */
record ServiceRecording(
        String source,
        String service,
        String method,
        RequestTarget target,
        HeaderFields request,
        byte[] requestBody,
        CannedResponse response) {

    static List<ServiceRecording> of(String file, JsonNode json) {
        List<ServiceRecording> recordings = new ArrayList<>();
        for (JsonNode exchange : json.get("exchanges")) {
            recordings.add(new ServiceRecording(
                    file + "#" + recordings.size(),
                    exchange.get("service").asText(),
                    exchange.get("method").asText(),
                    RequestTarget.ofAddress(exchange.get("uri").asText()),
                    fields(exchange.get("headers")),
                    bytes(exchange.get("body")),
                    new CannedResponse(
                            exchange.get("status").asInt(),
                            exchange.get("reason").asText(""),
                            fields(exchange.get("answer")),
                            bytes(exchange.get("content")))));
        }
        return recordings;
    }

    /** Reads a file with nothing but the body of the response to an entity group transaction, in Base64. */
    static ServiceRecording batch(String file, byte[] base64) {
        byte[] body = Base64.getMimeDecoder().decode(base64);
        String boundary = new String(body, 2, 200, StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElseThrow();
        CannedResponse response = new CannedResponse(
                202,
                "Accepted",
                CannedResponse.of(202, "")
                        .with("Content-Type", "multipart/mixed; boundary=" + boundary)
                        .headers(),
                body);
        return new ServiceRecording(
                file, "table", "POST", RequestTarget.of("/$batch"), new HeaderFields(List.of()), new byte[0], response);
    }

    private static HeaderFields fields(JsonNode pairs) {
        List<HeaderFields.Field> fields = new ArrayList<>();
        for (JsonNode pair : pairs) {
            fields.add(new HeaderFields.Field(
                    pair.get(0).asText(), pair.get(1).asText().strip()));
        }
        return new HeaderFields(fields);
    }

    private static byte[] bytes(JsonNode base64) {
        return base64 == null || base64.isNull()
                ? new byte[0]
                : Base64.getDecoder().decode(base64.asText());
    }

    int status() {
        return response.status();
    }

    boolean isError() {
        return status() >= 300;
    }

    String header(String name) {
        return Objects.requireNonNull(response.headers().value(name), () -> source + " has no " + name);
    }

    @Override
    public String toString() {
        return source + " " + service + " " + method + " " + target.path() + " " + status();
    }
}
