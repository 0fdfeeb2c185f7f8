package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Metadata;
import io.stowline.benchmarks.side.work.Orders;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The responses of a table service in which every entity exists, of a queue that is never empty, and of a container;
 * every write succeeds. Each is made when it is first requested.
 */
public final class StubResponses {

    /** Entities on a page, the service's own limit. */
    public static final int PAGE = 1_000;

    /** Pages in a query that has no end. */
    public static final int PAGES = 20;

    private static final String MORE_PARTITION = "x-ms-continuation-NextPartitionKey: 1!12!";
    private static final String MORE_ROW = "x-ms-continuation-NextRowKey: 1!16!MTAwMDAwMDAwMA--\r\n";

    private final StubServerResponse done =
            StubServerResponse.of("204 No Content", etag() + "DataServiceVersion: 1.0;\r\n");
    private final StubServerResponse doneQuietly = StubServerResponse.of(
            "204 No Content", etag() + "Preference-Applied: return-no-content\r\nDataServiceVersion: 3.0;\r\n");
    private final StubServerResponse sent = messages("201 Created", StubMessages.sent());
    private final StubServerResponse received = messages("200 OK", StubMessages.received(0, Orders.RECEIVED));
    private final StubServerResponse deleted = StubServerResponse.of("204 No Content", "");
    private final StubServerResponse busy =
            StubServerResponse.of("503 Service Unavailable", "x-ms-error-code: ServerBusy\r\n");
    private final StubServerResponse refused = StubServerResponse.of("411 Length Required", "");
    private final StubQueues queues = new StubQueues(this);
    private final StubContainer container = new StubContainer();
    private final StubTable cities = new StubTable();
    private final StubDescription description = new StubDescription();
    private final Map<Integer, StubServerResponse> batches = new HashMap<>();
    private final Map<String, StubServerResponse> read = new HashMap<>();
    private final Map<Long, StubServerResponse> sized = new HashMap<>();
    private final Map<Metadata, Map<Long, StubServerResponse>> entities = new EnumMap<>(Metadata.class);

    /** Returns the queues that hold what is sent to them. */
    StubQueues queues() {
        return queues;
    }

    /** Returns the tables of cities. */
    StubTable cities() {
        return cities;
    }

    StubDescription description() {
        return description;
    }

    StubContainer container() {
        return container;
    }

    StubServerResponse sent() {
        return sent;
    }

    StubServerResponse received() {
        return received;
    }

    StubServerResponse deleted() {
        return deleted;
    }

    StubServerResponse busy() {
        return busy;
    }

    StubServerResponse refused() {
        return refused;
    }

    /** Returns the response to a write; an insert that wants nothing back gets that response. */
    StubServerResponse written(boolean insert) {
        return insert ? doneQuietly : done;
    }

    StubServerResponse batch(int operations) {
        return batches.computeIfAbsent(operations, StubResponses::multipart);
    }

    /** Returns the entity with the requested keys. */
    StubServerResponse entity(Metadata level, long number) {
        return entities.computeIfAbsent(level, none -> new HashMap<>())
                .computeIfAbsent(
                        number, n -> json(level, etag(), new StubRows(level, List.of()).entity(Orders.order(n))));
    }

    /** Returns the entity of this many KiB. */
    StubServerResponse sized(Metadata level, long kib) {
        return sized.computeIfAbsent(kib, key -> json(level, etag(), StubRows.sized(Math.toIntExact(key))));
    }

    StubServerResponse page(Metadata level, String select, int page) {
        return read.computeIfAbsent(
                level + " " + page + " " + select,
                key -> json(
                        level,
                        page < PAGES ? MORE_PARTITION + page + "\r\n" + MORE_ROW : "",
                        new StubRows(level, select.isEmpty() ? List.of() : List.of(select.split(",")))
                                .page(LongStream.range(0, PAGE)
                                        .mapToObj(n -> Orders.order(Orders.partition(page), n))
                                        .toList())));
    }

    private static StubServerResponse messages(String status, String xml) {
        return StubServerResponse.of(status, "Content-Type: application/xml\r\n", xml.getBytes(StandardCharsets.UTF_8));
    }

    private static StubServerResponse json(Metadata level, String headers, String body) {
        String head = headers + "Content-Type: " + level.contentType() + "\r\nDataServiceVersion: 3.0;\r\n";
        return StubServerResponse.of("200 OK", head, body.getBytes(StandardCharsets.UTF_8));
    }

    private static String etag() {
        return "ETag: " + StubRows.ETAG + "\r\n";
    }

    /** Written as on the service's page "Performing entity group transactions". */
    private static StubServerResponse multipart(int operations) {
        String batch = "batchresponse_2c1e5b1a-7d3f-4f27-9a52-0c8a4f4a1f10";
        String set = "changesetresponse_7f2d3c55-1b0e-4a3c-8a31-5a6c7c2f9e21";
        String part = "--" + set
                + "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n"
                + "DataServiceVersion: 1.0;\r\n" + etag() + "\r\n\r\n";
        String body = "--" + batch + "\r\nContent-Type: multipart/mixed; boundary=" + set + "\r\n\r\n"
                + part.repeat(operations) + "--" + set + "--\r\n--" + batch + "--\r\n";
        return StubServerResponse.of(
                "202 Accepted",
                "Content-Type: multipart/mixed; boundary=" + batch + "\r\n",
                body.getBytes(StandardCharsets.US_ASCII));
    }
}
