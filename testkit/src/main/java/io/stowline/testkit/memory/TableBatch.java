package io.stowline.testkit.memory;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.testkit.memory.MemoryTable.RowAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An entity group transaction: all of its operations are carried out, or none. Serves one request. */
final class TableBatch {

    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";\\s]+)");
    private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]+) (\\S+) HTTP/1\\.1");
    private static final Pattern TABLE = Pattern.compile("/(\\w+)(?:\\(.*)?");
    private static final Pattern PARTITION = Pattern.compile("PartitionKey='((?:[^']|'')*)'");
    private static final int MAX_OPERATIONS = 100;

    private final MemoryTables tables;

    TableBatch(MemoryTables tables) {
        this.tables = tables;
    }

    MemoryResponse response(MemoryRequest request) {
        List<MemoryRequest> operations = operations(request);
        if (operations.isEmpty() || operations.size() > MAX_OPERATIONS) {
            throw new RefusedOperation(
                    400, "InvalidInput", "The batch has " + operations.size() + " operations; 1 to 100 are allowed.");
        }
        if (operations.size() == 1 && operations.get(0).method().equals("GET")) {
            throw request.unknown();
        }
        MemoryTable table = tables.table(name(operations.get(0)));
        Map<RowAddress, Map<String, EdmProperty>> before = table.copy();
        List<MemoryResponse> responses = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (MemoryRequest operation : operations) {
            try {
                check(operation, operations.get(0), seen);
                responses.add(tables.respond(operation));
            } catch (RefusedOperation refusal) {
                table.restore(before);
                return written(List.of(refusal.at(responses.size()).respond(operation)));
            }
        }
        return written(responses);
    }

    private static void check(MemoryRequest operation, MemoryRequest first, Set<String> seen) {
        if (!partition(operation).equals(partition(first)) || !name(operation).equalsIgnoreCase(name(first))) {
            throw new RefusedOperation(
                    400,
                    "CommandsInBatchActOnDifferentPartitions",
                    "All commands in a batch must operate on same entity group.");
        }
        if (!seen.add(identity(operation))) {
            throw new RefusedOperation(
                    400, "InvalidDuplicateRow", "The batch request contains multiple changes with same row key.");
        }
    }

    private static String name(MemoryRequest operation) {
        Matcher table = TABLE.matcher(operation.path());
        if (!table.matches()) {
            throw operation.unknown();
        }
        return table.group(1);
    }

    private static String partition(MemoryRequest operation) {
        Matcher keys = PARTITION.matcher(operation.path());
        return keys.find() ? keys.group(1).replace("''", "'") : property(operation, "PartitionKey");
    }

    private static String identity(MemoryRequest operation) {
        int keys = operation.path().indexOf("RowKey='");
        return keys < 0
                ? property(operation, "RowKey")
                : operation
                        .path()
                        .substring(keys + 8, operation.path().lastIndexOf('\''))
                        .replace("''", "'");
    }

    private static String property(MemoryRequest operation, String name) {
        EdmProperty property = EntityJson.read(operation.body()).get(name);
        return property == null ? "" : property.value().toString();
    }

    private static List<MemoryRequest> operations(MemoryRequest request) {
        List<MemoryRequest> operations = new ArrayList<>();
        String type = request.header("Content-Type");
        for (String part : parts(request.text(), boundary(type == null ? "" : type))) {
            Matcher inner = BOUNDARY.matcher(part);
            boolean changeSet = inner.find() && part.indexOf("multipart/mixed") >= 0;
            List<String> requests = changeSet ? parts(part, inner.group(1)) : List.of(part);
            requests.forEach(text -> operations.add(operation(request, text)));
        }
        return operations;
    }

    private static String boundary(String contentType) {
        Matcher boundary = BOUNDARY.matcher(contentType);
        if (!boundary.find()) {
            throw new RefusedOperation(400, "InvalidInput", "The batch has no boundary.");
        }
        return boundary.group(1);
    }

    private static List<String> parts(String text, String boundary) {
        List<String> parts = new ArrayList<>();
        String marker = "--" + boundary;
        int from = text.indexOf(marker);
        while (from >= 0 && !text.startsWith("--", from + marker.length())) {
            int end = text.indexOf(marker, from + marker.length());
            if (end < 0) {
                throw new RefusedOperation(400, "InvalidInput", "The batch has no end.");
            }
            parts.add(text.substring(from + marker.length(), end));
            from = end;
        }
        return parts;
    }

    private static MemoryRequest operation(MemoryRequest batch, String part) {
        Matcher line = REQUEST_LINE.matcher(part);
        if (!line.find()) {
            throw new RefusedOperation(400, "InvalidInput", "A part of the batch has no request.");
        }
        int headersEnd = part.indexOf("\r\n\r\n", line.end());
        HttpHeaders headers = new HttpHeaders();
        String named = part.substring(line.end(), headersEnd < 0 ? part.length() : headersEnd);
        for (String header : named.split("\r\n", -1)) {
            int colon = header.indexOf(':');
            if (colon > 0) {
                headers.set(
                        HttpHeaderName.fromString(header.substring(0, colon)),
                        header.substring(colon + 1).strip());
            }
        }
        String body = headersEnd < 0 ? "" : part.substring(headersEnd + 4).strip();
        return batch.part(line.group(1), line.group(2), headers, body.getBytes(StandardCharsets.UTF_8));
    }

    private static MemoryResponse written(List<MemoryResponse> responses) {
        String batch = "batchresponse_" + UUID.randomUUID();
        String changeSet = "changesetresponse_" + UUID.randomUUID();
        StringBuilder text = new StringBuilder(
                "--" + batch + "\r\nContent-Type: multipart/mixed; boundary=" + changeSet + "\r\n\r\n");
        for (MemoryResponse response : responses) {
            text.append("--")
                    .append(changeSet)
                    .append("\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n")
                    .append(response.toPart());
        }
        text.append("--").append(changeSet).append("--\r\n--").append(batch).append("--\r\n");
        return new MemoryResponse(202)
                .body("multipart/mixed; boundary=" + batch, text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
